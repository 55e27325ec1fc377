"""Every situation that an interview can tell apart, as sets: each complete way through its questions once.

Situations are numbered in the order in which the answers stand. A part of the universe that looks the same after
different answers is one block, so that a million situations take little room and are laid out in no time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Final, TypeAlias

from facts.cards import Seat
from facts.errors import InputError, RulesError
from facts.form import NOWHERE
from facts.incident import Finding, Incident, Player
from facts.readers.incident import NAMING
from kb.engine.sets import Bits
from kb.space.bits import first, lacking, merged, union
from kb.space.choices import meant
from kb.space.interview import REVOKES, Interview, Question, missing, twice
from kb.space.layout import Key, Layout, Situations
from kb.space.seating import DECLARER, Seating

MOST: Final = 4_000_000
"""Situations that there may be; each fact about them has a bit for every one."""
MOST_BLOCKS: Final = 100_000
PART: Final = 120_000
"""Situations of a part: larger parts take longer to run, and smaller ones to observe."""


@dataclass(frozen=True, eq=False)
class WaysOn:
    """The ways on from some point of an interview."""

    question: int
    """The question that comes next; the number of all questions at the end."""
    branches: tuple[tuple[str, int, WaysOn], ...]
    """Answer, the number of the first of the ways on after it, and these; none at the end."""
    size: int
    """How many ways there are."""


class Universe:
    """The situations of an interview."""

    def __init__(self, interview: Interview, root: WaysOn | None = None) -> None:
        """``root``: only these ways; all of the interview's if None."""
        self.interview = interview
        self.questions = tuple(interview.questions.values())
        self.root = root or _Blocks(self.questions).root
        self.everything: Bits = (1 << self.root.size) - 1

    def __len__(self) -> int:
        return self.root.size

    @cached_property
    def given(self) -> tuple[Mapping[str | None, Bits], ...]:
        """For each question the situations of every answer to it; None: it is not asked."""
        asked: list[dict[str | None, Bits]] = [
            dict.fromkeys((None, *question.answers), 0) for question in self.questions
        ]
        for (question, answer), bits in self._masks(self.root, {}).items():
            asked[question][answer] = bits
        for answers in asked:
            answers[None] = self.everything & ~union(answers.values())
        return tuple(asked)

    def _masks(self, block: WaysOn, known: dict[int, dict[tuple[int, str], Bits]]) -> Mapping[tuple[int, str], Bits]:
        """Question and answer -> the situations below a block, counted from its first; ``known``: of blocks seen."""
        if id(block) not in known:
            found: dict[tuple[int, str], Bits] = {}
            for answer, start, below in block.branches:
                found[block.question, answer] = ((1 << below.size) - 1) << start
                for key, bits in self._masks(below, known).items():
                    found[key] = found.get(key, 0) | bits << start
            known[id(block)] = found
        return known[id(block)]

    @cached_property
    def _by_unusual(self) -> list[Bits]:
        """The situations with none, one, two … answers that are not the ordinary ones."""
        asked = zip(self.questions, self.given, strict=True)
        usual = (answers[next(iter(question.answers))] | answers[None] for question, answers in asked)
        return lacking(self.everything, usual)

    def parts(self, most: int = PART) -> Iterator[tuple[int, Universe]]:
        """The universe in parts of at most so many situations, if it can be, each with the number of its first.

        What holds in few situations of a large universe takes as much time and room as what holds in many.
        """
        for start, block in _parts(self.root, most):
            yield start, Universe(self.interview, block)

    def answers(self, number: int) -> dict[str, str]:
        """The answers of a situation, without the questions not asked."""
        block, said = self.root, dict[str, str]()
        while block.branches:
            answer, start, below = next(one for one in reversed(block.branches) if one[1] <= number)
            said[self.questions[block.question].id] = answer
            block, number = below, number - start
        return said

    def incident(self, number: int) -> Incident:
        """The incident of a situation; InputError when the interview cannot say one."""
        return self.interview.incident(self.answers(number))

    def unusual(self, number: int, lang: str, none: str = "nothing unusual happened") -> str:
        """The answers of a situation that are not the ordinary ones, in words; ``none`` where there are none."""
        given = self.answers(number)
        told = [
            f"{question.about[lang]} {question.answers[given[question.id]].says[lang]}"
            for question in self.questions
            if given.get(question.id, next(iter(question.answers))) != next(iter(question.answers))
        ]
        return "; ".join(told) or none

    def least_unusual(self, of: Bits, most: int) -> Bits:
        """Those of a set, which must not be empty, with the fewest unusual answers; ``most``: numbers of them."""
        return union([bits & of for bits in self._by_unusual if bits & of][:most])

    def plainest(self, of: Bits) -> int:
        """The situation of a set, which must not be empty, with the fewest unusual answers; of several the first."""
        return first(next(bits & of for bits in self._by_unusual if bits & of))


