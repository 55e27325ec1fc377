"""Every situation that the interview can tell apart: each complete set of answers once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from facts.incident import Finding, Incident
from facts.shapes import hyphenated
from kb.study.interview import INCIDENT_KEYS, Interview, Needs, Question, assembled

Way: TypeAlias = tuple[str | None, ...]
"""The answer to each question in the order of the interview; None where it is not asked."""
_Needed: TypeAlias = list[list[tuple[int, frozenset[str]]]]


@dataclass(frozen=True)
class Space:
    """The situations of an interview, in the order in which its answers stand."""

    interview: Interview
    ways: tuple[Way, ...]

    @staticmethod
    def of(interview: Interview) -> Space:
        """The whole space."""
        return Space(interview, tuple(_ways(tuple(interview.questions.values()))))

    def __len__(self) -> int:
        return len(self.ways)

    def answers(self, number: int) -> dict[str, str]:
        """The answers of a situation, without the questions not asked."""
        asked = zip(self.interview.questions, self.ways[number], strict=True)
        return {question: answer for question, answer in asked if answer is not None}

    def incident(self, number: int) -> Incident:
        """The incident of a situation; InputError when the interview cannot say one."""
        fillings = [
            filling
            for question, answer in zip(self.interview.questions.values(), self.ways[number], strict=True)
            if answer is not None
            for filling in question.answers[answer].fills
        ]
        return assembled(fillings, self.interview.place)

    def unusual(self, number: int) -> int:
        """How many of its answers are not the ordinary one."""
        return sum(
            answer not in (None, next(iter(question.answers)))
            for question, answer in zip(self.interview.questions.values(), self.ways[number], strict=True)
        )


def _ways(questions: tuple[Question, ...]) -> list[Way]:
    """Every complete way through the questions, the answers in their order."""
    position = {question.id: number for number, question in enumerate(questions)}
    asked = [_by_position(question.when, position) for question in questions]
    choices = [
        [(answer.id, _by_position(answer.when, position)) for answer in question.answers.values()]
        for question in questions
    ]
    ways: list[Way] = []

    def go_on(way: Way) -> None:
        for number in range(len(way), len(questions)):
            open_ = _met(asked[number], way) and [answer for answer, needs in choices[number] if _met(needs, way)]
            if open_:
                for answer in open_:
                    go_on((*way, answer))
                return
            way = (*way, None)
        ways.append(way)

    go_on(())
    return ways


def _by_position(needs: Needs, position: Mapping[str, int]) -> _Needed:
    return [[(position[question], answers) for question, answers in need.items()] for need in needs]


def _met(needs: _Needed, way: Way) -> bool:
    for need in needs:
        for position, answers in need:
            if way[position] not in answers:
                break
        else:
            return True
    return not needs


def as_file(incident: Incident) -> dict[str, Any]:
    """What a situation's incident file holds, in plain values; what is not stated is left out."""
    file = _stated(incident, Incident(place=incident.place), INCIDENT_KEYS)
    return {**file, "revokes": [_finding(found) for found in incident.revokes]}


def as_yaml(incident: Incident) -> str:
    """The incident file of a situation."""
    text: str = yaml.safe_dump(
        as_file(incident), sort_keys=False, default_flow_style=None, width=100, allow_unicode=True
    )
    return text


def _finding(found: Finding) -> dict[str, Any]:
    ordinary = Finding(hand=found.hand, trick=found.trick)
    named = {"hand": found.hand, "trick": found.trick}
    return {**named, **_stated(found, ordinary, map(hyphenated, Finding.__dataclass_fields__))}


def _stated(what: object, ordinary: object, keys: Iterable[str]) -> dict[str, Any]:
    """The keys with another value than if nothing had been stated."""
    values = {key: getattr(what, key.replace("-", "_")) for key in keys}
    return {key: _plain(value) for key, value in values.items() if value != getattr(ordinary, key.replace("-", "_"))}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int) else str(value)
