"""The family tree of the laws: which was made from which, and what each step changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kb.explain.html.templates import render
from kb.explain.redline import MARKS, redline
from kb.explain.say import Speaker
from kb.language.calendar import calendar_of
from kb.language.model import Clause, Edition
from kb.lawbook.book import book
from kb.ruling.law import Laws


@dataclass(frozen=True, slots=True)
class FamilyStep:
    """What a law changed in the one before it; clauses only, no definitions."""

    before: Edition
    changed: tuple[tuple[Clause, Clause], ...]
    """Each as it was and as it became."""
    added: tuple[Clause, ...]
    gone: tuple[Clause, ...]
    renamed: tuple[tuple[str, str], ...]
    """The old number and the new."""


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """A law in its family."""

    edition: Edition
    step: FamilyStep | None
    """None of a law that was made from none of the others."""
    later: tuple[FamilyMember, ...]
    """The laws made from it, the earliest first."""

    def walk(self) -> Iterator[FamilyMember]:
        """Itself and all that came from it."""
        yield self
        for one in self.later:
            yield from one.walk()


def family(laws: Laws, speaker: Speaker) -> tuple[FamilyMember, ...]:
    """The first law of each family among the shipped editions that have days.

    Of two editions of which one amends the other, the later was made from the earlier, whichever is written as the
    amendment."""
    editions = [laws.of(one.edition).edition for one in calendar_of(laws.root).editions]
    steps = dict(_step(one, laws.of(one.amends).edition, speaker) for one in editions if one.amends)

    def member(edition: Edition) -> FamilyMember:
        later = tuple(member(one) for one in editions if one.id in steps and steps[one.id].before.id == edition.id)
        return FamilyMember(edition, steps.get(edition.id), later)

    return tuple(member(one) for one in editions if one.id not in steps)


def _step(edition: Edition, base: Edition, speaker: Speaker) -> tuple[str, FamilyStep]:
    """The id of the later of the two, and what it changed."""
    bound = book(edition, base, (), (), speaker)
    changed = tuple((one.changed.before, one.clause) for one in bound.entries if one.changed and one.clause.law)
    added = tuple(one.clause for one in bound.entries if one.new and one.clause.law)
    gone = tuple(one for one in bound.repealed if one.law)
    renamed = tuple(edition.renames.items())
    if edition.in_force >= base.in_force:
        return edition.id, FamilyStep(base, changed, added, gone, renamed)
    changed = tuple((old, new) for new, old in changed)  # the same step the other way round
    return base.id, FamilyStep(edition, changed, gone, added, tuple((old, new) for new, old in renamed))


def family_page(roots: Sequence[FamilyMember], speaker: Speaker) -> str:
    """The tree and the steps as one page that needs nothing else."""
    return render("lawbook/family.html", **_given(roots, speaker))


def _given(roots: Sequence[FamilyMember], speaker: Speaker) -> dict[str, Any]:
    given = {"roots": roots, "speaker": speaker, "lang": speaker.lang, "redline": redline, "marks": MARKS}
    return {**given, "title": speaker.phrase("book-family")}
