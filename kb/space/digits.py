"""What is not known of an incident as the digits of one number: every number is a way of filling it in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from facts.cards import Seat
from kb.engine.set_joins import Bits
from kb.space.layout import Key


@dataclass(frozen=True)
class SeenFromHand:
    """A value that depends on the hand, such as the hands that play after it."""

    values: tuple[tuple[Seat, Any], ...]

    def held(self, hands: Mapping[Any, Bits]) -> Iterator[tuple[Any, Bits]]:
        """The values, and where they stand."""
        return ((value, hands[hand]) for hand, value in self.values)


@dataclass(frozen=True)
class Digit:
    """Something that is not known, with what depends on it."""

    keys: tuple[Key, ...]
    """The first is what is not known; the others have a value only for some of its values."""
    settings: tuple[tuple[Any, ...], ...]
    """The values of the keys together."""


def pattern(value: int, stride: int, radix: int, size: int) -> Bits:
    """The ways in which a digit has a value: a run of ones that comes again."""
    bits, period = ((1 << stride) - 1) << value * stride, stride * radix
    while period < size:
        bits |= bits << period
        period *= 2
    return bits & ((1 << size) - 1)
