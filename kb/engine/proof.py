"""The rules of an edition as a program, and what an engine hands back: the facts it started from and every step it
took, in an order no engine decides.

A program runs itself: sets find what holds, and the proof is every way in which a rule fits it by its definition. This
is the quick engine; the other one is durable-rules.

Beside it the pass over a proof, straight from the rules: whether it is all that follows, and only that. Every way in
which a rule fits the settled facts must be a firing, and every firing such a way; a proof whose steps rest on each
other tells itself that it has no order. For rules in strata only one set of facts is like that. So what an engine left
out is found as well as what it made up, wherever the mistake lies.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, cast

from facts.errors import BoundsError, EngineError
from facts.fact import Fact, Value, by_kind, order_key
from kb.engine.bounds import MOST_FACTS, Effort
from kb.engine.plain import Firing, facts_concluded, ways_to_fire
from kb.engine.sets import Facts, Run, Sets
from kb.language.rule import Rule, Tally
from kb.language.strata import strata
from kb.language.vocabulary import Vocabulary


class Program:
    """Rules that the checks accept, an engine themselves; immutable, and can be pickled. RulesError without strata."""

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

    @cached_property
    def sets(self) -> Sets:
        """The rules, ready to run on many situations."""
        return Sets(self.vocabulary, self.rules)

    def run(self, facts: Iterable[Fact], settled: Run | None = None) -> Proof:
        """The proof of everything that follows; BoundsError when it comes to too much, EngineError where a rule
        concludes something else by its definition than by the sets."""
        ground = tuple(facts)
        if len(ground) > MOST_FACTS:
            problem = f"this comes to {len(ground):,} facts, and a ruling is given on up to {MOST_FACTS:,}"
            raise BoundsError(problem, "leave out what has no part in it")
        run, effort, firings = settled or self.settled(ground), Effort(self.rules), list[Firing]()
        for number in run.fired:
            rule = self.rules[number]
            steps = [
                (fact, number, way.premises)
                for way in ways_to_fire(self.vocabulary, rule, run.facts, effort)
                for fact in facts_concluded(self.vocabulary, rule, way.values)
            ]
            if run.fired[number].keys() != {fact for fact, _, _ in steps}:
                raise EngineError(f"{rule.place}: rule {rule.id} concludes something else by its definition")
            firings += steps
        return Proof(self, ground, firings)

    def settled(self, ground: Collection[Fact]) -> Run:
        """What follows, without its proof; BoundsError when it comes to too much."""
        return self.sets.run({kind: Facts(dict.fromkeys(facts, 1)) for kind, facts in by_kind(ground).items()}, 1)

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[object, ...]]:
        return Program, (self.vocabulary, self.rules)


class Step(NamedTuple):
    """One firing of a rule for one of its conclusions."""

    fact: Fact
    rule: Rule
    premises: tuple[Fact, ...]
    """One for each condition of ``rule.when``, in its order. For a tally: ``("count", n, *facts)`` or
    ``("total", n, *facts)``, the number and then the facts that were counted, sorted."""


def bindings(vocabulary: Vocabulary, step: Step) -> dict[str, Value]:
    """The value of each variable of the rule that ``when`` gives one, numbers of tallies included."""
    values: dict[str, Value] = {}
    for item, premise in zip(step.rule.when, step.premises, strict=True):
        if isinstance(item, Tally):
            if name := item.number.binds:
                values.setdefault(name, premise[1])
            continue
        index = vocabulary.kinds[item.kind].index
        for test in item.tests:
            if name := test.binds:
                values.setdefault(name, premise[index[test.field]])
    return values


class Engine(Protocol):
    """Runs one program on one set of ground facts."""

    def run(self, facts: Iterable[Fact], settled: Run | None = None) -> Proof:
        """The proof of everything that follows; EngineError when the engine fails. ``settled``: what follows from just
        these facts, if that is known."""
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

    def __init__(self, program: Program, ground: Iterable[Fact], raw: Collection[Firing]) -> None:
        self.program = program
        self.ground = frozenset(ground)
        """The facts the engine was given."""
        self.firings = raw
        """The steps as the engine noted them, in its own order and maybe repeated: for work that needs no order."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Proof):
            return NotImplemented
        return self.ground == other.ground and self.steps == other.steps

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every firing, each once: in the order of the facts, then of the rules, then of the premises."""
        ways: dict[tuple[Fact, int], list[tuple[Fact, ...]]] = {}
        for fact, number, premises in self.firings:
            ways.setdefault((fact, number), []).append(premises)
        rules, ranks = self.program.rules, {fact: self.rank(fact) for fact, _ in ways}
        steps: list[Step] = []
        for fact, number in sorted(ways, key=lambda way: (ranks[way[0]], way[1])):
            several = ways[fact, number]
            if len(several) > 1:
                several = sorted(set(several), key=self._premise_ranks)
            steps += [Step(fact, rules[number], premises) for premises in several]
        return tuple(steps)

    @cached_property
    def by_kind(self) -> dict[str, dict[Fact, None]]:
        """Every fact, ground or derived, by kind and in order."""
        return by_kind(sorted({*self.ground, *self._ranks}, key=self.rank))

    def facts(self, kind: str) -> tuple[Fact, ...]:
        """Every fact of a kind, ground or derived, in order."""
        return tuple(self.by_kind.get(kind, ()))

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
        return [s for s in steps if all(counted(p) is not None or self.rank(p) < place for p in s.premises)][0]

    def behind(self, facts: Iterable[Fact], through: Callable[[Step], bool] = lambda _: True) -> list[Step]:
        """The first step of every fact behind these, premises before what rests on them; of a step that it is not gone
        ``through`` nothing that is behind it."""
        steps: dict[Fact, Step] = {}
        waiting = [*facts]
        while waiting:
            fact = waiting.pop()
            step = None if fact in steps else self.first_step(fact)
            if step is not None:
                steps[fact] = step
                waiting += rests_on(step.premises) if through(step) else ()
        order = {rule.id: number for number, rule in enumerate(self.program.rules)}
        return sorted(steps.values(), key=lambda step: (*self.rank(step.fact)[:2], order[step.rule.id]))

    def rank(self, fact: Fact) -> tuple[object, ...]:
        """The place of a fact in the order of facts; to be compared with other ranks of this proof."""
        return (*self._ranks.get(fact, _GROUND), order_key(fact))

    def _premise_ranks(self, premises: tuple[Fact, ...]) -> list[object]:
        ranks: list[object] = []
        for premise in premises:
            facts = counted(premise)
            ranks.append(self.rank(premise) if facts is None else (premise[1], [self.rank(fact) for fact in facts]))
        return ranks

    @cached_property
    def _ranks(self) -> dict[Fact, tuple[int, int]]:
        """(stratum, round) of each derived fact that is not ground."""
        layers: dict[int, list[Firing]] = {}
        for step in self.firings:
            if step[0] not in self.ground:
                layers.setdefault(self.program.strata[step[1]], []).append(step)
        ranks: dict[Fact, tuple[int, int]] = {}
        for stratum in sorted(layers):
            waiting = [step for step in layers[stratum] if step[0] not in ranks]
            open_facts, this_round = {fact for fact, _, _ in waiting}, 0
            while waiting:
                this_round += 1
                ready = {fact for fact, _, premises in waiting if open_facts.isdisjoint(premises)}
                if not ready:
                    raise EngineError(f"steps rest on each other and on no ground fact: {sorted(map(str, open_facts))}")
                ranks.update(dict.fromkeys(ready, (stratum, this_round)))
                open_facts -= ready
                waiting = [step for step in waiting if step[0] in open_facts]
        return ranks

    @cached_property
    def _by_fact(self) -> dict[Fact, tuple[Step, ...]]:
        return {fact: tuple(steps) for fact, steps in groupby(self.steps, key=itemgetter(0))}


_GROUND = (-1, 0)


def clashes(proof: Proof) -> Iterator[tuple[Fact, ...]]:
    """Facts of one kind that agree in the fields of its ``one-per`` and differ in others, in the order of the proof."""
    of_kind = by_kind([*proof.ground, *(fact for fact, _, _ in proof.firings)])
    for kind in proof.program.vocabulary.kinds.values():
        if kind.one_per is not None and (facts := of_kind.get(kind.name)):
            key = itemgetter(0, *[kind.index[name] for name in kind.one_per])
            if len({*map(key, facts)}) < len(facts):  # else the proof need not be put in order
                same: dict[object, list[Fact]] = {}
                for fact in proof.facts(kind.name):
                    same.setdefault(key(fact), []).append(fact)
                yield from (tuple(alike) for alike in same.values() if len(alike) > 1)


def proof_faults(proof: Proof) -> Iterator[str]:
    """What is wrong with a proof: firings that no rule gives, and ways that did not fire."""
    vocabulary, rules = proof.program.vocabulary, proof.program.rules
    fired = set(proof.firings)
    settled = by_kind([*proof.ground, *(fact for fact, _, _ in fired)])
    fitting, effort = set[Firing](), Effort(rules)
    for number, rule in enumerate(rules):
        for way in ways_to_fire(vocabulary, rule, settled, effort):
            fitting.update((fact, number, way.premises) for fact in facts_concluded(vocabulary, rule, way.values))
    wrong = {"should conclude, and does not,": fitting - fired, "cannot conclude, and does,": fired - fitting}
    for claim, firings in wrong.items():
        for fact, number, premises in sorted(firings, key=str):
            yield f"rule {rules[number].id} {claim} {_told(fact)} from {', '.join(map(_told, premises)) or 'nothing'}"


def demand_whole(proof: Proof, where: object) -> None:
    """EngineError naming the first discrepancy, if there is one; ``where``: what was ruled on."""
    for discrepancy in proof_faults(proof):
        raise EngineError(f"{where}: the proof is not what the rules say: {discrepancy}")


def _told(fact: Fact) -> str:
    return f"{fact[0]}({', '.join(_told(value) if isinstance(value, tuple) else str(value) for value in fact[1:])})"
