"""Everything that an interview under one edition needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import RLock

from facts.incident import Incident
from kb.interview.session import Adviser, Consultation
from kb.interview.survey import survey
from kb.interview.why_asked import Explaining
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.interview import Interview
from kb.space.read_interview import load_interview


@dataclass(frozen=True)
class Counsel:
    """The questions of an interview, why they are asked, and what they end in."""

    law: Law
    adviser: Adviser
    explaining: Explaining

    lock: RLock = field(default_factory=RLock, compare=False)
    """To be held while it is talked to by one of several threads: it learns as it goes."""

    @staticmethod
    def of(law: Law) -> Counsel:
        """The interview under a law; RulesError with every fault of ``interview.yaml``."""
        adviser = Adviser(survey(law.edition, load_interview(law.root, law.edition)))
        return Counsel(law, adviser, Explaining(law, adviser))

    @property
    def interview(self) -> Interview:
        """The questions."""
        return self.adviser.survey.interview

    def settled(self, consultation: Consultation) -> bool:
        """Whether just one ruling is possible."""
        return len(consultation.outcomes) == 1

    def stated(self, consultation: Consultation) -> Incident:
        """What has been answered, with what follows from it, and no more."""
        return self.interview.incident({**consultation.known, **consultation.implied()})

    def ruling(self, answers: dict[str, str]) -> Ruling:
        """The ruling on what these answers say; InputError when they contradict each other."""
        return rule(self.law, self.interview.incident(answers))
