"""Many situations in one run: every fact carries the set of situations in which it holds.

A set of situations is an integer: bit *i* says whether situation *i* is in it. The rules are run once, with the joins
of any forward chainer: a firing holds where all its premises do and nothing that its ``unless`` names; a fact holds
where any firing for it does; a ``count`` or ``total`` splits the situations by the number it has in them. Each step is
pointwise, so that in every situation exactly those facts hold which a run on that situation alone would conclude.

It is written over the rules themselves and shares nothing that decides with the other engines; it gives no proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

from facts.fact import Fact, Value
from kb.engine.bounds import Effort, demand_small
from kb.language.rule import COMPARE, Condition, Rule, Tally, Test
from kb.language.strata import bound, strata
from kb.language.terms import Constant, Sum, Term, Variable
from kb.language.vocabulary import Vocabulary

_K = TypeVar("_K")
Bits: TypeAlias = int
"""A set of situations: bit n stands for situation n."""
Held: TypeAlias = Mapping[Fact, Bits]
"""Facts, each with the situations in which it holds; none that holds nowhere."""
_Ways: TypeAlias = Iterator[Bits]
"""Where conditions are met so far, one way after another; by then the match holds what is known in it."""
_Read: TypeAlias = Callable[[Any], Any]
_Check: TypeAlias = Callable[["_Match"], bool]
_Open: TypeAlias = tuple[frozenset[str], Test, int]
"""A test of what stands in a place, and the variables that it asks for."""


class Facts(dict[Fact, Bits]):
    """Facts of one kind that stay as they are, to be looked up by what stands in some of their fields."""

    def __init__(self, facts: Held | Iterable[tuple[Fact, Bits]] = ()) -> None:
        super().__init__(facts)
        self._indexes: dict[tuple[int, ...], dict[Any, list[tuple[Fact, Bits]]]] = {}

    def at(self, positions: tuple[int, ...], values: Any) -> Collection[tuple[Fact, Bits]]:
        """The facts with these values at these positions, or with this one at the only one."""
        index = self._indexes.get(positions)
        if index is None:
            index, key = self._indexes.setdefault(positions, {}), itemgetter(*positions)
            for pair in self.items():
                index.setdefault(key(pair[0]), []).append(pair)
        return index.get(values, ())


Kinds: TypeAlias = Mapping[str, Facts]
"""The facts of each kind; a kind of which there is none may be missing."""
_NOTHING: Final = Facts()


class _Match(list[Any]):
    """What is known of constants and variables while a rule is matched, in places that the next fact writes over."""

    def __init__(self, join: SetJoin, facts: Kinds, effort: Effort) -> None:
        super().__init__(join.scope.start)
        self.facts, self.look = facts, partial(effort.look, join.rule)


class SetJoin:
    """One rule: its conditions in an order in which they can be met, and what it concludes."""

    def __init__(self, vocabulary: Vocabulary, rule: Rule) -> None:
        self.rule = rule
        self.kinds = tuple(dict.fromkeys(read.kind for read in rule.conditions()))
        conditions = [item for item in rule.when if isinstance(item, Condition)]
        self.needs = frozenset(item.kind for item in conditions)
        """The kinds without which it never fires."""
        self.concludes = tuple(dict.fromkeys(then.kind for then in rule.then))
        scope, waiting = _Scope([], {}), list[_Open]()
        self._steps: list[Callable[[_Ways, _Match], _Ways]] = []
        while conditions:
            best = max(conditions, key=lambda item: _decided(item, scope.known))
            conditions.remove(best)
            pattern = _Pattern(vocabulary, best, scope)
            scope, waiting = pattern.scope, pattern.scope.take([*waiting, *pattern.open], pattern.checks)
            self._steps.append(pattern.found)
        for _, tally in numbered(rule):
            number = _Number(vocabulary, tally, scope)
            waiting = scope.take(waiting, number.checks)
            self._steps.append(number.found)
        self._steps += [_Pattern(vocabulary, item, scope).missing for item in rule.unless]
        heads = [
            [Constant(then.kind), *(then.terms[field] for field in vocabulary.kinds[then.kind].index)]
            for then in rule.then
        ]
        self._reckons = bool(rule.tallies) or any(isinstance(term, Sum) for head in heads for term in head)
        """Whether it may conclude a number that no fact has held before."""
        self._heads = [scope.read(head, whole=True) for head in heads]
        self.scope = scope

    def _where(self, match: _Match, everything: Bits) -> _Ways:
        """Where its conditions are met."""
        ways = iter([everything])
        for step in self._steps:
            ways = step(ways, match)
        return ways

    def ways(self, facts: Kinds, everything: Bits, effort: Effort) -> Iterator[tuple[dict[str, Any], Bits]]:
        """The values of variables with which its conditions are met by these facts, and where."""
        match = _Match(self, facts, effort)
        for bits in self._where(match, everything):
            yield {name: match[place] for name, place in self.scope.known.items()}, bits

    def conclusions(self, facts: Kinds, everything: Bits, effort: Effort) -> Facts:
        """What the rule concludes from these facts, and where; BoundsError when ``effort`` comes to too much."""
        match, concluded, fired = _Match(self, facts, effort), Facts(), 0
        for bits in self._where(match, everything):
            for head in self._heads:
                fact = head(match)
                if self._reckons:
                    demand_small(self.rule, fact)
                concluded[fact] = concluded[fact] | bits if fact in concluded else bits
            fired += len(self._heads)
            if fired > effort.most_fired:
                break
        effort.fire(self.rule, fired)
        return concluded


def _decided(item: Condition, known: Mapping[str, int]) -> int:
    """How many fields of a condition are settled before a fact is looked at."""
    return sum(
        bool(test.among) or (test.operator == "=" and known.keys() >= {*test.term.variables}) for test in item.tests
    )


class _Scope(NamedTuple):
    """The places of a rule: what stands in them to begin with, and which are those of the variables known so far."""

    start: list[Any]
    known: dict[str, int]

    def place(self, value: Value = None) -> int:
        """A new place."""
        self.start.append(value)
        return len(self.start) - 1

    def read(self, terms: Sequence[Term], whole: bool = False) -> _Read:
        """The values of some terms, of one alone by itself; as a tuple anyway if ``whole``."""
        if any(isinstance(term, Sum) for term in terms) or (whole and len(terms) == 1):
            each = [self._value(term) for term in terms]
            return (lambda match: tuple([reader(match) for reader in each])) if whole or len(each) > 1 else each[0]
        return itemgetter(*map(self._at, terms))

    def _at(self, term: Term) -> int:
        return self.known[term.name] if isinstance(term, Variable) else self.place(cast(Constant, term).value)

    def _value(self, term: Term) -> _Read:
        if not isinstance(term, Sum):
            return itemgetter(self._at(term))
        left, right = self._value(term.left), self._value(term.right)
        return lambda match: left(match) + right(match)

    def check(self, test: Test, place: int) -> _Check:
        """Whether what stands there passes a test; what is unknown passes none but for being what another is."""
        if among := test.among:
            return lambda match: match[place] in among
        compare, term = COMPARE[test.operator], self.read([test.term])
        if test.binds:
            return lambda match: bool(match[place] == term(match))
        return lambda match: (value := match[place]) is not None and compare(value, term(match))

    def take(self, tests: Iterable[_Open], checks: list[_Check]) -> list[_Open]:
        """Adds the tests of which all is known by now, and gives the others."""
        tests, variables = [*tests], self.known.keys()
        checks += [self.check(test, place) for names, test, place in tests if names <= variables]
        return [waiting for waiting in tests if not waiting[0] <= variables]


class _Pattern:
    """The facts that fit a condition where the variables known before have their values; any others are bound by it."""

    def __init__(self, vocabulary: Vocabulary, condition: Condition, outer: _Scope, summed: str | None = None) -> None:
        self.scope = scope = _Scope(outer.start, {**outer.known})
        self.kind, self.begin = condition.kind, scope.place()
        index, noted, tests = vocabulary.kinds[condition.kind].index, list[int](), list[_Open]()
        keyed, compared = dict[int, Test](), dict[int, Test]()
        for test in condition.tests:
            nth, names = index[test.field], frozenset(() if test.among else test.term.variables)
            if names <= outer.known.keys() and not test.among:
                (keyed if test.operator == "=" else compared)[nth] = test
                continue
            noted.append(nth)
            place = scope.place()
            if test.binds and test.binds not in scope.known:
                scope.known[test.binds] = place
            else:
                tests.append((names, test, place))
        noted += [] if summed is None else [index[summed]]
        self.summed = None if summed is None else scope.place()
        self.end = len(scope.start)
        self.noted = itemgetter(0, *noted) if noted else None
        """What of a fact is written into the places from ``begin`` to ``end``, its kind first."""
        self.keyed = (tuple(keyed), scope.read([test.term for test in keyed.values()])) if keyed else None
        self.compared = [(nth, COMPARE[test.operator], scope.read([test.term])) for nth, test in compared.items()]
        """Positions in a fact, and how what stands there compares with a value that is known before."""
        self.checks: list[_Check] = []
        self.open = scope.take(tests, self.checks)

    def fitting(self, match: _Match) -> Iterator[Bits]:
        """The facts that fit: where each holds, while what it gives is in its places."""
        if facts := match.facts.get(self.kind):
            keyed, noted, checks, begin, end = self.keyed, self.noted, self.checks, self.begin, self.end
            candidates = facts.items() if keyed is None else facts.at(keyed[0], keyed[1](match))
            match.look(len(candidates))
            for nth, compare, read in self.compared:
                value = read(match)
                candidates = [pair for pair in candidates if pair[0][nth] is not None and compare(pair[0][nth], value)]
            for fact, bits in candidates:
                if noted is not None:
                    match[begin:end] = noted(fact)
                for check in checks:
                    if not check(match):
                        break
                else:
                    yield bits

    def found(self, ways: _Ways, match: _Match) -> _Ways:
        """The ways on with each of the facts."""
        for bits in ways:
            for fitting in self.fitting(match):
                if both := bits & fitting:
                    yield both

    def missing(self, ways: _Ways, match: _Match) -> _Ways:
        """The ways on where there is none of the facts."""
        for bits in ways:
            remaining = bits
            for fitting in self.fitting(match):
                remaining &= ~fitting
                if not remaining:
                    break
            else:
                yield remaining


class _Number:
    def __init__(self, vocabulary: Vocabulary, tally: Tally, scope: _Scope) -> None:
        self.pattern = _Pattern(vocabulary, tally.of, scope, tally.field)
        self.place, name = scope.place(), tally.number.binds
        self.checks: list[_Check] = []
        if name and name not in scope.known:
            scope.known[name] = self.place
        else:
            self.checks.append(scope.check(tally.number, self.place))

    def found(self, ways: _Ways, match: _Match) -> _Ways:
        """The ways on with each number there may be."""
        for bits in ways:
            numbers = {0: bits}
            for fitting in self.pattern.fitting(match):
                match.look(len(numbers))
                more = 1 if self.pattern.summed is None else match[self.pattern.summed]
                split: dict[int, Bits] = {}
                for number, where in numbers.items():
                    for n, part in ((number + more, where & fitting), (number, where & ~fitting)):
                        if part:
                            split[n] = split.get(n, 0) | part
                numbers = split
            for match[self.place], where in numbers.items():
                if all(check(match) for check in self.checks):
                    yield where


def numbered(rule: Rule) -> list[tuple[int, Tally]]:
    """The numbers that a rule asks for, with their places in ``when``, each after those whose number it asks for."""
    ordered, slots = list[tuple[int, Tally]](), bound(rule)
    waiting = {slot: item for slot, item in enumerate(rule.when) if isinstance(item, Tally)}
    counting = {slot: {name for term in tally.of.terms for name in term.variables} for slot, tally in waiting.items()}
    """The variables in what is counted."""
    while waiting:
        coming = {name for name, slot in slots.items() if slot in waiting}
        slot = [slot for slot in waiting if coming.isdisjoint(counting[slot])][0]
        ordered.append((slot, waiting.pop(slot)))
    return ordered


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
            free = next((number for number in waiting if (feeders[number] & waiting.keys()) <= {number}), None)
            group = min((_behind(number, feeders, waiting) for number in waiting), key=len) if free is None else {free}
            yield [number for number in waiting if number in group]
            for number in group:
                del waiting[number]


def _behind(rule: int, feeders: Mapping[int, set[int]], waiting: Collection[int]) -> set[int]:
    """A rule with all of those waiting from which something comes to it."""
    behind, new = {rule}, {rule}
    while new:
        new = {feeder for number in new for feeder in feeders[number] if feeder in waiting} - behind
        behind |= new
    return behind


def within(facts: Mapping[_K, Facts], here: Bits, among: Bits) -> dict[_K, Facts]:
    """What of these facts, which hold among some situations, holds in some of them."""
    if here == among:
        return dict(facts)
    cut = {kind: Facts((fact, bits & here) for fact, bits in its.items() if bits & here) for kind, its in facts.items()}
    return {kind: of_kind for kind, of_kind in cut.items() if of_kind}


@dataclass(frozen=True)
class Run:
    """What follows in each situation of a set."""

    rules: Sequence[Rule]
    everything: Bits
    """All situations."""
    given: Kinds
    """Kind -> the facts of it to begin with."""
    facts: dict[str, Facts]
    """Kind -> its facts, given and concluded."""
    fired: dict[int, Facts]
    """Number of a rule -> what it concludes, and where."""

    def alone(self, situation: int) -> Run:
        """What follows in one situation."""
        here, every = 1 << situation, self.everything
        facts, fired = within(self.facts, here, every), within(self.fired, here, every)
        return replace(self, everything=here, facts=facts, fired=fired)


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
            _Step({number: self._joins[id(self.rules[number])] for number in group}) for group in components(self.rules)
        ]
        self.order = {number: position for position, step in enumerate(self.steps) for number in step.joins}
        """The numbers of the rules as they are applied, each with its step."""
        self.last = {kind: position for position, step in enumerate(self.steps) for kind in step.concludes}
        """Kind -> the step after which nothing more of it is concluded."""
        self.reading: dict[str, list[int]] = {}
        """Kind -> the steps that read it."""
        self.concluding: dict[str, list[int]] = {}
        """Kind -> the numbers of the rules that conclude it."""
        for position, step in enumerate(self.steps):
            for kind in step.reads:
                self.reading.setdefault(kind, []).append(position)
            for number, join in step.joins.items():
                for kind in join.concludes:
                    self.concluding.setdefault(kind, []).append(number)

    def run(self, given: Kinds, everything: Bits, before: Run | None = None) -> Run:
        """What follows from these facts; BoundsError when it comes to too much.

        ``before``: a run of nearly the same rules on nearly the same facts. Only rules that were not among those then,
        and those that read something else than then, are applied.
        """
        if before is None or before.everything != everything:
            before = Run((), everything, {}, {}, {})
        return _Running(self, Run(self.rules, everything, given, {**before.facts}, {}), before).settled()


class _Step:
    """A rule, or several that read each other's conclusions in a circle."""

    def __init__(self, joins: Mapping[int, SetJoin]) -> None:
        self.joins = joins
        self.reads = frozenset(kind for join in joins.values() for kind in join.kinds)
        self.concludes = tuple(dict.fromkeys(kind for join in joins.values() for kind in join.concludes))
        self.circle = self.reads.intersection(self.concludes)
        """The kinds that it reads and concludes."""
        self.needs = frozenset[str]() if self.circle else [*joins.values()][0].needs
        """The kinds without which nothing comes of it."""


