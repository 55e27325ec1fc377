"""What came of asking a property of a law: whether it holds, where it does not, and the least unusual example."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kb.cases.cases import Case
from kb.engine.sets import Bits
from kb.prove.property import Expected, Property
from kb.space.bits import union
from kb.space.universe import Pairs, Universe, shifted

Standing: TypeAlias = Literal["holds", "expected", "refuted", "needless", "empty"]
"""``expected``: it fails only where its exceptions say so; ``needless``: an exception of which there is no example;
``empty``: there is nothing of which it could be true or false."""


@dataclass(frozen=True)
class Witness:
    """An example."""

    universe: Universe | None = None
    situations: tuple[int, ...] = ()
    """Of the universe: one, or both of a pair."""
    clause: str | None = None


@dataclass(frozen=True)
class Excepted:
    """Where an exception holds."""

    expected: Expected
    times: int
    witness: Witness | None
    """None: nowhere."""
    cases: tuple[Case, ...] | None = None
    """Those in which it holds; None: they were not asked."""

    @property
    def needless(self) -> bool:
        """Whether there is no example of it, as far as was asked."""
        unasked = self.cases is None and self.expected.only_cases
        return not (self.times or self.cases or unasked)


@dataclass(frozen=True)
class Verdict:
    """What came of one property."""

    of: Property
    tried: int
    """So many situations, pairs of them, or clauses, it speaks of."""
    refuted: int
    """In so many of them it does not hold, and ought to."""
    witness: Witness | None
    excepted: tuple[Excepted, ...] = ()
    cases: tuple[Case, ...] = ()
    """Those in which it does not hold, and ought to."""

    @property
    def standing(self) -> Standing:
        """How it stands."""
        if self.refuted or self.cases:
            return "refuted"
        if not self.tried:
            return "empty"
        if any(one.needless for one in self.excepted):
            return "needless"
        return "expected" if self.excepted else "holds"

    @property
    def fails(self) -> bool:
        """Whether something has to be mended: the law, or what is claimed of it."""
        return self.standing in ("refuted", "needless", "empty")


def judged(one: Property, universe: Universe, tried: Bits, refuted: Bits, excepted: Mapping[int, Bits]) -> Verdict:
    """The verdict on a claim about every situation; ``excepted``: number of an exception -> where it holds."""
    return paired(one, universe, {0: tried}, lambda _, where: refuted & where, excepted, alone=True)


def paired(
    one: Property,
    universe: Universe,
    tried: Pairs,
    refuted: Callable[[int, Bits], Bits],
    excepted: Mapping[int, Bits],
    alone: bool = False,
) -> Verdict:
    """The verdict on a claim about pairs; ``refuted``: where it fails, of pairs so far apart and with these first ones.

    ``alone``: the two of each pair are the same situation.
    """
    left = {distance: found for distance, where in tried.items() if (found := refuted(distance, where))}
    seen: list[Excepted] = []
    for expected in one.expected:
        where = excepted.get(expected.number, 0)
        taken = {d: bits & (where | shifted(where, d)) for d, bits in left.items()}
        left = {d: bits & ~taken[d] for d, bits in left.items()}
        seen.append(Excepted(expected, _size(taken), _witness(universe, taken, alone)))
    return Verdict(one, _size(tried), _size(left), _witness(universe, left, alone), tuple(seen))


def _size(found: Pairs) -> int:
    return sum(bits.bit_count() for bits in found.values())


def _witness(universe: Universe, found: Pairs, alone: bool) -> Witness | None:
    """The pair of which the first is least unusual, and then the second."""
    held = {distance: bits for distance, bits in found.items() if bits}
    if not held:
        return None
    number = universe.plainest(union(held.values()))
    if alone:
        return Witness(universe, (number,))
    others = union(1 << number + distance for distance, bits in held.items() if bits >> number & 1)
    return Witness(universe, (number, universe.plainest(others)))