def _parts(block: WaysOn, most: int) -> Iterator[tuple[int, WaysOn]]:
    """The parts of a block, each beginning where the block does."""
    if block.size <= most or not block.branches:
        yield 0, block
        return
    for answer, begin, below in block.branches:
        for start, part in _parts(below, most):
            yield begin + start, WaysOn(block.question, ((answer, 0, part),), part.size)


class _Blocks:
    """Makes the blocks of an interview, equal ones once."""

    def __init__(self, questions: tuple[Question, ...]) -> None:
        self.questions = questions
        needs = [(*one.when, *(need for answer in one.answers.values() for need in answer.when)) for one in questions]
        wanted = [{pair for need in some for pair in need.items()} for some in needs]
        self.later: list[list[tuple[str, dict[str | None, tuple[bool, ...]]]]] = []
        """For each question the earlier ones on which it or any after it depends: for each answer, or None, which
        demands it meets."""
        for number in range(len(questions)):
            demands: dict[str, list[frozenset[str]]] = {}
            for name, among in set[tuple[str, frozenset[str]]]().union(*wanted[number:]):
                demands.setdefault(name, []).append(among)
            bears = [
                (one.id, {said: tuple(said in among for among in demands[one.id]) for said in (None, *one.answers)})
                for one in questions[:number]
                if one.id in demands
            ]
            self.later.append(bears)
        self._known: dict[object, WaysOn] = {}
        self._end = WaysOn(len(questions), (), 1)
        self.root = self._block({}, 0)

    def _block(self, given: dict[str, str], number: int) -> WaysOn:
        """The ways on from a question, after these answers."""
        if number == len(self.questions):
            return self._end
        key = (number, *[met[given.get(name)] for name, met in self.later[number]])
        if key not in self._known:
            question, branches, size = self.questions[number], list[tuple[str, int, WaysOn]](), 0
            for answer in question.choices(given):
                below = self._block({**given, question.id: answer.id}, number + 1)
                branches.append((answer.id, size, below))
                size += below.size
            if size > MOST or len(self._known) > MOST_BLOCKS:
                what = f"up to this question there are more than {MOST:,} ways to answer, or too many sorts of them"
                raise RulesError.of(self.questions[-1].place, what, "ask less, or only where it matters, with when:")
            self._known[key] = WaysOn(number, tuple(branches), size) if size else self._block(given, number + 1)
        return self._known[key]


Pairs: TypeAlias = Mapping[int, Bits]
"""How far the second of a pair lies after the first, or before it where it is negative -> the first ones."""
Steps: TypeAlias = Collection[tuple[str, str]]
"""The answers of the first and the second."""


def shifted(bits: Bits, distance: int) -> Bits:
    """The situations from which this distance leads into a set."""
    return bits >> distance if distance >= 0 else bits << -distance


def pairs(universe: Universe, question: str, steps: Steps) -> Pairs:
    """The pairs that answer a question so."""
    number = next(n for n, one in enumerate(universe.questions) if one.id == question)
    return _Walk(number, steps).of(universe.root)


class _Walk:
    def __init__(self, question: int, steps: Steps) -> None:
        self.question, self.steps = question, steps
        self._of: dict[int, Pairs] = {}
        self._between: dict[tuple[int, int], Pairs] = {}

    def of(self, block: WaysOn) -> Pairs:
        """The pairs below a block, counted from its first situation."""
        if block.question > self.question or not block.branches:
            return {}
        if id(block) not in self._of:
            if block.question == self.question:
                below = {answer: (start, one) for answer, start, one in block.branches}
                both = [(*below[a], *below[b]) for a, b in self.steps if a in below and b in below]
                ways = [_moved(x, y, self.between(one, other)) for x, one, y, other in both]
            else:
                ways = [_moved(start, start, self.of(one)) for _, start, one in block.branches]
            self._of[id(block)] = merged(pair for way in ways for pair in way.items())
        return self._of[id(block)]

    def between(self, a: WaysOn, b: WaysOn) -> Pairs:
        """The pairs of a situation of one block and one of another, each counted from the first of its block."""
        if a is b:
            return {0: (1 << a.size) - 1}
        key = (id(a), id(b))
        if key not in self._between:
            if a.question == b.question:
                of_b = {answer: (y, other) for answer, y, other in b.branches}
                along = [(x, one, *of_b[answer]) for answer, x, one in a.branches if answer in of_b]
            elif a.question < b.question:
                along = [(x, one, 0, b) for _, x, one in a.branches]
            else:
                along = [(0, a, y, other) for _, y, other in b.branches]
            ways = [_moved(x, y, self.between(one, other)) for x, one, y, other in along]
            self._between[key] = merged(pair for way in ways for pair in way.items())
        return self._between[key]


