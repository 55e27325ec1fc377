"""A rule whose own conditions exclude each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from facts.errors import Fault
from facts.fact import Value
from kb.language.model import Condition, Rule, Test, Vocabulary
from kb.language.terms import Constant


def check(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Two ways to ask the impossible: an item of ``unless`` that holds whenever a condition of ``when`` does, and two
    conditions that, by ``one-per``, speak of the same fact but want different values of it.
    """
    for condition in rule.wanted:
        for unless in rule.unless:
            if unless.kind == condition.kind and _demands(unless) <= _demands(condition):
                what = f"rule {rule.id} can never fire: this holds whenever the condition on {condition.kind} does"
                yield Fault(unless.place, what, "take one of the two out", ((condition.place, "the condition"),))
    for first, second in combinations(rule.wanted, 2):
        kind = vocabulary.kinds.get(first.kind)
        if kind and kind.one_per is not None and second.kind == first.kind:
            yield from _excluded(rule, first, second, kind.one_per)


def _demands(condition: Condition) -> set[tuple[object, ...]]:
    return {(test.field, test.operator, test.term, test.among) for test in condition.tests}


def _excluded(rule: Rule, first: Condition, second: Condition, key: tuple[str, ...]) -> Iterator[Fault]:
    one, two = ({test.field: test for test in condition.tests} for condition in (first, second))
    if not all(name in one and name in two and _same(one[name], two[name]) for name in key):
        return
    for name in one.keys() & two.keys():
        values, others = _values(one[name]), _values(two[name])
        if values and others and not values & others:
            what = f"rule {rule.id} can never fire: {name} of one and the same {first.kind} must have two values"
            yield Fault(two[name].place, what, "mend one of the two", ((one[name].place, "the other value"),))


def _same(one: Test, two: Test) -> bool:
    return one.operator == two.operator == "=" and not one.among and not two.among and one.term == two.term


def _values(test: Test) -> set[tuple[type, Value]]:
    """The literals that the field may have; empty when that is not known."""
    if test.among:
        return {(type(value), value) for value in test.among}
    if test.operator != "=" or not isinstance(test.term, Constant):
        return set()
    return {(type(test.term.value), test.term.value)}
