"""From an incident back to the answers that would have told it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from facts.cards import SEATS, Seat
from facts.incident import Finding, Incident
from kb.interview.said import HAND, Said, joined
from kb.interview.session import Adviser
from kb.space.interview import Filling, Question


def told_by(adviser: Adviser, incident: Incident) -> Iterator[Said]:
    """What may have been said: as little as can be, with screens on which nothing was unusual, then all of it.

    The incident must name the seat of its first revoke, and declarer."""
    first = incident.revokes[0]
    assert first.hand is not None and incident.declarer is not None
    seats: dict[str, Seat] = {"revoke": first.hand, "declarer": incident.declarer}
    begun = Said(adviser, seats)
    second = incident.revokes[1].hand if len(incident.revokes) > 1 else None
    if second is not None and second in begun.others()[1:] + begun.others()[:-1]:
        begun = Said(adviser, {**seats, "other": second})
    answers = _agreeing(adviser, begun, incident)
    whole = replace(begun, answers=answers)
    odd = {name for screen in whole.screens for name in screen.unusual}
    ticked = {name: one for name, one in answers.items() if name not in odd or _ticked(whole, name)}
    screens = frozenset(screen.id for screen in whole.screens if screen.unusual)
    for kept in (ticked, answers):
        needed = _needed(begun, kept)
        for closed in (screens, frozenset[str]()):
            yield replace(begun, answers=needed, closed=closed)
            yield replace(begun, answers=kept, closed=closed)


def _without(said: Said, name: str) -> Said:
    return replace(said, answers={key: one for key, one in said.answers.items() if key != name})


def _ticked(said: Said, name: str) -> bool:
    """Whether it is not the ordinary answer here."""
    ordinary = said.adviser.answers(_without(said, name).usual, said.adviser.number[name])
    return not said.answers[name] <= ordinary


def _needed(begun: Said, answers: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """The answers that do not follow from the others."""
    said = replace(begun, answers=answers)
    for name, one in reversed(answers.items()):
        left, question = _without(said, name), said.adviser.survey.interview.questions[name]
        still_to_come = len(one) == len(question.answers)
        if not still_to_come and said.adviser.answers(left.possible, said.adviser.number[name]) <= one:
            said = left
    return dict(said.answers)


def _agreeing(adviser: Adviser, begun: Said, incident: Incident) -> dict[str, frozenset[str]]:
    """Of each question the answer that says most of what the incident says, or those that say it together."""
    found: dict[str, frozenset[str]] = {}
    given: dict[str, str] = {HAND: begun.role or ""}
    for question in adviser.questions:
        if question.id in given:
            continue
        fitting = [one for one in question.choices(given) if all(_agrees(fill, incident) for fill in one.fills)]
        says = [one for one in fitting if one.fills] or [one for one in fitting if _silent(question, incident)]
        if says:
            best = max(says, key=lambda one: len(one.fills))
            found[question.id], given[question.id] = frozenset({best.id}), best.id
        elif together := _together(adviser, question, incident):
            found[question.id] = together
    return found


def _silent(question: Question, incident: Incident) -> bool:
    """Whether the incident has no more revokes than one that was answered with nothing would have."""
    more = any(fill.revoke for answer in question.answers.values() for fill in answer.fills)
    return len(incident.revokes) == 1 or not more


def _agrees(filling: Filling, incident: Incident) -> bool:
    if filling.revoke >= len(incident.revokes):
        return False
    found = incident.revokes[filling.revoke]
    value = _of(found, filling.key)
    if filling.key == "player" and value is None:
        return _may_be(str(filling.value), found, incident)
    return bool(value == filling.value)


def _may_be(part: str, found: Finding, incident: Incident) -> bool:
    """Whether the hand of a revoke has a part as seen from that of the first."""
    first = incident.revokes[0].hand
    if first is None or found.hand is None:
        return False
    steps = (SEATS.index(found.hand) - SEATS.index(first)) % 4
    return steps in {"same-player": (0,), "partner": (2,), "opponent": (1, 3)}.get(part, ())


def _of(found: Finding, key: str) -> Any:
    naming = {"player": found.player, "trick": found.trick, "hand": found.hand}
    return naming[key] if key in naming else found.said.get(key)


def _together(adviser: Adviser, question: Question, incident: Incident) -> frozenset[str]:
    """The answers that say together what the incident says; none where none do."""
    said, names = incident.revokes[0].said.get(question.id), tuple(question.answers)
    several = (frozenset(some) for n in range(2, len(names) + 1) for some in combinations(names, n))
    table = adviser.survey.interview.table
    return next((one for one in several if said and joined(question, one, table) == said), frozenset())
