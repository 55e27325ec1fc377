"""The situations of a set that are nearest to what is so, by how many findings are otherwise, as they are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kb.engine.set_joins import Bits
from kb.space.around import Around
from kb.space.bits import parts, union
from kb.space.layout import Key
from kb.space.questions import Group


@dataclass(frozen=True)
class NearestWay:
    """One way in which something could be so: what would have to be otherwise, and what else must hold."""

    around: Around
    changes: Mapping[Key, Group]
    """Findings that are known, each with values that it would need, any of them."""
    given: Mapping[Key, Group]
    """The same of what is not known, or has no value as it is."""


def nearest(found: Bits, same: Iterable[Bits]) -> tuple[int, Bits]:
    """The least number of marks that situations of a set can lack, and those that lack so many; (0, 0) if it is empty.

    ``same``: for each mark the situations that have it.
    """
    at = [found]
    for mask in same:
        at = [lacks & mask | one_less & ~mask for lacks, one_less in zip([*at, 0], [0, *at], strict=True)]
    return next(((number, bits) for number, bits in enumerate(at) if bits), (0, 0))


def ways(around: Around, found: Bits, near: Bits) -> Iterator[NearestWay]:
    """The ways to get into a set from what is so: together they lead to all of ``near``, its nearest situations.

    Every possible situation that fits what a way tells, and is else as it is, is in the set.
    """
    otherwise = {key: around.whole & ~bits for key, bits in around.same.items()}
    for changed, part in parts(near, otherwise):
        left = part
        while left:
            way, reached = _Telling(around, found, left).way([key for key in around.same if key in changed])
            yield way
            left &= ~reached


class _Telling:
    """Narrows down what is to be told until everything that fits it is in the set."""

    def __init__(self, around: Around, found: Bits, near: Bits) -> None:
        self.around, self.found, self.near = around, found, near
        self.told: dict[Key, Group] = {}
        self.here = around.possible

    def way(self, changed: list[Key]) -> tuple[NearestWay, Bits]:
        """The way by which these findings would change, and the situations that it leads to."""
        held = self.around.values
        for key, bits in self.around.same.items():
            if key not in changed and not self.around.lacks(key[1]):
                self.here &= bits
        for key in changed:
            self._tell(key, tuple(value for value, bits in held[key].items() if bits & self.near))
        while self.here & ~self.found:
            self._tell(*self._narrower([*changed, *(key for key in held if key not in changed)]))
        changes = {key: self.told[key] for key in changed}
        return NearestWay(
            self.around, changes, {key: one for key, one in self.told.items() if key not in changes}
        ), self.here

    def _tell(self, key: Key, values: Group) -> None:
        self.told[key] = values
        self.here &= union(self.around.values[key][value] for value in values)

    def _narrower(self, keys: Iterable[Key]) -> tuple[Key, Group]:
        """The finding, and the values of it, after which the least is left that is not in the set.

        One value alone where all leave as much.
        """
        best: tuple[float, Key, Group] | None = None
        for key in keys:
            shares = self._shares(key)
            if len(shares) > 1 and None not in shares:
                here = [value for value in shares if self.here & self.near & self.around.values[key][value]]
                most = max(shares[value] for value in here)
                group = tuple(value for value, share in shares.items() if share == most)
                rank = most if len(group) < len(shares) else -1.0
                if best is None or rank > best[0]:
                    best = rank, key, group if rank >= 0 else (here[0],)
        assert best is not None, "a single situation is in the set or is not"
        return best[1:]

    def _shares(self, key: Key) -> Mapping[Any, float]:
        """How much of what each value leaves is in the set."""
        left = {value: self.here & bits for value, bits in self.around.values[key].items()}
        return {value: (bits & self.found).bit_count() / bits.bit_count() for value, bits in left.items() if bits}
