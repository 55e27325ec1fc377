"""Which question comes next: the one after which the fewest further questions are to be expected.

Every situation counts the same. Where few enough are left the best question is found by trying all of them to the
end: the best on average, then in the worst case, then the first of the interview. Where many are left it is the one
that leaves the least doubt about the ruling. A question whose answer makes no difference, or is known, is no candidate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2
from typing import Final, TypeAlias

from kb.space.decision_diagram import Diagram, State

EXACT: Final = 30
"""States of so many nodes or fewer are planned to the end."""

Cost: TypeAlias = tuple[int, int]
"""Questions still to be asked: the sum over all situations, and at most."""


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """One answer to a question."""

    answer: str
    state: State
    """What is left after it, without the questions that no longer matter."""
    situations: int
    """In how many situations it is given."""


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A question asked in some state; one branch for each answer that is still possible."""

    question: int
    branches: tuple[PlannedAnswer, ...]


class Planner:
    """Plans over one diagram; what has been worked out is kept."""

    def __init__(self, diagram: Diagram, exact: int = EXACT) -> None:
        self.diagram = diagram
        self.exact = exact
        self._best: dict[State, PlannedQuestion | None] = {}
        self._costs: dict[State, Cost] = {}
        self._doubts: dict[State, float] = {}
        self._sizes: dict[State, int] = {}

    def best(self, state: State) -> PlannedQuestion | None:
        """The best question in a state without questions that do not matter; None when nothing is left to be asked."""
        if state not in self._best:
            steps = list(self._steps(state, self.diagram.askable(state)))
            few = len(steps) > 1 and len(self.diagram.below(state)) <= self.exact
            if few:
                steps.sort(key=self._doubt)
                self._best[state] = self._cheapest(steps)
            else:
                self._best[state] = min(steps, key=self._doubt, default=None)
        return self._best[state]

    def likeliest(self, state: State, questions: Sequence[int]) -> int:
        """Of these questions, all of which make sense in a state, the one that leaves the least doubt."""
        return min(self._steps(state, questions), key=self._doubt).question

    def cost(self, state: State) -> Cost:
        """The questions that will still be asked."""
        step = self.best(state)
        if step is None:
            return 0, 0
        if state not in self._costs:
            cost = self._asking(step, None)
            assert cost is not None
            self._costs[state] = cost
        return self._costs[state]

    def size(self, state: State) -> int:
        """How many questions and ends the whole plan from a state on has, the same ones on different ways counted."""
        if state not in self._sizes:
            step = self.best(state)
            self._sizes[state] = 1 + sum(self.size(branch.state) for branch in (step.branches if step else ()))
        return self._sizes[state]

    def _steps(self, state: State, questions: Sequence[int]) -> Iterator[PlannedQuestion]:
        """Each of these questions as it may be asked."""
        for question in questions:
            answers = self.diagram.answers(state, question)
            yield PlannedQuestion(
                question,
                tuple(PlannedAnswer(said, self.after(state, question, said), n) for said, n in answers.items()),
            )

    def after(self, state: State, question: int, answer: str) -> State:
        """What is left after a possible answer."""
        narrowed = self.diagram.given(state, question, {answer})
        assert narrowed is not None
        return self.diagram.mattering(narrowed)

    def _doubt(self, step: PlannedQuestion) -> tuple[float, int]:
        """How uncertain the ruling will be after a question, in bits times situations; then which question it is."""
        doubt = sum(branch.situations * self._uncertainty(branch.state) for branch in step.branches)
        return round(doubt, 6), step.question

    def _uncertainty(self, state: State) -> float:
        if state not in self._doubts:
            counts = self.diagram.chances(state).values()
            whole = sum(counts)
            self._doubts[state] = -sum(n * log2(n / whole) for n in counts) / whole
        return self._doubts[state]

    def _cheapest(self, steps: list[PlannedQuestion]) -> PlannedQuestion:
        best, least = steps[0], self._asking(steps[0], None)
        for step in steps[1:]:
            cost = self._asking(step, least)
            if cost is not None and (least is None or (cost, step.question) < (least, best.question)):
                best, least = step, cost
        return best

    def _asking(self, step: PlannedQuestion, least: Cost | None) -> Cost | None:
        """What it costs to ask; None as soon as that is more than the least known."""
        unsettled = [branch for branch in step.branches if self.diagram.outcome[branch.state] < 0]
        total = sum(b.situations for b in step.branches) + sum(b.situations for b in unsettled)
        worst = 1
        for branch in sorted(unsettled, key=lambda branch: -branch.situations):
            if least is not None and total > least[0]:
                return None
            further, most = self.cost(branch.state)
            alike = self.diagram.weight[branch.state]
            total += (further - alike) * (branch.situations // alike)
            worst = max(worst, 1 + most)
        return total, worst
