"""Every situation that an interview can tell apart, as sets: each complete way through its questions once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import accumulate, product
from typing import Any, Final, TypeAlias

from facts.cards import Seat
from facts.errors import InputError, Place, RulesError
from facts.form import NOWHERE
from facts.incident import Finding, Incident
from kb.engine.sets import Bits
from kb.space.bits import first, lacking_marks, merged, union
from kb.space.choices import meant
from kb.space.decision_diagram import Diagram, Edge, State
from kb.space.interview import REVOKE_NAMES, Interview, Question
from kb.space.layout import FindingKey, Layout, Situations, ValueBits
from kb.space.seating import DECLARER, MIDDLE, Seating

MOST_SITUATIONS: Final = 4_000_000
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
        self.diagram, self.root = part or _every_way(self.questions)
        self.everything: Bits = (1 << len(self)) - 1

    def __len__(self) -> int:
        return self.diagram.size[self.root]

    @cached_property
    def by_answer(self) -> tuple[Mapping[str | None, Bits], ...]:
        """For each question the situations of every answer to it; None: it is not asked."""
        asked: list[dict[str | None, Bits]] = [
            dict.fromkeys((None, *question.answers), 0) for question in self.questions
        ]
        for (question, answer), bits in self._masks(self.root, {}).items():
            asked[question][answer] = bits
        for answers in asked:
            answers[None] = self.everything & ~union(answers.values())
        return tuple(asked)

    def _masks(self, state: State, memo: dict[State, dict[tuple[int, str], Bits]]) -> Mapping[tuple[int, str], Bits]:
        """Question and answer -> the situations of a state, counted from its first; ``memo``: of states seen."""
        if state not in memo:
            masks: dict[tuple[int, str], Bits] = {}
            for answer, start, below in self.diagram.ways(state):
                masks[self.diagram.question[state], answer] = ((1 << self.diagram.size[below]) - 1) << start
                for key, bits in self._masks(below, memo).items():
                    masks[key] = masks.get(key, 0) | bits << start
            memo[state] = masks
        return memo[state]

    @cached_property
    def _by_unusual(self) -> list[Bits]:
        """The situations with none, one, two … answers that are not the ordinary ones; of many part by part."""
        if len(self) > PART:
            by_n = merged((n, bits << start) for start, part in self.parts() for n, bits in enumerate(part._by_unusual))
            return [by_n[number] for number in range(len(by_n))]
        asked = zip(self.questions, self.by_answer, strict=True)
        usual = (answers[[*question.answers][0]] | answers[None] for question, answers in asked)
        return lacking_marks(self.everything, usual)

    @property
    def each(self) -> tuple[Universe, ...]:
        """As of several."""
        return (self,)

    def parts(self, most: int = PART) -> Iterator[tuple[int, Universe]]:
        """The universe in parts of at most so many situations, if it can be, each with the number of its first.

        What holds in few situations of a large universe takes as much time and room as what holds in many.
        """
        if len(self) <= most:
            yield 0, self
            return
        for answer, begin, below in self.diagram.ways(self.root):
            for start, part in Universe(self.interview, (self.diagram, below)).parts(most):
                root = self.diagram.node(self.diagram.question[self.root], [(answer, part.root)])
                yield begin + start, Universe(self.interview, (self.diagram, root))

    def answers(self, number: int) -> dict[str, str]:
        """The answers of a situation, without the questions not asked."""
        state, answers = self.root, dict[str, str]()
        while ways := [*self.diagram.ways(state)]:
            answer, start, below = [way for way in reversed(ways) if way[1] <= number][0]
            answers[self.questions[self.diagram.question[state]].id] = answer
            state, number = below, number - start
        return answers

    def incident(self, number: int) -> Incident:
        """The incident of a situation."""
        return self.interview.incident(self.answers(number))

    def unusual(self, number: int, lang: str, none: str = "nothing unusual happened") -> str:
        """The answers of a situation that are not the ordinary ones, in words; ``none`` where there are none."""
        answers = self.answers(number)
        statements = [
            f"{question.about[lang]} {question.answers[answers[question.id]].says[lang]}"
            for question in self.questions
            if answers.get(question.id, [*question.answers][0]) != [*question.answers][0]
        ]
        return "; ".join(statements) or none

    def least_unusual(self, situations: Bits, most: int) -> Bits:
        """Those of a set, which must not be empty, with the fewest unusual answers; ``most``: numbers of them."""
        return union([bits & situations for bits in self._by_unusual if bits & situations][:most])

    def plainest(self, situations: Bits) -> int:
        """The situation of a set, which must not be empty, with the fewest unusual answers; of several the first."""
        for bits in self._by_unusual:
            if bits & situations:
                return first(bits & situations)
        raise ValueError("of no situation")


def _every_way(questions: tuple[Question, ...]) -> tuple[Diagram, State]:
    """The diagram of every way through an interview."""
    needs = [(*step.when, *(need for answer in step.answers.values() for need in answer.when)) for step in questions]
    later = [{name for group in needs[number:] for need in group for name in need} for number in range(len(questions))]
    """For each question those on which it or any after it depends."""
    diagram, states = Diagram(), dict[object, State]()

    def state_after(answers: dict[str, str], number: int) -> State:
        """The ways on from a question, after these answers."""
        if number == len(questions):
            return diagram.end(0)
        key = (number, *[answers.get(earlier.id) for earlier in questions[:number] if earlier.id in later[number]])
        if key not in states:
            question, edges, size = questions[number], list[Edge](), 0
            for answer in question.choices(answers):
                below = state_after({**answers, question.id: answer.id}, number + 1)
                edges.append((answer.id, below))
                size += diagram.size[below]
            if size > MOST_SITUATIONS or len(states) > MOST_BLOCKS:
                ways = f"{MOST_SITUATIONS:,} ways to answer"
                problem = f"up to this question there are more than {ways}, or too many sorts of them"
                raise RulesError.of(questions[-1].place, problem, "ask less, or only where it matters, with when:")
            states[key] = diagram.node(number, edges) if edges else state_after(answers, number + 1)
        return states[key]

    return diagram, state_after({}, 0)


Pairs: TypeAlias = Mapping[int, Bits]
"""How far the second of a pair lies after the first, or before it where it is negative -> the first ones."""
Steps: TypeAlias = Collection[tuple[str, str]]
"""The answers of the first and the second."""


def shifted(bits: Bits, distance: int) -> Bits:
    """The situations from which this distance leads into a set."""
    return bits >> distance if distance >= 0 else bits << -distance


def pairs(universe: Universe, question: str, steps: Steps) -> Pairs:
    """The pairs that answer a question so, and otherwise alike what both are asked."""
    asked = [number for number, candidate in enumerate(universe.questions) if candidate.id == question][0]
    diagram, by_states = universe.diagram, dict[tuple[State, State, bool], Pairs]()

    def between(a: State, b: State, differ: bool) -> Pairs:
        """Those of a situation of one state and one of another, each counted from the first of its state; ``differ``:
        whether the question has been answered, without which both states are the same."""
        if a == b and differ:
            return {0: (1 << diagram.size[a]) - 1}
        of_a, of_b = diagram.question[a], diagram.question[b]
        if not differ and of_a > asked:
            return {}
        if (a, b, differ) not in by_states:
            along = product(
                diagram.ways(a) if of_a <= of_b else [("", 0, a)], diagram.ways(b) if of_b <= of_a else [("", 0, b)]
            )
            by_states[a, b, differ] = merged(
                (distance + y - x, bits << x)
                for (answer_a, x, below_a), (answer_b, y, below_b) in along
                if of_a != of_b or ((answer_a, answer_b) in steps if of_a == asked else answer_a == answer_b)
                for distance, bits in between(below_a, below_b, differ or of_a == asked).items()
            )
        return by_states[a, b, differ]

    return between(universe.root, universe.root, differ=False)


class Universes:
    """Those of several matters, one after the other: the situations are added up, and numbered on."""

    def __init__(self, each: Sequence[Universe]) -> None:
        self.each = each
        self.starts = [*accumulate((len(one) for one in each), initial=0)]

    def __len__(self) -> int:
        return self.starts[-1]

    def parts(self) -> Iterator[tuple[int, Universe]]:
        """As of one."""
        for start, one in zip(self.starts, self.each, strict=False):
            yield from ((start + first, part) for first, part in one.parts())

    def of(self, number: int) -> tuple[Universe, int]:
        """Where a situation lies, and its number there."""
        at = bisect_right(self.starts, number) - 1
        return self.each[at], number - self.starts[at]

    def plainest(self, of: Bits) -> int:
        """The situation with the fewest unusual answers, of the first matter that has any."""
        at = bisect_right(self.starts, (of & -of).bit_length() - 1) - 1
        here = of >> self.starts[at] & (1 << len(self.each[at])) - 1
        return self.starts[at] + self.each[at].plainest(here)

    def answers(self, number: int) -> dict[str, str]:
        universe, own = self.of(number)
        return universe.answers(own)

    def incident(self, number: int) -> Incident:
        universe, own = self.of(number)
        return universe.incident(own)

    def unusual(self, number: int, lang: str, none: str) -> str:
        universe, own = self.of(number)
        return universe.unusual(own, lang, none)


def observed(universe: Universe) -> Situations:
    """Every situation of a universe.

    InputError when some answers leave out whose card it was, or say something twice.
    """
    stated, table, values = _stated(universe), universe.interview.table, dict[FindingKey, dict[Any, Bits]]()
    layout = Layout(Incident(place=NOWHERE, declarer=DECLARER), table, values, universe.everything)

    if "trick" not in table.names:  # any stands for all
        stated |= {(number, "trick"): {MIDDLE: universe.everything} for number, _ in [*stated]}
    for number, there in _present(stated, universe.interview.place):
        values[number, "hand"] = merged(_hands(stated, number, there, table.parts))
        values[number, "trick"] = stated[number, "trick"]
        places = [*layout.places(number)]
        for kind in table.findings.values():
            # of an answer that leaves several values the first, seen from the hand that revoked
            values[number, kind.id] = merged(
                (meant(kind, value, place, table)[0], here)
                for (value, where), (place, of_place) in product(stated.get((number, kind.id), {}).items(), places)
                if (here := where & of_place)
            )
        for kind in table.findings.values():
            unsaid = there & ~union(stated.get((number, kind.id), {}).values())
            conditions = [
                union(bits for value, bits in values.get((number, name), {}).items() if value in wanted)
                for name, wanted in kind.presumption.unless.items()
            ]
            if conditions:
                unsaid &= ~reduce(int.__and__, conditions)
            if kind.presumed is not None and unsaid:
                by_value = values[number, kind.id]
                by_value[kind.presumed] = by_value.get(kind.presumed, 0) | unsaid
    return layout.situations


def _stated(universe: Universe) -> dict[FindingKey, dict[Any, Bits]]:
    """What is said of each revoke, as the answers say it, and where."""
    by_key: dict[FindingKey, dict[Any, Bits]] = {}
    for question, by_answer in zip(universe.questions, universe.by_answer, strict=True):
        for answer in question.answers.values():
            fills = {(filling.revoke, filling.key): filling for filling in (*answer.fills, *answer.stands)}
            for key, filling in fills.items() if by_answer[answer.id] else ():
                by_value = by_key.setdefault(key, {})
                if union(by_value.values()) & by_answer[answer.id]:
                    problem = f"{filling.key} has been filled in by an earlier answer"
                    raise InputError.of(filling.place, problem, "fill it in once on every way")
                by_value[filling.value] = by_value.get(filling.value, 0) | by_answer[answer.id]
    return by_key


def _present(stated: ValueBits, place: Place) -> Iterator[tuple[int, Bits]]:
    """The revokes of which anything is said, and where."""
    for number in range(len(REVOKE_NAMES)):
        there = union(bits for (nth, _), by_value in stated.items() if nth == number for bits in by_value.values())
        for key in ("player", "trick"):
            if there & ~union(stated.get((number, key), {}).values()):
                part = REVOKE_NAMES[number]
                mend = f"fill in {part}: {{{key}: …}} by every answer to some question, or let it stand"
                raise InputError.of(place, f"after some answers the {part} revoke has no {key}", mend)
        if there:
            yield number, there


def _hands(stated: ValueBits, number: int, there: Bits, parts: Collection[str]) -> Iterator[tuple[Seat, Bits]]:
    """One hand for each part that the player of a revoke may have, seen from that of the first."""
    for first_player, of_first in stated[0, "player"].items():
        for player, where in stated[number, "player"].items():
            if here := there & of_first & where:
                players = (first_player, player) if number else (player,)
                incident = Incident(place=NOWHERE, revokes=tuple(Finding(player=part) for part in players))
                yield Seating(incident, parts).hands[-1][0], here
