"""One rule on sets of situations: every way to meet its conditions, and in which situations."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from facts.fact import Fact, Value
from kb.engine.bounds import Effort, demand_small, reckons
from kb.language.model import Condition, Rule, Tally, Test
from kb.language.strata import reads
from kb.language.terms import Sum, Term, Variable
from kb.language.vocabulary import Vocabulary

Bits: TypeAlias = int
"""A set of situations: bit n stands for situation n."""
Held: TypeAlias = Mapping[Fact, Bits]
"""Facts, each with the situations in which it holds; none that holds nowhere."""
Env: TypeAlias = Mapping[str, Value]
"""The values of variables."""
Ways: TypeAlias = Iterator[tuple[Env, Bits]]
"""Ways to meet the conditions of a rule so far, and where."""
_Step: TypeAlias = Callable[[Ways, "LookedAt"], Ways]
_Field: TypeAlias = Callable[[Fact, Env], Value]
_Check: TypeAlias = Callable[[Fact, Env], bool]

_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Facts(dict[Fact, Bits]):
    """Facts of one kind that stay as they are, to be looked up by what stands in some of their fields."""

    def __init__(self, held: Held | Iterable[tuple[Fact, Bits]] = ()) -> None:
        super().__init__(held)
        self._indexes: dict[tuple[int, ...], dict[tuple[Value, ...], list[tuple[Fact, Bits]]]] = {}

    def at(self, positions: tuple[int, ...], values: tuple[Value, ...]) -> Collection[tuple[Fact, Bits]]:
        """The facts with these values at these positions."""
        index = self._indexes.get(positions)
        if index is None:
            index = self._indexes[positions] = {}
            for fact, bits in self.items():
                index.setdefault(tuple([fact[at] for at in positions]), []).append((fact, bits))
        return index.get(values, ())


_NOTHING: Final = Facts()


class LookedAt:
    """What a rule is applied to."""

    __slots__ = ("facts", "left", "looked")

    def __init__(self, facts: Mapping[str, Facts], left: int) -> None:
        self.facts = facts
        self.looked, self.left = 0, left
        """At so many of the facts the rule has looked, and at so many it may."""


class SetJoin:
    """One rule: its conditions in an order in which they can be met, and what it concludes."""

    def __init__(self, vocabulary: Vocabulary, rule: Rule) -> None:
        self.rule = rule
        self.kinds = tuple(dict.fromkeys(read.kind for read in reads(rule)))
        conditions = [item for item in rule.when if isinstance(item, Condition)]
        self.needs = frozenset(item.kind for item in conditions)
        """The kinds without which it never fires."""
        self.concludes = frozenset(then.kind for then in rule.then)
        known: set[str] = set()
        self.steps: list[_Step] = []
        open_tests: list[_Open] = []
        while conditions:
            best = max(conditions, key=lambda item: _decided(item, known))
            conditions.remove(best)
            pattern = _Pattern(vocabulary, best, known)
            open_tests += pattern.open
            known |= pattern.binds.keys()
            pattern.then += [one.check for one in open_tests if one.names <= known]
            open_tests = [one for one in open_tests if not one.names <= known]
            self.steps.append(pattern.found)
        self._count([item for item in rule.when if isinstance(item, Tally)], vocabulary, known, open_tests)
        self.steps += [_Pattern(vocabulary, item, known).missing for item in rule.unless]
        self.reckons = reckons(rule)
        self.heads = [
            (then.kind, [_value(then.terms[field.name]) for field in vocabulary.kinds[then.kind].fields])
            for then in rule.then
        ]

    def _count(self, tallies: list[Tally], vocabulary: Vocabulary, known: set[str], open_tests: list[_Open]) -> None:
        """Steps for the numbers, each after those whose number it asks for."""
        while tallies:
            coming = {name for tally in tallies if (name := tally.number.binds) and name not in known}
            asked = ((t, {name for term in t.of.terms for name in term.variables}) for t in tallies)
            ready = next(tally for tally, names in asked if not coming & names)
            tallies.remove(ready)
            self.steps.append(_Number(vocabulary, ready, known).found)
            known.update(filter(None, [ready.number.binds]))
        if open_tests:
            self.steps.append(lambda ways, _: (way for way in ways if all(one.check((), way[0]) for one in open_tests)))

    def conclusions(self, facts: Mapping[str, Facts], everything: Bits, effort: Effort) -> Held:
        """What the rule concludes from these facts, and where; BoundsError when ``effort`` comes to too much."""
        known = LookedAt(facts, effort.most_looked - effort.looked)
        ways: Ways = iter([({}, everything)])
        for step in self.steps:
            ways = step(ways, known)
        found: dict[Fact, Bits] = {}
        fired = 0
        for env, bits in ways:
            for kind, terms in self.heads:
                fact = (kind, *[term(env) for term in terms])
                if self.reckons:
                    demand_small(self.rule, fact)
                found[fact] = found[fact] | bits if fact in found else bits
            fired += len(self.heads)
            if fired > effort.most_fired:
                break
        effort.look(self.rule, known.looked)
        effort.fire(self.rule, fired)
        return found


def _decided(item: Condition, known: set[str]) -> int:
    """How many fields of a condition are settled before a fact is looked at."""
    return sum(
        bool(test.among) or (test.operator == "=" and known.issuperset(test.term.variables)) for test in item.tests
    )


@dataclass(frozen=True)
class _Open:
    """A test whose variables get their values only later."""

    names: frozenset[str]
    check: _Check


class _Pattern:
    """The facts that fit a condition where the ``known`` variables have their values; any others are bound by it."""

    def __init__(self, vocabulary: Vocabulary, condition: Condition, known: Iterable[str]) -> None:
        self.kind = condition.kind
        index = vocabulary.kinds[condition.kind].index
        self.binds: dict[str, int] = {}
        self.positions: tuple[int, ...] = ()
        self.values: list[Callable[[Env], Value]] = []
        """What must stand at these positions."""
        self.first: list[_Check] = []
        """What else is demanded of a fact before it gives variables their values."""
        self.then: list[_Check] = []
        self.open: list[_Open] = []
        rest: list[Test] = []
        for test in condition.tests:
            if (name := test.binds) and name not in {*known, *self.binds}:
                self.binds[name] = index[test.field]
            else:
                rest.append(test)
        for test in rest:
            at, names = index[test.field], frozenset(() if test.among else test.term.variables)
            if test.operator == "=" and not test.among and names <= set(known):
                self.positions += (at,)
                self.values.append(_value(test.term))
            elif names <= set(known):
                self.first.append(_check(test, _standing_at(at)))
            elif names <= {*known, *self.binds}:
                self.then.append(_check(test, _standing_at(at)))
            else:
                own = f"{id(test)}"  # the field keeps its value under a name of its own until the others are known
                self.binds[own] = at
                self.open.append(_Open(names, _check(test, _called(own))))

    def fitting(self, env: Env, known: LookedAt) -> Ways:
        """The facts that fit, each with its variables and where it holds."""
        held = known.facts.get(self.kind, _NOTHING)
        wanted = held.at(self.positions, tuple([value(env) for value in self.values])) if self.values else held.items()
        known.looked += len(wanted)
        if known.looked > known.left:
            return
        for fact, bits in wanted:
            if all(check(fact, env) for check in self.first):
                inner = {**env, **{name: fact[at] for name, at in self.binds.items()}} if self.binds else env
                if all(check(fact, inner) for check in self.then):
                    yield inner, bits

    def found(self, ways: Ways, known: LookedAt) -> Ways:
        """The ways on with each of the facts."""
        for env, bits in ways:
            for inner, held in self.fitting(env, known):
                if both := bits & held:
                    yield inner, both

    def missing(self, ways: Ways, known: LookedAt) -> Ways:
        """The ways on where there is none of the facts."""
        for env, bits in ways:
            left = bits
            for _, held in self.fitting(env, known):
                left &= ~held
                if not left:
                    break
            if left:
                yield env, left


class _Number:
    """A ``count`` or ``total``."""

    def __init__(self, vocabulary: Vocabulary, tally: Tally, known: Iterable[str]) -> None:
        self.pattern = _Pattern(vocabulary, tally.of, known)
        self.summed = None if tally.field is None else " summed"  # no variable can have that name
        if tally.field is not None:
            self.pattern.binds[" summed"] = vocabulary.kinds[tally.of.kind].index[tally.field]
        self.binds = tally.number.binds if tally.number.binds not in {*known} else None
        self.compare, self.term = _COMPARE[tally.operator], _value(tally.term)

    def found(self, ways: Ways, known: LookedAt) -> Ways:
        """The ways on with each number there may be."""
        for env, bits in ways:
            numbers = {0: bits}
            for inner, held in self.pattern.fitting(env, known):
                known.looked += len(numbers)
                if known.looked > known.left:
                    return
                more = 1 if self.summed is None else cast(int, inner[self.summed])
                split: dict[int, Bits] = {}
                for number, where in numbers.items():
                    for n, part in ((number + more, where & held), (number, where & ~held)):
                        if part:
                            split[n] = split.get(n, 0) | part
                numbers = split
            for number, where in numbers.items():
                if self.binds is not None:
                    yield {**env, self.binds: number}, where
                elif self.compare(number, self.term(env)):
                    yield env, where


def _value(term: Term) -> Callable[[Env], Any]:
    """The value of a term, given those of its variables."""
    if isinstance(term, Variable):
        return operator.itemgetter(term.name)
    if isinstance(term, Sum):
        left, right = _value(term.left), _value(term.right)
        return lambda env: left(env) + right(env)
    constant = term.value
    return lambda _: constant


def _standing_at(position: int) -> _Field:
    return lambda fact, _: fact[position]


def _called(name: str) -> _Field:
    return lambda _, env: env[name]


def _check(test: Test, field: _Field) -> _Check:
    """Whether a field passes a test; one that is unknown passes none but for being what another is."""
    if test.among:
        return lambda fact, env: field(fact, env) in test.among
    compare, term = _COMPARE[test.operator], _value(test.term)
    if test.binds:
        return lambda fact, env: bool(field(fact, env) == term(env))
    return lambda fact, env: (value := field(fact, env)) is not None and compare(value, term(env))
