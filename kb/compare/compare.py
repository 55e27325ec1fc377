"""The rulings that differ between two editions, in which direction, joined by what differs and by which clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from facts.errors import InputError
from facts.form import Texts
from facts.table import Table
from kb.cases.cases import Case, cases_of, read_cases
from kb.compare.blame import Cause, Clauses, Differences, Substitution, What
from kb.engine.sets import Bits, Sets
from kb.language.cache import digest_of
from kb.language.clauses import renamed
from kb.language.edition import load_edition
from kb.language.folders import TABLE
from kb.language.model import Edition
from kb.ruling.law import Law
from kb.ruling.rule import rounds
from kb.space.bits import first as first_of
from kb.space.bits import merged, union
from kb.space.burden import DIRECTIONS, Burden, Direction, Measures, burden_of, direction, load_measures, measured
from kb.space.layout import Sayable
from kb.space.outcome import EditionRun, Effect, effects
from kb.space.read_interview import INTERVIEW, WIDER, load_interview, reads
from kb.space.universe import Universe, observed

Directions: TypeAlias = Mapping[Direction, Bits]
"""How the second edition stands to the first: where it goes which way; every situation of a set goes one."""


def within(directions: Directions, where: Bits) -> Directions:
    """Those of a part of the set."""
    return {way: bits & where for way, bits in directions.items()}


@dataclass(eq=False)
class RuledPart:
    """A part of a universe, and what the edition rules in it."""

    start: int
    """The number of its first situation."""
    run: EditionRun
    burden: Burden | None = None
    """What the rulings weigh, once that has been asked."""


class Prepared:
    """The first of two editions: what is known of it does not change with the second."""

    def __init__(self, edition: Edition, universe: Universe) -> None:
        self.edition, self.universe = edition, universe
        self.sets = Sets(edition.vocabulary, edition.rules)
        self._shown: frozenset[str] = frozenset()
        self._heard: dict[int, tuple[Case, EditionRun | None]] = {}

    @cached_property
    def parts(self) -> list[RuledPart]:
        """The universe, part by part."""
        return [
            RuledPart(start, EditionRun(self.edition, observed(one), self.sets)) for start, one in self.universe.parts()
        ]

    def heard(self, cases: Sequence[Case], other: Edition, sets: Sets) -> Iterator[tuple[Case, EditionRun]]:
        """The cases with what one of the two editions concludes of them, whatever is not known, without those whose
        record it refuses; ``sets``: the other's rules, ready to run.

        It is this edition unless only the other knows of all that may be said.
        """
        laws = [Law(edition, engine="quick") for edition in (self.edition, other)]
        law = max(laws, key=lambda law: len(law.edition.vocabulary.kinds))
        law.shown = laws[0].shown | laws[1].shown  # all that either of them looks at
        law.sayable = Sayable(law.edition.table, law.edition.vocabulary, law.shown)
        own = law.edition is self.edition
        law.program.sets = self.sets if own else sets
        if not own or law.shown != self._shown:
            self._shown, self._heard = law.shown if own else frozenset(), {}
        for case in cases:
            if id(case) not in self._heard:
                self._heard[id(case)] = case, _ruled(law, case)
            if (known := self._heard[id(case)][1]) is not None:
                yield case, known


def _ruled(law: Law, case: Case) -> EditionRun | None:
    """What the law concludes of a case in every way of filling in what is not said; None where it refuses it."""
    with suppress(InputError):
        return next(rounds(law, replace(case.incident, edition=law.edition.id))).opening.run
    return None


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """What becomes of the revokes, before and after, and in which situations; alike where something else changes."""

    before: Effect
    after: Effect
    situations: Bits

    @property
    def usual(self) -> bool:
        """Whether it is of one revoke on the board."""
        return max(len(self.before), len(self.after)) <= 1


@dataclass(frozen=True, slots=True)
class Group:
    """The situations in which the same clauses make the difference."""

    what: What
    clauses: tuple[Clauses, ...]
    """As in Cause."""
    situations: Bits
    changes: tuple[BeforeAfter, ...]
    """The most frequent first."""
    directions: Directions
    """For the sides that revoked."""
    example: int
    """The situation with the fewest unusual answers."""


@dataclass(frozen=True, slots=True)
class CaseDiffers:
    """A case on which the editions differ."""

    case: Case
    cause: Cause
    before: Effect
    after: Effect
    perhaps: bool
    """Whether the case leaves open whether that is what becomes of it."""


@dataclass(frozen=True)
class Comparison:
    """What a change of the law changes."""

    a: Edition
    b: Edition
    universe: Universe
    changed: Clauses
    """Every clause or definition whose rules differ."""
    related: bool
    """Whether they have an edition in common that they are, or amend; else no difference is ascribed to clauses."""
    groups: tuple[Group, ...]
    """Rulings first, then what is only left to the director; the largest first."""
    directions: Directions
    """For the sides that revoked, wherever anything differs."""
    weighed: tuple[Texts, ...]
    """The parts of the burden by which that is known."""
    cases: tuple[CaseDiffers, ...]
    cases_tried: int

    @property
    def renamed(self) -> Mapping[str, str]:
        """Number in the first -> number in the second, where the second amends the first and counts otherwise."""
        return self.b.renames if self.b.amends == self.a.id else {}

    @property
    def collide(self) -> Clauses | None:
        """Of two drafts with a common base, the clauses that both of them change; None of any other pair."""
        common = [one for one in self.a.folders if one in self.b.folders]
        if len(common) < 2 or len(common) in (len(self.a.folders), len(self.b.folders)):
            return None
        base = load_edition(common[0], common[-1])
        both = _changed(self.a, base) & _changed(self.b, base)
        return tuple(ref for ref in {**base.clauses, **self.a.clauses, **self.b.clauses} if ref in both)

    def differing(self, what: What) -> int:
        """In how many situations the rulings, or only the judgements, differ."""
        return sum(group.situations.bit_count() for group in self.groups if group.what == what)

    @property
    def without_effect(self) -> Clauses:
        """Changed clauses that make no difference in any situation or case; none where clauses cannot be told apart."""
        if not self.related:
            return ()
        causes = [group.clauses for group in self.groups] + [one.cause.clauses for one in self.cases]
        effective = {ref for clauses in causes for together in clauses for ref in together}
        return tuple(ref for ref in self.changed if ref not in effective)


def _changed(edition: Edition, base: Edition) -> set[str]:
    """The clauses that an edition writes or repeals, of those of its base or new."""
    both = {**edition.clauses, **base.clauses}
    return {ref for ref in both if edition.clauses.get(ref) != base.clauses.get(ref)}


def compare(first: Prepared, b: Edition, cases: Sequence[Case], measures: Measures) -> Comparison:
    """The comparison of an edition that has been made ready with another."""
    a, universe = first.edition, first.universe
    if b.renames and b.amends == a.id:
        first = Prepared(renamed(a, b.renames), universe)
    by = Substitution(first.edition, b, first.sets)
    of_a, of_b = (measured(measures, sets) for sets in by.sets)
    changes: list[tuple[tuple[Cause, Effect, Effect], Bits]] = []
    ways: list[tuple[Direction, Bits]] = []
    weigh = set[str]()
    """The parts that have weighed on anybody."""
    for part in first.parts:
        differences = by.beside(part.run)
        found = list(_changes(differences))
        changes += [(change, bits << part.start) for change, bits in found]
        part.burden = part.burden or burden_of(measures, part.run, of_a)
        burden = burden_of(measures, differences.b, of_b)
        weigh |= {name for _, name in (*part.burden.levels, *burden.levels)}
        there = direction(part.burden, burden, union(bits for _, bits in found))
        ways += [(way, bits << part.start) for way, bits in there.items()]
    directions = dict.fromkeys(DIRECTIONS, 0) | merged(ways)
    groups = _groups(merged(changes), directions, universe)
    weighed = tuple(says for name, says in measures.parts.items() if name in weigh)
    heard = list(first.heard(cases, b, by.sets[1]))
    each = ((case, [*_changes(by.beside(run))], run.situations.everything) for case, run in heard)
    differing = tuple(CaseDiffers(case, *some[0][0], some[0][1] != every) for case, some, every in each if some)
    return Comparison(a, b, universe, by.changed, by.related, groups, directions, weighed, differing, len(heard))


def _changes(by: Differences) -> Iterator[tuple[tuple[Cause, Effect, Effect], Bits]]:
    """What makes the difference, what becomes of the revokes before and after, and where."""
    for cause, where in by.causes().items():
        for before, part in effects(by.a.ruling, where).items():
            for after, both in effects(by.b.ruling, part).items():
                yield (cause, before, after), both


def _groups(
    changes: Mapping[tuple[Cause, Effect, Effect], Bits],
    directions: Directions,
    universe: Universe,
) -> tuple[Group, ...]:
    """Rulings first, then what is only left to the director; the largest first."""
    groups: list[Group] = []
    for cause, bits in merged((cause, bits) for (cause, _, _), bits in changes.items()).items():
        own = [BeforeAfter(before, after, where) for (of, before, after), where in changes.items() if of == cause]
        own.sort(key=lambda change: (-change.situations.bit_count(), first_of(change.situations)))
        groups.append(
            Group(
                cause.what,
                cause.clauses,
                situations=bits,
                changes=tuple(own),
                directions=within(directions, bits),
                example=universe.plainest(bits),
            )
        )
    groups.sort(key=lambda group: (group.what != "ruling", -group.situations.bit_count(), first_of(group.situations)))
    return tuple(groups)


_kept: list[tuple[str, Prepared, Measures, dict[tuple[Path, bool], tuple[Case, ...]]]] = []
"""The edition that others were last compared with."""


def compared(root: Path, a: Edition, b: Edition) -> Comparison:
    """The comparison over all that is shipped beside the rules; what is known of the first edition stands ready for the
    next one.

    InputError for faulty files.
    """
    names = (INTERVIEW, WIDER, TABLE)
    of_a = (str(file) for folder in a.folders for file in sorted(folder.rglob("*.yaml")))
    of_b = (str(folder / name) for folder in b.folders for name in names if (folder / name).is_file())
    question = (str(root), a.id, a.elections, sorted(b.table.findings), sorted(reads([a, b])))
    # what decides in which situations they are compared, and what is known of the first: its files, those by which the
    # other may add situations, and the facts that its rules look at
    asked = digest_of(question, (*of_a, *of_b), ())
    if not _kept or _kept[0][0] != asked:
        universe = Universe(load_interview(root, a, b, wider=True))
        _kept[:] = [(asked, Prepared(a, universe), load_measures(root, a.vocabulary), {})]
    _, first, measures, read = _kept[0]

    def cases(folder: Path, table: Table) -> tuple[Case, ...]:
        if folder.parent not in a.folders:
            return read_cases(folder, table)
        key = (folder, table is first.edition.table)
        if key not in read:
            read[key] = read_cases(folder, table)
        return read[key]

    return compare(first, b, cases_of(first.edition, b, read=cases), measures)