class _Running:
    def __init__(self, sets: Sets, run: Run, before: Run) -> None:
        self.sets, self.run, self.before = sets, run, before.facts
        numbers = {id(rule): number for number, rule in enumerate(before.rules)}
        then = {number: numbers[id(rule)] for number, rule in enumerate(sets.rules) if id(rule) in numbers}
        run.fired.update({number: before.fired[old] for number, old in then.items() if old in before.fired})
        self.effort = Effort(sets.rules, run.everything.bit_length())
        self.due = {position for number, position in sets.order.items() if number not in then}
        """The steps that may conclude something else than before."""
        self.touched = {
            kind for kind in run.given.keys() | before.given if run.given.get(kind) != before.given.get(kind)
        }
        """The kinds of which something else than before is given, or concluded by some rule."""
        for number in before.fired.keys() - {*then.values()}:
            self.touched |= {cast(str, fact[0]) for fact in before.fired[number]}
        for kind in self.touched - sets.last.keys():
            self._settle(kind)

    def settled(self) -> Run:
        """The run when all is done."""
        facts, fired = self.run.facts, self.run.fired
        for position, step in enumerate(self.sets.steps):
            due = position in self.due or not self.touched.isdisjoint(step.circle)
            if due and (step.needs <= facts.keys() or not fired.keys().isdisjoint(step.joins)):
                self._take(step)
            for kind in step.concludes:
                if kind in self.touched and self.sets.last[kind] == position:
                    self._settle(kind)
        return replace(self.run, fired={number: fired[number] for number in self.sets.order if number in fired})

    def _take(self, step: _Step) -> None:
        """Applies the rules of a step; in a circle again and again, until there are no more facts, nor in more
        situations, than before."""
        facts, fired, growing = self.run.facts, self.run.fired, True
        fired_before = {number: fired.pop(number, _NOTHING) for number in step.joins}
        for kind in step.concludes if step.circle else ():
            facts[kind] = self._together(kind)
            self.touched.add(kind)
        while growing:
            growing = False
            for number, join in step.joins.items():
                if join.needs <= facts.keys():
                    result = join.conclusions(facts, self.run.everything, self.effort)
                    if result:
                        fired[number] = result
                    for kind in join.concludes if step.circle else ():
                        old = facts[kind]
                        new = {
                            fact: bits for fact, bits in result.items() if fact[0] == kind and bits & ~old.get(fact, 0)
                        }
                        if new:
                            more = {fact: old.get(fact, 0) | bits for fact, bits in new.items()}
                            facts[kind], growing = Facts({**old, **more}), True
        for number, join in step.joins.items():
            if fired.get(number, _NOTHING) != fired_before[number]:
                self.touched.update(join.concludes)

    def _settle(self, kind: str) -> None:
        """Notes the facts of a kind once all of them are known."""
        facts = self._together(kind)
        if facts:
            self.run.facts[kind] = facts
        else:
            self.run.facts.pop(kind, None)
        if facts != self.before.get(kind, _NOTHING):
            self.due.update(self.sets.reading.get(kind, ()))

    def _together(self, kind: str) -> Facts:
        """The facts of a kind that are given or concluded so far."""
        initial = self.run.given.get(kind, _NOTHING)
        concluded = [self.run.fired[rule] for rule in self.sets.concluding.get(kind, ()) if rule in self.run.fired]
        if not concluded:
            return initial
        joint: dict[Fact, Bits] = {**initial}
        for fact, bits in chain.from_iterable(facts.items() for facts in concluded):
            if fact[0] == kind:
                joint[fact] = joint[fact] | bits if fact in joint else bits  # what stays the same is not copied
        return Facts(joint)
