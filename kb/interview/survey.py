"""Every situation of the interview ruled on under one edition, as a diagram."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from kb.language.model import Edition
from kb.space.bits import first, members
from kb.space.decision_diagram import Diagram, State
from kb.space.interview import Interview
from kb.space.outcome import EditionRun
from kb.space.universe import Universe, observed


@dataclass(frozen=True)
class Survey:
    """What every situation comes to under an edition."""

    run: EditionRun
    interview: Interview
    diagram: Diagram
    whole: State
    """Every situation, with every question."""
    examples: tuple[tuple[tuple[str, str], ...], ...]
    """For each outcome the questions and answers of the first situation that has it."""

    @property
    def edition(self) -> Edition:
        """The law of the rulings."""
        return self.run.edition


def survey(edition: Edition, interview: Interview) -> Survey:
    """Rules on all situations."""
    universe = Universe(interview)
    run = EditionRun(edition, observed(universe))
    found = run.acts
    outcomes = array("L", bytes(array("L").itemsize * len(universe)))
    for number, bits in enumerate(found.values()):
        for situation in members(bits):
            outcomes[situation] = number
    diagram = Diagram()
    whole = diagram.of(universe.root, outcomes)
    examples = tuple(tuple(universe.answers(first(bits)).items()) for bits in found.values())
    return Survey(run, interview, diagram, whole, examples)
