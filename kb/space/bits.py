"""Sets of situations as integers: bit n stands for situation n."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from kb.engine.sets import Bits

K = TypeVar("K")


def union(sets: Iterable[Bits]) -> Bits:
    """All situations of several sets."""
    whole = 0
    for bits in sets:
        whole |= bits
    return whole


def merged(pairs: Iterable[tuple[K, Bits]]) -> dict[K, Bits]:
    """All situations of each key."""
    whole: dict[K, Bits] = {}
    for key, bits in pairs:
        whole[key] = whole[key] | bits if key in whole else bits
    return whole


def parts(situations: Bits, marks: Mapping[K, Bits]) -> list[tuple[frozenset[K], Bits]]:
    """The set divided into the situations that have the same marks; each part with these."""
    divided: list[tuple[tuple[K, ...], Bits]] = [((), situations)] if situations else []
    for mark, bits in marks.items():
        if not bits & situations:
            continue
        split: list[tuple[tuple[K, ...], Bits]] = []
        for has, part in divided:
            both = part & bits
            if both:
                split.append(((*has, mark), both))
            if both != part:
                split.append((has, part & ~bits))
        divided = split
    return [(frozenset(has), part) for has, part in divided]


def lacking_marks(situations: Bits, marks: Iterable[Bits]) -> list[Bits]:
    """Those of a set that have every mark, all but one, all but two …; nothing after the most that any lacks."""
    by_lack = [situations]
    for bits in marks:
        have, lack = [subset & bits for subset in by_lack], [subset & ~bits for subset in by_lack]
        by_lack = [a | b for a, b in zip([*have, 0], [0, *lack], strict=True)]
        if not by_lack[-1]:
            by_lack.pop()
    return by_lack


def first(situations: Bits) -> int:
    """The first situation of a set that is not empty."""
    return (situations & -situations).bit_length() - 1


def renumbered(among: Bits) -> Callable[[Bits], Bits]:
    """Leaves of a set what lies among some situations, at least one, numbered as if there were no others."""
    size = among.bit_length()
    others = int.from_bytes(f"{among:b}".translate({ord("0"): 2, ord("1"): 0}).encode())

    def within(bits: Bits) -> Bits:
        digits = int.from_bytes(f"{bits & among:0{size}b}".encode()) | others  # one that is not among them is a 2
        return int(digits.to_bytes(size).translate(None, b"2") or b"0", 2)

    return within


def members(situations: Bits) -> Iterator[int]:
    """The situations of a set, in order."""
    text = bin(situations)[:1:-1]
    position = text.find("1")
    while position >= 0:
        yield position
        position = text.find("1", position + 1)


class Repeated:
    """Some situations again and again: so many blocks of them, one after another, each of whole bytes."""

    def __init__(self, among: Bits, blocks: int) -> None:
        self.blocks, self._within = blocks, renumbered(among)
        self._whole = (1 << among.bit_count()) - 1
        self._width = (among.bit_count() + 7) // 8

    def __call__(self, bits: Bits, otherwise: Mapping[int, bool] | None = None) -> Bits:
        """The same bits in every block, but in some all or none of them."""
        every, none = self._bytes(self._whole), bytes(self._width)
        blocks = [self._bytes(self._within(bits))] * self.blocks
        for number, here in (otherwise or {}).items():
            blocks[number] = every if here else none
        return int.from_bytes(b"".join(blocks), "little")

    def where(self, bits: Bits) -> list[int]:
        """The blocks that have any of these."""
        width, as_bytes = self._width, bits.to_bytes(self._width * self.blocks, "little")
        none = bytes(width)
        return [block for block in range(self.blocks) if as_bytes[block * width : block * width + width] != none]

    def _bytes(self, bits: Bits) -> bytes:
        return bits.to_bytes(self._width, "little")
