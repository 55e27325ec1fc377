"""Many situations in one run: every fact carries the set of situations in which it holds.

A set of situations is an integer: bit *i* says whether situation *i* is in it. The rules are run once, with the joins
of any forward chainer: a firing holds where all its premises do and nothing that its ``unless`` names; a fact holds
where any firing for it does; a ``count`` or ``total`` splits the situations by the number it has in them. Each step is
pointwise, so that in every situation exactly those facts hold which a run on that situation alone would conclude.

It is written over the rules themselves and shares nothing that decides with the other engines; it gives no proofs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, cast

from facts.observe import Fact, Value
from kb.engine.bounds import Effort, demand_small
from kb.language.rule import COMPARE, Condition, Rule, Tally, Test
from kb.language.strata import bound, strata
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
_Narrowing: TypeAlias = Callable[[Ways, Mapping[str, "Facts"], Effort], Ways]
_Field: TypeAlias = Callable[[Fact, Env], Value]
_Check: TypeAlias = Callable[[Fact, Env], bool]
_Open: TypeAlias = tuple[frozenset[str], _Check]
"""A test, with the variables that get their values only later."""


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


class SetJoin:
    """One rule: its conditions in an order in which they can be met, and what it concludes."""

    def __init__(self, vocabulary: Vocabulary, rule: Rule) -> None:
        self.rule = rule
        self.kinds = tuple(dict.fromkeys(read.kind for read in rule.conditions()))
        conditions = [item for item in rule.when if isinstance(item, Condition)]
        self.needs = frozenset(item.kind for item in conditions)
        """The kinds without which it never fires."""
        self.concludes = frozenset(then.kind for then in rule.then)
        known: set[str] = set()
        self.steps: list[_Narrowing] = []
        open_tests: list[_Open] = []
        while conditions:
            best = max(conditions, key=lambda item: _decided(item, known))
            conditions.remove(best)
            pattern = _Pattern(vocabulary, best, known)
            open_tests += pattern.open
            known |= pattern.binds.keys()
            pattern.then += [check for names, check in open_tests if names <= known]
            open_tests = [(names, check) for names, check in open_tests if not names <= known]
            self.steps.append(pattern.found)
        for _, tally in numbered(rule):
            self.steps.append(_Number(vocabulary, tally, known).found)
            known.update(filter(None, [tally.number.binds]))
        if open_tests:
            self.steps.append(
                lambda ways, *_: (way for way in ways if all(check((), way[0]) for _, check in open_tests))
            )
        self.steps += [_Pattern(vocabulary, item, known).missing for item in rule.unless]
        terms = (term for then in rule.then for term in then.terms.values())
        self.reckons = bool(rule.tallies) or any(isinstance(term, Sum) for term in terms)
        """Whether it may conclude a number that no fact has held before."""
        self.heads = [
            (then.kind, [_value(then.terms[field.name]) for field in vocabulary.kinds[then.kind].fields])
            for then in rule.then
        ]

    def ways(self, facts: Mapping[str, Facts], everything: Bits, effort: Effort) -> Ways:
        """The ways in which its conditions are met by these facts, and where."""
        ways: Ways = iter([({}, everything)])
        for step in self.steps:
            ways = step(ways, facts, effort)
        return ways

    def conclusions(self, facts: Mapping[str, Facts], everything: Bits, effort: Effort) -> Held:
        """What the rule concludes from these facts, and where; BoundsError when ``effort`` comes to too much."""
        before = effort.looked
        found: dict[Fact, Bits] = {}
        fired = 0
        for env, bits in self.ways(facts, everything, effort):
            for kind, terms in self.heads:
                fact = (kind, *[term(env) for term in terms])
                if self.reckons:
                    demand_small(self.rule, fact)
                found[fact] = found[fact] | bits if fact in found else bits
            fired += len(self.heads)
            if fired > effort.most_fired:
                break
        effort.charge(self.rule, effort.looked - before)
        effort.fire(self.rule, fired)
        return found


def _decided(item: Condition, known: set[str]) -> int:
    """How many fields of a condition are settled before a fact is looked at."""
    return sum(
        bool(test.among) or (test.operator == "=" and known.issuperset(test.term.variables)) for test in item.tests
    )


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
                self.open.append((names, _check(test, _called(own))))

    def fitting(self, env: Env, facts: Mapping[str, Facts], effort: Effort) -> Ways:
        """The facts that fit, each with its variables and where it holds."""
        held = facts.get(self.kind, _NOTHING)
        wanted = held.at(self.positions, tuple([value(env) for value in self.values])) if self.values else held.items()
        effort.looked += len(wanted)
        if effort.looked > effort.most_looked:
            return
        for fact, bits in wanted:
            if all(check(fact, env) for check in self.first):
                inner = {**env, **{name: fact[at] for name, at in self.binds.items()}} if self.binds else env
                if all(check(fact, inner) for check in self.then):
                    yield inner, bits

    def found(self, ways: Ways, facts: Mapping[str, Facts], effort: Effort) -> Ways:
        """The ways on with each of the facts."""
        for env, bits in ways:
            for inner, held in self.fitting(env, facts, effort):
                if both := bits & held:
                    yield inner, both

    def missing(self, ways: Ways, facts: Mapping[str, Facts], effort: Effort) -> Ways:
        """The ways on where there is none of the facts."""
        for env, bits in ways:
            left = bits
            for _, held in self.fitting(env, facts, effort):
                left &= ~held
                if not left:
                    break
            if left:
                yield env, left


class _Number:
    def __init__(self, vocabulary: Vocabulary, tally: Tally, known: Iterable[str]) -> None:
        self.pattern = _Pattern(vocabulary, tally.of, known)
        self.summed = None if tally.field is None else " summed"  # no variable can have that name
        if tally.field is not None:
            self.pattern.binds[" summed"] = vocabulary.kinds[tally.of.kind].index[tally.field]
        self.binds = tally.number.binds if tally.number.binds not in {*known} else None
        self.compare, self.term = COMPARE[tally.number.operator], _value(tally.number.term)

    def found(self, ways: Ways, facts: Mapping[str, Facts], effort: Effort) -> Ways:
        """The ways on with each number there may be."""
        for env, bits in ways:
            numbers = {0: bits}
            for inner, held in self.pattern.fitting(env, facts, effort):
                effort.looked += len(numbers)
                if effort.looked > effort.most_looked:
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
    compare, term = COMPARE[test.operator], _value(test.term)
    if test.binds:
        return lambda fact, env: bool(field(fact, env) == term(env))
    return lambda fact, env: (value := field(fact, env)) is not None and compare(value, term(env))


def numbered(rule: Rule) -> list[tuple[int, Tally]]:
    """The numbers that a rule asks for, with their places in ``when``, each after those whose number it asks for."""
    found, known = list[tuple[int, Tally]](), bound(rule)
    waiting = {slot: item for slot, item in enumerate(rule.when) if isinstance(item, Tally)}
    counting = {slot: {name for term in tally.of.terms for name in term.variables} for slot, tally in waiting.items()}
    """The variables in what is counted."""
    while waiting:
        coming = {name for name, slot in known.items() if slot in waiting}
        slot = [slot for slot in waiting if coming.isdisjoint(counting[slot])][0]
        found.append((slot, waiting.pop(slot)))
    return found


Kinds: TypeAlias = Mapping[str, Held]
"""The facts of each kind; a kind of which there is none may be missing."""


def components(rules: Sequence[Rule]) -> Iterator[list[int]]:
    """The numbers of the rules, each after those that conclude what it reads, those of a circle together.

    RulesError when they have no strata.
    """
    numbers = {id(rule): number for number, rule in enumerate(rules)}
    for layer in strata(rules):
        waiting = {numbers[id(rule)]: {read.kind for read in rule.conditions()} for rule in layer}
        concluding: dict[str, set[int]] = {}
        for number in waiting:
            for then in rules[number].then:
                concluding.setdefault(then.kind, set()).add(number)
        feeders = {
            number: set[int]().union(*(concluding.get(kind, ()) for kind in kinds)) for number, kinds in waiting.items()
        }
        while waiting:
            free = next((one for one in waiting if (feeders[one] & waiting.keys()) <= {one}), None)
            some = min((_behind(one, feeders, waiting) for one in waiting), key=len) if free is None else {free}
            yield [number for number in waiting if number in some]
            for number in some:
                del waiting[number]


def _behind(rule: int, feeders: Mapping[int, set[int]], waiting: Collection[int]) -> set[int]:
    """A rule with all of those waiting from which something comes to it."""
    found, new = {rule}, {rule}
    while new:
        new = {one for number in new for one in feeders[number] if one in waiting} - found
        found |= new
    return found


@dataclass(frozen=True)
class Run:
    """What follows in each situation of a set."""

    rules: Sequence[Rule]
    everything: Bits
    """All situations."""
    given: Mapping[str, Facts]
    """Kind -> the facts of it to begin with."""
    facts: dict[str, Facts]
    """Kind -> its facts, given and concluded."""
    fired: dict[int, Held]
    """Number of a rule -> what it concludes, and where."""


class Sets:
    """Rules ready to run on sets of situations; RulesError when they have no strata."""

    def __init__(self, vocabulary: Vocabulary, rules: Iterable[Rule], like: Sets | None = None) -> None:
        """``like``: rules of the same vocabulary; those that stand here too need not be made ready again."""
        self.vocabulary = vocabulary
        self.rules = tuple(rules)
        self._joins: dict[int, SetJoin] = like._joins if like else {}
        for rule in self.rules:
            if id(rule) not in self._joins:
                self._joins[id(rule)] = SetJoin(vocabulary, rule)
        self.steps = [
            _Step({number: self._joins[id(self.rules[number])] for number in some}) for some in components(self.rules)
        ]
        self.order = tuple(number for step in self.steps for number in step.joins)
        """The numbers of the rules as they are applied."""
        self.last = {kind: at for at, step in enumerate(self.steps) for kind in step.concludes}
        """Kind -> the step after which nothing more of it is concluded."""
        self.concluding: dict[str, list[int]] = {}
        """Kind -> the numbers of the rules that conclude it."""
        for step in self.steps:
            for number, join in step.joins.items():
                for kind in join.concludes:
                    self.concluding.setdefault(kind, []).append(number)

    def run(self, ground: Kinds, everything: Bits, before: Run | None = None) -> Run:
        """What follows from these facts; BoundsError when it comes to too much.

        ``before``: a run of nearly the same rules on the same facts and situations. Only rules that were not among
        those then, and those that read something else than then, are applied.
        """
        if before is None:
            given = {
                kind: Facts(
                    (fact, bits if cut == bits else cut)  # a set that stays the same takes no more room
                    for fact, bits in held.items()
                    if (cut := bits & everything)
                )
                for kind, held in ground.items()
            }
            before = Run((), everything, given, {kind: held for kind, held in given.items() if held}, {})
        return _Running(self, before).settled()


class _Step:
    """A rule, or several that read each other's conclusions in a circle."""

    def __init__(self, joins: Mapping[int, SetJoin]) -> None:
        self.joins = joins
        self.reads = frozenset(kind for join in joins.values() for kind in join.kinds)
        self.concludes = tuple(dict.fromkeys(kind for join in joins.values() for kind, _ in join.heads))
        self.circle = self.reads.intersection(self.concludes)
        """The kinds that it reads and concludes."""
        self.needs = frozenset[str]() if self.circle else [*joins.values()][0].needs
        """The kinds without which nothing comes of it."""


