"""Days, and which edition of the law is in force on which day and where, and what its authorities have chosen in it.

An edition is in force from its first day to its last, or until the next one of its game is. Where only a year or a
month is known, whether it is in force is not known of the days in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Annotated, Final, TypeAlias

from facts.errors import MisreadError
from facts.form import ReadBy, in_the_form, plain_text, text

DATE_PATTERN: Final = r"^\d{4}(-\d{2}(-\d{2})?)?$"
DAY_PATTERN: Final = r"^\d{4}-\d{2}-\d{2}$"
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_WHOLE: Final = "write such as 2009-05-01, or leave it out"
_MEND: Final = 'write such as "2017-09-25", or "2017-09" or "2017" where no more is known'


@dataclass(frozen=True, slots=True)
class Span:
    """The days that a date may mean: one, or all those of a month or a year."""

    first: date
    last: date

    def begun(self, day: date) -> bool | None:
        """Whether what begins then has begun on a day; None where that is not known."""
        return True if day >= self.last else None if day >= self.first else False

    def over(self, day: date) -> bool | None:
        """Whether what ends then, that day included, is over on a day; None where that is not known."""
        return True if day > self.last else None if day > self.first else False


def span(text: str) -> Span:
    """The days that ``2017-09-25``, ``1912-11`` or ``1997`` may mean; MisreadError if it is no date."""
    found = _DATE.fullmatch(text)
    if found is None:
        raise MisreadError(f"{text!r:.40} is no date", _MEND)
    year, month, day = found.groups()
    first = _first(text, int(year), int(month or 1), int(day or 1))
    if day is not None:
        return Span(first, first)
    if month is None:
        return Span(first, first.replace(month=12, day=31))
    return Span(first, (first.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1))


def day(text: str) -> date:
    """The day that a text states; MisreadError if it is none, or leaves open which of several."""
    try:
        known = span(text)
    except MisreadError as error:
        raise MisreadError(error.wrong[0][0], _WHOLE) from None
    if known.first != known.last:
        raise MisreadError(f"{text} is not a whole date", _WHOLE)
    return known.first


def _first(text: str, year: int, month: int, of_month: int) -> date:
    try:
        return date(year, month, of_month)
    except ValueError:
        lacks = f"day {of_month} in that month" if 1 <= month <= 12 and year else f"month {month}" if year else "year 0"
        raise MisreadError(f"{text} is no date: there is no {lacks}", _MEND) from None


@dataclass(frozen=True, slots=True)
class DatedElection:
    """What an authority has chosen in an edition."""

    id: str
    title: Mapping[str, str]
    jurisdiction: str
    begins: Span | None = None
    """None: with the edition."""
    ends: Span | None = None
    """Its last day; None: with the edition."""

    def made(self, jurisdiction: str, day: date | None) -> bool:
        """Whether it holds in a jurisdiction, for all that is known of the day."""
        if jurisdiction != self.jurisdiction or day is None:
            return jurisdiction == self.jurisdiction
        return (self.begins is None or self.begins.begun(day) is not False) and (
            self.ends is None or self.ends.over(day) is not True
        )


@dataclass(frozen=True, slots=True)
class DatedEdition:
    """An edition with its days."""

    id: str
    title: Mapping[str, str]
    begins: Span
    ends: Span | None = None
    """Its last day; None: the day before the next edition of its game begins."""
    adopted: Mapping[str, Span] = field(default_factory=dict)
    """Jurisdiction -> its first day there, where that is another."""
    game: str = ""
    """Of which game it is the law, in the words of its file."""

    def begins_in(self, jurisdiction: str) -> Span:
        """Its first day in a jurisdiction."""
        return self.adopted.get(jurisdiction, self.begins)


@dataclass(frozen=True)
class Calendar:
    """The editions under one root that have days, the earliest first."""

    editions: tuple[DatedEdition, ...]
    offered: Mapping[str, tuple[DatedElection, ...]] = field(default_factory=dict)
    """By an edition, be it that it has no days."""

    @cached_property
    def jurisdictions(self) -> tuple[str, ...]:
        """Every jurisdiction that something is known of."""
        chosen = (one.jurisdiction for offered in self.offered.values() for one in offered)
        adopting = (name for edition in self.editions for name in edition.adopted)
        return tuple(sorted({*chosen, *adopting} - {""}))

    def of(self, edition: str) -> DatedEdition | None:
        """The edition of that id; None where it has no days."""
        return next((one for one in self.editions if one.id == edition), None)

    def in_force(self, edition: DatedEdition, day: date, jurisdiction: str = "") -> bool | None:
        """Whether an edition is in force; None where that is not known."""
        later = [one for one in self.editions[self.editions.index(edition) + 1 :] if one.game == edition.game]
        begun = edition.begins_in(jurisdiction).begun(day)
        over = [one.begins_in(jurisdiction).begun(day) for one in later]
        over += [] if edition.ends is None else [edition.ends.over(day)]
        if begun is False or True in over:
            return False
        return None if begun is None or None in over else True

    def perhaps(self, day: date, jurisdiction: str = "") -> tuple[DatedEdition, ...]:
        """The editions of which one is in force, for all that is known: one, if it is known which."""
        return tuple(one for one in self.editions if self.in_force(one, day, jurisdiction) is not False)

    def nearest(self, day: date) -> Iterator[DatedEdition]:
        """The last edition before a day on which none is in force, and the first after it."""
        before = [one for one in self.editions if one.begins.first <= day]
        after = [one for one in self.editions if one.begins.first > day]
        yield from (*before[-1:], *after[:1])

    def elections(self, edition: str, jurisdiction: str, day: date | None = None) -> tuple[DatedElection, ...]:
        """What a jurisdiction has chosen in an edition."""
        return tuple(one for one in self.offered.get(edition, ()) if one.made(jurisdiction, day))


NOT_YET: Final = "not yet"
"""When a draft comes into force."""


def _date(given: object) -> str:
    said = text(given) if isinstance(given, int) else plain_text(given)
    span(said)
    return said


def _date_or_not_yet(given: object) -> str:
    if given == NOT_YET:
        return NOT_YET
    if isinstance(given, int):
        return _date(given)
    try:
        return _date(given)
    except MisreadError as error:
        what, mend = error.wrong[0]
        raise MisreadError(what, f'{mend}, or "{NOT_YET}"') from None


DateText: TypeAlias = Annotated[str, ReadBy(_date, in_the_form(DATE_PATTERN), lambda _: "")]
"""As much of a date as is known."""
InForce: TypeAlias = Annotated[
    str, ReadBy(_date_or_not_yet, {"anyOf": [in_the_form(DATE_PATTERN), {"enum": [NOT_YET]}]}, lambda _: "")
]
