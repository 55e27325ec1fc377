"""Following a decision chart as somebody with the answers of a situation would."""

from __future__ import annotations

from collections.abc import Mapping

from kb.study.chart.drawing import STATUS
from kb.study.chart.parts import Box, ChartPart, Said


def followed(box: Box, answers: Mapping[str, str]) -> Box:
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
    return frozenset(one for one in said if one[0] != STATUS[0]), case.notes
