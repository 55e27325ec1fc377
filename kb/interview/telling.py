"""The interview in words: a question, why it is asked, and what the answers end in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from kb.explain.headline import headline
from kb.explain.page import Line, Page, Part, part, sentence
from kb.explain.say import Speaker
from kb.explain.text import page
from kb.interview.session import Consultation
from kb.interview.why_asked import TOLD, CertainNow, WhyAsked
from kb.ruling.ruling import Ruling
from kb.space.interview import UNKNOWN, Interview


def answer_text(interview: Interview, question: str, answer: str, lang: str) -> str:
    """«the trick was won by an opponent's card»; «Who won the trick? I don't know»."""
    asked = interview.questions[question]
    if answer == UNKNOWN:
        return f"{asked.asks[lang]} {interview.unknown[lang]}"
    return f"{asked.about[lang]} {asked.answers[answer].says[lang]}"


def certain_lines(certain: CertainNow, speaker: Speaker) -> Iterator[Line]:
    """What is certain whatever the answer."""
    speaker = speaker.of(certain.ruling)
    if certain.status is not None:
        yield Line(speaker.phrase("ask-status", status=speaker.value(certain.status, "status-word")))
    for side, tricks in certain.least.items():
        key, name = ("moves", "to") if certain.settled else ("ask-least", "side")
        yield Line(speaker.phrase(key, tricks=speaker.tricks(tricks), **{name: speaker.value(side, "side")}))
    yield from (Line(sentence(speaker.fact(fact))) for fact in certain.facts)


def why_page(interview: Interview, question: str, why: WhyAsked, speaker: Speaker) -> Page:
    """Why a question is asked: each law in its own words, and what the answers may lead to."""
    says = interview.questions[question].answers
    edition = why.examples[0].ruling.edition
    laws = (Line(edition.clauses[law].says[speaker.lang], (law,)) for law in why.laws)
    told = [_told(one.ruling, speaker.of(one.ruling)) for one in why.examples]
    common = frozenset.intersection(*map(frozenset, told))
    might = []
    for one, what in zip(why.examples, told, strict=True):
        ruling = " ".join(
            (headline(one.ruling, speaker.of(one.ruling)), *(said for said in what if said not in common))
        )
        might.append(Line(speaker.phrase("ask-would", answer=says[one.answer].says[speaker.lang], ruling=ruling)))
    title = speaker.phrase("ask-matters", laws=speaker.laws(why.laws))
    return Page(title, (), (*part(speaker.phrase("reasons"), laws), *part(speaker.phrase("ask-might"), might)))


def _told(ruling: Ruling, speaker: Speaker) -> list[str]:
    """What a ruling says besides its headline."""
    return [sentence(speaker.fact(fact)) for section in TOLD for fact in ruling.facts(section)]


def answers_part(interview: Interview, given: Mapping[str, str], speaker: Speaker) -> tuple[Part, ...]:
    """What has been answered."""
    said = (Line(answer_text(interview, question, answer, speaker.lang)) for question, answer in given.items())
    return part(speaker.phrase("ask-answered"), said)


def in_order(interview: Interview, question: str, answers: Collection[str]) -> list[str]:
    """Answers in the order in which the finding has its values: earlier before later, none before one."""
    kind = interview.table.findings.get(question)
    if kind is None:
        return [*answers]
    words = [*kind.type.words]

    def place(answer: str) -> tuple[bool, int]:
        values = kind.answers[answer].values if answer in kind.answers else (answer,)
        value = values[0] if values else answer
        if isinstance(value, int):
            return False, value
        return (False, words.index(value)) if value in words else (True, 0)

    return sorted(answers, key=place)


def ending_page(consultation: Consultation, ruling: Ruling, speaker: Speaker, answered: bool = True) -> Page:
    """The ruling on what has been answered; where it is not settled, which questions beside its own would settle it.

    ``answered``: the answers besides."""
    told = page(ruling, speaker.of(ruling))
    interview = consultation.adviser.survey.interview
    hinges = {name for _, name in ruling.opening.questions.place}
    missing = [name for name in dict(consultation.given) if name in consultation.unknown - hinges]
    open_ = missing if len(consultation.outcomes) > 1 else []
    separate = (Line(interview.questions[question].asks[speaker.lang]) for question in open_)
    given = answers_part(interview, dict(consultation.given), speaker) if answered else ()
    parts = (*told.parts, *part(speaker.phrase("ask-separates"), separate), *given)
    return Page(told.title, told.lead, parts, told.foot)
