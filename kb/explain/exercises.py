"""Exercises in words: what happened, the right answer, and a sheet to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from facts.cards import SEATS
from kb.explain.appeal import findings
from kb.explain.asking import answer_text
from kb.explain.happenings import event_words
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part, sentence
from kb.explain.say import Voice
from kb.ruling.why_not import why_not
from kb.space.interview import Interview
from kb.study.quiz.exercise import NO_REVOKE, Exercise
from kb.study.quiz.grade import Grade

STYLE: Final = (
    "body{font:11pt/1.4 system-ui,sans-serif;color:#111;background:#fff;max-width:45rem;margin:1rem auto;"
    "padding:0 1rem}section{break-inside:avoid}.answers{break-before:page}h2{font-size:1.1rem;margin:1rem 0 .2rem}"
    ".blank{color:#444}@page{size:A4;margin:18mm}"
)


def statement(exercise: Exercise, interview: Interview, voice: Voice) -> list[str]:
    """What happened, a line each."""
    if exercise.answers:
        said = (answer_text(interview, *one, voice.lang) for one in exercise.answers.items())
        return [sentence(line) for line in said]
    if exercise.incident.deal is None or exercise.incident.play is None:
        table = voice.of(exercise.ruling)
        return list(dict.fromkeys(sentence(table.fact(fact)) for fact in findings(exercise.ruling)))
    return list(_board(exercise, voice))


def _board(exercise: Exercise, voice: Voice) -> Iterator[str]:
    incident, table = exercise.incident, exercise.ruling.edition.table
    assert incident.deal is not None and incident.play is not None
    if incident.contract is not None:
        declarer = voice.value(incident.declarer, "seat")
        yield voice.phrase("quiz-contract", contract=voice.contract(incident.contract), declarer=declarer)
    for seat in SEATS:
        cards = " ".join(voice.value(card.text, "card") for card in sorted(incident.deal[seat] or ()))
        yield f"{voice.value(seat, 'seat')}: {cards}"
    for number, trick in enumerate(incident.play.tricks, 1):
        cards = " ".join(voice.value(card.text if card else None, "card") for _, card in trick.items())
        yield voice.phrase("quiz-trick", n=number, leader=voice.value(trick.leader, "seat"), cards=cards)
    yield from (sentence(event_words(event, table, voice)) for event in incident.events)


def status_words(status: str, voice: Voice) -> str:
    """«The revoke: established.»; «There was no revoke.»"""
    if status == NO_REVOKE:
        return voice.phrase("quiz-no-revoke")
    return voice.phrase("ask-status", status=voice.value(status, "status-word"))


def answer_lines(exercise: Exercise, voice: Voice) -> list[str]:
    """The right answer: the ruling, the laws it rests on, and those left to judgement."""
    voice = voice.of(exercise.ruling)
    judged = [voice.phrase("quiz-judged", laws=voice.laws(exercise.judged))] if exercise.judged else []
    return [
        status_words(exercise.status, voice),
        headline(exercise.ruling, voice),
        f"{voice.laws(exercise.ruling.cited)}.",
        *judged,
    ]


def graded(exercise: Exercise, grade: Grade, voice: Voice) -> Page:
    """What was right and wrong, where the reply leaves the proof, and why the laws named in vain do not apply."""
    lead = [Line(voice.phrase("quiz-right" if grade.ruling else "quiz-wrong"))]
    if grade.missing:
        lead.append(Line(voice.phrase("quiz-missing", laws=voice.laws(grade.missing))))
    if grade.needless:
        lead.append(Line(voice.phrase("quiz-needless", laws=voice.laws(grade.needless))))
    said, step = voice.of(exercise.ruling), grade.leaves
    leaves = [] if step is None else [Line(said.reason(step.rule, step.bindings), (step.rule.clause,))]
    return Page(
        "",
        tuple(lead),
        (
            *part(voice.phrase("quiz-leaves"), leaves),
            *part(voice.phrase("quiz-why-not"), _in_vain(exercise, grade, voice)),
            *part(voice.phrase("quiz-answer"), map(Line, answer_lines(exercise, voice))),
        ),
    )


def _in_vain(exercise: Exercise, grade: Grade, voice: Voice) -> Iterator[Line]:
    from kb.explain.why_not import page  # noqa: PLC0415 - only for a wrong reply

    for law in grade.needless:
        if law in exercise.ruling.edition.clauses:
            told = page(exercise.ruling, why_not(exercise.ruling, law), voice)
            yield told.lead[0]
        else:
            yield Line(voice.phrase("quiz-no-law", law=law))


def sheet(exercises: Sequence[Exercise], interview: Interview, voice: Voice) -> str:
    """A page to print: the exercises, and the answers on a page of their own."""
    edition = exercises[0].ruling.edition.called(voice.lang)
    title = escape(f"{voice.phrase('quiz-title')} – {edition}")
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{escape(voice.lang)}"><head><meta charset="utf-8"><title>{title}</title>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">',
            f"<style>{STYLE}</style></head><body>",
            f"<h1>{title}</h1>",
            *(_asked(number, one, interview, voice) for number, one in enumerate(exercises, 1)),
            f'<div class="answers"><h1>{escape(voice.phrase("quiz-answers"))}</h1>',
            *(_answered(number, one, voice) for number, one in enumerate(exercises, 1)),
            "</div></body></html>",
            "",
        ]
    )


def _asked(number: int, exercise: Exercise, interview: Interview, voice: Voice) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in statement(exercise, interview, voice))
    blank = escape(voice.phrase("quiz-blank"))
    heading = escape(voice.phrase("quiz-number", n=number))
    return f'<section><h2>{heading}</h2><ul>{lines}</ul><p class="blank">{blank}</p></section>'


def _answered(number: int, exercise: Exercise, voice: Voice) -> str:
    lines = " ".join(escape(line) for line in answer_lines(exercise, voice))
    return f"<p><strong>{number}.</strong> {lines}</p>"
