"""Which edition of the law is in force on which day and where, and what its authorities have chosen in it.

An edition is in force from its first day to its last, or until the next one of its game is. Where only a year or a
month is known, whether it is in force is not known of the days in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from facts.days import Span


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
    elections: tuple[DatedElection, ...] = ()
    game: str = ""
    """Of which game it is the law, in the words of its file."""

    def begins_in(self, jurisdiction: str) -> Span:
        """Its first day in a jurisdiction."""
        return self.adopted.get(jurisdiction, self.begins)


@dataclass(frozen=True)
class Calendar:
    """The editions under one root that have days, the earliest first."""

    editions: tuple[DatedEdition, ...]

    @cached_property
    def jurisdictions(self) -> tuple[str, ...]:
        """Every jurisdiction that something is known of."""
        chosen = (one.jurisdiction for edition in self.editions for one in edition.elections)
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
        found = self.of(edition)
        return () if found is None else tuple(one for one in found.elections if one.made(jurisdiction, day))
