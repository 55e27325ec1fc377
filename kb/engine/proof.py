"""The rules of an edition in their strata, and what an engine hands back: the facts it started from and every step it
took, in an order no engine decides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from facts.errors import EngineError
from facts.fact import Fact, Value, by_kind, order_key
from kb.engine.sets import Sets
from kb.language.rule import Rule, Tally
from kb.language.strata import strata
from kb.language.vocabulary import Vocabulary


class Program:
    """Rules that the checks accept, for any engine; immutable, and can be pickled. RulesError without strata."""

    def __init__(self, vocabulary: Vocabulary, rules: Iterable[Rule]) -> None:
        self.vocabulary = vocabulary
        self.rules = tuple(rules)
        of_rule = {id(rule): number for number, layer in enumerate(strata(self.rules)) for rule in layer}
        self.strata = tuple(of_rule[id(rule)] for rule in self.rules)
        """The stratum of each rule."""
        self.kinds = frozenset(read.kind for rule in self.rules for read in rule.conditions())
        """The kinds that some rule reads."""
        self.concluded = frozenset(then.kind for rule in self.rules for then in rule.then)
        """The kinds that some rule concludes."""
        self.vague = frozenset(k.name for k in vocabulary.kinds.values() if any(field.unknown for field in k.fields))
        """The kinds with a field that may be unknown."""

    @cached_property
    def sets(self) -> Sets:
        """The rules, ready to run on many situations."""
        return Sets(self.vocabulary, self.rules)

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[object, ...]]:
        return Program, (self.vocabulary, self.rules)


RawStep: TypeAlias = tuple[Fact, int, tuple[Fact, ...]]
"""A firing as an engine notes it: the fact, the number of the rule in the program, the premises."""


class Step(NamedTuple):
    """One firing of a rule for one of its conclusions."""

    fact: Fact
    rule: Rule
    premises: tuple[Fact, ...]
    """One for each condition of ``rule.when``, in its order. For a tally: ``("count", n, *facts)`` or
    ``("total", n, *facts)``, the number and then the facts that were counted, sorted."""


class Engine(Protocol):
    """Runs one program on one set of ground facts."""

    def run(self, facts: Iterable[Fact]) -> Proof:
        """The proof of everything that follows; EngineError when the engine fails."""
        ...


def counted(premise: Fact) -> tuple[Fact, ...] | None:
    """The facts behind the result of a ``count`` or ``total``; None if the premise is a fact itself."""
    return cast(tuple[Fact, ...], premise[2:]) if premise[0] in ("count", "total") else None


def rests_on(premises: Iterable[Fact]) -> Iterator[Fact]:
    """The facts of some premises, those of a tally one by one."""
    for premise in premises:
        facts = counted(premise)
        yield from (premise,) if facts is None else facts


class Proof:
    """FactBase facts and steps; everything is worked out when first asked for, so that a run itself costs little.

    Facts come in one order: ground facts, then by stratum, by rounds of firing within it, by kind and values. So the
    order, and equality, depend on the program and the facts alone and not on the engine.
    """

    def __init__(self, program: Program, ground: Collection[Fact], raw: Collection[RawStep]) -> None:
        self.program = program
        self._ground = ground
        self._raw = raw
        self._by_kind: dict[str, tuple[Fact, ...]] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Proof):
            return NotImplemented
        return self.ground == other.ground and self.steps == other.steps

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def ground(self) -> frozenset[Fact]:
        """The facts the engine was given."""
        return frozenset(self._ground)

    @property
    def firings(self) -> Collection[RawStep]:
        """The steps as the engine noted them, in its own order and maybe repeated: for work that needs no order."""
        return self._raw

    @cached_property
    def ground_by_kind(self) -> Mapping[str, Collection[Fact]]:
        """The facts the engine was given, by kind, as they came."""
        return by_kind(self._ground)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every firing, each once: in the order of the facts, then of the rules, then of the premises."""
        ways: dict[tuple[Fact, int], list[tuple[Fact, ...]]] = {}
        for fact, number, premises in self._raw:
            ways.setdefault((fact, number), []).append(premises)
        rules, ranks = self.program.rules, {fact: self.rank(fact) for fact, _ in ways}
        steps: list[Step] = []
        for fact, number in sorted(ways, key=lambda way: (ranks[way[0]], way[1])):
            several = ways[fact, number]
            if len(several) > 1:
                several = sorted(set(several), key=self._premise_ranks)
            steps += [Step(fact, rules[number], premises) for premises in several]
        return tuple(steps)

    def facts(self, kind: str) -> tuple[Fact, ...]:
        """Every fact of a kind, ground or derived, in order."""
        facts = self._by_kind.get(kind)
        if facts is None:
            derived = self._derived_by_kind.get(kind, ())
            facts = tuple(sorted({*self.ground_by_kind.get(kind, ()), *derived}, key=self.rank))
            self._by_kind[kind] = facts
        return facts

    def read(self, kind: str, *fields: str) -> Iterator[tuple[Any, ...]]:
        """What stands in these fields of each fact of a kind, in the order of facts."""
        facts = self.facts(kind)
        index = self.program.vocabulary.kinds[kind].index if facts else {}
        return (tuple(fact[index[name]] for name in fields) for fact in facts)

    def steps_for(self, fact: Fact) -> tuple[Step, ...]:
        """Every step that concludes the fact, in order; none for a fact that is only ground."""
        return self._by_fact.get(fact, ())

    def first_step(self, fact: Fact) -> Step | None:
        """The first step for a fact whose premises all come before it, so that no fact ever rests on itself.

        None if the fact is ground: it needs no step, although ``steps_for`` may know some.
        """
        if fact not in self._ranks:
            return None
        place = self.rank(fact)
        steps = self.steps_for(fact)
        return next(s for s in steps if all(counted(p) is not None or self.rank(p) < place for p in s.premises))

    def bindings(self, step: Step) -> dict[str, Value]:
        """The value of each variable of the rule that ``when`` gives one, numbers of tallies included."""
        values: dict[str, Value] = {}
        for item, premise in zip(step.rule.when, step.premises, strict=True):
            if isinstance(item, Tally):
                if name := item.number.binds:
                    values.setdefault(name, premise[1])
                continue
            index = self.program.vocabulary.kinds[item.kind].index
            for test in item.tests:
                if name := test.binds:
                    values.setdefault(name, premise[index[test.field]])
        return values

    def rank(self, fact: Fact) -> tuple[object, ...]:
        """The place of a fact in the order of facts; to be compared with other ranks of this proof."""
        values = order_key(fact) if fact[0] in self.program.vague else fact
        return (*self._ranks.get(fact, _GROUND), fact[0], values)

    def _premise_ranks(self, premises: tuple[Fact, ...]) -> list[object]:
        ranks: list[object] = []
        for premise in premises:
            facts = counted(premise)
            ranks.append(self.rank(premise) if facts is None else (premise[1], [self.rank(fact) for fact in facts]))
        return ranks

    @cached_property
    def _ranks(self) -> dict[Fact, tuple[int, int]]:
        """(stratum, round) of each derived fact that is not ground."""
        kinds = self.ground_by_kind
        stated = {fact for kind in kinds if kind in self.program.concluded for fact in kinds[kind]}
        layers: dict[int, list[RawStep]] = {}
        for step in self._raw:
            if step[0] not in stated:
                layers.setdefault(self.program.strata[step[1]], []).append(step)
        ranks: dict[Fact, tuple[int, int]] = {}
        for stratum in sorted(layers):
            _rank_layer(stratum, layers[stratum], ranks)
        return ranks

    @cached_property
    def _derived_by_kind(self) -> Mapping[str, Collection[Fact]]:
        return by_kind(self._ranks)

    @cached_property
    def _by_fact(self) -> dict[Fact, tuple[Step, ...]]:
        return {fact: tuple(steps) for fact, steps in groupby(self.steps, key=itemgetter(0))}