class _Running:
    def __init__(self, sets: Sets, before: Run) -> None:
        self.sets, self.before = sets, before
        numbers = {id(rule): number for number, rule in enumerate(before.rules)}
        self.then = {number: numbers[id(rule)] for number, rule in enumerate(sets.rules) if id(rule) in numbers}
        """The number of a rule -> the one it had then."""
        fired = {number: before.fired[old] for number, old in self.then.items() if old in before.fired}
        self.run = Run(sets.rules, before.everything, before.given, {**before.facts}, fired)
        self.effort = Effort(sets.rules, before.everything.bit_length())
        self.touched: set[str] = set()
        """The kinds of which some rule concludes something else than before."""
        self.changed: set[str] = set()
        """Those of them of which something else holds, all rules together."""
        for number in before.fired.keys() - {*self.then.values()}:
            self.touched |= {cast(str, fact[0]) for fact in before.fired[number]}
        for kind in self.touched - sets.last.keys():
            self._settle(kind)

    def settled(self) -> Run:
        """The run when all is done."""
        facts, fired = self.run.facts, self.run.fired
        for at, step in enumerate(self.sets.steps):
            due = not self.then or not (
                step.joins.keys() <= self.then.keys()
                and self.changed.isdisjoint(step.reads)
                and self.touched.isdisjoint(step.circle)
            )
            if due and (step.needs <= facts.keys() or not fired.keys().isdisjoint(step.joins)):
                self._take(step)
            for kind in step.concludes:
                if kind in self.touched and self.sets.last[kind] == at:
                    self._settle(kind)
        return replace(self.run, fired={number: fired[number] for number in self.sets.order if number in fired})

    def _take(self, step: _Step) -> None:
        """Applies the rules of a step; in a circle again and again, until there are no more facts, nor in more
        situations, than before."""
        facts, fired, growing = self.run.facts, self.run.fired, True
        before = {number: fired.pop(number, _NOTHING) for number in step.joins}
        for kind in step.concludes if step.circle else ():
            facts[kind] = self._together(kind)
            self.touched.add(kind)
        while growing:
            growing = False
            for number, join in step.joins.items():
                if join.needs <= facts.keys():
                    found = join.conclusions(facts, self.run.everything, self.effort)
                    if found:
                        fired[number] = found
                    for kind in join.concludes if step.circle else ():
                        known = facts[kind]
                        new = {
                            fact: bits for fact, bits in found.items() if fact[0] == kind and bits & ~known.get(fact, 0)
                        }
                        if new:
                            more = {fact: known.get(fact, 0) | bits for fact, bits in new.items()}
                            facts[kind], growing = Facts({**known, **more}), True
        for number, join in step.joins.items():
            if fired.get(number, _NOTHING) != before[number]:
                self.touched |= join.concludes

    def _settle(self, kind: str) -> None:
        """Notes the facts of a kind once all of them are known."""
        facts = self._together(kind)
        if facts:
            self.run.facts[kind] = facts
        else:
            self.run.facts.pop(kind, None)
        if facts != self.before.facts.get(kind, _NOTHING):
            self.changed.add(kind)

    def _together(self, kind: str) -> Facts:
        """The facts of a kind that are given or concluded so far."""
        held: dict[Fact, Bits] = {**self.run.given.get(kind, _NOTHING)}
        for number in self.sets.concluding.get(kind, ()):
            for fact, bits in self.run.fired.get(number, _NOTHING).items():
                if fact[0] == kind:
                    held[fact] = held[fact] | bits if fact in held else bits  # nothing is copied that stays the same
        return Facts(held)
