"""Which facts of a proof fit the conditions of a rule, one rule at a time; for questions asked after a ruling."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from facts.ground import Fact, Value
from kb.engine.program import variables
from kb.engine.proof import Proof
from kb.language.model import Condition, Sum, Tally, Term, Test, Variable

Bindings: TypeAlias = Mapping[str, Value]


class Solution(NamedTuple):
    """One way in which facts fit conditions."""

    bindings: Bindings
    chosen: tuple[tuple[Condition, Fact], ...]
    """Each condition with its fact, tallies left out."""


COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def value_of(term: Term, bindings: Bindings) -> Value:
    """The value of a term; KeyError when one of its variables is not bound."""
    if isinstance(term, Variable):
        return bindings[term.name]
    if isinstance(term, Sum):
        left, right = bindings[term.left.name], value_of(term.right, bindings)
        assert isinstance(left, int) and isinstance(right, int)
        return left + right
    return term


def passes(test: Test, value: Value, bindings: Bindings) -> bool | None:
    """Whether a value passes a test; None while a variable of the test is not bound. The unknown passes nothing."""
    if value is None:
        return isinstance(test.term, Variable) and test.operator == "=" and not test.among
    if test.among:
        return value in test.among
    try:
        return COMPARE[test.operator](value, value_of(test.term, bindings))
    except KeyError:
        return None


def unified(terms: Mapping[str, Term], wanted: Condition, bindings: Bindings) -> dict[str, Value] | None:
    """What a wanted fact says of the variables of a conclusion; None if the conclusion cannot be that fact."""
    start: dict[str, Value] = {}
    for test in wanted.tests:
        term = terms[test.field]
        if isinstance(term, Variable) and test.operator == "=" and not test.among:
            if all(name in bindings for name in variables(test.term)):
                value = value_of(test.term, bindings)
                if start.setdefault(term.name, value) != value:
                    return None
        elif not isinstance(term, Variable | Sum) and passes(test, term, bindings) is False:
            return None
    return start


class Matcher:
    """Answers which facts of one proof fit which conditions."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.kinds = proof.program.vocabulary.kinds
        self._indexes: dict[tuple[str, int], dict[Value, list[Fact]]] = {}

    def fit(self, condition: Condition, fact: Fact, bindings: Bindings) -> dict[str, Value] | None:
        """The bindings with those this fact adds; None if it does not fit. Tests of unbound variables are left open."""
        index = self.kinds[condition.kind].index
        known = dict(bindings)
        for test in condition.tests:
            value = fact[index[test.field]]
            passed = passes(test, value, known)
            if passed is None and isinstance(test.term, Variable) and test.operator == "=":
                known[test.term.name] = value
            elif passed is False:
                return None
        return known

    def solutions(self, conditions: Sequence[Condition | Tally], bindings: Bindings) -> Iterator[Solution]:
        """Every way in which facts fit all the conditions."""
        plain = [c for c in conditions if isinstance(c, Condition)]
        tallies = [c for c in conditions if isinstance(c, Tally)]
        for solution in self._join(plain, Solution(dict(bindings), ())):
            if all(self.fit(condition, fact, solution.bindings) is not None for condition, fact in solution.chosen):
                counted = self._counted(tallies, solution.bindings)
                if counted is not None:
                    yield Solution(counted, solution.chosen)

    def holds(self, condition: Condition, bindings: Bindings) -> bool:
        """Whether any fact fits; variables that are not bound mean any."""
        return any(self.fitting(condition, bindings))

    def fitting(self, condition: Condition, bindings: Bindings) -> Iterator[Fact]:
        """Every fact that fits; variables that are not bound mean any."""
        return (fact for fact, _ in self._fits(condition, bindings))

    def _fits(self, condition: Condition, bindings: Bindings) -> Iterator[tuple[Fact, dict[str, Value]]]:
        for fact in self._likely(condition, bindings):
            added = self.fit(condition, fact, bindings)
            if added is not None:
                yield fact, added

    def _likely(self, condition: Condition, bindings: Bindings) -> Sequence[Fact]:
        """The facts that pass one of the tests for equality; all of the kind if there is none."""
        for test in condition.tests:
            if test.operator == "=" and not test.among and all(name in bindings for name in variables(test.term)):
                at = self.kinds[condition.kind].index[test.field]
                if (condition.kind, at) not in self._indexes:
                    index = self._indexes[condition.kind, at] = {}
                    for fact in self.proof.facts(condition.kind):
                        index.setdefault(fact[at], []).append(fact)
                return self._indexes[condition.kind, at].get(value_of(test.term, bindings), ())
        return self.proof.facts(condition.kind)

    def number(self, tally: Tally, bindings: Bindings) -> int:
        """The count or total of a tally."""
        fitting = list(self.fitting(tally.of, bindings))
        if tally.field is None:
            return len(fitting)
        position = self.kinds[tally.of.kind].index[tally.field]
        return sum(int(fact[position] or 0) for fact in fitting)

    def _join(self, conditions: Sequence[Condition], so_far: Solution) -> Iterator[Solution]:
        if not conditions:
            yield so_far
            return
        best = max(conditions, key=lambda condition: _fixed(condition, so_far.bindings))
        rest = [condition for condition in conditions if condition is not best]
        for fact, added in self._fits(best, so_far.bindings):
            yield from self._join(rest, Solution(added, (*so_far.chosen, (best, fact))))

    def _counted(self, tallies: Sequence[Tally], bindings: Bindings) -> Bindings | None:
        known = dict(bindings)
        for tally in tallies:
            number = self.number(tally, known)
            if isinstance(tally.term, Variable) and tally.operator == "=" and tally.term.name not in known:
                known[tally.term.name] = number
            elif not all(name in known for name in variables(tally.term)) or not COMPARE[tally.operator](
                number, value_of(tally.term, known)
            ):
                return None
        return known


def _fixed(condition: Condition, bindings: Bindings) -> int:
    """How many fields of a condition are settled: the more, the fewer facts fit."""
    return sum(
        test.operator == "=" and (test.term.name in bindings if isinstance(test.term, Variable) else True)
        for test in condition.tests
    )