_GROUND = (-1, 0)


def _rank_layer(stratum: int, steps: list[RawStep], ranks: dict[Fact, tuple[int, int]]) -> None:
    """Adds the rank of every fact that the steps of one stratum conclude first."""
    waiting = [step for step in steps if step[0] not in ranks]
    open_facts = {fact for fact, _, _ in waiting}
    this_round = 0
    while waiting:
        this_round += 1
        ready = {fact for fact, _, premises in waiting if open_facts.isdisjoint(premises)}
        if not ready:
            raise EngineError(f"steps rest on each other and on no ground fact: {sorted(map(str, open_facts))}")
        ranks.update(dict.fromkeys(ready, (stratum, this_round)))
        open_facts -= ready
        waiting = [step for step in waiting if step[0] in open_facts]


@dataclass(frozen=True, slots=True)
class KeyViolation:
    """Facts of one kind that agree in the fields of its ``one-per`` and differ in others."""

    kind: str
    facts: tuple[Fact, ...]
    """At least two, in the order of the proof."""
    steps: tuple[Step, ...]
    """The first step of each that is derived. None at all: the incident states them, and the fault is the incident's;
    otherwise it is a fault of the rules."""


def one_per(vocabulary: Vocabulary, proof: Proof) -> tuple[KeyViolation, ...]:
    """Every clash in a proof, in the order of the vocabulary; empty when all is well, which is quickly known."""
    derived = by_kind({fact for fact, _, _ in proof.firings})
    found: list[KeyViolation] = []
    for kind in vocabulary.kinds.values():
        facts = {*proof.ground_by_kind.get(kind.name, ()), *derived.get(kind.name, ())}
        if kind.one_per is None or len(facts) < 2:
            continue
        key = itemgetter(0, *[kind.index[name] for name in kind.one_per])
        if len(set(map(key, facts))) < len(facts):
            same: dict[object, list[Fact]] = {}
            for fact in proof.facts(kind.name):
                same.setdefault(key(fact), []).append(fact)
            for some in same.values():
                if len(some) > 1:
                    steps = tuple(step for fact in some if (step := proof.first_step(fact)))
                    found.append(KeyViolation(kind.name, tuple(some), steps))
    return tuple(found)
