"""Why a clause does not apply: how far each of its rules got, and the least change that would have made it fire.

The search goes back from what a rule lacks, through the rules that could have concluded it, to observed facts. Each
change it comes upon is tried: the engine runs on the changed facts, and the change counts only if the rule then fires.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, product
from typing import Final, TypeAlias

from facts.ground import Fact
from kb.engine.proof import Absence, Engine, Proof, Step, counted
from kb.engine.python import PythonEngine
from kb.language.model import Clause, Condition, Edition, Rule, Tally
from kb.ruling.change import Change, Trials
from kb.ruling.matching import Bindings, Matcher, unified, value_of
from kb.ruling.partial import Partial, partials
from kb.ruling.ruling import Ruling
from kb.ruling.supposing import FIXED, Supposing

Plan: TypeAlias = tuple[Change, ...]

DEEPEST: Final = 8
"""Rules in a chain from what is lacking to what was observed."""
TOGETHER: Final = 3
"""Changes that are tried together."""
TRIED: Final = {1: 240, 2: 160, 3: 80}
"""Plans of each size that are tried for one rule."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that would have to be otherwise."""

    condition: Condition | Tally
    bindings: Bindings
    fact: Fact | None = None
    """What is in the way; None: a fact is lacking."""


@dataclass(frozen=True, slots=True)
class Miss:
    """Why one rule did not fire."""

    rule: Rule
    partial: Partial
    """How far it got."""
    plan: Plan
    """The least change found: one, or several that are all needed together."""
    step: Step | None
    """The step the rule takes then; None when the plan could not be made to work by changing facts."""
    near: tuple[Fact, ...]
    """The facts nearest to the first thing that is missing."""
    needs: tuple[Need, ...] = ()
    """Without a plan: what would have to be observed, or not, as far as it can be told."""

    @property
    def alone(self) -> bool:
        """Whether one change is enough."""
        return self.step is not None and len(self.plan) == 1


@dataclass(frozen=True, slots=True)
class WhyNotAnswer:
    """Why a clause applies or does not."""

    clause: Clause
    steps: tuple[Step, ...]
    """Its steps, if it applies."""
    misses: tuple[Miss, ...]
    """The rules that did not fire, nearest miss first."""

    @property
    def applies(self) -> bool:
        """Whether any of its rules fired."""
        return bool(self.steps)


