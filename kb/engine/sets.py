"""Many situations in one run: every fact carries the set of situations in which it holds.

A set of situations is an integer: bit *i* says whether situation *i* is in it. The rules are run once, with the joins
of any forward chainer: a firing holds where all its premises do and nothing that its ``unless`` names; a fact holds
where any firing for it does; a ``count`` or ``total`` splits the situations by the number it has in them. Each step is
pointwise, so that in every situation exactly those facts hold which a run on that situation alone would conclude.

It is written over the rules themselves and shares nothing that decides with the other engines; it gives no proofs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, cast

from facts.fact import Fact
from kb.engine.bounds import MOST_ROUNDS, endless
from kb.engine.set_joins import Bits, Facts, Held, SetJoin
from kb.language.model import Rule
from kb.language.strata import strata
from kb.language.vocabulary import Vocabulary

Kinds: TypeAlias = Mapping[str, Held]
"""The facts of each kind; a kind of which there is none may be missing."""

_NOTHING: Final = Facts()


@dataclass(frozen=True)
class Run:
    """What follows in each situation of a set."""

    rules: Sequence[Rule]
    everything: Bits
    """All situations."""
    facts: dict[str, Facts]
    """Kind -> its facts, given and concluded."""
    fired: dict[int, Held]
    """Number of a rule -> what it concludes, and where."""
    read: dict[int, Sequence[Held]]
    """Number of a rule -> the facts of each kind that it reads."""


class SetRunner(Protocol):
    """Runs rules on sets of situations."""

    vocabulary: Vocabulary
    rules: tuple[Rule, ...]

    def run(self, ground: Kinds, everything: Bits, before: Run | None = None) -> Run:
        """What follows from these facts; BoundsError when it comes to too much."""
        ...


class Sets:
    """Rules ready to run on sets of situations; RulesError when they have no strata, or a number asks for itself."""

    def __init__(self, vocabulary: Vocabulary, rules: Iterable[Rule], like: SetRunner | None = None) -> None:
        """``like``: rules of the same vocabulary; those that stand here too need not be made ready again."""
        self.vocabulary = vocabulary
        self.rules = tuple(rules)
        self._joins: dict[int, SetJoin] = like._joins if isinstance(like, Sets) else {}
        numbers = {id(rule): number for number, rule in enumerate(self.rules)}
        self._layers = [_Layer({numbers[id(rule)]: self._join(rule) for rule in layer}) for layer in strata(self.rules)]

    def run(self, ground: Kinds, everything: Bits, before: Run | None = None) -> Run:
        """What follows from these facts; BoundsError when it comes to too much.

        ``before``: a run of nearly the same rules on the same situations; a rule that now reads the same facts as then
        is not applied again.
        """
        run = Run(self.rules, everything, {}, {}, {})
        for kind, held in ground.items():
            run.facts[kind] = Facts(_cut(held, everything))
        then = {} if before is None else {id(rule): number for number, rule in enumerate(before.rules)}
        for layer in self._layers:
            layer.settle(run, before, then)
        return run

    def _join(self, rule: Rule) -> SetJoin:
        found = self._joins.get(id(rule))
        if found is None:
            found = self._joins[id(rule)] = SetJoin(self.vocabulary, rule)
        return found


def _cut(held: Held, everything: Bits) -> Iterator[tuple[Fact, Bits]]:
    """The facts in these situations; a set that stays the same takes no more room."""
    for fact, bits in held.items():
        cut = bits & everything
        if cut:
            yield fact, bits if cut == bits else cut


class _Layer:
    """The rules of a stratum, each after those that conclude what it reads, but for circles."""

    def __init__(self, joins: Mapping[int, SetJoin]) -> None:
        waiting = dict(joins)
        self.joins: list[tuple[int, SetJoin]] = []
        while waiting:
            concluded = {kind: number for number, join in waiting.items() for kind, _ in join.heads}
            free = (n for n, join in waiting.items() if all(concluded.get(kind, n) == n for kind in join.kinds))
            number = next(free, next(iter(waiting)))
            self.joins.append((number, waiting.pop(number)))
        self.readers = [
            [at for at, (_, join) in enumerate(self.joins) if not join.needs.isdisjoint(feeder.concludes)]
            for _, feeder in self.joins
        ]
        """For each rule those that read what it concludes, maybe itself; in a circle some stand before it."""

    def settle(self, run: Run, before: Run | None, then: Mapping[int, int]) -> None:
        """Applies the rules until nothing grows."""
        waiting = [True] * len(self.joins)
        rounds = 0
        while any(waiting):
            here = waiting.index(True)
            waiting[here] = False
            number, join = self.joins[here]
            if _apply(join, number, run, before, then.get(id(join.rule))):
                rounds += any(at <= here for at in self.readers[here])
                if rounds > MOST_ROUNDS:
                    raise endless(join.rule)
                for at in self.readers[here]:
                    waiting[at] = True


def _apply(join: SetJoin, number: int, run: Run, before: Run | None, then: int | None) -> bool:
    """Applies a rule; whether there are more facts, or in more situations, than before."""
    if not all(run.facts.get(kind) for kind in join.needs):
        return False
    read = [run.facts.get(kind, _NOTHING) for kind in join.kinds]
    if before is not None and then is not None and before.read.get(then) == read:
        found = before.fired.get(then, _NOTHING)
    else:
        found = join.conclusions(run.facts, run.everything)
    run.read[number] = read
    if found:
        run.fired[number] = found
    grown: dict[str, dict[Fact, Bits]] = {}
    for fact, bits in found.items():
        kind = cast(str, fact[0])
        known = run.facts.get(kind, _NOTHING).get(fact)
        if known is None:
            grown.setdefault(kind, {})[fact] = bits
        elif bits & ~known:
            grown.setdefault(kind, {})[fact] = known | bits
    for kind, more in grown.items():
        run.facts[kind] = Facts({**run.facts.get(kind, _NOTHING), **more})
    return bool(grown)
