"""From the answers of an interview to an incident that says no more than it must."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from facts.errors import InputError
from facts.incident import Incident
from facts.observe import observe
from kb.ruling.law import Law
from kb.space.outcome import Acts
from kb.study.consultation import Adviser


@dataclass(frozen=True, slots=True)
class Stated:
    """An incident made of answers."""

    incident: Incident
    assumed: Mapping[str, str]
    """Answers nobody gave, put in because the rules ask for some answer; any other would give the same ruling."""


class Stating:
    """Makes incidents of answers under one edition."""

    def __init__(self, adviser: Adviser, law: Law) -> None:
        self.adviser = adviser
        self.law = law
        self.interview = adviser.survey.interview

    def acts(self, incident: Incident) -> Acts:
        """What a director acts on."""
        proof = self.law.engine.run(observe(incident, self.law.program.kinds))
        concluded = {fact: 1 for fact, _, _ in proof.firings}
        return next(iter(self.adviser.survey.run.reader.acts(concluded, 1)))

    def full(self, answers: Mapping[str, str]) -> dict[str, str]:
        """A whole situation that agrees with the answers, as ordinary as can be; KeyError if there is none.

        Answers to questions that are not asked in it are left out."""
        state = self.adviser.narrowed(answers)
        if state is None:
            raise KeyError(answers)
        questions = self.adviser.questions
        way = self.adviser.diagram.ordinary(state, self.adviser.ordinary)
        return {questions[number].id: answer for number, answer in way}

    def stated(self, answers: Mapping[str, str]) -> Stated:
        """The incident of answers that settle the ruling."""
        said = self.full(answers)
        wanted = self.acts(self.interview.incident(said))
        for question in [question for question in said if question not in answers]:
            fewer = {asked: answer for asked, answer in said.items() if asked != question}
            try:
                enough = self.acts(self.interview.incident(fewer)) == wanted
            except InputError:  # every incident has a hand and a trick
                enough = False
            if enough:
                said = fewer
        filling = {question for question in said if self.interview.questions[question].answers[said[question]].fills}
        assumed = {question: answer for question, answer in said.items() if question in filling - answers.keys()}
        return Stated(self.interview.incident(said), assumed)