def _moved(x: int, y: int, found: Pairs) -> Pairs:
    return {distance + y - x: bits << x for distance, bits in found.items()}


def observed(universe: Universe) -> Situations:
    """Every situation of a universe.

    InputError when some answers leave out whose card it was, or say something twice.
    """
    stated = _Stated(universe)
    stated.see_hands()
    stated.see_values()
    stated.presume()
    return stated.layout.situations


class _Stated:
    """What is said of each revoke, and where."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.table = universe.interview.table
        self.said: dict[Key, dict[Any, Bits]] = {}
        """As the answers say it."""
        self.values: dict[Key, dict[Any, Bits]] = {}
        """Seats, numbers and words."""
        incident = Incident(place=NOWHERE, declarer=DECLARER)
        self.layout = Layout(incident, self.table, self.values, universe.everything)
        for question, given in zip(universe.questions, universe.given, strict=True):
            for answer in question.answers.values():
                fills = {(one.revoke, one.key): one for one in (*answer.fills, *answer.stands)}
                for key, filling in fills.items() if given[answer.id] else ():
                    said = self.said.setdefault(key, {})
                    if union(said.values()) & given[answer.id]:
                        raise InputError([twice(filling)])
                    said[filling.value] = said.get(filling.value, 0) | given[answer.id]
        self.present = [self._present(number) for number in range(len(REVOKES))]

    def _present(self, number: int) -> Bits:
        """Where there is such a revoke."""
        there = union(bits for (of, _), said in self.said.items() if of == number for bits in said.values())
        for key in ("player", "trick"):
            if there & ~union(self.said.get((number, key), {}).values()):
                raise InputError([missing(number, key, self.universe.interview.place)])
        return there

    def see_hands(self) -> None:
        """One hand for each part that a player may have."""
        for number, there in enumerate(self.present):
            players: list[tuple[tuple[Player, ...], Bits]] = [((), there)] if there else []
            for of in {0, number}:
                known = self.said[of, "player"].items() if there else ()
                players = [((*so_far, one), bits & where) for so_far, bits in players for one, where in known]
            for so_far, where in players:
                if where:
                    self._add((number, "hand"), _hand(so_far, self.table.parts), where)

    def see_values(self) -> None:
        """Of an answer that leaves several values the first, seen from the hand that revoked."""
        self.values |= {key: said for key, said in self.said.items() if key[1] == "trick"}
        for (number, name), said in self.said.items():
            if name not in NAMING:
                kind, places = self.table.findings[name], [*self.layout.places(number)]
                for (value, where), (given, there) in product(said.items(), places):
                    if here := where & there:
                        self._add((number, name), meant(kind, value, given, self.table)[0], here)

    def presume(self) -> None:
        """What nobody says and is presumed."""
        for number, there in enumerate(self.present):
            for kind in self.table.findings.values() if there else ():
                unless = self.universe.everything if kind.unless else 0
                for name, wanted in kind.unless.items():
                    held = self.values.get((number, name), {})
                    unless &= union(bits for value, bits in held.items() if value in wanted)
                left = there & ~union(self.said.get((number, kind.id), {}).values()) & ~unless
                if left and kind.presumption:
                    self._add((number, kind.id), kind.presumed, left)

    def _add(self, key: Key, value: Any, where: Bits) -> None:
        held = self.values.setdefault(key, {})
        held[value] = held.get(value, 0) | where


def _hand(players: tuple[Player, ...], parts: Collection[str]) -> Seat:
    """The hand of the last of these players, the first of whom made the first revoke."""
    incident = Incident(place=NOWHERE, revokes=tuple(Finding(player=player) for player in players))
    return Seating(incident, parts).hands[-1][0]
