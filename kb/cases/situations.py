"""The situations that rulings on cases leave possible, side by side, so that rules run once on all of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from facts.fact import Fact
from kb.engine.set_joins import Bits
from kb.language.known import EVIDENCE
from kb.ruling.ruling import Ruling
from kb.space.bits import members
from kb.space.layout import Situations

AT_ONCE: Final = 4
"""So many rulings are run at once: each has a table and cards of its own, and the joins of many try all with all."""

Of = TypeVar("Of")


def side_by_side(rulings: Sequence[tuple[Of, Ruling]]) -> Iterator[Sequence[tuple[Of, Ruling]]]:
    """Rulings with what they are on, as many together as are run at once."""
    return (rulings[start : start + AT_ONCE] for start in range(0, len(rulings), AT_ONCE))


class Exhibits:
    """Numbered situations; those of a ruling come one after the other."""

    def __init__(self, rulings: Iterable[Ruling]) -> None:
        kinds: dict[str, dict[Fact, Bits]] = {}
        size = 0
        self._starts: list[int] = []
        for ruling in rulings:
            self._starts.append(size)
            ways = _ways(ruling)
            for fact, bits in _facts(ruling, ways):
                held = kinds.setdefault(str(fact[0]), {})
                held[fact] = held.get(fact, 0) | bits << size
            size += len(ways)
        self.situations = Situations((1 << size) - 1, kinds)

    def _number(self, situation: int) -> int:
        return bisect_right(self._starts, situation) - 1

    def of(self, bits: Bits) -> list[int]:
        """The numbers of the rulings to which some situations belong."""
        return list(dict.fromkeys(map(self._number, members(bits))))


def _ways(ruling: Ruling) -> Sequence[int]:
    """The situations that are possible; just one that has no number where everything is known."""
    return [0] if ruling.opening.known else list(members(ruling.opening.among))


def _facts(ruling: Ruling, ways: Sequence[int]) -> Iterator[tuple[Fact, Bits]]:
    """The ground facts, and in which of the ways each is so."""
    if ruling.opening.known:
        yield from ((fact, 1) for fact in ruling.proof.ground)
        return
    yield from ((fact, (1 << len(ways)) - 1) for fact in ruling.proof.ground if fact[0] == EVIDENCE)
    places = {way: 1 << number for number, way in enumerate(ways)}
    for held in ruling.opening.run.situations.facts.values():
        for fact, bits in held.items():
            if here := bits & ruling.opening.among:
                yield fact, sum(places[way] for way in members(here))
