"""Which unknown thing a ruling hinges on: what can be asked, which answers come to the same, and what is left after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from kb.engine.sets import Bits
from kb.space.bits import union
from kb.space.completions import Completions
from kb.space.layout import Key

Classes: TypeAlias = Sequence[Bits]
"""Outcomes, each the situations that have it."""
Group: TypeAlias = tuple[Any, ...]
"""Values that come to the same."""


@dataclass(frozen=True)
class SplittingQuestion:
    """A question about one thing, and its answers."""

    key: Key
    answers: tuple[tuple[Group, Bits], ...]
    """Values that come to the same, and the situations left after them."""


class Questions:
    """Everything that can be asked about the completions of an incident."""

    def __init__(self, completions: Completions) -> None:
        self.completions = completions
        self.place: dict[Key, tuple[Bits, Sequence[int]]] = {}
        """Each unknown thing with the ways in which its digit has its first setting, and how far off the others are."""
        for digit in completions.digits:
            offsets = range(0, len(digit.settings) * digit.stride, digit.stride)
            self.place |= dict.fromkeys(digit.keys, (digit.ways(0, completions.size), offsets))

    def unknown(self, among: Bits) -> Iterator[Key]:
        """What is not known in these situations, but for what something else is asked instead."""
        findings = self.completions.table.findings
        instead = {findings[name].instead_of for _, name in self.place if name in findings}
        for key in self.place:
            held = self.completions.values[key].items()
            if key[1] not in instead and sum(value is not None and bool(bits & among) for value, bits in held) > 1:
                yield key

    def askable(self, among: Bits) -> Iterator[Key]:
        """What is not known, and has a value in all of these situations."""
        return (key for key in self.unknown(among) if not self.completions.values[key].get(None, 0) & among)

    def groups(self, key: Key, classes: Classes, among: Bits, strictly: bool = False) -> list[tuple[Group, Bits]]:
        """The values that there may be, those that come to the same together, all else equal.

        Values that can never be with all else equal are told apart by the outcomes that they reach; not so strictly.
        """
        held = self.completions.values[key]
        values = [value for value, bits in held.items() if bits & among and value is not None]
        folded = {value: [self._folded(key, held[value] & one) for one in (among, *classes)] for value in values}
        groups: list[list[Any]] = []
        for value in values:
            same = (group for group in groups if all(_same(folded[value], folded[one], strictly) for one in group))
            if group := next(same, None):
                group.append(value)
            else:
                groups.append([value])
        return [(tuple(group), among & union(held[value] for value in group)) for group in groups]

    def matters(self, key: Key, classes: Classes, among: Bits) -> bool:
        """Whether two answers come to something else, all else equal; or at all, if all else never is."""
        strictly = self._alone(key, among)
        return len(self.groups(key, classes, among, strictly)) > 1

    def _alone(self, key: Key, among: Bits) -> bool:
        """Whether two values of a thing can ever be with all else equal."""
        folded = [self._folded(key, bits & among) for bits in self.completions.values[key].values()]
        return sum(bits.bit_count() for bits in folded) > union(folded).bit_count()

    def tells(self, key: Key, classes: Classes, among: Bits) -> bool:
        """Whether two answers reach something else, though they may never meet all else equal."""
        return len(self.groups(key, classes, among)) > 1

    def hinge(self, classes: Classes, among: Bits) -> SplittingQuestion | None:
        """The question after which the least is open; None where none tells anything."""
        best: tuple[tuple[float, ...], SplittingQuestion] | None = None
        for number, key in enumerate(self.askable(among)):
            groups = self.groups(key, classes, among)
            if len(groups) < 2:
                continue
            left = [sum(bool(bits & one) for one in classes) for _, bits in groups]
            cost = (sum(n > 1 for n in left), sum(left) / len(left), len(left), number)
            if best is None or cost < best[0]:
                best = cost, SplittingQuestion(key, tuple(groups))
        return None if best is None else best[1]

    def _folded(self, key: Key, bits: Bits) -> Bits:
        """The situations with the digit of a thing moved to its first setting."""
        first, offsets = self.place[key]
        return union(bits >> offset & first for offset in offsets)


def _same(one: Sequence[Bits], other: Sequence[Bits], strictly: bool) -> bool:
    """Whether two values come to the same outcomes, wherever both can be; if nowhere, whether they reach the same."""
    both = one[0] & other[0]
    if not both and not strictly:
        return [bool(bits) for bits in one] == [bool(bits) for bits in other]
    return all(not (a ^ b) & both for a, b in zip(one[1:], other[1:], strict=True))


def conditions(
    bits: Bits, among: Bits, values: Mapping[Key, Mapping[Any, Bits]], keys: Sequence[Key]
) -> tuple[Key, Group] | None:
    """The one thing on which it depends whether a situation is in a set, and its values there; None if none is."""
    for key in keys:
        held = [(value, where & among) for value, where in values[key].items() if where & among]
        if all(not (where & bits and where & ~bits) for _, where in held):
            return key, tuple(value for value, where in held if where & bits)
    return None
