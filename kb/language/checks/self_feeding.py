"""A sum that would grow for ever."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from facts.errors import Fault
from kb.language.model import Conclusion, Edition, Rule
from kb.language.terms import Sum


def check(edition: Edition) -> Iterator[Fault]:
    """A rule may not conclude ``"$t + 1"`` when its conclusion leads, directly or through other rules, back to one of
    its conditions: each round would make a new number.

    One thing bounds it, and is allowed: another condition of the rule, on a kind outside the circle, names the same
    variable. Of such facts there are finitely many, so ``requirement`` at ``$t`` and ``won: {trick: $t}`` may conclude
    ``requirement`` at ``"$t + 1"``.
    """
    above = _reachable(edition.rules)
    for rule in edition.rules:
        for conclusion in rule.then:
            for name, term in conclusion.terms.items():
                if isinstance(term, Sum):
                    yield from _sum(rule, conclusion, name, term, above)


def _sum(rule: Rule, conclusion: Conclusion, name: str, term: Sum, above: dict[str, set[str]]) -> Iterator[Fault]:
    circle = {c.kind for c in rule.wanted if c.kind == conclusion.kind or c.kind in above[conclusion.kind]}
    settled = {name for condition in rule.wanted if condition.kind not in circle for name in condition.bound}
    growing = [name for name in term.variables if name not in settled]
    if circle and growing:
        back = next(condition for condition in rule.wanted if condition.kind in circle)
        what = f"{name} of {conclusion.kind} feeds itself: the sum would grow for ever"
        mend = f"add a condition on a settled kind that names ${growing[0]} too"
        place = conclusion.place_of(name)
        yield Fault(place, what, mend, ((back.place, f"{back.kind} follows from {conclusion.kind}"),))


def _reachable(rules: tuple[Rule, ...]) -> dict[str, set[str]]:
    """Kind -> every kind that follows from it, directly or through others."""
    steps: dict[str, set[str]] = defaultdict(set)
    for rule in rules:
        for condition in rule.wanted:
            steps[condition.kind] |= {conclusion.kind for conclusion in rule.then}
    return defaultdict(set, {kind: _closure(kind, steps) for kind in steps})


def _closure(kind: str, steps: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [kind]
    while waiting:
        new = steps.get(waiting.pop(), set()) - reached
        reached |= new
        waiting.extend(new)
    return reached
