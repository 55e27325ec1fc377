"""Everything that an interview under one edition needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from facts.incident import Incident
from kb.interview.session import Adviser, Consultation
from kb.interview.survey import Survey, survey
from kb.interview.why_asked import Explaining
from kb.language.edition import load_edition
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

    @staticmethod
    def of(survey: Survey) -> Counsel:
        """From a survey."""
        adviser = Adviser(survey)
        law = Law(survey.edition, "python")
        return Counsel(law, adviser, Explaining(law, adviser))

    @staticmethod
    def load(root: Path, edition: str | Path, elections: Sequence[str] = ()) -> Counsel:
        """For an edition or draft; RulesError with every fault of its files or of the interview."""
        code = load_edition(root, edition, elections)
        return Counsel.of(survey(code, load_interview(root, code)))

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
