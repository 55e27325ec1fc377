"""What the questions of an interview leave possible, and which of them tells most about the ruling."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from kb.interview.survey import Survey
from kb.space.decision_diagram import State


class Adviser:
    """A survey, and what of it has been looked up."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.diagram = survey.diagram
        self.questions = tuple(survey.interview.questions.values())
        self.number = {question.id: number for number, question in enumerate(self.questions)}
        self.ordinary = tuple(next(iter(question.answers)) for question in self.questions)
        """The ordinary answer to each question."""
        self._mattering: dict[State, State] = {}
        self._among: dict[tuple[State, int, frozenset[str]], State | None] = {}
        self._answers: dict[tuple[State, int], frozenset[str]] = {}
        self._usual: dict[tuple[State, frozenset[int]], State] = {}
        self._doubts: dict[State, float] = {}

    def mattering(self, state: State) -> State:
        """A state without the questions that make no difference in it."""
        if state not in self._mattering:
            self._mattering[state] = self.diagram.mattering(state)
        return self._mattering[state]

    def among(self, state: State, question: int, answers: frozenset[str]) -> State | None:
        """The situations in which a question has one of these answers; None if there are none."""
        key = (state, question, answers)
        if key not in self._among:
            self._among[key] = self.diagram.given(state, question, answers)
        return self._among[key]

    def answers(self, state: State, question: int) -> frozenset[str]:
        """The answers still possible to a question."""
        key = (state, question)
        if key not in self._answers:
            self._answers[key] = frozenset(self.diagram.answers(state, question))
        return self._answers[key]

    def usual(self, state: State, questions: frozenset[int]) -> State:
        """The situations in which each of these questions has its ordinary answer."""
        key = (state, questions)
        if key not in self._usual:
            self._usual[key] = self.diagram.usual(state, questions)
        return self._usual[key]

    def likeliest(self, state: State, questions: Sequence[int]) -> int:
        """Of these questions, all of which make sense in a state, the one that leaves the least doubt about the ruling.

        Every situation counts the same.
        """
        return min(questions, key=lambda question: (self._doubt(state, question), question))

    def _doubt(self, state: State, question: int) -> float:
        """How uncertain the ruling will be after a question, in bits times situations."""
        doubt = 0.0
        for answer, situations in self.diagram.answers(state, question).items():
            after = self.among(state, question, frozenset({answer}))
            assert after is not None
            doubt += situations * self._uncertainty(self.mattering(after))
        return round(doubt, 6)

    def _uncertainty(self, state: State) -> float:
        if state not in self._doubts:
            counts = self.diagram.chances(state).values()
            whole = sum(counts)
            self._doubts[state] = -sum(n * log2(n / whole) for n in counts) / whole
        return self._doubts[state]
