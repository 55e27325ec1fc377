"""Every situation of an interview, with what each comes to."""

from __future__ import annotations

from array import array
from collections.abc import Collection

from kb.engine.sets import Bits
from kb.space.bits import members
from kb.space.decision_diagram import Diagram, State
from kb.space.universe import Universe


class Adviser:
    """The situations as a diagram that tells those of different outcomes apart."""

    def __init__(self, universe: Universe, outcomes: Collection[Bits]) -> None:
        """``outcomes``: for each outcome its situations."""
        self.interview, self.diagram = universe.interview, Diagram()
        self.where = tuple(outcomes)
        """For each outcome its situations."""
        self.outcome = array("L", bytes(array("L").itemsize * len(universe)))
        """Of each situation."""
        for number, bits in enumerate(self.where):
            for situation in members(bits):
                self.outcome[situation] = number
        self.whole: State = self.diagram.of(universe.root, self.outcome)
        """Every situation, with every question."""
        self.questions = universe.questions
        self.number = {question.id: number for number, question in enumerate(self.questions)}
        self.ordinary = tuple(next(iter(question.answers)) for question in self.questions)
        """The ordinary answer to each question."""

    def answers(self, state: State, question: str) -> frozenset[str]:
        """The answers still possible to a question."""
        return self.diagram.answers(state, self.number[question])
