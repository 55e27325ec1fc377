"""Law mutation: whether any case notices when a rule is changed in one place.

The changed rule alone is tried on all that was true of a case; where it concludes the same as before, so does the whole
law. Where not everything is known of a case, the law runs once on all that may be so. Only where something else is
concluded is the case ruled on again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from os import cpu_count
from pathlib import Path
from typing import TypeAlias

from facts.errors import EngineError, Fault, InputError, Place
from facts.fact import Fact
from kb.cases.cases import Hearing, differences, hearings, ruled
from kb.cases.mutants import Mutant, mutants_of
from kb.cases.situations import Exhibits, side_by_side
from kb.engine.plain import by_kind, conclusions, ways
from kb.engine.proof import Proof
from kb.engine.set_joins import Bits
from kb.engine.sets import Sets
from kb.language.checks.of_rules import unused
from kb.language.checks.registry import of_a_rule, of_an_edition, of_its_table
from kb.language.model import Edition, Rule
from kb.ruling.law import Law, Laws
from kb.ruling.rule import rounds
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict
from kb.space.edition_run import EditionRun
from kb.space.observed import observed
from kb.space.outcome import different
from kb.space.read_interview import INTERVIEW, load_interview
from kb.space.universe import Universe

LEAST = 95
"""Of a hundred mutants, how many the cases of an edition must notice."""
Firing: TypeAlias = tuple[Fact, tuple[Fact, ...]]
"""What a rule concluded, and from what."""


@dataclass(frozen=True, slots=True)
class TriedMutant:
    """A mutant, and the first case found whose ruling it spoils."""

    name: str
    place: Place
    noticed_by: str | None
    """The id of the case; None: the mutant survives."""
    changes_case: str | None = None
    """The first case whose ruling is another, though not otherwise than expected; only looked for in survivors."""
    changes_when: str | None = None
    """The plainest situation of the interview in which the ruling is another, by its unusual answers."""

    @property
    def rule(self) -> str:
        """The id of the rule that is changed."""
        return self.name.partition(" ")[0].removesuffix(":")

    @property
    def equivalent(self) -> bool:
        """Whether it changes the ruling in no case and in no situation."""
        return not (self.noticed_by or self.changes_case or self.changes_when)


class Exhibit:
    """All that was true in a ruling on a case of which everything is known."""

    def __init__(self, hearing: Hearing, proof: Proof) -> None:
        self.hearing = hearing
        self.facts = by_kind([*proof.ground, *(fact for fact, _, _ in proof.firings)])
        self.firings: dict[str, set[Firing]] = {}
        for step in proof.steps:
            self.firings.setdefault(step.rule.id, set()).add((step.fact, step.premises))


class OpenExhibits:
    """Rulings on some cases of which not everything is known, side by side."""

    def __init__(self, law: Law, heard: Sequence[tuple[Hearing, Ruling]]) -> None:
        self.hearings = [one for one, _ in heard]
        self.ways = Exhibits(ruling for _, ruling in heard)
        self.run = EditionRun(law.edition, self.ways.situations, law.sets)

    def otherwise(self, sets: Sets) -> Iterator[Hearing]:
        """Those in which other rules conclude something else; all of them where there is no end to it."""
        try:
            run = self.run.amended(sets)
        except EngineError:
            yield from self.hearings
            return
        yield from (self.hearings[number] for number in self.ways.of(different(run.concluded, self.run.concluded)))


class Bench:
    """An edition and its cases, and a universe, on which mutants are tried."""

    def __init__(self, law: Law, heard: Sequence[Hearing], universe: Universe | None = None) -> None:
        self.edition = law.edition
        self.law = law
        self.universe = universe
        self.sets = law.sets = Sets(law.edition.vocabulary, law.edition.rules)
        self.run = None if universe is None else EditionRun(law.edition, observed(universe), law.sets)
        rulings = [(one, ruling) for one in heard for ruling in self._rulings(one)]
        self.exhibits = [Exhibit(one, ruling.proof) for one, ruling in rulings if ruling.opening.known]
        doubtful = [(one, ruling) for one, ruling in rulings if not ruling.opening.known]
        self.open = [OpenExhibits(law, group) for group in side_by_side(doubtful)]

    def _rulings(self, hearing: Hearing) -> Iterator[Ruling]:
        """The ruling on a case, and those before it on which the law refused a change of cards."""
        yield hearing.ruling
        *before, _ = rounds(self.law, hearing.case.under(hearing.expected))
        yield from before

    def try_rule(self, number: int) -> list[TriedMutant]:
        """Every mutant of one rule that the loader would not refuse."""
        mutants = mutants_of(self.edition.rules[number], self.edition.vocabulary)
        return [self.tried(mutant) for mutant in mutants if not refused(mutant, self.edition)]

    def tried(self, mutant: Mutant) -> TriedMutant:
        """The first case that notices, those in which the rule fired being asked first; and what else changes."""
        law = Law(_amended(mutant, self.edition), engine="quick")
        law.sets = Sets(self.edition.vocabulary, law.edition.rules, self.sets)
        when = self._changes_when(law.sets)
        changed: str | None = None
        for hearing in self._otherwise(mutant, law):
            try:
                found = verdict(ruled(law, hearing.case, hearing.expected))
            except (InputError, EngineError):
                found = None
            if found is None or any(differences(hearing.expected, found)):
                return TriedMutant(mutant.name, mutant.place, hearing.case.id, None, when)
            if changed is None and found != verdict(hearing.ruling):
                changed = hearing.case.id
        return TriedMutant(mutant.name, mutant.place, None, changed, when)

    def otherwise(self, mutant: Mutant) -> tuple[Law, Bits]:
        """The law with a mutant in it, and the situations in which the ruling is another; none where it has no end."""
        law = Law(_amended(mutant, self.edition), engine="quick")
        law.sets = Sets(self.edition.vocabulary, law.edition.rules, self.sets)
        with suppress(EngineError):
            return law, self._changed(law.sets)
        return law, 0

    def _changed(self, sets: Sets) -> Bits:
        """The situations in which the ruling is another; EngineError where there is no end to it."""
        return 0 if self.run is None else different(self.run.amended(sets).ruled, self.run.ruled)

    def _changes_when(self, sets: Sets) -> str | None:
        """The plainest situation in which the ruling is another."""
        if self.universe is None:
            return None
        try:
            changed = self._changed(sets)
        except EngineError as error:
            return str(error)
        lang = self.edition.vocabulary.languages[0]
        return self.universe.unusual(self.universe.plainest(changed), lang) if changed else None

    def _otherwise(self, mutant: Mutant, law: Law) -> Iterator[Hearing]:
        """The cases in which the changed law concludes something else."""
        name, rules = mutant.rule.id, [mutant.changed] if mutant.changed else []
        for exhibit in sorted(self.exhibits, key=lambda exhibit: name not in exhibit.firings):
            if self._firings(rules, exhibit) != exhibit.firings.get(name, set()):
                yield exhibit.hearing
        for group in self.open:
            yield from group.otherwise(law.sets)

    def _firings(self, rules: Iterable[Rule], exhibit: Exhibit) -> set[Firing] | None:
        """What rules conclude of all that was true in a case; None if there is no end to it."""
        vocabulary, found = self.edition.vocabulary, set[Firing]()
        with suppress(EngineError):
            for rule in rules:
                for way in ways(vocabulary, rule, exhibit.facts):
                    found.update((fact, way.premises) for fact in conclusions(vocabulary, rule, way.values))
            return found
        return None


def refused(mutant: Mutant, edition: Edition) -> bool:
    """Whether the loader would refuse the changed rule. A name that is merely no longer needed does not count."""
    changed = mutant.changed
    if changed is None:
        return False
    of_the_rule = [check for check in of_a_rule if check is not unused]
    if any(True for check in of_the_rule for _ in check(changed, edition.vocabulary)):
        return True
    return any(True for check in (*of_an_edition, *of_its_table) for _ in check(_amended(mutant, edition)))


def _amended(mutant: Mutant, edition: Edition) -> Edition:
    clause = edition.clauses[mutant.rule.clause]
    rules = tuple(mutant.changed if rule is mutant.rule else rule for rule in clause.rules)
    kept = tuple(rule for rule in rules if rule is not None)
    return replace(edition, clauses={**edition.clauses, clause.ref: replace(clause, rules=kept)})


def bench_of(root: Path, edition: str | Path, folders: Sequence[Path] = ()) -> Bench:
    """The bench of an edition and its cases; those where an authority made an election are left out."""
    laws = Laws(root, "quick")
    heard = [one for one in hearings(laws, edition, folders) if not one.ruling.edition.elections]
    law = laws.of(edition)
    asked = (root / INTERVIEW).is_file()
    return Bench(law, heard, Universe(load_interview(root, law.edition)) if asked else None)


def mutate(
    root: Path, edition: str | Path, folders: Sequence[Path] = (), workers: int = 0
) -> Iterator[list[TriedMutant]]:
    """The mutants of each rule that the edition itself gives, tried; ``workers`` 0: one for each processor.

    InputError when a case does not hold before anything is changed.
    """
    bench = bench_of(root, edition, folders)
    taken_over = _rules_of_base(root, bench.edition)
    numbers = [number for number, rule in enumerate(bench.edition.rules) if _content(rule) not in taken_over]
    if workers == 1:
        yield from map(bench.try_rule, numbers)
        return
    with ProcessPoolExecutor(
        workers or cpu_count(), initializer=_prepare, initargs=(root, edition, tuple(folders))
    ) as pool:
        yield from pool.map(_try_rule, numbers)


def _rules_of_base(root: Path, edition: Edition) -> set[str]:
    """What the rules say that an amendment takes over or repeats: the cases of the amended edition guard them."""
    if edition.amends is None:
        return set()
    return {_content(rule) for rule in Laws(root, "quick").of(edition.amends).edition.rules}


def _content(rule: Rule) -> str:
    return replace(rule, id="", clause="").digest


_benches: list[Bench] = []


def _prepare(root: Path, edition: str | Path, folders: Sequence[Path]) -> None:
    _benches[:] = [bench_of(root, edition, folders)]


def _try_rule(number: int) -> list[TriedMutant]:
    return _benches[0].try_rule(number)


@dataclass(frozen=True, slots=True)
class Score:
    """What came of all mutants of an edition."""

    tried: tuple[TriedMutant, ...]
    known: Mapping[str, tuple[str, Place]]
    """The survivors that are explained: name -> why, and where that stands."""

    @property
    def killed(self) -> int:
        """How many mutants some case notices."""
        return sum(one.noticed_by is not None for one in self.tried)

    @property
    def survivors(self) -> tuple[TriedMutant, ...]:
        """The mutants that no case notices."""
        return tuple(one for one in self.tried if one.noticed_by is None)

    @property
    def noticeable(self) -> int:
        """How many change a ruling in some case or situation."""
        return sum(not one.equivalent for one in self.tried)

    @property
    def unexplained(self) -> tuple[TriedMutant, ...]:
        """The survivors of which nobody has said why."""
        return tuple(one for one in self.survivors if one.name not in self.known)

    @property
    def enough(self) -> bool:
        """Whether the cases guard the rules: few survivors, each explained, and no explanation out of date."""
        return 100 * self.killed >= LEAST * len(self.tried) and not self.unexplained and not self.outdated()

    def outdated(self) -> list[Fault]:
        """What is explained and does not survive."""
        noticed = {one.name: one.noticed_by for one in self.tried}
        left = {one.name for one in self.survivors}
        return [
            Fault(
                place,
                f"{name}: {f'case {noticed[name]} notices it' if name in noticed else 'there is no such mutant'}",
                "take it from the list",
            )
            for name, (_, place) in self.known.items()
            if name not in left
        ]
