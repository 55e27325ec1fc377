"""The chart of a matter: boxes with numbers, each a question whose answers lead to other boxes or to an end, made from
the rulings on every situation of its interview. That of a revoke is made otherwise (``ordinary_chart.py``).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias

from kb.engine.sets import Bits
from kb.interview.adviser import Counsel
from kb.ruling.ruling import Ruling
from kb.space.bits import members, merged, union
from kb.space.decision_diagram import Diagram, State
from kb.space.outcomes import OutcomeEntry

Cost: TypeAlias = frozenset[OutcomeEntry]
"""What a revoke costs: automatic tricks, points and choices."""
NO_COST: Final[Cost] = frozenset()
PLACE_FIELDS: Final = frozenset({"hand", "seat", "to", "trick"})
"""What an entry says of seats and tricks, and not of what is done."""
OfTwo: TypeAlias = Literal["", "second", "both"]
"""Which of two established revokes costs nothing; empty where a way is of one revoke."""
Pick: TypeAlias = tuple[int, str]
"""The number of a question, and an answer to it."""
BoxName: TypeAlias = Literal[
    "revoke",
    "unknown-to-law",
    "established",
    "late",
    "free",
    "core",
    "corrected",
    "cards",
    "all-the-same",
    "always",
    "laws",
]
ChartColumn: TypeAlias = Literal["whole", "left", "right", "flowing"]
Reply: TypeAlias = tuple[str, tuple[str, ...]]
"""A question, and any one of these answers to it."""


@dataclass(frozen=True, slots=True)
class ChartWay:
    """Answers that lead out of a box."""

    replies: tuple[Reply, ...]
    """All of these."""
    laws: tuple[str, ...]
    to: int
    """A box; 0: the end of the chart."""
    cost: Cost | None = None
    """What the revoke costs, at an end; None where it costs nothing and is none by this law."""
    of_two: OfTwo = ""
    ruling: Ruling | None = None
    """Of another matter than a revoke, the ruling at an end on the least unusual of its situations."""


@dataclass(frozen=True, slots=True)
class ChartBox:
    """One box; its number counts from 1."""

    number: int
    name: BoxName
    column: ChartColumn
    ways: tuple[ChartWay, ...] = ()
    laws: tuple[str, ...] = ()
    """The clauses told in a box without ways."""
    to: int = 0
    """The box that follows, where no way leads elsewhere; 0 where the column ends."""
    then: int = 0
    """The box for every established revoke whose cost is known here; 0 where there is none."""

    @property
    def asks(self) -> bool:
        return bool(self.ways) or self.name == "revoke"


class Chart:
    """Every situation of a matter; the last box has the clauses to which the others point."""

    joins = False
    """Whether a question asked after different answers to one question is asked in one box."""

    def __init__(self, counsel: Counsel) -> None:
        self.counsel = counsel
        self.run = counsel.run
        self.universe = counsel.universe
        self.questions = self.universe.questions

    @cached_property
    def boxes(self) -> tuple[ChartBox, ...]:
        """In the order of their numbers."""
        return tuple(self._boxes())

    def _boxes(self) -> Iterator[ChartBox]:
        asked = [*self._core(merged(self._done()), 1, self.universe.everything)]
        yield from (replace(box, column="flowing") for box in asked)
        laws = self._sorted(law for box in asked for way in box.ways for law in way.laws)
        yield ChartBox(len(asked) + 1, "laws", "whole", laws=laws)

    def _done(self) -> Iterator[tuple[Cost, Bits]]:
        """What is done with the card or call of whom, and where; which other seats it touches, its laws tell."""
        for acts, bits in self.run.acts.items():
            ruling = self.ruling(bits)
            whose = tuple(ruling.certainty.completions.values[0, "hand"])
            yield frozenset([*map(without_places, acts), whose, ruling.cited]), bits

    def any_given(self, answers: Iterable[Pick]) -> Bits:
        """Where any of these answers is given."""
        return union(self.universe.by_answer[number][answer] for number, answer in answers)

    def all_given(self, answers: Iterable[Pick]) -> Bits:
        """Where all of them are given."""
        bits = self.universe.everything
        for number, answer in answers:
            bits &= self.universe.by_answer[number][answer]
        return bits

    def ruling(self, among: Bits) -> Ruling:
        """The ruling on the least unusual of some situations, of one at least."""
        return self.counsel.ruling(self.universe.answers(self.universe.plainest(among)))

    def tree(self, classes: Sequence[Bits]) -> tuple[Diagram, State]:
        """The smallest diagram that tells these classes apart; its outcomes are their numbers."""
        outcomes = array("L", [len(classes)]) * len(self.universe)
        for number, bits in enumerate(classes):
            for situation in members(bits):
                outcomes[situation] = number
        whole, diagram = Diagram(), Diagram()
        top = whole.of(self.universe.diagram, self.universe.root, outcomes)
        copies: dict[State, State | None] = {}
        for node in reversed(whole.below(top)):
            if whole.outcome[node] >= 0:
                outcome = whole.outcome[node]
                copies[node] = diagram.end(outcome) if outcome < len(classes) else None
                continue
            edges = [(answer, copies[below]) for answer, below in whole.edges[node]]
            kept = [(answer, below) for answer, below in edges if below is not None]
            same = len({below for _, below in kept}) == 1
            copies[node] = None if not kept else kept[0][1] if same else diagram.node(whole.question[node], kept)
        root = copies[top]
        assert root is not None
        return diagram, root

    def _core(self, costs: Mapping[Cost, Bits], start: int, core: Bits) -> Iterator[ChartBox]:
        """The questions that tell the costs of some situations apart: the smallest diagram of them.

        What asks the same after different answers to one question is one box. The first has the number ``start``; all
        are for the situations ``core``.
        """
        diagram, root = self.tree([*costs.values()])
        nodes = [node for node in diagram.below(root) if diagram.outcome[node] < 0]
        if not nodes:  # every one costs the same
            (cost,) = costs
            yield ChartBox(start, "core", "right", (self._end((), core, cost),))
        above: dict[State, list[tuple[State, Reply]]] = {node: [] for node in nodes}
        """For each question the ones from which it is reached, each with the answers that lead to it."""
        for node in nodes:
            for below, answers in _grouped(diagram, node):
                if below in above:
                    above[below].append((node, (self.questions[diagram.question[node]].id, answers)))

        def box(node: State) -> object:
            led = above[node]
            return (diagram.question[node], led[0][0]) if len(led) == 1 and self.joins else node

        at_box = {group: start + n for n, group in enumerate(dict.fromkeys(map(box, nodes)))}
        numbers = {node: at_box[box(node)] for node in nodes}
        where = {root: core}
        """The situations in which each question is asked, as far as is known."""
        by_box: dict[int, list[ChartWay]] = {number: [] for number in numbers.values()}
        for node, number in numbers.items():
            question = diagram.question[node]
            earlier = (above[node][0][1],) if [*numbers.values()].count(number) > 1 else ()
            for below, answers in _grouped(diagram, node):
                bits = where[node] & self.any_given((question, answer) for answer in answers)
                where[below] = where.get(below, 0) | bits
                replies = (*earlier, (self.questions[question].id, answers))
                if below in numbers:
                    by_box[number].append(ChartWay(replies, (), numbers[below]))
                else:
                    cost = [*costs][diagram.outcome[below]]
                    by_box[number].append(self._end(replies, bits & costs[cost], cost))
        yield from (ChartBox(number, "core", "right", tuple(ways)) for number, ways in by_box.items())

    def _end(self, replies: tuple[Reply, ...], among: Bits, cost: Cost) -> ChartWay:
        """What is told where these answers end, in the situations ``among``, which all come to the same."""
        ruling = self.ruling(among)
        return ChartWay(replies, ruling.cited, 0, cost, ruling=ruling)

    def _laws(self, among: Bits, *sections: str) -> tuple[str, ...]:
        """By which laws; none of no situation."""
        if not among:
            return ()
        ruling = self.ruling(among)
        facts = (fact for section in sections for fact in ruling.facts(section))
        return self._sorted(law for fact in facts for law in ruling.citations.laws(fact))

    def _sorted(self, laws: Iterable[str]) -> tuple[str, ...]:
        order = list(self.run.edition.clauses)
        return tuple(sorted(set(laws), key=order.index))

    def _said(self, answers: tuple[Pick, ...]) -> tuple[Reply, ...]:
        return tuple((self.questions[number].id, (answer,)) for number, answer in answers)


def without_places(entry: OutcomeEntry) -> OutcomeEntry:
    """An entry whoever and whichever trick it is about."""
    return tuple(value for value in entry if not (isinstance(value, tuple) and value[0] in PLACE_FIELDS))


def _grouped(diagram: Diagram, node: State) -> Iterator[tuple[State, tuple[str, ...]]]:
    """Where the answers to a question lead; those that lead to the same place together."""
    by_state: dict[State, tuple[str, ...]] = {}
    for answer, below in diagram.edges[node]:
        by_state[below] = (*by_state.get(below, ()), answer)
    return iter(by_state.items())
