"""What a ruling hinges on: the question, each answer with what follows, and what is told with a condition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kb.explain.answers import answered, asked, of_all
from kb.explain.headline import headline
from kb.explain.page import Line
from kb.explain.say import Speaker
from kb.language.known import DIRECTOR
from kb.language.texts import StandsFor, fill
from kb.ruling.opening import Opening, Perhaps
from kb.ruling.presumed import Presumed
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling

DEEPEST: Final = 2
"""Questions after one another that are told; all of them are in the JSON form."""
SECTIONS: Final = ("rectifications", "points", "options")


def hinge(report: Report, speaker: Speaker, deep: int = DEEPEST) -> Iterator[Line]:
    """The question on which the ruling hinges, with a line for each answer and what follows from it."""
    if may_come := report.supposed:
        under = [
            _follows(speaker.phrase(f"noticed-{how}"), after, speaker, DEEPEST - 1) for how, after in may_come.items()
        ]
        yield Line(speaker.phrase("asks-noticed-yet"), (), tuple(under))
    opening = report.ruling.opening
    if opening is not None and opening.asking is not None:
        key, before = opening.asking.key, headline(report.ruling, speaker)
        under = [
            _follows(answered(opening, key, values, speaker), after, speaker, deep, before)
            for values, after in report.answers
        ]
        yield Line(asked(opening, key, speaker), (), tuple(under))


def _follows(answer: str, after: Report, speaker: Speaker, deep: int, before: str = "") -> Line:
    """An answer, what is then certain, and what is done, or the next question; ``before``: what was said before it."""
    under: tuple[Line, ...] = ()
    if not after.is_open:
        under = tuple(dict.fromkeys(_done(after, speaker)))
    elif deep > 1:
        under = tuple(hinge(after, speaker, deep - 1))
    said = [one.rstrip(".") for one in before.split(". ")]
    new = [one for one in headline(after.ruling, speaker).split(". ") if one.rstrip(".") not in said]
    told = [f"{'. '.join(new).rstrip('.')}."] if new else [*_still_open(after, speaker)] if not under else []
    return Line(" – ".join([speaker.capital(answer), *told]), (), under)


def _done(after: Report, speaker: Speaker) -> Iterator[Line]:
    """What is done then; of no revoke, what is left to the director as well."""
    for item in (item for section in SECTIONS for item in after.ruling.items(section)):
        yield Line(speaker.capital(speaker.fact(item.fact)), item.law)
    for one in () if after.ruling.revokes else after.entries(DIRECTOR):
        if one.reason is not None:
            yield Line(speaker.reason(one.reason), one.law)


def _still_open(after: Report, speaker: Speaker) -> Iterator[str]:
    """What an answer leaves open, or that it changes nothing."""
    opening = after.ruling.opening
    if after.is_open and opening is not None and opening.asking is not None:
        yield speaker.phrase("still-open", asks=asked(opening, opening.asking.key, speaker))
    elif not after.is_open:
        yield headline(after.ruling, speaker)


def conditions(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """What follows only on a condition, though the rest is certain."""
    opening = ruling.opening
    for one in () if opening is None else opening.perhaps:
        assert opening is not None
        yield Line(_perhaps(opening, one, speaker), one.laws)


def _perhaps(opening: Opening, one: Perhaps, speaker: Speaker) -> str:
    said = speaker.capital(speaker.fact(one.fact))
    if one.key is None:
        return speaker.phrase("perhaps", fact=said)
    kind = opening.completions.table.findings.get(one.key[1])
    seat = speaker.value(of_all(opening, one.key, one.values), "seat") if kind is not None and kind.each else ""
    if kind is not None and seat and not isinstance(seat, StandsFor):
        return speaker.phrase("if-it", fact=said, so=fill(kind.each[speaker.lang], {"hand": seat}))
    about = kind.about[speaker.lang] if kind is not None and kind.about else asked(opening, one.key, speaker)
    return speaker.phrase("if-so", fact=said, about=about, answer=answered(opening, one.key, one.values, speaker))


def presumed(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """What is taken for granted."""
    return (Line(speaker.capital(f"{taken(ruling, one, speaker)}."), one.laws) for one in ruling.presumed)


def taken(ruling: Ruling, one: Presumed, speaker: Speaker) -> str:
    """One thing that is taken for granted: in the words that its declaration has for it, or as an answer."""
    if one.kind is None:
        return speaker.phrase("presumed-trick")
    if one.value == one.kind.presumed:
        return one.kind.presumed_says[speaker.lang]
    assert ruling.opening is not None
    return f"{one.kind.about[speaker.lang]} {answered(ruling.opening, one.key, (one.value,), speaker)}"
