"""Measuring several things on a machine that does other work too: in turns, in CPU time, told as medians and ratios."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def microseconds(
    jobs: Mapping[str, Callable[[Any], object]], given: Mapping[str, Sequence[Any]], rounds: int
) -> dict[str, float]:
    """The median CPU time of each job for one item of those it is given; a round runs every job once."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for number in range(rounds + 1):
        for name, job in jobs.items():
            items = given[name]
            start = time.process_time()
            for item in items:
                job(item)
            if number:  # the first round only warms up
                times[name].append((time.process_time() - start) / len(items) * 1e6)
    return {name: statistics.median(all_) for name, all_ in times.items()}


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join([f"### {title}", "", *("| " + " | ".join(map(str, line)) + " |" for line in lines), ""])


def number(value: float) -> str:
    """Three digits that count."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
