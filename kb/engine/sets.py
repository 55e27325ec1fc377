"""Many situations in one run: every fact carries the set of situations in which it holds.

A set of situations is an integer: bit *i* says whether situation *i* is in it. The rules are run once, with the joins
of any forward chainer: a firing holds where all its premises do and nothing that its ``unless`` names; a fact holds
where any firing for it does; a ``count`` or ``total`` splits the situations by the number it has in them. Each step is
pointwise, so that in every situation exactly those facts hold which a run on that situation alone would conclude.

It is written over the rules themselves and shares nothing that decides with the other engines; it gives no proofs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, cast

from facts.fact import Fact
from kb.engine.bounds import Effort
from kb.engine.set_joins import Bits, Facts, Held, SetJoin
from kb.language.model import Rule
from kb.language.strata import strata
from kb.language.vocabulary import Vocabulary

Kinds: TypeAlias = Mapping[str, Held]
"""The facts of each kind; a kind of which there is none may be missing."""

_NOTHING: Final = Facts()
_NO_RULES: Final[tuple[Rule, ...]] = ()


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
        numbers = {id(rule): number for number, rule in enumerate(self.rules)}
        layers = [{numbers[id(rule)]: self._join(rule) for rule in layer} for layer in strata(self.rules)]
        self.steps = [step for layer in layers for step in _steps(layer)]
        self.order = tuple(number for step in self.steps for number in step.joins)
        """The numbers of the rules as they are applied."""
        self.last = {kind: at for at, step in enumerate(self.steps) for kind in step.concludes}
        """Kind -> the step after which nothing more of it is concluded."""
        self.concluding: dict[str, list[int]] = {}
        """Kind -> the numbers of the rules that conclude it."""
        self.readers: dict[str, list[int]] = {}
        """Kind -> the steps that read it."""
        for at, step in enumerate(self.steps):
            for kind in step.reads:
                self.readers.setdefault(kind, []).append(at)
            for number, join in step.joins.items():
                for kind in join.concludes:
                    self.concluding.setdefault(kind, []).append(number)
        self._since: _Since | None = None

    def since(self, rules: Sequence[Rule]) -> _Since:
        """What has changed since these were the rules."""
        found = self._since  # another thread may exchange it meanwhile
        if found is None or found.rules is not rules:
            found = self._since = _Since(self, rules)
        return found

    def run(self, ground: Kinds, everything: Bits, before: Run | None = None) -> Run:
        """What follows from these facts; BoundsError when it comes to too much.

        ``before``: a run of nearly the same rules on the same facts and situations. Only rules that were not among
        those then, and those that read something else than then, are applied.
        """
        return _Running(self, ground, everything, before).settled()

    def _join(self, rule: Rule) -> SetJoin:
        found = self._joins.get(id(rule))
        if found is None:
            found = self._joins[id(rule)] = SetJoin(self.vocabulary, rule)
        return found


class _Step:
    """A rule, or several that read each other's conclusions in a circle."""

    def __init__(self, joins: Mapping[int, SetJoin]) -> None:
        self.joins = joins
        self.reads = frozenset(kind for join in joins.values() for kind in join.kinds)
        self.concludes = tuple(dict.fromkeys(kind for join in joins.values() for kind, _ in join.heads))
        self.circular = not self.reads.isdisjoint(self.concludes)
        self.needs = frozenset[str]() if self.circular else next(iter(joins.values())).needs
        """The kinds without which nothing comes of it."""


def _steps(layer: Mapping[int, SetJoin]) -> Iterator[_Step]:
    """The rules of a stratum, each after those that conclude what it reads, those of a circle together."""
    of_kind: dict[str, set[int]] = {}
    for number, join in layer.items():
        for kind in join.concludes:
            of_kind.setdefault(kind, set()).add(number)
    feeders = {
        number: set[int]().union(*(of_kind.get(kind, ()) for kind in join.kinds)) for number, join in layer.items()
    }
    waiting = dict.fromkeys(layer)
    while waiting:
        free = next((one for one in waiting if (feeders[one] & waiting.keys()) <= {one}), None)
        some = min((_behind(one, feeders, waiting) for one in waiting), key=len) if free is None else {free}
        yield _Step({number: join for number, join in layer.items() if number in some})
        for number in some:
            del waiting[number]


def _behind(rule: int, feeders: Mapping[int, set[int]], waiting: Collection[int]) -> set[int]:
    """A rule with all of those waiting from which something comes to it."""
    found, new = {rule}, {rule}
    while new:
        new = {one for number in new for one in feeders[number] if one in waiting} - found
        found |= new
    return found


