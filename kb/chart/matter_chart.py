"""The chart of another matter than a revoke: its questions, each answer with the next one or with what then holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from facts.table import REVOKE
from kb.chart.chart import Chart, ChartBox, ChartWay, Cost, Reply, without_places
from kb.chart.ordinary_chart import OrdinaryChart
from kb.engine.sets import Bits
from kb.interview.adviser import Counsel
from kb.ruling.laws import Law
from kb.space.bits import merged


class MatterChart(Chart):
    """Every situation of a matter; the last box has the clauses to which the others point."""

    joins = False

    def __init__(self, counsel: Counsel) -> None:
        super().__init__(counsel)
        self.boxes = tuple(self._boxes())

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

    def _end(self, replies: tuple[Reply, ...], among: Bits, cost: Cost) -> ChartWay:
        ruling = self.ruling(among)
        return ChartWay(replies, ruling.cited, 0, cost, ruling=ruling)


def chart_of(law: Law, matter: str = REVOKE) -> Chart:
    """The chart of a matter; InputError where the law has no rules on it."""
    counsel = Counsel.of(law, matter)
    return OrdinaryChart(counsel) if matter == REVOKE else MatterChart(counsel)
