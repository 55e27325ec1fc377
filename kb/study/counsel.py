"""Everything that an interview under one edition needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.language.stored import stored_edition
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.read_interview import load_interview
from kb.study.consultation import Adviser, Consultation
from kb.study.finding import Stated, Stating
from kb.study.mattering import Explaining
from kb.study.survey import Survey, survey


@dataclass(frozen=True)
class Counsel:
    """The questions of an interview, why they are asked, and what they end in."""

    law: Law
    adviser: Adviser
    stating: Stating
    explaining: Explaining

    @staticmethod
    def of(survey: Survey) -> Counsel:
        """From a survey."""
        adviser = Adviser(survey)
        law = Law(survey.edition, "python")
        stating = Stating(adviser, law)
        return Counsel(law, adviser, stating, Explaining(law, stating))

    @staticmethod
    def load(root: Path, edition: str | Path, elections: Sequence[str] = ()) -> Counsel:
        """For an edition or draft; RulesError with every fault of its files or of the interview."""
        code = stored_edition(root, edition, elections)
        return Counsel.of(survey(code, load_interview(root, code.vocabulary)))

    def settled(self, consultation: Consultation) -> bool:
        """Whether just one ruling is possible."""
        return len(self.adviser.diagram.outcomes(consultation.possible)) == 1

    def stated(self, consultation: Consultation) -> Stated:
        """The incident at the end; where something could not be answered, as it usually is."""
        return self.stating.stated(consultation.implied() if self.settled(consultation) else consultation.supposed)

    def remaining(self, consultation: Consultation) -> dict[int, Ruling]:
        """A ruling for each outcome that remains possible."""
        known = {
            one.outcome: self.stating.full({**consultation.known, **one.answers}) for one in consultation.rulings()
        }
        return {outcome: rule(self.law, self.stating.interview.incident(answers)) for outcome, answers in known.items()}
