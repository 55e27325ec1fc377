"""Which clauses stand behind a fact and behind a whole ruling, and which steps of its proof are told of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from facts.fact import Fact, Value
from kb.engine.proof import Proof, Step, bindings, counted, rests_on
from kb.language.model import Edition
from kb.language.relied_on import AT, HAND, PLAY, PLAYED, TRICK
from kb.language.rule import Condition, Operator
from kb.ruling.certainty import Ways


@dataclass(frozen=True, slots=True)
class Lacking:
    """What had to be missing for a step: no fact of a kind that passes every test."""

    condition: Condition
    """The item of ``unless``."""
    tests: Mapping[str, tuple[Operator, Value | tuple[Value, ...]]]
    """Field -> operator and value, or ``=`` and the values it might be one of; what may be anything is left out."""
    bindings: Mapping[str, Value]
    """The values of the step's variables."""
    play: Mapping[str, Value]
    """What the proof knows of the play that the condition names."""
    then: str | None
    """``earlier`` or ``later``, where the rule looks for one of a kind that it has met at another time."""


class Citations:
    """The clauses behind the facts of one proof, and its steps."""

    def __init__(self, edition: Edition, proof: Proof, either: Mapping[Fact, Ways] | None = None) -> None:
        """``either``: conclusions that are certain, but not for one reason."""
        self.either = either or {}
        self.edition = edition
        self.proof = proof
        self._order = {ref: number for number, ref in enumerate(edition.clauses)}
        self._laws: dict[Fact, frozenset[str]] = {}

    def laws(self, fact: Fact) -> tuple[str, ...]:
        """The clauses behind the fact, in the book's order; a definition hands on those of its first condition."""
        return self.sort(self._behind(fact))

    def cited(self) -> tuple[str, ...]:
        """Every clause of the steps behind the conclusions that cite, in the book's order."""
        ways = (way for fact in self._wanted for way in self.either.get(fact, ()))
        steps = (*self.support(), *(step for way in ways for step in way))
        return self.sort(step.rule.clause for step in steps if self.is_law(step.rule.clause))

    def is_law(self, clause: str) -> bool:
        """Whether it is a clause of the book rather than a definition."""
        return self.edition.clauses[clause].encoded_as != "definition"

    def sort(self, clauses: Iterable[str]) -> tuple[str, ...]:
        """Each clause once, in the book's order."""
        return tuple(sorted(set(clauses), key=self._order.__getitem__))

    def conclusions(self) -> tuple[Fact, ...]:
        """The facts that make up the ruling and cite, in the order of the proof."""
        kinds = self.edition.vocabulary.kinds.values()
        return tuple(fact for kind in kinds if kind.cites for fact in self.proof.facts(kind.name))

    def support(self) -> tuple[Step, ...]:
        """Every step behind the conclusions, in the order of the proof."""
        return tuple(step for step in self.proof.steps if step.fact in self._wanted)

    def reasons(self, conclusions: Iterable[Fact]) -> tuple[Step, ...]:
        """The law's steps that lead to the conclusions, one for each fact on the way."""
        return tuple(step for step in self.proof.behind(conclusions) if self.is_law(step.rule.clause))

    def ways(self, fact: Fact) -> list[Step]:
        """The first step of each clause that concludes a fact, in the book's order."""
        by_clause = {step.rule.clause: step for step in reversed(self.proof.steps_for(fact))}
        return [by_clause[ref] for ref in self.sort(by_clause)]

    def grounds(self, conclusions: tuple[Fact, ...]) -> Iterator[tuple[Step, tuple[str, ...]]]:
        """Each way to each conclusion with its own clause; one that no clause states, with the laws it rests on."""
        for first in self.proof.behind(conclusions):
            if first.fact in conclusions:
                by_law = [step for step in self.ways(first.fact) if self.is_law(step.rule.clause)]
                yield from ((step, (step.rule.clause,)) for step in by_law)
                if not by_law:
                    yield first, self.laws(first.fact)

    @cached_property
    def _wanted(self) -> frozenset[Fact]:
        """The conclusions and every fact behind them."""
        wanted: set[Fact] = set()
        waiting = [*self.conclusions()]
        while waiting:
            fact = waiting.pop()
            if fact not in wanted:
                wanted.add(fact)
                waiting += (step.fact for way in self.either.get(fact, ()) for step in way)
                waiting += (premise for step in self.proof.steps_for(fact) for premise in rests_on(step.premises))
        return frozenset(wanted)

    def _behind(self, fact: Fact) -> frozenset[str]:
        cached = self._laws.get(fact)
        if cached is not None:
            return cached
        self._laws[fact] = frozenset()  # a fact that rests on itself adds nothing
        laws = {step.rule.clause for way in self.either.get(fact, ()) for step in way}
        for step in self.proof.steps_for(fact):
            if self.is_law(step.rule.clause):
                laws.add(step.rule.clause)
            elif counted(step.premises[0]) is None:
                laws |= self._behind(step.premises[0])
        self._laws[fact] = frozenset(laws)
        return self._laws[fact]


def known_of_play(proof: Proof, condition: Condition, bindings: Mapping[str, Value]) -> Mapping[str, Value]:
    """What a proof knows of the play that a condition names by a variable: trick, hand, seat and side."""
    play = condition.variable(PLAY)
    if play is not None and play in bindings:
        for moment, trick, hand, side in proof.read(PLAYED, PLAY, TRICK, HAND, "side"):
            if moment == bindings[play]:
                return {TRICK: trick, HAND: hand, "seat": hand, "side": side}
    return {}


def lacking(proof: Proof, step: Step) -> tuple[Lacking, ...]:
    """What had to be missing for a step: one for each item of ``unless``, in its order."""
    missing, values = list[Lacking](), bindings(proof.program.vocabulary, step)
    for item in step.rule.unless:
        tests = {
            test.field: (test.operator, test.among or test.term.value_in(values))
            for test in item.tests
            if all(name in values for name in test.term.variables)
        }
        then = None
        if item.kind in {condition.kind for condition in step.rule.wanted}:
            times = [test.operator for test in item.tests if test.field == AT and test.operator in ("<", ">")]
            then = ("earlier" if times[0] == "<" else "later") if times else None
        missing.append(Lacking(item, tests, values, known_of_play(proof, item, values), then))
    return tuple(missing)
