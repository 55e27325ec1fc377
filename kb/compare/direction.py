"""Whether the second of two editions is stricter or milder for the sides that revoked, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from kb.compare.blame import Differences, Substitution
from kb.engine.sets import Bits
from kb.space.bits import merged
from kb.space.burden import DIRECTIONS, Burden, Direction, Measures, burden_of, direction, measured
from kb.space.outcome import EditionRun

Scope: TypeAlias = Literal["everything", "tricks"]
"""What is looked at: all parts of the burden, or the tricks alone."""
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
_PARTS: Final[Mapping[Scope, Collection[str] | None]] = {"everything": None, "tricks": ("tricks",)}

Found: TypeAlias = tuple[tuple[Scope, Direction], Bits]


@dataclass(frozen=True, slots=True)
class Directions:
    """How the second edition stands to the first, in a set of situations."""

    of: Mapping[tuple[Scope, Direction], Bits]
    """In each scope every situation of the set goes one way."""

    @classmethod
    def joined(cls, found: Iterable[Found]) -> Directions:
        """Those of several sets together."""
        return cls({(scope, way): 0 for scope in SCOPES for way in DIRECTIONS} | merged(found))

    def within(self, where: Bits) -> Directions:
        """Those of a part of the set."""
        return Directions({key: bits & where for key, bits in self.of.items()})

    def way(self, scope: Scope, situation: int) -> Direction:
        """Which way one situation of the set goes; StopIteration for another."""
        return next(way for (at, way), bits in self.of.items() if at == scope and bits >> situation & 1)

    def count(self, scope: Scope, way: Direction) -> int:
        """How many situations go this way."""
        return self.of[scope, way].bit_count()


class Scales:
    """Two editions with the measures beside them."""

    def __init__(self, by: Substitution, measures: Measures) -> None:
        self.measures = measures
        self._sets = [measured(measures, sets) for sets in by.sets]
        self.weighed: dict[str, None] = {}
        """The parts that have weighed on anybody so far."""

    def directions(self, by: Differences, where: Bits, first: Burden | None = None) -> Iterator[Found]:
        """Which way the situations ``where`` go; ``first``: the burden of the first edition, if it is known."""
        a = self._weighed(first or self.burden(by.a))
        b = self._weighed(burden_of(self.measures, by.b, self._sets[1]))
        for scope, parts in _PARTS.items():
            for way, bits in direction(a, b, where, parts).items():
                yield (scope, way), bits

    def burden(self, run: EditionRun) -> Burden:
        """The burden of the first edition's rulings."""
        return burden_of(self.measures, run, self._sets[0])

    def _weighed(self, burden: Burden) -> Burden:
        self.weighed |= dict.fromkeys(part for _, part in burden.levels)
        return burden
