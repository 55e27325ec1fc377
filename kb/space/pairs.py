"""Situations that differ in one answer, all else equal.

Two situations answer one question differently, and alike every other question that both of them are asked; what only
one of them is asked is free. As situations are numbered in the order of the answers, such pairs lie a few fixed
distances apart: they are told by each distance and the situations from which it leads to the other of the pair.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from kb.engine.set_joins import Bits
from kb.space.bits import merged
from kb.space.universe import Universe, WaysOn

Pairs: TypeAlias = Mapping[int, Bits]
"""How far the second of a pair lies after the first, or before it where it is negative -> the first ones."""
Steps: TypeAlias = Collection[tuple[str, str]]
"""The answers of the first and the second."""


def shifted(bits: Bits, distance: int) -> Bits:
    """The situations from which this distance leads into a set."""
    return bits >> distance if distance >= 0 else bits << -distance


def pairs(universe: Universe, question: str, steps: Steps, alike: bool = False) -> Pairs:
    """The pairs that answer a question so.

    ``alike``: only those in which both are asked the same questions.
    """
    number = next(n for n, one in enumerate(universe.questions) if one.id == question)
    return _Walk(number, steps, alike).of(universe.root)


class _Walk:
    def __init__(self, question: int, steps: Steps, alike: bool) -> None:
        self.question, self.steps, self.alike = question, steps, alike
        self._of: dict[int, Pairs] = {}
        self._between: dict[tuple[int, int], Pairs] = {}

    def of(self, block: WaysOn) -> Pairs:
        """The pairs below a block, counted from its first situation."""
        if block.question > self.question or not block.branches:
            return {}
        if id(block) not in self._of:
            starts = _starts(block)
            if block.question == self.question:
                below = dict(block.branches)
                ways = [
                    self._moved(starts[a], starts[b], self.between(below[a], below[b]))
                    for a, b in self.steps
                    if a in below and b in below
                ]
            else:
                ways = [self._moved(starts[name], starts[name], self.of(one)) for name, one in block.branches]
            self._of[id(block)] = merged(pair for way in ways for pair in way.items())
        return self._of[id(block)]

    def between(self, a: WaysOn, b: WaysOn) -> Pairs:
        """The pairs of a situation of one block and one of another, each counted from the first of its block."""
        if a is b:
            return {0: (1 << a.size) - 1}
        key = (id(a), id(b))
        if key not in self._between:
            ways = [self._moved(x, y, self.between(one, other)) for x, one, y, other in self._along(a, b)]
            self._between[key] = merged(pair for way in ways for pair in way.items())
        return self._between[key]

    def _along(self, a: WaysOn, b: WaysOn) -> list[tuple[int, WaysOn, int, WaysOn]]:
        """The ways on in both blocks, each with where it begins."""
        of_a, of_b = _starts(a), _starts(b)
        if a.question == b.question:
            below = dict(b.branches)
            return [(of_a[name], one, of_b[name], below[name]) for name, one in a.branches if name in below]
        if self.alike:
            return []
        if a.question < b.question:
            return [(of_a[name], one, 0, b) for name, one in a.branches]
        return [(0, a, of_b[name], one) for name, one in b.branches]

    @staticmethod
    def _moved(x: int, y: int, found: Pairs) -> Pairs:
        return {distance + y - x: bits << x for distance, bits in found.items()}


def _starts(block: WaysOn) -> Mapping[str, int]:
    """Where the ways on after each answer begin."""
    starts, at = {}, 0
    for name, below in block.branches:
        starts[name] = at
        at += below.size
    return starts
