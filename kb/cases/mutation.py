"""Law mutation: a rule changed in one place, in every way that could matter, and whether any case notices.

The changed rule alone is tried on all that was true of a case; where it concludes the same as before, so does the whole
law. Where not everything is known of a case, the law runs once on all that may be so. Only where something else is
concluded is the case ruled on again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from facts.errors import EngineError, Fault, Faults, InputError, Place
from facts.fact import Fact, Value, by_kind
from facts.form import FromFile, Names, form_of
from facts.yaml_reader import read_text, read_yaml
from kb.cases.cases import Hearing, hearings, rule_case, unmet_expectations
from kb.engine.plain import KindFacts, facts_concluded, ways_to_fire
from kb.engine.sets import Sets
from kb.language.belonging import completed
from kb.language.checks import OF_A_RULE, OF_AN_EDITION
from kb.language.checks.of_rules import unused
from kb.language.folders import MUTANTS
from kb.language.model import Edition
from kb.language.relied_on import AT
from kb.language.rule import Conclusion, Condition, Operator, Rule, Tally, Test
from kb.language.terms import Term
from kb.language.vocabulary import Vocabulary
from kb.ruling.laws import Law, Laws
from kb.ruling.make_ruling import rounds
from kb.ruling.verdict import verdict
from kb.space.outcomes import EditionRun, different

FLIPS: Final[dict[Operator, tuple[Operator, ...]]] = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "!=": ("=",),
}
"""A comparison, and what it might have been instead: its border moved, or the opposite."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one rule."""

    name: str
    """``7A1.1 unless put-right at: < $b -> <= $b``; each mutant of an edition has a name of its own."""
    rule: Rule
    """As it stands in the file."""
    changed: Rule | None
    """None: the rule is left out."""
    place: Place
    """Where the file would be changed."""


def mutants_of(rule: Rule, vocabulary: Vocabulary) -> Iterator[Mutant]:
    """Every mutant of a rule, in the order of the file; some of them the loader would refuse."""
    whole, rule = rule, replace(rule.written or rule, id=rule.id)

    def mutant(change: str, place: Place, **changed: Any) -> Mutant:
        return Mutant(f"{rule.id}{change}", whole, completed(replace(rule, **changed), vocabulary), place)

    yield Mutant(f"{rule.id}: dropped", whole, None, rule.place)
    parts: dict[str, Sequence[Condition | Tally]] = {"when": rule.when, "unless": rule.unless}
    for part, items in parts.items():
        for number, item in enumerate(items):
            name = _named(part, items, number)
            if part == "unless" or len(items) > 1:
                yield mutant(f"{name}: dropped", item.place, **{part: _without(items, number)})
            for change, place, mutated in _changed(item, vocabulary):
                yield mutant(f"{name} {change}", place, **{part: _with(items, number, mutated)})
    for number, then in enumerate(rule.then):
        name = _named("then", rule.then, number)
        if len(rule.then) > 1:
            yield mutant(f"{name}: dropped", then.place, then=_without(rule.then, number))
        for field, term in then.terms.items():
            for new in _others(term, vocabulary.kinds[then.kind].field_named(field).type, vocabulary):
                conclusion = replace(then, terms={**then.terms, field: new})
                changed = _with(rule.then, number, conclusion)
                yield mutant(f"{name} {field}: {term} -> {new}", then.place_of(field), then=changed)


def rule_of(name: str) -> str:
    """The id of the rule that the mutant of this name changes."""
    return name.split(" ", maxsplit=1)[0].rstrip(":")


def _changed(item: Condition | Tally, vocabulary: Vocabulary) -> Iterator[tuple[str, Place, Condition | Tally]]:
    """What is changed in a condition or a number, where, and what comes of it."""
    condition = item.condition
    tests = condition.tests
    changed: list[tuple[str, Place, tuple[Test, ...]]] = []
    for number, test in enumerate(tests):
        changed.append((f"{test.field}: dropped", test.place, _without(tests, number)))
        type_ = vocabulary.kinds[condition.kind].field_named(test.field).type
        others = _other_tests(test, type_, vocabulary)
        changed += [(change, test.place, _with(tests, number, mutated)) for change, mutated in others]
    for change, place, new_tests in changed:
        new = replace(condition, tests=new_tests)
        yield change, place, replace(item, of=new) if isinstance(item, Tally) else new
    if isinstance(item, Tally):
        for change, test in _other_tests(item.number, "integer", vocabulary):
            yield change, test.place, replace(item, number=test)


def _other_tests(test: Test, type_: str, vocabulary: Vocabulary) -> Iterator[tuple[str, Test]]:
    changed: list[Test] = []
    if len(test.among) > 1:
        changed += [replace(test, among=_without(test.among, number)) for number in range(len(test.among))]
    if not test.among:
        # no two happenings share a moment: of theirs only the opposite is a change, before is as good as not after
        flips = FLIPS.get(test.operator, ())
        changed += [replace(test, operator=flip) for flip in (flips[-1:] if test.field == AT else flips)]
        changed += [replace(test, term=term) for term in _others(test.term, type_, vocabulary)]
    for new_test in changed:
        yield f"{test} -> {new_test.demand}", new_test


