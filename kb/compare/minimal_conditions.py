"""The fewest conditions on answers that characterise a set of situations: exactly that set, and no other situation.

A set is described by boxes: in each, every condition holds; together they make up the set. Situations are bits of one
number, so that all of a universe is looked at in a few operations.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from kb.engine.sets import Bits
from kb.space.bits import members, union
from kb.space.decision_diagram import Diagram, State
from kb.space.universe import Universe, WaysOn

Answers: TypeAlias = frozenset[str | None]
"""Answers to one question; None: it is not asked."""

SEEDS = 24
"""From so many situations that are in no box yet a box is grown, and the best one kept."""
LONG = 20
"""A description of more conditions than this is tried in parts as well,"""
SPLITS = 2
"""divided in so many ways."""


@dataclass(frozen=True, slots=True, order=True)
class Needed:
    """A condition on the answer to one question."""

    question: str
    answers: tuple[str, ...]
    """One of these was given; or, with ``other``, none of these was, be it that the question was not asked."""
    other: bool = False


Conditions: TypeAlias = tuple[Needed, ...]
"""All of them hold; in the order of the questions; none at all: every situation."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The situations in which all of some conditions hold, except those in which all of some others do."""

    conditions: Conditions
    unless: tuple[Conditions, ...]
    size: int

    @property
    def length(self) -> int:
        """How many conditions it takes to say it."""
        return len(self.conditions) + sum(map(len, self.unless))


