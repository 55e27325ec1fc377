"""Everything that an interview under one edition needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import RLock

from kb.interview.adviser import Adviser
from kb.interview.survey import survey
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.interview import Interview
from kb.space.read_interview import load_interview


@dataclass(frozen=True)
class Counsel:
    """The questions of an interview, and what they end in."""

    law: Law
    adviser: Adviser
    lock: RLock = field(default_factory=RLock, compare=False)
    """To be held while it is talked to by one of several threads: it learns as it goes."""

    @staticmethod
    def of(law: Law) -> Counsel:
        """The interview under a law; RulesError with every fault of ``interview.yaml``."""
        return Counsel(law, Adviser(survey(law.edition, load_interview(law.root, law.edition))))

    @property
    def interview(self) -> Interview:
        """The questions."""
        return self.adviser.survey.interview

    def ruling(self, answers: dict[str, str]) -> Ruling:
        """The ruling on what these answers say; InputError when they contradict each other."""
        return rule(self.law, self.interview.incident(answers))
