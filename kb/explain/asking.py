"""The interview in words: a question, why it is asked, and what the answers end in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kb.explain.headline import headline
from kb.explain.page import Line, Page, Part, part, sentence
from kb.explain.say import Voice
from kb.explain.text import page
from kb.ruling.ruling import Ruling
from kb.space.interview import UNKNOWN, Interview
from kb.study.consultation import Consultation
from kb.study.mattering import TOLD, Certain, Why


def answer_text(interview: Interview, question: str, answer: str, lang: str) -> str:
    """«the trick was won by an opponent's card»; «Who won the trick? I don't know»."""
    asked = interview.questions[question]
    if answer == UNKNOWN:
        return f"{asked.asks[lang]} {interview.unknown[lang]}"
    return f"{asked.about[lang]} {asked.answers[answer].says[lang]}"


def certain_lines(certain: Certain, voice: Voice) -> Iterator[Line]:
    """What is certain whatever the answer."""
    voice = voice.of(certain.ruling)
    if certain.status is not None:
        yield Line(voice.phrase("ask-status", status=voice.value(certain.status, "status-word")))
    for side, tricks in certain.least.items():
        key, name = ("moves", "to") if certain.settled else ("ask-least", "side")
        yield Line(voice.phrase(key, tricks=voice.tricks(tricks), **{name: voice.value(side, "side")}))
    yield from (Line(sentence(voice.fact(fact))) for fact in certain.facts)


def why_page(interview: Interview, question: str, why: Why, voice: Voice) -> Page:
    """Why a question is asked: each law in its own words, and what the answers may lead to."""
    says = interview.questions[question].answers
    edition = why.examples[0].ruling.edition
    laws = (Line(edition.clauses[law].says[voice.lang], (law,)) for law in why.laws)
    told = [_told(one.ruling, voice.of(one.ruling)) for one in why.examples]
    common = frozenset.intersection(*map(frozenset, told))
    might = []
    for one, what in zip(why.examples, told, strict=True):
        ruling = " ".join((headline(one.ruling, voice.of(one.ruling)), *(said for said in what if said not in common)))
        might.append(Line(voice.phrase("ask-would", answer=says[one.answer].says[voice.lang], ruling=ruling)))
    title = voice.phrase("ask-matters", laws=voice.laws(why.laws))
    return Page(title, (), (*part(voice.phrase("reasons"), laws), *part(voice.phrase("ask-might"), might)))


def _told(ruling: Ruling, voice: Voice) -> list[str]:
    """What a ruling says besides its headline."""
    return [sentence(voice.fact(fact)) for section in TOLD for fact in ruling.sections.facts(section)]


def answers_part(interview: Interview, given: Mapping[str, str], voice: Voice) -> tuple[Part, ...]:
    """What has been answered."""
    said = (Line(answer_text(interview, question, answer, voice.lang)) for question, answer in given.items())
    return part(voice.phrase("ask-answered"), said)


def ending_page(consultation: Consultation, ruling: Ruling, voice: Voice) -> Page:
    """The ruling on what has been answered; where it is not settled, which questions beside its own would settle it."""
    told = page(ruling, voice.of(ruling))
    interview, outcomes = consultation.adviser.survey.interview, consultation.outcomes
    hinges = set() if ruling.opening is None else {name for _, name in ruling.opening.questions.place}
    missing = [name for name in dict(consultation.given) if name in consultation.unknown - hinges]
    several = [Line(voice.phrase("ask-several", n=len(outcomes)))] if len(outcomes) > 1 and missing else []
    separate = (Line(interview.questions[question].asks[voice.lang]) for question in missing if several)
    answered = answers_part(interview, dict(consultation.given), voice)
    parts = (*part(voice.phrase("ask-separates"), separate), *told.parts, *answered)
    return Page(told.title, (*several, *told.lead), parts, told.foot)
