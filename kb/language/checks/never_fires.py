"""A rule that waits for a fact which nobody can state or conclude."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from facts.fact import Value
from kb.language.model import Conclusion, Condition, Edition, Test
from kb.language.terms import Constant, Term


def check(edition: Edition) -> Iterator[Fault]:
    """A kind that the incident does not state must be concluded by a rule that can itself fire, with values that the
    condition accepts. ``unless``, ``count`` and ``total`` are left alone: they also read what is not there.
    """
    kinds = edition.vocabulary.kinds
    stated = {name for name, kind in kinds.items() if kind.stated_by != "rules"}
    waiting = list(edition.rules)
    concluded: list[Conclusion] = []

    def met(condition: Condition) -> bool:
        return (
            condition.kind in stated
            or condition.kind not in kinds
            or any(_fits(condition, conclusion) for conclusion in concluded)
        )

    while new := [rule for rule in waiting if all(map(met, rule.wanted))]:
        concluded += [conclusion for rule in new for conclusion in rule.then]
        waiting = [rule for rule in waiting if rule not in new]
    for rule in waiting:
        unmet = next(c for c in rule.wanted if not met(c))
        what = f"rule {rule.id} can never fire: no rule that can fire concludes such a {unmet.kind}"
        yield Fault(unmet.place, what, f"write a rule that does, or let the vocabulary say who states {unmet.kind}")


def _fits(condition: Condition, conclusion: Conclusion) -> bool:
    if condition.kind != conclusion.kind:
        return False
    return all(_possible(test, conclusion.terms.get(test.field)) for test in condition.tests)


def _possible(test: Test, term: Term | None) -> bool:
    """Whether a concluded value could pass a test; only two literals can exclude each other."""
    if not isinstance(term, Constant):
        return True
    if test.among:
        return any(_equal(term.value, value) for value in test.among)
    if not isinstance(test.term, Constant):
        return True
    if test.operator in ("=", "!="):
        return _equal(term.value, test.term.value) == (test.operator == "=")
    return _ordered(term.value, test.operator, test.term.value)


def _equal(one: Value, two: Value) -> bool:
    return type(one) is type(two) and one == two


def _ordered(one: Value, operator: str, two: Value) -> bool:
    if not isinstance(one, int) or not isinstance(two, int):
        return True
    return {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}[operator]
