"""Everything that an interview under one law needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import RLock

from kb.interview.adviser import Adviser
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.interview import Interview
from kb.space.outcome import EditionRun
from kb.space.read_interview import load_interview
from kb.space.universe import Universe, observed


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
    def of(law: Law) -> Counsel:
        """The interview under a law; RulesError with every fault of ``interview.yaml``."""
        universe = Universe(load_interview(law.root, law.edition))
        run = EditionRun(law.edition, observed(universe))
        return Counsel(law, universe, run, Adviser(universe, run.acts.values()))

    @property
    def interview(self) -> Interview:
        """The questions."""
        return self.universe.interview

    def ruling(self, answers: dict[str, str]) -> Ruling:
        """The ruling on what these answers say; InputError when they contradict each other."""
        return rule(self.law, self.interview.incident(answers))
