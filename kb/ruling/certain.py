"""What is certain in every situation of a set, with a proof that uses nothing that is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from facts.fact import Fact, Value
from kb.engine.plain import fits
from kb.engine.proof import Proof, RawStep, Step, rests_on
from kb.engine.sets import Bits, Held
from kb.language.known import AT
from kb.language.rule import Condition, Rule
from kb.ruling.law import Law
from kb.space.bits import first
from kb.space.outcome import EditionRun


class Reason(NamedTuple):
    """A step of the law, with the values of its variables."""

    fact: Fact
    rule: Rule
    bindings: Mapping[str, Value]


def reason_of(proof: Proof, step: Step) -> Reason:
    """A step with the values of its variables."""
    return Reason(step.fact, step.rule, proof.bindings(step))


Ways: TypeAlias = tuple[tuple[Reason, ...], ...]
"""Different ways to one conclusion, each the steps of the law that it takes."""
MOST_WAYS: Final = 4
"""So many different ways to the same conclusion are told."""


@dataclass(frozen=True)
class Certainty:
    """Some of the situations that were run, and what holds in all of them."""

    law: Law
    run: EditionRun
    among: Bits

    def holds(self, fact: Fact) -> bool:
        """Whether a fact holds in every situation."""
        return not self.among & ~self.where(fact)

    def where(self, fact: Fact) -> Bits:
        """The situations in which a fact holds."""
        held: Held = self.run.run.facts.get(str(fact[0]), {})
        return held.get(fact, 0) & self.among

    def facts_of(self, situation: int) -> list[Fact]:
        """The ground facts of one situation that an engine is given."""
        return [fact for fact in self.run.situations.facts_of(situation) if fact[0] in self.law.shown]

    def alone(self, situation: int) -> Proof:
        """The proof of one situation."""
        return self.law.quick.run(self.facts_of(situation))

    @cached_property
    def proof(self) -> Proof:
        """What is certain, and the steps that use nothing else; a conclusion that is certain for different reasons
        stands as if it were given."""
        if self.among.bit_count() == 1:
            return self.law.engine.run(self.facts_of(first(self.among)))
        one = self.alone(first(self.among))
        known: dict[Fact, bool] = {}
        raw = [step for step in one.firings if self._certain(one, step, known)]
        shown = {fact for fact, _, _ in raw}
        ground = [fact for fact in one.ground if self.holds(fact)]
        return Proof(self.law.program, [*ground, *(fact for fact in self._concluded if fact not in shown)], raw)

    @cached_property
    def either(self) -> Mapping[Fact, Ways]:
        """Conclusions that are certain, but not for one reason: the steps of the law behind each, in every way.

        One way alone is certain too: of several acts that each would do, that one has certainly happened.
        """
        if self.among.bit_count() == 1:
            return {}
        given = self.proof.ground - frozenset(self.run.situations.facts_of(first(self.among)))
        used = {premise for _, _, premises in self.proof.firings for premise in premises}
        wanted = [one for one in self._concluded if one in given and (one in used or one[0] in self.run.reader.kinds)]
        return {fact: ways for fact in wanted if (ways := self._behind(fact))}

    def _behind(self, fact: Fact) -> Ways:
        ways = tuple(self._ways(fact))
        kept = [{(step.fact, step.rule.id) for step in way} for way in ways]
        same = set.intersection(*kept) if len(ways) > 1 else set[tuple[Fact, str]]()
        ways = tuple(tuple(step for step in way if (step.fact, step.rule.id) not in same) for way in ways)
        alike = [frozenset(self._timeless(step.fact) for step in steps) for steps in ways]
        if len(alike) > 1 and (common := alike[0].intersection(*alike[1:])):
            sure = (step for step in self.proof.steps if self.law.edition.clauses[step.rule.clause].law)
            if found := [step for step in sure if self._timeless(step.fact) in common]:
                return (tuple(reason_of(self.proof, step) for step in found),)
        return ways

    def _timeless(self, fact: Fact) -> Fact:
        """A fact without the moment at which it came about."""
        at = self.run.edition.vocabulary.kind_of(fact).index.get(AT, 0)
        return fact if not at else (*fact[:at], *fact[at + 1 :])

    @cached_property
    def _concluded(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.run.concluded if self.holds(fact))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {rule.id: number for number, rule in enumerate(self.run.run.rules)}

    def _ways(self, fact: Fact) -> Iterator[tuple[Reason, ...]]:
        """The steps of the law behind a conclusion that are not certain, in situations that together are all."""
        left = self.among
        for _ in range(MOST_WAYS):
            if not left:
                return
            proof = self.alone(first(left))
            steps = self._law_steps(proof, fact)
            if not steps:
                return
            yield tuple(reason_of(proof, step) for step in steps)
            same = left
            for step in steps:
                same &= self.run.run.fired[self._numbers[step.rule.id]].get(step.fact, 0)
            left &= ~same

    def _law_steps(self, proof: Proof, fact: Fact) -> list[Step]:
        """The law's steps that lead to a conclusion by way of something that is not certain."""
        waiting, seen = [fact], set[Fact]()
        found: list[Step] = []
        while waiting:
            one = waiting.pop()
            step = None if one in seen else proof.first_step(one)
            seen.add(one)
            if step is None:
                continue
            of_law = bool(self.law.edition.clauses[step.rule.clause].law)
            if of_law:
                found.append(step)
            if not (of_law and self.holds(one)):
                waiting += rests_on(step.premises)
        return sorted(found, key=lambda step: proof.rank(step.fact))

    def _certain(self, proof: Proof, step: RawStep, known: dict[Fact, bool]) -> bool:
        """Whether every premise holds everywhere, and nothing that must be missing is there anywhere."""
        fact, number, premises = step
        for one in rests_on(premises):
            if one not in known:
                known[one] = self.holds(one)
            if not known[one]:
                return False
        rule = proof.program.rules[number]
        values = proof.bindings(Step(fact, rule, premises))
        absent = not any(True for item in rule.unless for _ in self._fitting(item, values))
        return absent and all(self.holds(one) for item in rule.tallies for one in self._fitting(item.of, values))

    def _fitting(self, item: Condition, values: Mapping[str, Value]) -> Iterator[Fact]:
        vocabulary = self.law.sets.vocabulary
        held: Held = self.run.run.facts.get(item.kind, {})
        for fact, bits in held.items():
            if bits & self.among and fits(vocabulary, item, fact, values):
                yield fact
