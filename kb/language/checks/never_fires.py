"""A rule that waits for a fact which nobody can state or conclude."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault
from facts.fact import Value
from kb.language.model import Conclusion, Condition, Edition, Sum, Term, Test, Variable


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

    while new := [rule for rule in waiting if all(met(c) for c in rule.when if isinstance(c, Condition))]:
        concluded += [conclusion for rule in new for conclusion in rule.then]
        waiting = [rule for rule in waiting if rule not in new]
    for rule in waiting:
        unmet = next(c for c in rule.when if isinstance(c, Condition) and not met(c))
        what = f"rule {rule.id} can never fire: no rule that can fire concludes such a {unmet.kind}"
        yield Fault(unmet.place, what, f"write a rule that does, or let the vocabulary say who states {unmet.kind}")


def _fits(condition: Condition, conclusion: Conclusion) -> bool:
    if condition.kind != conclusion.kind:
        return False
    return all(_possible(test, conclusion.terms.get(test.field)) for test in condition.tests)


def _possible(test: Test, term: Term) -> bool:
    """Whether a concluded value could pass a test; only two literals can exclude each other."""
    if term is None or isinstance(term, Variable | Sum):
        return True
    if test.among:
        return any(_equal(term, value) for value in test.among)
    if isinstance(test.term, Variable | Sum):
        return True
    if test.operator in ("=", "!="):
        return _equal(term, test.term) == (test.operator == "=")
    return _ordered(term, test)


def _equal(one: Value, two: Value) -> bool:
    return type(one) is type(two) and one == two


def _ordered(term: Value, test: Test) -> bool:
    if not isinstance(term, int) or not isinstance(test.term, int):
        return True
    less, same = term < test.term, term == test.term
    return {"<": less, "<=": less or same, ">": not less and not same, ">=": not less}[test.operator]
