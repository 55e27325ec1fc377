"""The questions that are left in the one-page chart, each with what an established revoke costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from kb.chart.boxes import ChartBox, ChartWay, Effect, Given
from kb.chart.ordinary import Ordinary
from kb.engine.sets import Bits
from kb.space.decision_diagram import Diagram, State

Above: TypeAlias = Mapping[State, list[tuple[State, Given]]]
"""For each question the ones from which it is reached, each with the answers that lead to it."""
Costing: TypeAlias = Callable[[Bits, Effect], tuple[str, ...]]
"""The laws of what is cost in some situations, or of why it is nothing."""


def core_boxes(
    of: Ordinary, core: Bits, costs: Mapping[Effect, Bits], costing: Costing, at: int
) -> tuple[ChartBox, ...]:
    """The boxes for these situations, the first with the number ``at``."""
    return tuple(_Core(of, costs, costing, at).boxes(core))


class _Core:
    """The smallest diagram of the costs; what asks the same after different answers to one question is one box."""

    def __init__(self, of: Ordinary, costs: Mapping[Effect, Bits], costing: Costing, at: int) -> None:
        self.of, self.costs, self.costing, self.at = of, costs, costing, at
        self.diagram, self.root = of.tree([*costs.values()])
        self.nodes = [node for node in self.diagram.below(self.root) if self.diagram.outcome[node] < 0]
        self.above: Above = {node: [] for node in self.nodes}
        for node in self.nodes:
            for below, answers in _grouped(self.diagram, node):
                if below in self.above:
                    self.above[below].append((node, self._given(node, answers)))
        boxes = dict.fromkeys(map(self._box, self.nodes))
        at_box = {box: at + n for n, box in enumerate(boxes)}
        self.numbers = {node: at_box[self._box(node)] for node in self.nodes}

    def _given(self, node: State, answers: tuple[str, ...]) -> Given:
        return self.of.questions[self.diagram.question[node]].id, answers

    def _box(self, node: State) -> object:
        above = self.above[node]
        return (self.diagram.question[node], above[0][0]) if len(above) == 1 else node

    def boxes(self, core: Bits) -> Iterator[ChartBox]:
        """Each with the answers that lead on or to an end."""
        if not self.nodes:  # every one costs the same
            (cost,) = self.costs
            yield ChartBox(self.at, "core", "right", (ChartWay((), self.costing(core, cost), 0, cost),))
        where = {self.root: core}
        found: dict[int, list[ChartWay]] = {number: [] for number in self.numbers.values()}
        for node in self.nodes:
            found[self.numbers[node]] += self._ways(node, where)
        yield from (ChartBox(number, "core", "right", tuple(ways)) for number, ways in found.items())

    def _ways(self, node: State, where: dict[State, Bits]) -> Iterator[ChartWay]:
        """The ways on from a question; ``where``: the situations in which each is asked, as far as is known."""
        several = [*self.numbers.values()].count(self.numbers[node]) > 1
        before = (self.above[node][0][1],) if several else ()
        question = self.diagram.question[node]
        for below, answers in _grouped(self.diagram, node):
            bits = where[node] & self.of.given((question, answer) for answer in answers)
            where[below] = where.get(below, 0) | bits
            given = (*before, self._given(node, answers))
            if below in self.numbers:
                yield ChartWay(given, (), self.numbers[below])
            else:
                cost = [*self.costs][self.of.ends[self.diagram.outcome[below]]]
                yield ChartWay(given, self.costing(bits & self.costs[cost], cost), 0, cost)


def _grouped(diagram: Diagram, node: State) -> Iterator[tuple[State, tuple[str, ...]]]:
    """Where the answers to a question lead; those that lead to the same place together."""
    found: dict[State, tuple[str, ...]] = {}
    for answer, below, _ in diagram.edges[node]:
        found[below] = (*found.get(below, ()), answer)
    return iter(found.items())
