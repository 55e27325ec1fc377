"""Every situation of the interview ruled on under one edition, as a diagram."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from facts.ground import Fact
from facts.observe import observe
from kb.language.model import Edition
from kb.study.acting import Acts, acts
from kb.study.diagram import Diagram, State
from kb.study.interview import Interview
from kb.study.situations import Space
from kb.study.spread import spread
from kb.study.substitution import Ruler

Progress = Callable[[int, int], None]
"""Told how many situations have been ruled on, and of how many."""


@dataclass(frozen=True)
class Survey:
    """What every situation comes to."""

    edition: Edition
    interview: Interview
    diagram: Diagram
    whole: State
    """Every situation, with every question."""
    examples: tuple[tuple[tuple[str, str], ...], ...]
    """For each outcome the questions and answers of the first situation that has it."""


def survey(
    edition: Edition, interview: Interview, workers: int | None = None, progress: Progress | None = None
) -> Survey:
    """Rules on all situations; ``workers`` 1: in this process."""
    space = Space.of(interview)
    numbers: dict[Acts, int] = {}
    outcomes: list[int] = []
    for chunk in spread(_Rulings(space, Ruler(edition)), len(space), workers):
        own = [numbers.setdefault(found, len(numbers)) for found in chunk[0]]
        outcomes += [own[number] for number in chunk[1]]
        if progress is not None:
            progress(len(outcomes), len(space))
    diagram = Diagram()
    whole = diagram.of(space.ways, outcomes)
    return Survey(edition, interview, diagram, whole, _examples(space, outcomes))


def _examples(space: Space, outcomes: list[int]) -> tuple[tuple[tuple[str, str], ...], ...]:
    first: dict[int, int] = {}
    for number, outcome in enumerate(outcomes):
        first.setdefault(outcome, number)
    return tuple(tuple(space.answers(first[outcome]).items()) for outcome in range(len(first)))


class _Rulings:
    """The rulings on situations, each different one once."""

    def __init__(self, space: Space, ruler: Ruler) -> None:
        self.space = space
        self.ruler = ruler

    def chunk(self, numbers: range) -> tuple[list[Acts], list[int]]:
        """The different rulings, and which of them each situation has."""
        known: dict[Iterable[Fact], int] = {}
        found: dict[Acts, int] = {}
        which: list[int] = []
        for number in numbers:
            facts = observe(self.space.incident(number), self.ruler.engine.program.kinds)
            if facts not in known:
                known[facts] = found.setdefault(acts(self.ruler.run(facts)[0]), len(found))
            which.append(known[facts])
        return list(found), which