class _Since:
    """What has changed since some other rules were run."""

    def __init__(self, sets: Sets, rules: Sequence[Rule]) -> None:
        self.rules = rules
        numbers = {id(rule): number for number, rule in enumerate(rules)}
        self.then = {
            number: numbers[id(rule)]
            for step in sets.steps
            for number, rule in ((number, join.rule) for number, join in step.joins.items())
            if id(rule) in numbers
        }
        """The number of a rule -> the one it had then."""
        self.new = [at for at, step in enumerate(sets.steps) if not step.joins.keys() <= self.then.keys()]
        self.gone = sorted({*range(len(rules))} - {*self.then.values()})


class _Running:
    """One run, step by step."""

    def __init__(self, sets: Sets, ground: Kinds, everything: Bits, before: Run | None) -> None:
        self.sets, self.before = sets, before or _without_rules(ground, everything)
        since = sets.since(self.before.rules)
        fired = {number: self.before.fired[old] for number, old in since.then.items() if old in self.before.fired}
        self.run = Run(sets.rules, self.before.everything, self.before.given, {**self.before.facts}, fired)
        self.effort = Effort(sets.rules, self.run.everything.bit_length())
        self.due = {*since.new}
        """The steps to be taken."""
        self.stale: set[str] = set()
        """The kinds of which something else may hold than before."""
        for number in since.gone:
            for kind in {cast(str, fact[0]) for fact in self.before.fired.get(number, ())}:
                self._touch(kind)

    def settled(self) -> Run:
        """The run when all is done."""
        facts, fired = self.run.facts, self.run.fired
        for at, step in enumerate(self.sets.steps):
            if at in self.due and (step.needs <= facts.keys() or not fired.keys().isdisjoint(step.joins)):
                self._take(step)
            for kind in step.concludes:
                if kind in self.stale and self.sets.last[kind] == at:
                    self._settle(kind)
        return replace(self.run, fired={number: fired[number] for number in self.sets.order if number in fired})

    def _touch(self, kind: str) -> None:
        """Notes that a rule concludes something else of a kind than before."""
        self.stale.add(kind)
        at = self.sets.last.get(kind)
        if at is None:
            self._settle(kind)
        elif kind in self.sets.steps[at].reads:
            self.due.add(at)

    def _take(self, step: _Step) -> None:
        before = [self.run.fired.pop(number, _NOTHING) for number in step.joins]
        if step.circular:
            self._go_round(step)
        for (number, join), then in zip(step.joins.items(), before, strict=True):
            found = self.run.fired.pop(number, _NOTHING) if step.circular else self._concluded(join)
            if found:
                self.run.fired[number] = found
            if found != then:
                for kind in join.concludes:
                    self._touch(kind)

    def _concluded(self, join: SetJoin) -> Held:
        ready = join.needs <= self.run.facts.keys()
        return join.conclusions(self.run.facts, self.run.everything, self.effort) if ready else _NOTHING

    def _go_round(self, step: _Step) -> None:
        """Applies the rules of a circle until nothing grows."""
        for kind in step.concludes:
            self.run.facts[kind] = self._together(kind)
            self.stale.add(kind)
        while any(self._grows(number, join) for number, join in step.joins.items()):
            pass

    def _grows(self, number: int, join: SetJoin) -> bool:
        """Applies a rule; whether there are more facts, or in more situations, than before."""
        found = self._concluded(join)
        if found:
            self.run.fired[number] = found
        grown = False
        for kind in join.concludes:
            known = self.run.facts[kind]
            new = {fact: bits for fact, bits in found.items() if fact[0] == kind and bits & ~known.get(fact, 0)}
            if new:
                more = {fact: known.get(fact, 0) | bits for fact, bits in new.items()}
                self.run.facts[kind], grown = Facts({**known, **more}), True
        return grown

    def _settle(self, kind: str) -> None:
        """Notes the facts of a kind once all of them are known."""
        facts = self._together(kind)
        if facts:
            self.run.facts[kind] = facts
        else:
            self.run.facts.pop(kind, None)
        if facts == self.before.facts.get(kind, _NOTHING):
            self.stale.discard(kind)
        else:
            self.due.update(self.sets.readers.get(kind, ()))

    def _together(self, kind: str) -> Facts:
        """The facts of a kind that are given or concluded so far."""
        held: dict[Fact, Bits] = {**self.run.given.get(kind, _NOTHING)}
        for number in self.sets.concluding.get(kind, ()):
            for fact, bits in self.run.fired.get(number, _NOTHING).items():
                if fact[0] == kind:
                    held[fact] = held[fact] | bits if fact in held else bits  # nothing is copied that stays the same
        return Facts(held)


def _without_rules(ground: Kinds, everything: Bits) -> Run:
    """What holds before any rule has been applied."""
    given = {kind: Facts(_cut(held, everything)) for kind, held in ground.items()}
    return Run(_NO_RULES, everything, given, {kind: held for kind, held in given.items() if held}, {})


def _cut(held: Held, everything: Bits) -> Iterator[tuple[Fact, Bits]]:
    """The facts in these situations; a set that stays the same takes no more room."""
    for fact, bits in held.items():
        cut = bits & everything
        if cut:
            yield fact, bits if cut == bits else cut
