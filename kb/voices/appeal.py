"""The ruling for an appeals committee: what happened in order of time, the ruling with its reasons, the law."""

from __future__ import annotations

from collections.abc import Iterator

from facts.table import numbers
from kb.explain.answers import answered, asked
from kb.explain.hinge import hinge
from kb.explain.page import Line, Page, part, sentence
from kb.explain.say import Speaker
from kb.explain.text import foot, judgement, lead, now, title, why
from kb.ruling.report import Report
from kb.voices.happened import happened


def appeal(report: Report, speaker: Speaker) -> Page:
    """Numbered sentences of what happened, what was ruled and why, each law in the edition's words."""
    ruling, clauses = report.ruling, report.ruling.edition.clauses
    head, *result = lead(report, speaker)
    ruled = (Line(head.text, report.decisive), *result, *dict.fromkeys(why(report, speaker)))
    law = (Line(f"{speaker.laws([ref])}: {clauses[ref].says[speaker.lang]}") for ref in ruling.cited)
    return Page(
        title(ruling, speaker),
        (),
        (
            *part(speaker.phrase("appeal-facts"), map(Line, _happened(report, speaker)), numbered=True),
            *part(speaker.phrase("appeal-ruling"), (*ruled, *now(report, speaker))),
            *part(speaker.phrase("hinges"), hinge(report, speaker)),
            *part(speaker.phrase("appeal-law"), law),
            *judgement(report, speaker),
        ),
        foot(report, speaker),
    )


def _happened(report: Report, speaker: Speaker) -> Iterator[str]:
    """The contract, what was found in order of time, the result as played, and what is not known."""
    incident = report.ruling.incident
    contract, declarer = incident.contract, incident.declarer
    if contract is not None and declarer is not None:
        named = {"contract": speaker.contract(contract), "declarer": speaker.value(declarer, "seat")}
        yield speaker.phrase("appeal-contract", **named)
    if incident.vulnerable is not None:
        yield sentence(speaker.phrase("html-vulnerable", who=speaker.value(incident.vulnerable, "vulnerable")))
    yield from happened(report, speaker)
    yield from _roughly(report, speaker)
    if incident.tricks is not None:
        yield speaker.phrase("appeal-result", tricks=speaker.tricks(incident.tricks))
    yield from (speaker.phrase("appeal-unknown", asks=asks) for asks in _unknown(report, speaker))


def _roughly(report: Report, speaker: Speaker) -> Iterator[str]:
    """What was not said as one number: the question, and the answer that was given."""
    opening = report.ruling.opening
    for number, found in enumerate(report.ruling.incident.revokes if opening is not None else ()):
        for name in (name for name, value in found.said.items() if len(numbers(value)) > 1):
            assert opening is not None
            may_be = opening.completions.values[number, name].items()
            left = tuple(value for value, bits in may_be if value is not None and bits & opening.among)
            said = speaker.capital(answered(opening, (number, name), left, speaker))
            yield f"{asked(opening, (number, name), speaker)} {said}."


def _unknown(report: Report, speaker: Speaker) -> Iterator[str]:
    """The question on which the ruling hinges, and those on which a part of it does."""
    opening = report.ruling.opening
    if opening is None:
        return
    hinges = () if opening.asking is None else (opening.asking.key,)
    keys = dict.fromkeys((*hinges, *(one.key for one in opening.perhaps if one.key is not None)))
    yield from (asked(opening, key, speaker) for key in keys)