class WhyNot:
    """Answers for one ruling."""

    def __init__(self, ruling: Ruling, engine: Engine | None = None) -> None:
        """``engine`` tries the changes; the Python engine unless given."""
        self.ruling = ruling
        self.edition: Edition = ruling.edition
        self.proof: Proof = ruling.proof
        self.matcher = Matcher(ruling.proof)
        self.supposing = Supposing(self.matcher)
        self.trials = Trials(ruling.proof, engine or PythonEngine(ruling.proof.program))
        self._wanted: dict[object, tuple[Plan, ...]] = {}

    def answer(self, ref: str) -> WhyNotAnswer:
        """The answer for a clause; KeyError if the edition has none of that number."""
        clause = self.edition.clauses[ref]
        ids = {rule.id for rule in clause.rules}
        steps = tuple(step for step in self.proof.steps if step.rule.id in ids)
        misses = [self.miss(rule) for rule in clause.rules if rule.id not in self.proof.fired]
        return WhyNotAnswer(clause, steps, tuple(sorted(misses, key=_distance)))

    def miss(self, rule: Rule) -> Miss:
        """How a rule that did not fire missed."""
        ways = partials(self.matcher, rule, {})
        tried: dict[int, set[frozenset[Change]]] = {size: set() for size in TRIED}
        plans = [(plan, way) for way in ways for plan in self._plans(way, DEEPEST)]
        for size, most in TRIED.items():
            for plan, way in plans:
                key = frozenset(plan)
                if len(key) != size or key in tried[size] or len(tried[size]) >= most:
                    continue
                tried[size].add(key)
                if proof := self.trials.fires(rule, plan):
                    step = next(step for step in proof.steps if step.rule.id == rule.id)
                    return Miss(rule, way, plan, step, self._near(way))
        return Miss(rule, ways[0], (), None, self._near(ways[0]), tuple(self._needs(ways[0], DEEPEST)))

    def _needs(self, way: Partial, depth: int) -> Iterator[Need]:
        """What a rule lacks, each derived fact replaced by what the rule nearest to concluding it lacks."""
        yield from (Need(item, way.bindings, fact) for item, fact in way.blocked)
        for item in way.missing:
            deeper = []
            if isinstance(item, Condition) and self.edition.vocabulary.kinds[item.kind].stated_by == "rules" and depth:
                deeper = [
                    one
                    for rule, head in self._rules_for.get(item.kind, ())
                    if (start := unified(head.terms, item, way.bindings)) is not None
                    for one in partials(self.matcher, rule, start)[:1]
                ]
            if deeper:
                yield from self._needs(min(deeper, key=lambda one: one.lacks), depth - 1)
            else:
                yield Need(item, way.bindings)

    def _near(self, way: Partial) -> tuple[Fact, ...]:
        first = next((item for item in way.missing if isinstance(item, Condition)), None)
        return () if first is None else self.supposing.nearest(first, way.bindings)

    def _plans(self, way: Partial, depth: int) -> Iterator[Plan]:
        """Changes that may bring about everything a rule lacks: each part's by themselves, then together."""
        parts = [self._wants(item, way.bindings, depth) for item in way.missing if isinstance(item, Condition)]
        parts += [self._without(fact, depth) for _, fact in way.blocked]
        for part in parts:
            yield from part
        for size in range(2, min(len(parts), TOGETHER) + 1):
            for some in combinations(parts, size):
                for plans in product(*(part[:4] for part in some)):
                    together = tuple(dict.fromkeys(change for plan in plans for change in plan))
                    if len(together) <= TOGETHER:
                        yield together

    def _wants(self, item: Condition, bindings: Bindings, depth: int) -> tuple[Plan, ...]:
        """Plans after which the condition may hold."""
        known = {t.field: _settled(t.term, bindings) for t in item.tests if t.operator == "="}
        key = (item.kind, item.place, frozenset(known.items()))
        if key not in self._wanted:
            self._wanted[key] = ()  # a circle adds nothing
            plans = [(change,) for change in self.supposing.changes(item, bindings)]
            if depth > 1:
                plans += islice(self._concluding(item, bindings, depth - 1), 60)
            self._wanted[key] = tuple(dict.fromkeys(plans))
        return self._wanted[key]

    def _concluding(self, item: Condition, bindings: Bindings, depth: int) -> Iterator[Plan]:
        for rule, head in self._rules_for.get(item.kind, ()):
            start = unified(head.terms, item, bindings)
            if start is not None:
                for way in partials(self.matcher, rule, start)[:8]:
                    yield from islice(self._plans(way, depth), 30)

    def _without(self, fact: Fact, depth: int) -> tuple[Plan, ...]:
        """Plans after which the fact may not hold."""
        key = ("without", fact)
        if key not in self._wanted:
            self._wanted[key] = ()
            plans: list[Plan] = []
            if fact in self.proof.ground and fact[0] not in FIXED:
                plans.append((Change(take=(fact,)),))
            if depth > 1:
                for step in self.proof.steps_for(fact):
                    plans += self._undoing(step, depth - 1)
            self._wanted[key] = tuple(dict.fromkeys(plans))
        return self._wanted[key]

    def _undoing(self, step: Step, depth: int) -> Iterator[Plan]:
        premises: Iterable[Fact] = (f for p in step.premises for f in (counted(p) if counted(p) is not None else (p,)) or ())
        for premise in premises:
            yield from self._without(premise, depth)
        absences: tuple[Absence, ...] = self.proof.absences(step)
        for absence in absences:
            yield from self._wants(absence.condition, self.proof.bindings(step), depth)

    @cached_property
    def _rules_for(self) -> dict[str, list[tuple[Rule, object]]]:
        found: dict[str, list[tuple[Rule, object]]] = {}
        for rule in self.edition.rules:
            for head in rule.then:
                found.setdefault(head.kind, []).append((rule, head))
        return found


def _settled(term: object, bindings: Bindings) -> object:
    try:
        return value_of(term, bindings)
    except KeyError:
        return None


def _distance(miss: Miss) -> tuple[bool, int, int]:
    return miss.step is None, len(miss.plan), miss.partial.lacks
