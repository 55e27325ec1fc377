"""The decision chart of each shipped edition, followed as somebody with the answers of a situation would."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kb.chart.chart import chart
from kb.chart.parts import ChartPart, Figure, FigureBox, Said
from kb.language.known import STATUS
from support.counsel import counsel_of


@cache
def chart_of(code: str) -> tuple[ChartPart, ...]:
    """Made once for all tests; «edition» or «edition+election»."""
    return chart(counsel_of(code))


def figures_of(*parts: ChartPart) -> list[Figure]:
    """All figures, those of the first part first."""
    first = [part.first for part in parts if part.first is not None]
    return [*first, *(figure for part in parts for case in part.cases for figure in case.figures)]


def boxes_of(part: ChartPart) -> list[FigureBox]:
    """Its boxes, in their order."""
    return [box for figure in figures_of(part) for box in figure.boxes()]


def followed(box: FigureBox, answers: Mapping[str, str]) -> FigureBox:
    """The end that the answers lead to; KeyError or StopIteration where the chart has no way for them."""
    while box.question:
        said = answers[box.question]
        box = next(below for some, below in box.ways if said in some)
    return box


def told(chart: tuple[ChartPart, ...], answers: Mapping[str, str]) -> tuple[frozenset[Said], tuple[str, ...]]:
    """Everything that the chart says of a situation, and the laws that it only reminds of."""
    first, second = chart
    assert first.first is not None
    end = followed(first.first.root, answers).told
    case = next((case for case in first.cases if case.told == end), None) or second.cases[0]
    said = case.told.union(*(followed(figure.root, answers).told for figure in case.figures))
    return frozenset(one for one in said if one[0] != STATUS), case.notes