def _others(term: Term, type_: str, vocabulary: Vocabulary) -> Iterator[Term]:
    """What might have been written instead of a constant."""
    words = vocabulary.values_of(type_)
    changed = (term.mapped(partial(_another, words=words, step=step)) for step in (1, -1))
    yield from (new_term for new_term in dict.fromkeys(changed) if new_term != term)


def _named(part: str, items: Sequence[Condition | Tally | Conclusion], number: int) -> str:
    """``when revoke``, or ``when revoke #2`` where it is the second of its kind."""
    titles = [f"{item.how} {item.of.kind}" if isinstance(item, Tally) else item.kind for item in items]
    same_before = titles[:number].count(titles[number])
    return f" {part} {titles[number]}" + (f" #{same_before + 1}" if same_before else "")


def _another(value: Value, words: Sequence[Value], step: int) -> Value:
    """What might have been written instead of a value: the other of yes and no, a number beside it, the next word."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + step
    return words[(words.index(value) + 1) % len(words)] if value in words else value


def _without(items: Sequence[_T], number: int) -> tuple[_T, ...]:
    return (*items[:number], *items[number + 1 :])


def _with(items: Sequence[_T], number: int, item: _T) -> tuple[_T, ...]:
    return (*items[:number], item, *items[number + 1 :])


@dataclass(frozen=True, slots=True)
class Explained(FromFile):
    """Mutants that survive for one reason."""

    why: str
    mutants: Names
    """Their names, as ``revoke test --mutate`` tells them."""


def known_survivors(folder: Path) -> dict[str, tuple[str, Place]]:
    """Name of a mutant -> why it survives, and where that stands; nothing where there is no such file."""
    file = folder / MUTANTS
    if not file.is_file():
        return {}
    faults = Faults()
    groups: tuple[Explained, ...] = form_of(tuple[Explained, ...]).read(read_yaml(read_text(file), str(file)), faults)
    survivors: dict[str, tuple[str, Place]] = {}
    for group in groups:
        for name in group.mutants:
            if name in survivors:
                faults.append(Fault(name.place, f"{name} stands here twice", "keep one of the two"))
            survivors[name] = (" ".join(group.why.split()), name.place)
    if faults:
        raise InputError(sorted(faults))
    return survivors


LEAST = 95
"""Of a hundred mutants, how many the cases of an edition must notice."""
RuleFiring: TypeAlias = tuple[Fact, tuple[Fact, ...]]
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


class Exhibit(NamedTuple):
    """A case of which everything is known, all that was true in a ruling on it, and what each rule concluded."""

    hearing: Hearing
    facts: KindFacts
    firings: Mapping[str, set[RuleFiring]]


class Bench:
    """An edition and its cases, on which mutants are tried."""

    def __init__(self, law: Law, heard: Sequence[Hearing]) -> None:
        self.edition = law.edition
        self.law = law
        law.program.sets = Sets(law.edition.vocabulary, law.edition.rules)  # to which those of mutants are added
        self.exhibits: list[Exhibit] = []
        self.open: list[tuple[Hearing, EditionRun]] = []
        """The cases of which not everything is known, each with what the law concludes of all that may be so."""
        for hearing in heard:
            *past, _ = rounds(law, hearing.case.under(hearing.expected))  # when it refused a change of cards
            for ruling in (hearing.ruling, *past):
                every = ruling.after(ruling.certainty.run.situations.everything)  # also what rules leave out of account
                if not every.certainty.known:
                    self.open.append((hearing, EditionRun(law.edition, every.situations, law.program.sets)))
                    continue
                proof, firings = ruling.proof, dict[str, set[RuleFiring]]()
                for step in proof.steps:
                    firings.setdefault(step.rule.id, set()).add((step.fact, step.premises))
                facts = by_kind([*proof.ground, *(fact for fact, _, _ in proof.firings)])
                self.exhibits.append(Exhibit(hearing, facts, firings))

    def try_rule(self, number: int) -> list[TriedMutant]:
        """Every mutant of one rule that the loader would not refuse."""
        mutants = mutants_of(self.edition.rules[number], self.edition.vocabulary)
        return [self.tried(mutant) for mutant in mutants if not loader_refuses(mutant, self.edition)]

    def under(self, mutant: Mutant) -> Law:
        law = Law(_amended(mutant, self.edition), engine="quick")
        law.program.sets = Sets(self.edition.vocabulary, law.edition.rules, self.law.program.sets)
        return law

    def tried(self, mutant: Mutant) -> TriedMutant:
        """The first case that notices, those in which the rule fired being asked first; or else the first changed."""
        changed, law = None, self.under(mutant)
        for hearing in self._otherwise(mutant, law):
            try:
                outcome = verdict(rule_case(law, hearing.case, hearing.expected))
            except (InputError, EngineError):
                outcome = None
            if outcome is None or any(unmet_expectations(hearing.expected, outcome)):
                return TriedMutant(mutant.name, mutant.place, hearing.case.id)
            if changed is None and outcome != verdict(hearing.ruling):
                changed = hearing.case.id
        return TriedMutant(mutant.name, mutant.place, None, changed)

    def _otherwise(self, mutant: Mutant, law: Law) -> Iterator[Hearing]:
        """The cases in which the changed law concludes something else."""
        name = mutant.rule.id
        for exhibit in sorted(self.exhibits, key=lambda exhibit: name not in exhibit.firings):
            if self._firings(mutant.changed, exhibit) != exhibit.firings.get(name, set()):
                yield exhibit.hearing
        for hearing, run in self.open:
            with suppress(EngineError):
                changed = EditionRun(run.edition, run.situations, law.program.sets, run.run)
                if not different(changed.concluded, run.concluded):
                    continue
            yield hearing

    def _firings(self, rule: Rule | None, exhibit: Exhibit) -> set[RuleFiring] | None:
        """What a rule, if there is one, concludes of all that was true in a case; None if there is no end to it."""
        vocabulary, firings = self.edition.vocabulary, set[RuleFiring]()
        with suppress(EngineError):
            if rule is not None:
                for way in ways_to_fire(vocabulary, rule, exhibit.facts):
                    firings.update((fact, way.premises) for fact in facts_concluded(vocabulary, rule, way.values))
            return firings
        return None


def loader_refuses(mutant: Mutant, edition: Edition) -> bool:
    """Whether the loader would refuse the changed rule. A name that is merely no longer needed does not count."""
    changed = mutant.changed
    if changed is None:
        return False
    of_the_rule = [check for check in OF_A_RULE if check is not unused]
    if any(True for check in of_the_rule for _ in check(changed, edition.vocabulary)):
        return True
    return any(True for check in OF_AN_EDITION for _ in check(_amended(mutant, edition)))


def _amended(mutant: Mutant, edition: Edition) -> Edition:
    clause = edition.clauses[mutant.rule.clause]
    rules = tuple(mutant.changed if rule is mutant.rule else rule for rule in clause.rules)
    kept = tuple(rule for rule in rules if rule is not None)
    return replace(edition, clauses={**edition.clauses, clause.ref: replace(clause, rules=kept)})


def bench_of(root: Path, edition: str | Path) -> Bench:
    """The bench of an edition and its cases; those where an authority made an election are left out."""
    laws = Laws(root, "quick")
    heard = [hearing for hearing in hearings(laws, edition) if not hearing.ruling.edition.elections]
    return Bench(laws.of(edition), heard)


def mutate(root: Path, edition: str | Path, on: Executor) -> Iterator[list[TriedMutant]]:
    """The mutants of each rule that the edition itself gives, tried.

    InputError when a case does not hold before anything is changed.
    """
    bench = bench_of(root, edition)
    base = bench.edition.amends  # whose cases guard the rules that an amendment takes over or repeats
    taken_over = set() if base is None else {_content(rule) for rule in Laws(root, "quick").of(base).edition.rules}
    numbers = [number for number, rule in enumerate(bench.edition.rules) if _content(rule) not in taken_over]
    yield from on.map(partial(_try_rule, root, edition), numbers)


def _content(rule: Rule) -> str:
    return replace(rule, id="", clause="").digest


_kept_bench = lru_cache(1)(bench_of)
"""The bench of a worker, which tries many rules on it."""


def _try_rule(root: Path, edition: str | Path, number: int) -> list[TriedMutant]:
    return _kept_bench(root, edition).try_rule(number)


@dataclass(frozen=True, slots=True)
class Score:
    """What came of all mutants of an edition."""

    tried: tuple[TriedMutant, ...]
    known: Mapping[str, tuple[str, Place]]
    """The survivors that are explained: name -> why, and where that stands."""

    @property
    def killed(self) -> int:
        """How many mutants some case notices."""
        return sum(mutant.noticed_by is not None for mutant in self.tried)

    @property
    def survivors(self) -> tuple[TriedMutant, ...]:
        """The mutants that no case notices."""
        return tuple(mutant for mutant in self.tried if mutant.noticed_by is None)

    @property
    def unexplained(self) -> tuple[TriedMutant, ...]:
        """The survivors of which nobody has said why."""
        return tuple(mutant for mutant in self.survivors if mutant.name not in self.known)

    @property
    def enough(self) -> bool:
        """Whether the cases guard the rules: few survivors, each explained, and no explanation out of date."""
        return 100 * self.killed >= LEAST * len(self.tried) and not self.unexplained and not self.outdated()

    def outdated(self) -> list[Fault]:
        """What is explained and does not survive."""
        noticed = {mutant.name: mutant.noticed_by for mutant in self.tried}
        surviving = {mutant.name for mutant in self.survivors}
        return [
            Fault(
                place,
                f"{name}: {f'case {noticed[name]} notices it' if name in noticed else 'there is no such mutant'}",
                "take it from the list",
            )
            for name, (_, place) in self.known.items()
            if name not in surviving
        ]
