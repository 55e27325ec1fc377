"""Every situation that an interview can tell apart, as sets: each complete way through its questions once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
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
from kb.space.decision_diagram import Diagram, Edge, State
from kb.space.interview import REVOKES, Interview, Question, missing, twice
from kb.space.layout import Key, Layout, Situations
from kb.space.seating import DECLARER, Seating

MOST: Final = 4_000_000
"""Situations that there may be; each fact about them has a bit for every one."""
MOST_BLOCKS: Final = 100_000
PART: Final = 120_000
"""Situations of a part: larger parts take longer to run, and smaller ones to observe."""


class Universe:
    """The situations of an interview."""

    def __init__(self, interview: Interview, part: tuple[Diagram, State] | None = None) -> None:
        """``part``: only these situations; all of the interview's if None."""
        self.interview = interview
        self.questions = tuple(interview.questions.values())
        self.diagram, self.root = part or _Blocks(self.questions).whole
        self.everything: Bits = (1 << len(self)) - 1

    def __len__(self) -> int:
        return self.diagram.size[self.root]

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

    def _masks(self, state: State, known: dict[State, dict[tuple[int, str], Bits]]) -> Mapping[tuple[int, str], Bits]:
        """Question and answer -> the situations of a state, counted from its first; ``known``: of states seen."""
        if state not in known:
            found: dict[tuple[int, str], Bits] = {}
            for answer, start, below in self.diagram.ways(state):
                found[self.diagram.question[state], answer] = ((1 << self.diagram.size[below]) - 1) << start
                for key, bits in self._masks(below, known).items():
                    found[key] = found.get(key, 0) | bits << start
            known[state] = found
        return known[state]

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
        for start, part in self._parts(self.root, most):
            yield start, Universe(self.interview, (self.diagram, part))

    def _parts(self, state: State, most: int) -> Iterator[tuple[int, State]]:
        """The parts of a state, each beginning where the state does."""
        if self.diagram.size[state] <= most:
            yield 0, state
            return
        for answer, begin, below in self.diagram.ways(state):
            for start, part in self._parts(below, most):
                yield begin + start, self.diagram.node(self.diagram.question[state], [(answer, part)])

    def answers(self, number: int) -> dict[str, str]:
        """The answers of a situation, without the questions not asked."""
        state, said = self.root, dict[str, str]()
        while ways := [*self.diagram.ways(state)]:
            answer, start, below = next(way for way in reversed(ways) if way[1] <= number)
            said[self.questions[self.diagram.question[state]].id] = answer
            state, number = below, number - start
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


class _Blocks:
    """Makes the diagram of every way through an interview."""

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
        self._known: dict[object, State] = {}
        self.diagram = Diagram()
        self.whole = self.diagram, self._block({}, 0)

    def _block(self, given: dict[str, str], number: int) -> State:
        """The ways on from a question, after these answers."""
        if number == len(self.questions):
            return self.diagram.end(0)
        key = (number, *[met[given.get(name)] for name, met in self.later[number]])
        if key not in self._known:
            question, edges, size = self.questions[number], list[Edge](), 0
            for answer in question.choices(given):
                below = self._block({**given, question.id: answer.id}, number + 1)
                edges.append((answer.id, below))
                size += self.diagram.size[below]
            if size > MOST or len(self._known) > MOST_BLOCKS:
                what = f"up to this question there are more than {MOST:,} ways to answer, or too many sorts of them"
                raise RulesError.of(self.questions[-1].place, what, "ask less, or only where it matters, with when:")
            self._known[key] = self.diagram.node(number, edges) if edges else self._block(given, number + 1)
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
    return _Walk(universe.diagram, number, steps).of(universe.root)


class _Walk:
    def __init__(self, diagram: Diagram, question: int, steps: Steps) -> None:
        self.diagram, self.question, self.steps = diagram, question, steps
        self._of: dict[State, Pairs] = {}
        self._between: dict[tuple[State, State], Pairs] = {}

    def of(self, state: State) -> Pairs:
        """The pairs of a state, counted from its first situation."""
        question = self.diagram.question[state]
        if question > self.question:
            return {}
        if state not in self._of:
            if question == self.question:
                below = {answer: (start, one) for answer, start, one in self.diagram.ways(state)}
                both = [(*below[a], *below[b]) for a, b in self.steps if a in below and b in below]
                ways = [_moved(x, y, self.between(one, other)) for x, one, y, other in both]
            else:
                ways = [_moved(start, start, self.of(one)) for _, start, one in self.diagram.ways(state)]
            self._of[state] = merged(pair for way in ways for pair in way.items())
        return self._of[state]

    def between(self, a: State, b: State) -> Pairs:
        """The pairs of a situation of one state and one of another, each counted from the first of its state."""
        if a == b:
            return {0: (1 << self.diagram.size[a]) - 1}
        if (a, b) not in self._between:
            first, second = self.diagram.question[a], self.diagram.question[b]
            if first == second:
                of_b = {answer: (y, other) for answer, y, other in self.diagram.ways(b)}
                along = [(x, one, *of_b[answer]) for answer, x, one in self.diagram.ways(a) if answer in of_b]
            elif first < second:
                along = [(x, one, 0, b) for _, x, one in self.diagram.ways(a)]
            else:
                along = [(0, a, y, other) for _, y, other in self.diagram.ways(b)]
            ways = [_moved(x, y, self.between(one, other)) for x, one, y, other in along]
            self._between[a, b] = merged(pair for way in ways for pair in way.items())
        return self._between[a, b]


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
