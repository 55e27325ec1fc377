"""What is known more exactly than an answer says it, and the answers that it comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from facts.incident import Finding, Incident
from facts.table import Table
from kb.interview.counsel import Adviser
from kb.interview.said import Exact, Said, joined
from kb.space.choices import meant, values_of
from kb.space.interview import Filling, Question

WHOSE: Final = ("hand", "player")
"""The keys of a revoke that the seats say."""


def exactly(said: Said, exact: Mapping[str, str]) -> Said:
    """With what is known more exactly than answers say it: it answers its question as well, where that is asked.

    InputError where it cannot be read."""
    known = replace(said, exactly={key: Exact(text) for key, text in exact.items()})
    answers = _in_order({**_meant(known), **said.answers}, said.adviser)
    idle = {*replace(said, answers=answers).senseless} & exact.keys() - said.answers.keys()
    answers = {name: one for name, one in answers.items() if name not in idle}
    more = {key: Exact(text, answers.get(key, frozenset())) for key, text in exact.items()}
    return replace(said, answers=answers, exactly=more)


def known_exactly(said: Said, names: Iterable[str]) -> dict[str, frozenset[str]]:
    """Of each of these questions not yet asked, the answers that agree with what is known, as by the cards."""
    incident, interview = said.stated(), said.adviser.interview
    found: dict[str, frozenset[str]] = {}
    for name in {*names} & said.exact.keys() - said.answers.keys():
        answers = interview.questions[name].answers.values()
        fitting = [one.id for one in answers if all(_agrees(fill, incident, interview.table) for fill in one.fills)]
        found |= {name: frozenset(fitting)} if fitting else {}
    return found


def _meant(known: Said) -> dict[str, frozenset[str]]:
    """Of each question of which something is known exactly, the answer that says most of it, or those that say it
    together."""
    incident, table, adviser = known.stated(), known.adviser.interview.table, known.adviser
    found: dict[str, frozenset[str]] = {}
    for question in (one for one in adviser.questions if one.id in known.exact):
        able = adviser.answers(known.possible, question.id)
        some = (one for one in question.answers.values() if one.id in able)  # in their order: of two alike the first
        fitting = [one for one in some if all(_agrees(fill, incident, table) for fill in one.fills)]
        if fitting:
            found[question.id] = frozenset({max(fitting, key=lambda one: len(one.fills)).id})
        elif together := _together(table, question, incident):
            found[question.id] = together
    return found


def _in_order(answers: Mapping[str, frozenset[str]], adviser: Adviser) -> dict[str, frozenset[str]]:
    return {name: answers[name] for name in adviser.number if name in answers}


def _agrees(filling: Filling, incident: Incident, table: Table) -> bool:
    if filling.revoke >= len(incident.revokes):
        return False
    found = incident.revokes[filling.revoke]
    value, kind = _of(found, filling.key), table.findings.get(filling.key)
    if value == filling.value or kind is None or value is None:
        return bool(value == filling.value)
    given = {"hand": found.hand, "trick": found.trick or 1, "declarer": incident.declarer}
    answer = kind.answers.get(str(filling.value))
    told = meant(kind, filling.value, given, table) if answer is None else values_of(answer, given, table)
    return found.hand is not None and {*meant(kind, value, given, table)} <= {*told}


def _of(found: Finding, key: str) -> Any:
    naming = {"player": found.player, "trick": found.trick, "hand": found.hand}
    return naming[key] if key in naming else found.said.get(key)


def _together(table: Table, question: Question, incident: Incident) -> frozenset[str]:
    """The answers that say together what the incident says; none where none do."""
    said, names = incident.revokes[0].said.get(question.id), tuple(question.answers)
    several = (frozenset(some) for n in range(2, len(names) + 1) for some in combinations(names, n))
    return next((one for one in several if said and joined(question, one, table) == said), frozenset())
