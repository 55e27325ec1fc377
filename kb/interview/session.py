"""The interview as it goes: what has been answered, what is asked next, and what it ends in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from kb.interview.planner import PlannedQuestion, Planner
from kb.interview.survey import Survey
from kb.space.decision_diagram import State
from kb.space.interview import UNKNOWN, Question


class Adviser:
    """A survey with its planner."""

    def __init__(self, survey: Survey, planner: Planner | None = None) -> None:
        self.survey = survey
        self.diagram = survey.diagram
        self.planner = planner or Planner(survey.diagram)
        self.questions = tuple(survey.interview.questions.values())
        self.number = {question.id: number for number, question in enumerate(self.questions)}
        self.ordinary = tuple(next(iter(question.answers)) for question in self.questions)
        """The ordinary answer to each question."""
        self._mattering: dict[State, State] = {}
        self._among: dict[tuple[State, int, frozenset[str]], State | None] = {}
        self._answers: dict[tuple[State, int], frozenset[str]] = {}
        self._usual: dict[tuple[State, frozenset[int]], State] = {}
        self.start: State = self.mattering(survey.whole)

    def begin(self) -> Consultation:
        """An interview before its first question."""
        return Consultation(self)

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

    def narrowed(self, answers: Mapping[str, str]) -> State | None:
        """The situations, with every question, that agree with these answers; None if none does."""
        state: State | None = self.survey.whole
        for question, answer in answers.items():
            if state is None:
                break
            state = self.among(state, self.number[question], frozenset({answer}))
        return state

    def full(self, answers: Mapping[str, str]) -> dict[str, str]:
        """A whole situation that agrees with the answers, as ordinary as can be; KeyError if there is none.

        Answers to questions that are not asked in it are left out."""
        state = self.narrowed(answers)
        if state is None:
            raise KeyError(answers)
        return {self.questions[at].id: answer for at, answer in self.diagram.ordinary(state, self.ordinary)}


@dataclass(frozen=True)
class Consultation:
    """An interview at some point; immutable, so that to go back is to take an answer away."""

    adviser: Adviser
    given: tuple[tuple[str, str], ...] = ()
    """Questions and answers, in the order in which they were asked."""

    @cached_property
    def _walk(self) -> tuple[State, Mapping[str, str], frozenset[str]]:
        """Where the questions have led, by which answers, and which questions could not be answered.

        After a question that could not be answered those are asked that would follow its most ordinary answer."""
        state, followed, unknown = self.adviser.start, dict[str, str](), set[str]()
        for question, answer in self.given:
            step = self.adviser.planner.best(state)
            after = {branch.answer: branch.state for branch in step.branches} if step else {}
            if answer not in after:
                unknown.add(question)
                answers = self.adviser.survey.interview.questions[question].answers
                answer = next(said for said in answers if said in after)  # noqa: PLW2901
            state = after[answer]
            followed[question] = answer
        return state, followed, frozenset(unknown)

    @property
    def state(self) -> State:
        """What the next question is chosen from."""
        return self._walk[0]

    @property
    def unknown(self) -> frozenset[str]:
        """The questions to which «I don't know» leaves every answer possible."""
        return self._walk[2]

    @property
    def supposed(self) -> Mapping[str, str]:
        """The answers given, and the ordinary ones where none could be."""
        return self._walk[1]

    @cached_property
    def known(self) -> Mapping[str, str]:
        """The answers that say something."""
        return {question: answer for question, answer in self.given if question not in self.unknown}

    @cached_property
    def step(self) -> PlannedQuestion | None:
        """What is asked next, and where each answer leads; None at the end."""
        return self.adviser.planner.best(self.state)

    @property
    def question(self) -> Question | None:
        """What is asked next; None at the end."""
        return None if self.step is None else self.adviser.questions[self.step.question]

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers that are possible to it, in their order; «I don't know» is one besides."""
        if self.step is None or self.question is None:
            return ()
        possible = {branch.answer for branch in self.step.branches}
        return tuple(answer for answer in self.question.answers if answer in possible)

    def answer(self, answer: str) -> Consultation:
        """After an answer to the question, one of the choices or UNKNOWN; ValueError for any other."""
        if self.question is None or answer not in (*self.choices, UNKNOWN):
            raise ValueError(answer)
        return replace(self, given=(*self.given, (self.question.id, answer)))

    def back(self) -> Consultation:
        """Without the last answer; the beginning stays the beginning."""
        return replace(self, given=self.given[:-1])

    def restart(self) -> Consultation:
        """From the beginning."""
        return replace(self, given=())

    @cached_property
    def possible(self) -> State:
        """Every situation that the answers leave possible, with every question."""
        state = self.adviser.narrowed(self.known)
        assert state is not None
        return state

    @property
    def outcomes(self) -> frozenset[int]:
        """The outcomes that are still possible."""
        return self.adviser.diagram.outcomes(self.possible)

    def implied(self) -> dict[str, str]:
        """The answers given, and those that follow from them."""
        diagram, said = self.adviser.diagram, dict[str, str]()
        for number in diagram.askable(self.possible):
            answers = diagram.answers(self.possible, number)
            if len(answers) == 1:
                said[self.adviser.questions[number].id] = next(iter(answers))
        return said
