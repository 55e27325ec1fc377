"""From an incident back to the answers that would have told it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from facts.cards import SEATS, Seat
from facts.incident import Finding, Incident
from facts.table import Table
from facts.to_yaml import plain
from kb.interview.adviser import Adviser
from kb.interview.said import HAND, Exact, Said, joined
from kb.space.choices import meant, values_of
from kb.space.interview import Filling, Question

WHOSE: Final = ("hand", "player")
"""The keys of a revoke that the seats say."""


def told_by(adviser: Adviser, incident: Incident) -> Iterator[Said]:
    """What may have been said: as little as can be, with screens on which nothing was unusual, then all of it.

    None unless the incident names the seat of its first revoke, and declarer where there is one."""
    named = {"revoke": incident.revokes[0].hand if incident.revokes else None, "declarer": incident.declarer}
    asked = adviser.interview.seats
    seats: dict[str, Seat] = {name: seat for name, seat in named.items() if seat is not None and name in asked}
    begun = Said(adviser, seats)
    if begun.role is None or begun.senseless:
        return  # or no question has that hand among its answers
    second = incident.revokes[1].hand if len(incident.revokes) > 1 else None
    if second is not None and second in begun.others()[1:] + begun.others()[:-1]:
        begun = Said(adviser, {**seats, "other": second})
    answers = _agreeing(adviser, begun, incident)
    whole = replace(begun, answers=answers)
    odd = {name for screen in whole.screens for name in screen.unusual}
    ticked = {name: one for name, one in answers.items() if name not in odd or whole.ticked(name)}
    screens = frozenset(screen.id for screen in whole.screens if screen.closes)
    ways = list[tuple[dict[str, frozenset[str]], frozenset[str]]]()
    for kept in (ticked, answers):
        needed = _needed(begun, kept)
        ways += [(some, closed) for closed in (screens, frozenset[str]()) for some in (needed, kept)]
    found = [_exactly(replace(begun, answers=some, closed=closed), incident, answers) for some, closed in ways]
    yield from sorted(found, key=lambda one: len(one.exact))


def _exactly(said: Said, incident: Incident, answers: Mapping[str, frozenset[str]]) -> Said:
    """With whatever the incident says of its revokes and the answers do not say as exactly."""
    missed = {name: answers[name] for name in _unlike(said, incident) if name in answers}
    said = replace(said, answers=_in_order({**said.answers, **missed}, said.adviser))
    more = {name: Exact(text, answers.get(name, frozenset())) for name, text in _unlike(said, incident).items()}
    return replace(said, exactly=more)


def _unlike(said: Said, incident: Incident) -> dict[str, str]:
    """What the incident says of its revokes otherwise than has been said, or besides."""
    stated, found = plain(said.stated())["revokes"], dict[str, str]()
    for number, one in enumerate(plain(incident)["revokes"][: len(stated)]):
        for key, value in one.items():
            if key not in WHOSE and stated[number].get(key) != value:
                found[f"revoke-{number + 1}.{key}" if number else key] = value_text(value)
    return found


def value_text(value: Any) -> str:
    """A value of plain data as a change states it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _in_order(answers: Mapping[str, frozenset[str]], adviser: Adviser) -> dict[str, frozenset[str]]:
    return {name: answers[name] for name in adviser.number if name in answers}


def exactly(said: Said, exact: Mapping[str, str]) -> Said:
    """With what is known more exactly than answers say it: it answers its question as well, where that is asked.

    InputError where it cannot be read."""
    known = replace(said, exactly={key: Exact(text) for key, text in exact.items()})
    meant = _agreeing(said.adviser, said, known.stated())
    answers = _in_order({**{name: meant[name] for name in exact if name in meant}, **said.answers}, said.adviser)
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


def _without(said: Said, name: str) -> Said:
    return replace(said, answers={key: one for key, one in said.answers.items() if key != name})


def _needed(begun: Said, answers: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """The answers that do not follow from the others."""
    said = replace(begun, answers=answers)
    for name, one in reversed(answers.items()):
        left, question = _without(said, name), said.adviser.interview.questions[name]
        still_to_come = len(one) == len(question.answers)
        if not still_to_come and said.adviser.answers(left.possible, name) <= one:
            said = left
    return dict(said.answers)


def _agreeing(adviser: Adviser, begun: Said, incident: Incident) -> dict[str, frozenset[str]]:
    """Of each question the answer that says most of what the incident says, or those that say it together."""
    found: dict[str, frozenset[str]] = {}
    given: dict[str, str] = {HAND: begun.role or ""}
    table = adviser.interview.table
    for question in adviser.questions:
        if question.id in given:
            continue
        fitting = [one for one in question.choices(given) if all(_agrees(fill, incident, table) for fill in one.fills)]
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


def _agrees(filling: Filling, incident: Incident, table: Table) -> bool:
    if filling.revoke >= len(incident.revokes):
        return False
    found = incident.revokes[filling.revoke]
    value, kind = _of(found, filling.key), table.findings.get(filling.key)
    if filling.key == "player" and value is None:
        return _may_be(str(filling.value), found, incident)
    if value == filling.value or kind is None or value is None:
        return bool(value == filling.value)
    given = {"hand": found.hand, "trick": found.trick or 1, "declarer": incident.declarer}
    answer = kind.answers.get(str(filling.value))
    told = meant(kind, filling.value, given, table) if answer is None else values_of(answer, given, table)
    return found.hand is not None and {*meant(kind, value, given, table)} <= {*told}


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
    table = adviser.interview.table
    return next((one for one in several if said and joined(question, one, table) == said), frozenset())
