"""How far a rule got: the ways in which its conditions are nearly all met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final, TypeAlias

from facts.ground import Fact
from kb.engine.program import variables
from kb.language.model import Condition, Rule, Tally
from kb.ruling.matching import Bindings, Matcher, Solution

Item: TypeAlias = Condition | Tally

MOST_WAYS: Final = 24
"""Ways to look at for one rule."""


@dataclass(frozen=True, slots=True)
class Partial:
    """One way in which a rule is nearly met."""

    rule: Rule
    bindings: Bindings
    met: tuple[tuple[Condition, Fact], ...]
    missing: tuple[Item, ...]
    """Items of ``when`` that nothing fits."""
    blocked: tuple[tuple[Condition, Fact], ...]
    """Items of ``unless`` that something fits."""

    @property
    def lacks(self) -> int:
        """How many items keep the rule from firing."""
        return len(self.missing) + len(self.blocked)


def partials(matcher: Matcher, rule: Rule, start: Bindings, least: int = 0) -> tuple[Partial, ...]:
    """The nearest ways first: those with the fewest missing items (``least`` or more), and after them with one more."""
    found: list[Partial] = []
    for missing in range(min(least, len(rule.when)), len(rule.when) + 1):
        if found and missing > min(one.lacks for one in found) + 1:
            break
        for left_out in combinations(rule.when, missing):
            found += islice(_ways(matcher, rule, left_out, start), MOST_WAYS)
    return tuple(sorted(found, key=lambda one: one.lacks)[: 2 * MOST_WAYS])


def _ways(matcher: Matcher, rule: Rule, left_out: Sequence[Item], start: Bindings) -> Iterator[Partial]:
    rest = [item for item in rule.when if not any(item is one for one in left_out)]
    if any(isinstance(item, Condition) and not matcher.proof.facts(item.kind) for item in rest):
        return
    for solution in matcher.solutions(rest, start):
        if not any(_needless(matcher, item, left_out, solution) for item in left_out):
            blocked = tuple(_blocking(matcher, rule, solution.bindings))
            yield Partial(rule, solution.bindings, solution.chosen, tuple(left_out), blocked)


def _needless(matcher: Matcher, item: Item, others: Sequence[Item], solution: Solution) -> bool:
    """Whether an item left out is met all the same, whatever will be found for the others left out."""
    if isinstance(item, Tally):
        return False
    open_names = _names(item).difference(solution.bindings)
    shared = any(not open_names.isdisjoint(_names(other)) for other in others if other is not item)
    return not shared and matcher.holds(item, solution.bindings)


def _names(item: Item) -> set[str]:
    tests = item.tests if isinstance(item, Condition) else item.of.tests
    return {name for test in tests for name in variables(test.term)}


def _blocking(matcher: Matcher, rule: Rule, bindings: Bindings) -> Iterator[tuple[Condition, Fact]]:
    for item in rule.unless:
        yield from ((item, fact) for fact in matcher.fitting(item, bindings))
