"""From what a rule lacks back to observed facts: the changes that might bring it about, nearest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from facts.ground import Fact, Value
from kb.engine.program import variables
from kb.engine.proof import counted
from kb.language.model import Conclusion, Condition, Rule, Term
from kb.ruling.change import Change
from kb.ruling.matching import Bindings, Matcher, unified, value_of
from kb.ruling.partial import Partial, partials
from kb.ruling.supposing import FIXED, Supposing

DEEPEST: Final = 9
"""Rules in a chain from what is lacking to what was observed."""
MOST_GOALS: Final = 150
WAYS: Final = 8
"""Ways of each rule that are followed further: of the nearest, and of those after them."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A fact that should hold, or one that should not."""

    wanted: Condition | None
    values: tuple[tuple[str, Value], ...]
    """What the variables of ``wanted`` are bound to."""
    unwanted: Fact | None = None

    @property
    def bindings(self) -> Bindings:
        """The values by name."""
        return dict(self.values)


class Found(NamedTuple):
    """A change that might help."""

    change: Change
    goal: Goal
    """What it brings about."""


_Expanded: TypeAlias = tuple[tuple[Change, ...], tuple[Goal, ...]]


class Lacking:
    """Follows goals back through the rules of one proof."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self.proof = matcher.proof
        self.supposing = Supposing(matcher)
        self._expanded: dict[tuple[object, ...], _Expanded] = {}
        self._heads: dict[str, list[tuple[Rule, Conclusion]]] = {}
        for rule in matcher.proof.program.rules:
            for head in rule.then:
                self._heads.setdefault(head.kind, []).append((rule, head))

    def changes(self, ways: tuple[Partial, ...]) -> Iterator[Found]:
        """Changes of one observed fact each that might make one of the ways complete, those nearest to it first."""
        layer = list(dict.fromkeys(goal for way in ways for goal in self.goals(way)))
        seen = {self._key(goal) for goal in layer}
        for _ in range(DEEPEST):
            below: list[Goal] = []
            for goal in layer:
                changes, goals = self._expand(goal)
                yield from (Found(change, goal) for change in changes)
                below += goals
            layer = []
            for goal in below:
                if len(seen) < MOST_GOALS and self._key(goal) not in seen:
                    seen.add(self._key(goal))
                    layer.append(goal)

    @cached_property
    def around(self) -> tuple[Change, ...]:
        """The nearest changes: each observed fact taken away, and each fact that alone keeps some rule from firing."""
        found = [change for fact in sorted(self.proof.ground, key=self.proof.rank) for change in self._taken(fact)]
        for rule in self.proof.program.rules:
            for way in partials(self.matcher, rule, {}):
                if way.lacks == 1:
                    found += (one for goal in self.goals(way) for one in self._expand(goal)[0][:2])
        return tuple(dict.fromkeys(found))

    def goals(self, way: Partial) -> Iterator[Goal]:
        """What a way lacks."""
        values = tuple(way.bindings.items())
        yield from (Goal(item, values) for item in way.missing if isinstance(item, Condition))
        yield from (Goal(None, (), fact) for _, fact in way.blocked)

    def concluding(self, item: Condition, bindings: Bindings) -> Iterator[Partial]:
        """How near each rule came to concluding a fact that would fit."""
        for rule, head in self._heads.get(item.kind, ()):
            start = unified(head.terms, item, bindings)
            if start is not None:
                ways = partials(self.matcher, rule, start)
                nearest = [way for way in ways if way.lacks == ways[0].lacks]
                yield from (*nearest[:WAYS], *ways[len(nearest) :][:WAYS])

    def _key(self, goal: Goal) -> tuple[object, ...]:
        if goal.wanted is None:
            return ("without", goal.unwanted)
        bindings = goal.bindings
        demanded = [(test.field, settled(test.term, bindings)) for test in goal.wanted.tests]
        return (goal.wanted.kind, goal.wanted.place, *demanded)

    def _expand(self, goal: Goal) -> _Expanded:
        key = self._key(goal)
        if key not in self._expanded:
            if goal.wanted is not None:
                ways = self.concluding(goal.wanted, goal.bindings)
                below = tuple(dict.fromkeys(one for way in ways for one in self.goals(way)))
                self._expanded[key] = self.supposing.changes(goal.wanted, goal.bindings), below
            else:
                assert goal.unwanted is not None
                self._expanded[key] = self._taken(goal.unwanted), tuple(self._undoing(goal.unwanted))
        return self._expanded[key]

    def _taken(self, fact: Fact) -> tuple[Change, ...]:
        return (Change(take=(fact,)),) if fact in self.proof.ground and fact[0] not in FIXED else ()

    def _undoing(self, fact: Fact) -> Iterator[Goal]:
        """Each premise gone, or each thing that had to be missing there."""
        for step in self.proof.steps_for(fact):
            for premise in step.premises:
                facts = counted(premise)
                yield from (Goal(None, (), one) for one in ((premise,) if facts is None else facts))
            values = tuple(self.proof.bindings(step).items())
            yield from (Goal(item, values) for item in step.rule.unless)


def settled(term: Term, bindings: Bindings) -> Value:
    """The value of a term; None while one of its variables is not bound."""
    return value_of(term, bindings) if all(name in bindings for name in variables(term)) else None
