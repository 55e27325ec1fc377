"""The fewest conditions on answers that characterise a set of situations: exactly that set, and no other situation.

A set is described by boxes: in each, every condition holds; together they make up the set. Situations are bits of one
number, so that all of a space is looked at in a few operations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kb.study.situations import Space

Bits: TypeAlias = int
"""A set of situations: bit n stands for situation n."""

SEEDS = 24
"""From so many situations at a time a box is grown, and the best one kept."""


@dataclass(frozen=True, slots=True, order=True)
class Needed:
    """A condition on the answer to one question."""

    question: str
    answers: tuple[str, ...]
    """One of these was given; or, with ``other``, none of these was, be it that the question was not asked."""
    other: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """The situations in which all of some conditions hold."""

    conditions: tuple[Needed, ...]
    """In the order of the questions; empty for every situation."""
    size: int


def bits(numbers: Collection[int]) -> Bits:
    """The set of these situations."""
    marks = bytearray(max(numbers, default=0) // 8 + 1)
    for number in numbers:
        marks[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(marks, "little")


def members(of: Bits) -> Iterator[int]:
    """The situations of a set, in order."""
    text = bin(of)[:1:-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)


class Describer:
    """Describes sets of situations of one space."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.everything: Bits = (1 << len(space)) - 1
        self.questions = tuple(space.interview.questions)
        self._given = [_given(space, position) for position in range(len(self.questions))]

    def describe(self, wanted: Bits) -> tuple[Box, ...]:
        """Boxes that together are exactly the set, the largest first."""
        boxes: list[tuple[Bits, tuple[Needed, ...]]] = []
        left = wanted
        while left:
            seeds = list(members(left))
            grown = {self._grown(seed, wanted) for seed in seeds[:: max(1, len(seeds) // SEEDS)]}
            best = max(grown, key=lambda box: ((box[0] & left).bit_count(), -len(box[1]), box[1]))
            boxes.append(best)
            left &= ~best[0]
        return tuple(Box(box[1], box[0].bit_count()) for box in _spared(boxes, wanted))

    def _grown(self, seed: int, wanted: Bits) -> tuple[Bits, tuple[Needed, ...]]:
        """A box around a situation that cannot be made larger without leaving the set."""
        asked = {at: frozenset([answer]) for at, answer in enumerate(self.space.ways[seed])}
        while True:
            covers = self._without(asked)
            free = [(cover.bit_count(), at) for at, cover in covers.items() if not cover & ~wanted]
            if not free:
                break
            del asked[max(free)[1]]
        for at in list(asked):
            around = self._without(asked)[at]
            wider = [answer for answer, given in self._given[at].items() if not around & given & ~wanted]
            met = [answer for answer in wider if around & self._given[at][answer]]
            asked[at] = asked[at].union(wider if None in (*met, *asked[at]) else met)
        conditions = tuple(self._needed(at, answers) for at, answers in sorted(asked.items()))
        return self._cover(asked), conditions

    def _cover(self, asked: Mapping[int, frozenset[str | None]]) -> Bits:
        cover = self.everything
        for at, answers in asked.items():
            cover &= self._allowed(at, answers)
        return cover

    def _without(self, asked: Mapping[int, frozenset[str | None]]) -> dict[int, Bits]:
        """What the box would cover without each of its conditions."""
        order = list(asked)
        before = [self.everything]
        for at in order[:-1]:
            before.append(before[-1] & self._allowed(at, asked[at]))
        covers: dict[int, Bits] = {}
        after = self.everything
        for at, cover in zip(reversed(order), reversed(before), strict=True):
            covers[at] = cover & after
            after &= self._allowed(at, asked[at])
        return covers

    def _allowed(self, at: int, answers: frozenset[str | None]) -> Bits:
        allowed = 0
        for answer in answers:
            allowed |= self._given[at][answer]
        return allowed

    def _needed(self, at: int, answers: frozenset[str | None]) -> Needed:
        """The condition in words; where the question may also not have been asked, by the answers left out."""
        order = [answer for answer in self.space.interview.questions[self.questions[at]].answers]
        if None in answers:
            return Needed(self.questions[at], tuple(a for a in order if a not in answers), other=True)
        return Needed(self.questions[at], tuple(a for a in order if a in answers))


def _given(space: Space, position: int) -> dict[str | None, Bits]:
    """The situations in which each answer was given to a question; None: it was not asked."""
    numbers: dict[str | None, list[int]] = {None: []}
    for number, way in enumerate(space.ways):
        numbers.setdefault(way[position], []).append(number)
    return {answer: bits(found) if found else 0 for answer, found in numbers.items()}


def _spared(boxes: list[tuple[Bits, tuple[Needed, ...]]], wanted: Bits) -> list[tuple[Bits, tuple[Needed, ...]]]:
    """The boxes without those that the others make needless, the largest first."""
    kept = sorted(boxes, key=lambda box: -box[0].bit_count())
    for box in reversed(list(kept)):
        rest = 0
        for other in kept:
            rest |= 0 if other is box else other[0]
        if rest == wanted:
            kept.remove(box)
    return kept
