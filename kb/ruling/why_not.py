"""Why a clause does not apply: how far each of its rules got, and the least change that would have made it fire.

Every change is tried before it is told: the engine runs on the changed facts, and the rule must fire.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Final

from facts.ground import Fact
from kb.engine.proof import Engine, Step
from kb.engine.python import PythonEngine
from kb.language.model import Clause, Condition, Rule, Tally
from kb.ruling.change import Change, Trials
from kb.ruling.lacking import DEEPEST, WAYS, Found, Goal, Lacking, settled
from kb.ruling.matching import Bindings, Matcher
from kb.ruling.partial import Partial, partials
from kb.ruling.ruling import Ruling

ALONE: Final = 300
"""Single changes that are tried for one rule."""
FEW: Final = 40
"""And in a short search."""
TOGETHER: Final = ((2, 24), (3, 12))
"""How many changes are tried together, out of how many."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that would have to be otherwise."""

    condition: Condition | Tally
    """What is looked for: it should be found or, with ``fact``, should not."""
    bindings: Bindings
    fact: Fact | None = None
    """What is in the way."""

    @property
    def key(self) -> object:
        """The same for needs that come to the same."""
        if self.fact is not None or isinstance(self.condition, Tally):
            return self.fact, self.condition.place
        tests = self.condition.tests
        return self.condition.kind, tuple((test.field, settled(test.term, self.bindings)) for test in tests)


@dataclass(frozen=True, slots=True)
class Miss:
    """Why one rule did not fire."""

    rule: Rule
    way: Partial
    """How far it got."""
    near: tuple[Fact, ...]
    """The facts nearest to the first thing that is missing."""
    plan: tuple[Change, ...] = ()
    """The least change found after which the rule fires: one, or several together."""
    step: Step | None = None
    """The step the rule then takes; None without a plan."""
    then: Bindings = field(default_factory=dict)
    """The values of its variables there."""
    needs: tuple[Need, ...] = ()
    """Without a plan: what would have to be otherwise, all of it."""

    @property
    def alone(self) -> bool:
        """Whether one change is enough."""
        return len(self.plan) == 1


@dataclass(frozen=True, slots=True)
class Answer:
    """Why a clause applies or does not."""

    clause: Clause
    steps: tuple[Step, ...]
    """The steps of its rules, in the order of the proof: it applies if there are any."""
    misses: tuple[Miss, ...]
    """The rules that did not fire, nearest miss first."""


class WhyNot:
    """Answers for one ruling; a second question is answered more quickly."""

    def __init__(self, ruling: Ruling, engine: Engine | None = None) -> None:
        """``engine`` tries the changes; the Python engine unless given."""
        self.edition = ruling.edition
        self.proof = ruling.proof
        self.matcher = Matcher(ruling.proof)
        self.lacking = Lacking(self.matcher)
        self.trials = Trials(ruling.proof, engine or PythonEngine(ruling.proof.program))

    def answer(self, ref: str) -> Answer:
        """The answer for a clause; KeyError if the edition has none of that number."""
        clause = self.edition.clauses[ref]
        ids = {rule.id for rule in clause.rules}
        steps = tuple(step for step in self.proof.steps if step.rule.id in ids)
        misses = [self.miss(rule) for rule in clause.rules if rule.id not in self.proof.fired]
        return Answer(clause, steps, tuple(sorted(misses, key=_distance)))

    def miss(self, rule: Rule) -> Miss:
        """How a rule that did not fire missed."""
        ways = partials(self.matcher, rule, {})
        found = {one.change: one for one in islice(self.lacking.changes(ways), ALONE)}
        alone = ((change,) for change in (*found, *self.lacking.around))
        return self._first(rule, ways, (*alone, *_together(found.values()))) or self._several(rule, ways)

    def near_miss(self, rule: Rule) -> Miss | None:
        """A miss by one condition and one change, if a short search finds it."""
        if rule.id in self.proof.fired:
            return None
        ways = tuple(way for way in partials(self.matcher, rule, {}) if way.lacks == 1)
        return self._first(rule, ways, ((one.change,) for one in islice(self.lacking.changes(ways), FEW)))

    def _first(self, rule: Rule, ways: tuple[Partial, ...], plans: Iterable[tuple[Change, ...]]) -> Miss | None:
        """The miss with the first plan that works."""
        for plan in plans:
            if proof := self.trials.fires(rule, plan):
                step = next(step for step in proof.steps if step.rule.id == rule.id)
                return Miss(rule, *self._reached(_way_to(ways, step)), plan, step, proof.bindings(step))
        return None

    def _reached(self, way: Partial) -> tuple[Partial, tuple[Fact, ...]]:
        """A way, and the facts nearest to the first thing it lacks."""
        first = next((item for item in way.missing if isinstance(item, Condition)), None)
        return way, () if first is None else self.lacking.supposing.nearest(first, way.bindings)

    def _several(self, rule: Rule, ways: tuple[Partial, ...]) -> Miss:
        """A miss for which no plan was found; what is lacking can then not be had by itself."""
        further = (one for least in (2, 3) for one in partials(self.matcher, rule, {}, least)[:WAYS])
        several = ((one, needs) for one in (*ways[:WAYS], *further) if len(needs := self._needs(one)) > 1)
        way, needs = next(several, (ways[0], self._needs(ways[0])))
        return Miss(rule, *self._reached(way), needs=needs)

    def _needs(self, way: Partial) -> tuple[Need, ...]:
        return tuple({need.key: need for need in self._lacks(way, DEEPEST)}.values())

    def _lacks(self, way: Partial, depth: int) -> Iterator[Need]:
        """What a way lacks; for what only rules conclude, whatever the rule nearest to it lacks."""
        yield from (Need(item, way.bindings, fact) for item, fact in way.blocked)
        for item in way.missing:
            deeper: list[Partial] = []
            if isinstance(item, Condition) and self.edition.vocabulary.kinds[item.kind].stated_by == "rules":
                deeper += self.lacking.concluding(item, way.bindings)
            nearest = min(deeper, key=lambda one: one.lacks, default=None)
            if nearest is not None and nearest.lacks and depth:
                yield from self._lacks(nearest, depth - 1)
            else:
                yield Need(item, way.bindings)


def _together(found: Iterable[Found]) -> Iterator[tuple[Change, ...]]:
    """Several changes that bring about different things."""
    of_goal: dict[Goal, int] = {}
    some: list[Found] = []
    for one in found:
        of_goal[one.goal] = of_goal.get(one.goal, 0) + 1
        if of_goal[one.goal] <= 2:
            some.append(one)
    for size, most in TOGETHER:
        for several in combinations(some[:most], size):
            if len({id(one.goal) for one in several}) == size:
                yield tuple(one.change for one in several)


def _way_to(ways: tuple[Partial, ...], step: Step) -> Partial:
    """The nearest way that agrees with the step taken in the end."""
    premises = set(step.premises)
    return next((way for way in ways if all(fact in premises for _, fact in way.met)), ways[0])


def _distance(miss: Miss) -> tuple[bool, int, int]:
    return not miss.plan, len(miss.plan), miss.way.lacks
