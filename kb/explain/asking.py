"""The interview in words: a question, why it is asked, and what the answers end in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from kb.explain.page import Line, Page, Part, part, sentence
from kb.explain.say import Voice
from kb.explain.text import headline, page
from kb.ruling.ruling import Ruling
from kb.space.interview import UNKNOWN, Interview
from kb.study.consultation import Consultation
from kb.study.finding import Stated
from kb.study.mattering import Certain, Why


def answer_text(interview: Interview, question: str, answer: str, lang: str) -> str:
    """«the trick was won by an opponent's card»; «Who won the trick? I don't know»."""
    asked = interview.questions[question]
    if answer == UNKNOWN:
        return f"{asked.asks[lang]} {interview.unknown[lang]}"
    return f"{asked.about[lang]} {asked.answers[answer].says[lang]}"


def certain_lines(certain: Certain, voice: Voice) -> Iterator[Line]:
    """What is certain whatever the answer."""
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
    told = [_told(one.ruling, voice) for one in why.examples]
    common = frozenset.intersection(*map(frozenset, told))
    might = (
        Line(
            voice.phrase(
                "ask-would",
                answer=says[one.answer].says[voice.lang],
                ruling=" ".join((headline(one.ruling, voice), *(said for said in what if said not in common))),
            )
        )
        for one, what in zip(why.examples, told, strict=True)
    )
    title = voice.phrase("ask-matters", laws=voice.laws(why.laws))
    return Page(title, (), (*part(voice.phrase("reasons"), laws), *part(voice.phrase("ask-might"), might)))


def _told(ruling: Ruling, voice: Voice) -> list[str]:
    """What a ruling says besides its headline."""
    sections = ("rectifications", "points", "options", "director")
    return [sentence(voice.fact(fact)) for section in sections for fact in ruling.sections.facts(section)]


def answers_part(interview: Interview, given: Mapping[str, str], voice: Voice) -> tuple[Part, ...]:
    """What has been answered."""
    said = [Line(answer_text(interview, question, answer, voice.lang)) for question, answer in given.items()]
    return part(voice.phrase("ask-answered"), (*said, Line(voice.phrase("ask-stands-for"))))


def ending_page(consultation: Consultation, stated: Stated, ruling: Ruling, voice: Voice) -> Page:
    """The ruling that the answers settle."""
    interview = consultation.adviser.survey.interview
    told = page(ruling, voice)
    assumed = (Line(answer_text(interview, *one, voice.lang)) for one in stated.assumed.items())
    parts = (
        *told.parts,
        *answers_part(interview, dict(consultation.given), voice),
        *part(voice.phrase("ask-assumed"), assumed),
    )
    return Page(told.title, told.lead, parts, told.foot)


def open_page(consultation: Consultation, rulings: Mapping[int, Ruling], ordinary: Ruling, voice: Voice) -> Page:
    """The rulings that remain possible when some question could not be answered, and what separates them."""
    interview = consultation.adviser.survey.interview
    possible = sorted(consultation.rulings(), key=lambda one: (headline(rulings[one.outcome], voice), len(one.answers)))
    lines = []
    for said, alike in groupby(possible, key=lambda one: headline(rulings[one.outcome], voice)):
        group = list(alike)
        conditions = voice.phrase("ask-and").join(
            answer_text(interview, question, answer, voice.lang) for question, answer in group[0].answers.items()
        )
        ways = sum(one.ways for one in group)
        key = "ask-ending" if ways == 1 else "ask-endings"
        lines.append(Line(voice.phrase(key, ruling=said, conditions=conditions, n=ways)))
    missing = dict.fromkeys(question for question, _ in consultation.given if question in consultation.unknown)
    separate = (Line(interview.questions[question].asks[voice.lang]) for question in missing)
    usual = page(ordinary, voice)
    return Page(
        usual.title,
        (Line(voice.phrase("ask-several", n=len(possible))),),
        (
            *part(voice.phrase("ask-separates"), separate),
            *part(voice.phrase("ask-remaining"), lines),
            *part(voice.phrase("ask-ordinarily"), usual.lead),
            *usual.parts,
            *answers_part(interview, dict(consultation.given), voice),
        ),
    )
