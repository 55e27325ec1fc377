"""Every situation of an interview under one law, and what each comes to."""

from __future__ import annotations

from array import array
from collections.abc import Collection
from dataclasses import dataclass, field
from threading import RLock

from facts.errors import InputError, did_you_mean
from facts.table import REVOKE
from kb.engine.sets import Bits
from kb.ruling.laws import Law
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.space.bits import members
from kb.space.decision_diagram import Diagram, State
from kb.space.interview import Interview
from kb.space.outcomes import EditionRun
from kb.space.read_interview import load_interview
from kb.space.universe import Universe, observed


class Adviser:
    """The situations as a diagram that tells those of different outcomes apart."""

    def __init__(self, universe: Universe, outcomes: Collection[Bits]) -> None:
        """``outcomes``: for each outcome its situations."""
        self.interview, self.diagram = universe.interview, Diagram()
        outcome = array("L", bytes(array("L").itemsize * len(universe)))
        for number, bits in enumerate(outcomes):
            for situation in members(bits):
                outcome[situation] = number
        self.whole: State = self.diagram.of(universe.diagram, universe.root, outcome)
        """Every situation, with every question."""
        self.questions = universe.questions
        self.number = {question.id: number for number, question in enumerate(self.questions)}
        self.ordinary = tuple([*question.answers][0] for question in self.questions)
        """The ordinary answer to each question."""

    def answers(self, state: State, question: str) -> frozenset[str]:
        """The answers still possible to a question."""
        return self.diagram.answers(state, self.number[question])


@dataclass(frozen=True)
class Counsel:
    """The questions of an interview, and what every situation of it comes to."""

    law: Law
    universe: Universe
    run: EditionRun
    """Of all situations."""
    adviser: Adviser

    lock: RLock = field(default_factory=RLock, compare=False)
    """To be held while it is talked to by one of several threads: it learns as it goes."""

    @staticmethod
    def of(law: Law, matter: str = REVOKE) -> Counsel:
        """The interview of a matter under a law; RulesError with every fault of ``interview.yaml``, InputError where
        the law has no rules on it."""
        if matter not in law.edition.matters:
            what = f"{law.edition.id} has no rules on {matter[:80]}"
            raise InputError.of("of", what, did_you_mean(matter[:80], law.edition.matters))
        universe = Universe(load_interview(law.root, law.edition, of=matter))
        run = EditionRun(law.edition, observed(universe))
        return Counsel(law, universe, run, Adviser(universe, run.acts.values()))

    @property
    def interview(self) -> Interview:
        """The questions."""
        return self.universe.interview

    def ruling(self, answers: dict[str, str]) -> Ruling:
        """The ruling on what these answers say; InputError when they contradict each other."""
        return rule(self.law, self.interview.incident(answers))
