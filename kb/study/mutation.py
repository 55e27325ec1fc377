"""Law mutation: whether any case notices when a rule is changed in one place.

Nothing is observed or ruled on twice that does not change. The changed rule alone is tried on all that was true of a
case; where it concludes the same as before, so does the whole law. Where not, only the rules that follow from it run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from os import cpu_count
from pathlib import Path
from typing import TypeAlias

from facts.errors import EngineError, Fault, InputError, Place
from facts.ground import Fact
from kb.engine.program import Program
from kb.engine.proof import Proof, RawStep
from kb.engine.python import PythonEngine
from kb.engine.sets import Sets
from kb.explain.as_json import verdict
from kb.language.checks import OF_A_RULE, OF_AN_EDITION, because, conclusions, unbound
from kb.language.digest import rule_digest
from kb.language.model import Edition, Rule
from kb.ruling.law import Law
from kb.ruling.rule import Laws, refuse_contradictions, refused_at, rounds, rule
from kb.ruling.ruling import Ruling
from kb.space.edition_run import EditionRun
from kb.space.observed import observed
from kb.space.outcome import OutcomeReader, different
from kb.space.read_interview import INTERVIEW, load_interview
from kb.space.universe import Universe
from kb.study.cases import differences
from kb.study.hearing import Hearing, hearings
from kb.study.mutants import Mutant, mutants_of

LEAST = 95
"""Of a hundred mutants, how many the cases of an edition must notice."""
Firing: TypeAlias = tuple[Fact, tuple[Fact, ...]]
"""What a rule concluded, and from what."""


@dataclass(frozen=True, slots=True)
class Tried:
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
    def equivalent(self) -> bool:
        """Whether it changes the ruling in no case and in no situation."""
        return not (self.noticed_by or self.changes_case or self.changes_when)


class Exhibit:
    """All that was true in the ruling of a hearing, or in one before it on which the law refused a change of cards."""

    def __init__(self, hearing: Hearing, ruling: Ruling, numbers: dict[int, int]) -> None:
        self.hearing = hearing
        self.ruling = ruling
        proof = ruling.proof
        self.ground = proof.ground
        self.steps: list[RawStep] = [(step.fact, numbers[id(step.rule)], step.premises) for step in proof.steps]
        self.facts = self.ground.union(fact for fact, _, _ in self.steps)
        self.firings: dict[int, set[Firing]] = {}
        for fact, number, premises in self.steps:
            self.firings.setdefault(number, set()).add((fact, premises))


class Downstream:
    """One rule of a program, and the rules that depend on what it concludes."""

    def __init__(self, program: Program, number: int) -> None:
        self.program = program
        self.number = number
        self.kinds = {conclusion.kind for conclusion in program.rules[number].then}
        while (
            more := {kind for plan in program.plans if plan.kinds & self.kinds for kind, _ in plan.heads} - self.kinds
        ):
            self.kinds |= more
        self.numbers = [
            plan.number
            for plan in program.plans
            if plan.number != number and any(kind in self.kinds for kind, _ in plan.heads)
        ]
        self.feeds_itself = bool(program.plans[number].kinds & self.kinds)
        self._engine: PythonEngine | None = None

    def engine(self, changed: Rule | None) -> PythonEngine:
        """Runs the rules that follow; with the changed rule among them, as the last, if it follows from itself."""
        rules = [self.program.rules[number] for number in self.numbers]
        if self.feeds_itself and changed is not None:
            return PythonEngine(Program(self.program.vocabulary, [*rules, changed]))
        if self._engine is None:
            self._engine = PythonEngine(Program(self.program.vocabulary, rules))
        return self._engine

    def proof(self, exhibit: Exhibit, changed: Rule | None, firings: Iterable[Firing]) -> Proof:
        """The proof of a case by the changed law; EngineError when there is no end to it."""
        kept = [step for step in exhibit.steps if step[1] != self.number and step[1] not in self.numbers]
        own = [] if self.feeds_itself else [(fact, self.number, premises) for fact, premises in firings]
        settled = {fact for fact, _, _ in (*kept, *own)}.union(exhibit.ground)
        engine = self.engine(changed)
        numbers = {
            id(rule): number for rule, number in zip(engine.program.rules, [*self.numbers, self.number], strict=False)
        }
        steps = [(step.fact, numbers[id(step.rule)], step.premises) for step in engine.run(settled).steps]
        return Proof(self.program, exhibit.ground, [*kept, *own, *steps])


class Bench:
    """An edition and its cases, and a universe, on which mutants are tried."""

    def __init__(self, law: Law, heard: Sequence[Hearing], universe: Universe | None = None) -> None:
        self.edition = law.edition
        self.program = law.program
        self.universe = universe
        self.run = None if universe is None else EditionRun(law.edition, observed(universe))
        self.shown = OutcomeReader(law.edition.vocabulary).kinds
        numbers = {id(rule): number for number, rule in enumerate(law.program.rules)}
        self.exhibits = [Exhibit(hearing, hearing.ruling, numbers) for hearing in heard]
        for hearing in heard:
            *before, _ = rounds(law, hearing.case.under(hearing.expected))
            self.exhibits += [Exhibit(hearing, ruling, numbers) for ruling in before]

    def try_rule(self, number: int) -> list[Tried]:
        """Every mutant of one rule that the loader would not refuse."""
        rule, after = self.program.rules[number], Downstream(self.program, number)
        mutants = [mutant for mutant in mutants_of(rule, self.edition.vocabulary) if not refused(mutant, self.edition)]
        return [self.tried(mutant, after) for mutant in mutants]

    def tried(self, mutant: Mutant, after: Downstream) -> Tried:
        """The first case that notices, those in which the rule fired being asked first; and what else changes."""
        alone = mutant.changed and PythonEngine(Program(self.edition.vocabulary, [mutant.changed]))
        changed: str | None = None
        when = self._changes_when(mutant)
        for exhibit in sorted(self.exhibits, key=lambda exhibit: after.number not in exhibit.firings):
            case = exhibit.hearing.case.id
            try:
                firings = {(step.fact, step.premises) for step in alone.run(exhibit.facts).steps} if alone else set()
                if firings != exhibit.firings.get(after.number, set()):
                    proof = after.proof(exhibit, mutant.changed, firings)
                    if self._spoilt(exhibit, proof, mutant):
                        return Tried(mutant.name, mutant.place, case, None, when)
                    if self._ruled(proof) != self._ruled(exhibit.ruling.proof):
                        changed = changed or case
            except (InputError, EngineError):
                return Tried(mutant.name, mutant.place, case, None, when)
        return Tried(mutant.name, mutant.place, None, changed, when)

    def _changes_when(self, mutant: Mutant) -> str | None:
        """The plainest situation in which the ruling is another."""
        if self.universe is None or self.run is None:
            return None
        try:
            rules = _amended(mutant, self.edition).rules
            run = self.run.amended(Sets(self.edition.vocabulary, rules, self.run.sets))
        except EngineError as error:
            return str(error)
        changed = different(run.ruled, self.run.ruled)
        lang = self.edition.vocabulary.languages[0]
        return self.universe.unusual(self.universe.plainest(changed), lang) if changed else None

    def _ruled(self, proof: Proof) -> set[Fact]:
        return {fact for fact, _, _ in proof.firings if fact[0] in self.shown}

    def _spoilt(self, exhibit: Exhibit, proof: Proof, mutant: Mutant) -> bool:
        if refused_at(proof) != refused_at(exhibit.ruling.proof):
            ruling = rule(Law(_amended(mutant, self.edition), "python"), exhibit.ruling.incident)
        elif exhibit.ruling is not exhibit.hearing.ruling:
            return False
        else:
            ruling = Ruling(exhibit.ruling.incident, self.edition, proof)
            refuse_contradictions(ruling)
        return any(differences(exhibit.hearing.expected, verdict(ruling)))


def refused(mutant: Mutant, edition: Edition) -> bool:
    """Whether the loader would refuse the changed rule. A name that is merely no longer needed does not count."""
    changed = mutant.changed
    if changed is None:
        return False
    checks = (*OF_A_RULE, unbound.check, because.check, conclusions.check)
    if any(True for check in checks for _ in check(changed, edition.vocabulary)):
        return True
    return any(True for check in OF_AN_EDITION for _ in check(_amended(mutant, edition)))


def _amended(mutant: Mutant, edition: Edition) -> Edition:
    clause = edition.clauses[mutant.rule.clause]
    rules = tuple(mutant.changed if rule is mutant.rule else rule for rule in clause.rules)
    kept = tuple(rule for rule in rules if rule is not None)
    return replace(edition, clauses={**edition.clauses, clause.ref: replace(clause, rules=kept)})


def bench_of(root: Path, edition: str | Path, folders: Sequence[Path] = ()) -> Bench:
    """The bench of an edition and its cases; those where an authority made an election are left out."""
    laws = Laws(root, "python")
    heard = [one for one in hearings(laws, edition, folders) if not one.ruling.edition.elections]
    law = laws.of(edition)
    asked = (root / INTERVIEW).is_file()
    return Bench(law, heard, Universe(load_interview(root, law.edition.vocabulary)) if asked else None)


def mutate(root: Path, edition: str | Path, folders: Sequence[Path] = (), workers: int = 0) -> Iterator[list[Tried]]:
    """The mutants of each rule that the edition itself gives, tried; ``workers`` 0: one for each processor.

    InputError when a case does not hold before anything is changed.
    """
    bench = bench_of(root, edition, folders)
    taken_over = _rules_of_base(root, bench.edition)
    numbers = [number for number, rule in enumerate(bench.program.rules) if _content(rule) not in taken_over]
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
    return {_content(rule) for rule in Laws(root, "python").of(edition.amends).edition.rules}


def _content(rule: Rule) -> str:
    return rule_digest(replace(rule, id=""))


_benches: list[Bench] = []


def _prepare(root: Path, edition: str | Path, folders: Sequence[Path]) -> None:
    _benches[:] = [bench_of(root, edition, folders)]


def _try_rule(number: int) -> list[Tried]:
    return _benches[0].try_rule(number)


@dataclass(frozen=True, slots=True)
class Score:
    """What came of all mutants of an edition."""

    tried: tuple[Tried, ...]
    known: Mapping[str, tuple[str, Place]]
    """The survivors that are explained: name -> why, and where that stands."""

    @property
    def killed(self) -> int:
        """How many mutants some case notices."""
        return sum(one.noticed_by is not None for one in self.tried)

    @property
    def survivors(self) -> tuple[Tried, ...]:
        """The mutants that no case notices."""
        return tuple(one for one in self.tried if one.noticed_by is None)

    @property
    def noticeable(self) -> int:
        """How many change a ruling in some case or situation."""
        return sum(not one.equivalent for one in self.tried)

    @property
    def unexplained(self) -> tuple[Tried, ...]:
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
