"""Exercises in words: what happened, and the right answer."""

from __future__ import annotations

from collections.abc import Iterator

from facts.cards import SEATS
from kb.explain.happenings import event_words
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part, sentence
from kb.explain.say import Speaker
from kb.interview.telling import answer_text
from kb.quiz.exercise import NO_REVOKE, Exercise, Grade
from kb.ruling.report import Report
from kb.space.interview import Interview
from kb.why_not.why_not import why_not


def statement(exercise: Exercise, interview: Interview, speaker: Speaker) -> list[str]:
    """What happened, a line each."""
    if exercise.answers:
        said = (answer_text(interview, *one, speaker.lang) for one in exercise.answers.items())
        return [sentence(line) for line in said]
    if exercise.incident.deal is None or exercise.incident.play is None:
        table = speaker.of(exercise.ruling)
        return list(dict.fromkeys(sentence(table.fact(fact)) for fact in Report(exercise.ruling).findings))
    return list(_board(exercise, speaker))


def _board(exercise: Exercise, speaker: Speaker) -> Iterator[str]:
    incident, table = exercise.incident, exercise.ruling.edition.table
    assert incident.deal is not None and incident.play is not None
    if incident.contract is not None:
        declarer = speaker.value(incident.declarer, "seat")
        yield speaker.phrase("quiz-contract", contract=speaker.contract(incident.contract), declarer=declarer)
    for seat in SEATS:
        cards = " ".join(speaker.value(card.text, "card") for card in sorted(incident.deal[seat] or ()))
        yield f"{speaker.value(seat, 'seat')}: {cards}"
    for number, trick in enumerate(incident.play.tricks, 1):
        cards = " ".join(speaker.value(card.text if card else None, "card") for _, card in trick.items())
        yield speaker.phrase("quiz-trick", n=number, leader=speaker.value(trick.leader, "seat"), cards=cards)
    yield from (sentence(event_words(event, table, speaker)) for event in incident.events)


def status_words(status: str, speaker: Speaker) -> str:
    """«The revoke: established.»; «There was no revoke.»"""
    if status == NO_REVOKE:
        return speaker.phrase("quiz-no-revoke")
    return speaker.phrase("ask-status", status=speaker.value(status, "status-word"))


def answer_lines(exercise: Exercise, speaker: Speaker) -> list[str]:
    """The right answer: the ruling, the laws it rests on, and those left to judgement."""
    speaker = speaker.of(exercise.ruling)
    judged = [speaker.phrase("quiz-judged", laws=speaker.laws(exercise.judged))] if exercise.judged else []
    return [
        status_words(exercise.status, speaker),
        headline(exercise.ruling, speaker),
        f"{speaker.laws(exercise.ruling.cited)}.",
        *judged,
    ]


def graded(exercise: Exercise, grade: Grade, speaker: Speaker) -> Page:
    """What was right and wrong, where the reply leaves the proof, and why the laws named in vain do not apply."""
    lead = [Line(speaker.phrase("quiz-right" if grade.ruling else "quiz-wrong"))]
    if grade.missing:
        lead.append(Line(speaker.phrase("quiz-missing", laws=speaker.laws(grade.missing))))
    if grade.needless:
        lead.append(Line(speaker.phrase("quiz-needless", laws=speaker.laws(grade.needless))))
    said, step = speaker.of(exercise.ruling), grade.leaves
    leaves = [] if step is None else [Line(said.reason(step), (step.rule.clause,))]
    return Page(
        "",
        tuple(lead),
        (
            *part(speaker.phrase("quiz-leaves"), leaves),
            *part(speaker.phrase("quiz-why-not"), _in_vain(exercise, grade, speaker)),
            *part(speaker.phrase("quiz-answer"), map(Line, answer_lines(exercise, speaker))),
        ),
    )


def _in_vain(exercise: Exercise, grade: Grade, speaker: Speaker) -> Iterator[Line]:
    from kb.why_not.telling import page  # noqa: PLC0415 - only for a wrong reply

    for law in grade.needless:
        if law in exercise.ruling.edition.clauses:
            told = page(exercise.ruling, why_not(exercise.ruling, law), speaker)
            yield told.lead[0]
        else:
            yield Line(speaker.phrase("quiz-no-law", law=law))
