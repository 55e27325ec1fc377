"""The ruling as it is said at the table: five sentences at most, what each player does now, the law in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kb.explain.headline import headline
from kb.explain.hinge import hinge
from kb.explain.page import Line, Page, sentence
from kb.explain.say import Speaker
from kb.explain.text import foot, result_line, title
from kb.ruling.report import LISTED, Report
from kb.ruling.ruling import Ruling
from kb.ruling.sections import Item

MOST: Final = 5
"""Sentences."""
_END: Final = re.compile(r"[.?!](?:\s|$)")


def table(report: Report, speaker: Speaker) -> Page:
    """The headline, a sentence for each player who has something to do, then the rest as far as there is room."""
    ruling = report.ruling
    now = [_headline(report, speaker), *_now(ruling, speaker)]
    rest = [*_hinge(report, speaker), *_together(ruling, speaker, ruling.items("director"))]
    room = MOST - _length(now)
    rest = _fitting(rest, room)
    reasons = _fitting(_reasons(report, speaker), room - _length(rest))
    named = title(ruling, speaker) if ruling.edition.elections else ""
    return Page(named, (*now, *reasons, *rest), (), foot(report, speaker))


def _fitting(lines: Iterable[Line], room: int) -> list[Line]:
    """Those of the lines, from the first on, for which there is still room."""
    told = list[Line]()
    for line in lines:
        if _length([*told, line]) <= room:
            told.append(line)
    return told


def _length(lines: Iterable[Line]) -> int:
    return sum(sentences(line.text) for line in lines)


def _hinge(report: Report, speaker: Speaker) -> Iterator[Line]:
    """The question on which it hinges, with what follows from each answer, in one sentence."""
    for line in hinge(report, speaker, 1):
        answers = "; ".join(one.text.rstrip(".").replace(". ", ", ") for one in line.under)
        yield Line(f"{line.text} {answers}.")


def _headline(report: Report, speaker: Speaker) -> Line:
    first, *more = headline(report.ruling, speaker).rstrip(".").split(". ")
    names = tuple(speaker.value(name, of) for of in ("seat", "side") for name in speaker.words.names[of])
    said = "; ".join([first, *(part if part.startswith(names) else part[:1].lower() + part[1:] for part in more)])
    result = "".join(f" – {line.text}" for line in result_line(report, speaker))
    return Line(f"{said}{result}.", report.decisive)


def _now(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """A sentence for each seat, and one for everything that is nobody's."""
    seats: dict[object, list[Item]] = {}
    listed = (section for section in LISTED if section != "adjusted")  # that is the headline
    for item in (item for section in listed for item in ruling.items(section)):
        seats.setdefault(item.values.get("seat"), []).append(item)
    for items in seats.values():
        yield from _together(ruling, speaker, items)


def _together(ruling: Ruling, speaker: Speaker, items: Iterable[Item]) -> Iterator[Line]:
    """One sentence for all the items."""
    listed = list(items)
    if listed:
        said = "; ".join(dict.fromkeys(speaker.fact(item.fact) for item in listed))
        yield Line(sentence(said), ruling.citations.sort(law for item in listed for law in item.law))


def _reasons(report: Report, speaker: Speaker) -> Iterator[Line]:
    """Why tricks go or do not go, or else how the revoke stands; only what is said in one sentence."""
    for reason, laws in report.grounds:
        said = speaker.reason(reason)
        if sentences(said) == 1:
            yield Line(said, laws)


def sentences(text: str) -> int:
    """How many sentences there are in a text."""
    return len(_END.findall(text))