class Describer:
    """Describes sets of situations of one universe."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.questions = tuple(universe.interview.questions)

    def describe(self, wanted: Bits) -> tuple[Cube, ...]:
        """Boxes that together are exactly the set, by the fewest conditions of the ways that are tried.

        Questions that make no difference to the set are left out of account."""
        small, part = _projected(self.universe, wanted)
        return tuple(replace(box, size=self._size(box)) for box in _Boxes(small).describe(part))

    def _size(self, box: Cube) -> int:
        cover = self._cover(box.conditions)
        for unless in box.unless:
            cover &= ~self._cover(unless)
        return cover.bit_count()

    def _cover(self, conditions: Conditions) -> Bits:
        cover = self.universe.everything
        for needed in conditions:
            given = self.universe.given[self.questions.index(needed.question)]
            named = union(given[answer] for answer in needed.answers)
            cover &= ~named if needed.other else named
        return cover


def _projected(universe: Universe, wanted: Bits) -> tuple[Universe, Bits]:
    """The universe without the questions that make no difference to a set, and the set in it."""
    marks = array("B", f"{wanted:b}".zfill(len(universe))[::-1].encode())
    diagram = Diagram()
    state = diagram.mattering(diagram.of(universe.root, marks))
    known: dict[State, tuple[WaysOn, Bits]] = {}
    for node in reversed(diagram.below(state)):
        if diagram.outcome[node] >= 0:
            known[node] = WaysOn(len(universe.questions), (), 1), int(diagram.outcome[node] == ord("1"))
            continue
        size = bits = 0
        branches: list[tuple[str, int, WaysOn]] = []
        for answer, below, _ in diagram.edges[node]:
            block, part = known[below]
            branches.append((answer, size, block))
            bits |= part << size
            size += block.size
        known[node] = WaysOn(diagram.question[node], tuple(branches), size), bits
    root, part = known[state]
    return Universe(universe.interview, root), part


class _Boxes:
    """Describes sets of situations of a small universe."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.everything: Bits = universe.everything
        self.questions = tuple(universe.interview.questions)
        self._given = universe.given
        self._mattering = [at for at, given in enumerate(self._given) if self.everything not in given.values()]
        """The questions to which there is more than one answer."""

    def describe(self, wanted: Bits) -> tuple[Cube, ...]:
        """Boxes that together are exactly the set, by the fewest conditions of the ways that are tried."""
        best = self._simplest(wanted, wanted)
        if _length(best) > LONG:
            for parts in self._splits(wanted)[:SPLITS]:
                split = tuple(box for part in parts for box in self._simplest(part, wanted))
                best = min(best, split, key=_length)
        return best

    def _simplest(self, part: Bits, wanted: Bits) -> tuple[Cube, ...]:
        """Boxes that hold a part of the set and nothing outside it: some beside each other, or one with exceptions."""
        avoid = self.everything & ~wanted
        plain = tuple(Cube(box, (), cover.bit_count()) for cover, box in self._boxes(part, avoid, self.everything))
        around = self._around(part)
        hull = self._cover(around)
        unless = tuple(box for _, box in self._boxes(hull & avoid, part, hull))
        whole = Cube(self._conditions(around), unless, (hull & wanted).bit_count())
        return min(plain, (whole,), key=_length)

    def _splits(self, wanted: Bits) -> list[list[Bits]]:
        """The set in two or three parts by the answers to a question, those first whose parts lie closest together."""
        splits: list[tuple[int, list[Bits]]] = []
        for answers in self._given:
            parts = [given & wanted for given in answers.values() if given & wanted]
            if 2 <= len(parts) <= 3:
                splits.append((sum(self._cover(self._met(part)).bit_count() for part in parts), parts))
        return [parts for _, parts in sorted(splits)]

    def _boxes(self, wanted: Bits, avoid: Bits, within: Bits) -> list[tuple[Bits, Conditions]]:
        """Boxes that hold every situation wanted and none to be avoided, the largest first.

        Answers that are not given ``within`` a set are not named."""
        boxes: list[tuple[Bits, Conditions]] = []
        left, grown = wanted, set[tuple[Bits, Conditions]]()
        while left:
            seeds = list(members(left & ~union(cover for cover, _ in grown)))
            grown |= {self._grown(seed, avoid, within) for seed in seeds[:: max(1, len(seeds) // SEEDS)]}
            best = max(grown, key=lambda box: ((box[0] & left).bit_count(), -len(box[1]), box[1]))
            boxes.append(best)
            left &= ~best[0]
            grown = {box for box in grown if box[0] & left}
        return _spared(boxes, wanted)

    def _around(self, wanted: Bits) -> dict[int, Answers]:
        """The fewest conditions that all of the set meets and that cannot be made stricter."""
        met = self._met(wanted)
        hull, cover, chosen = self._cover(met), self.everything, dict[int, Answers]()
        while cover != hull:
            at = min(met, key=lambda at: (cover & self._allowed(at, met[at])).bit_count())
            chosen[at] = met.pop(at)
            cover &= self._allowed(at, chosen[at])
        for at in list(chosen):
            if _without(self._covers(chosen), self.everything)[at] == hull:
                del chosen[at]
        return chosen

    def _met(self, wanted: Bits) -> dict[int, Answers]:
        """The answers given in the set to each question."""
        return {
            at: frozenset(answer for answer, given in answers.items() if given & wanted)
            for at, answers in enumerate(self._given)
        }

    def _grown(self, seed: int, avoid: Bits, within: Bits) -> tuple[Bits, Conditions]:
        """A box around a situation that cannot be made larger without holding one to be avoided."""
        said = self.universe.answers(seed)
        asked: dict[int, Answers] = {at: frozenset([said.get(self.questions[at])]) for at in self._mattering}
        perhaps, needed = self._covers(asked), self.everything
        while perhaps:
            free: list[tuple[int, int]] = []
            for at, cover in _without(perhaps, needed).items():
                if cover & avoid:  # once needed, always: covers only grow
                    needed &= perhaps.pop(at)
                else:
                    free.append((cover.bit_count(), at))
            if free:
                at = max(free)[1]
                del perhaps[at], asked[at]
        covers = self._covers(asked)
        for at in list(asked):
            around = _without(covers, self.everything)[at]
            wider = [answer for answer, given in self._given[at].items() if not around & given & avoid]
            met = [answer for answer in wider if around & within & self._given[at][answer]]
            asked[at] = asked[at].union(wider if None in (*met, *asked[at]) else met)
            covers[at] = self._allowed(at, asked[at])
        return self._cover(asked), self._conditions(asked)

    def _conditions(self, asked: Mapping[int, Answers]) -> Conditions:
        return tuple(self._needed(at, answers) for at, answers in sorted(asked.items()))

    def _cover(self, asked: Mapping[int, Answers]) -> Bits:
        cover = self.everything
        for at, answers in asked.items():
            cover &= self._allowed(at, answers)
        return cover

    def _covers(self, asked: Mapping[int, Answers]) -> dict[int, Bits]:
        """The situations in which each of the conditions holds."""
        return {at: self._allowed(at, answers) for at, answers in asked.items()}

    def _allowed(self, at: int, answers: Answers) -> Bits:
        allowed = 0
        for answer in answers:
            allowed |= self._given[at][answer]
        return allowed

    def _needed(self, at: int, answers: Answers) -> Needed:
        """The condition in words; where the question may also not have been asked, by the answers left out."""
        order = self.universe.interview.questions[self.questions[at]].answers
        if None in answers:
            return Needed(self.questions[at], tuple(a for a in order if a not in answers), other=True)
        return Needed(self.questions[at], tuple(a for a in order if a in answers))


def _without(covers: Mapping[int, Bits], within: Bits) -> dict[int, Bits]:
    """What would be left within a set by all of the conditions but each one of them."""
    found: dict[int, Bits] = {}
    before = within
    for at, cover in covers.items():
        found[at] = before
        before &= cover
    after = within
    for at in reversed(covers):
        found[at] &= after
        after &= covers[at]
    return found


def _length(boxes: tuple[Cube, ...]) -> int:
    return sum(box.length for box in boxes)


def _spared(boxes: list[tuple[Bits, Conditions]], wanted: Bits) -> list[tuple[Bits, Conditions]]:
    """The boxes without those that the others make needless, the largest first."""
    kept = sorted(boxes, key=lambda box: -box[0].bit_count())
    for box in reversed(list(kept)):
        rest = 0
        for other in kept:
            rest |= 0 if other is box else other[0]
        if not wanted & ~rest:
            kept.remove(box)
    return kept
