"""Addresses that say what happened: seats, answers and the result, by the names under which they are declared.

``revoke=W&declarer=S&next-trick=played&won-by=revoker&later-tricks=one,more&unusual=none``. An answer of several is one
of these; ``?`` is «I don't know», and what is left out has not been asked. ``laws`` names a law that is not in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from facts.cards import SEATS, Seat
from facts.errors import Fault, InputError, Place
from facts.incident import Incident
from facts.readers.incident import incident_of
from facts.suggestions import did_you_mean
from facts.to_yaml import node_of, plain
from facts.yaml_nodes import Mapping as MappingNode
from kb.desk.laws import DeskLaws, law_named, under
from kb.desk.pages import address
from kb.desk.submission import Submission
from kb.interview.counsel import Counsel
from kb.interview.said import Said
from kb.interview.told_by import told_by
from kb.language.folders import DEFAULT_EDITION
from kb.space.interview import Question

MOST: Final = 2_000
"""Letters of an address."""
WORD, LAWS = "f", "laws"
UNKNOWN: Final = "?"
NOTHING: Final = "none"
OF_THE_BOARD: Final = ("board", "contract", "vulnerable", "tricks")
"""Keys of an incident that an address may state."""
NOT_SAID: Final = ("change", "top", "lang", "entry")
"""Keys of an address that say nothing of the table."""


def submission(query: Mapping[str, str], laws: DeskLaws) -> Submission:
    """What an address states, by its word or by its answers; InputError names each key and value that is wrong."""
    if WORD in query:
        return Submission.of_word(query[WORD])
    law = law_of(query)
    counsel = laws.counsel(law)
    with counsel.lock:
        incident = seated(counsel, query, laws)
    return Submission.of_incident(under(incident, law))


def law_of(query: Mapping[str, str]) -> str:
    """The name of the law that an address asks for."""
    return query.get(LAWS) or DEFAULT_EDITION


def seated(counsel: Counsel, query: Mapping[str, str], laws: DeskLaws) -> Incident:
    """The incident of an address's answers, which must all make sense."""
    said = said_of(counsel, query)
    if said.senseless:
        name = said.senseless[0]
        mend = "leave it out, or change an answer before it"
        raise InputError.of(_at(name, query), f"{name} cannot be so after the other answers", mend)
    if said.role is None:
        missing = "revoke" if "revoke" not in said.seats else "declarer"
        raise InputError.of("address", f"{missing} is missing", f"add {missing}= with N, E, S or W")
    board = {key: query[key] for key in OF_THE_BOARD if query.get(key)}
    if not board:
        return said.stated()
    data = {**plain(said.stated()), **board}
    if str(data.get("tricks", "")).isdecimal():
        data["tricks"] = int(data["tricks"])
    node = node_of(data, Place("address", 1))
    assert isinstance(node, MappingNode)
    placed = {key: node_of(data[key], _at(key, query)) for key in board}
    return incident_of(replace(node, entries={**node.entries, **placed}), laws.table)


def said_of(counsel: Counsel, query: Mapping[str, str]) -> Said:
    """The seats and answers of an address; InputError names each that there is not."""
    if sum(len(key) + len(value) for key, value in query.items()) > MOST:
        raise InputError.of("address", f"the address is longer than {MOST} letters", "begin again")
    interview, faults = counsel.interview, list[Fault]()
    seats, answers, closed = dict[str, Seat](), dict[str, frozenset[str]](), set[str]()
    for key, value in query.items():
        if key in interview.seats:
            seats |= {key: cast(Seat, value)} if _one_of(key, value, SEATS, faults) else {}
        elif key in interview.screens:
            closed |= {key} if _one_of(key, value, (NOTHING,), faults) else set()
        elif key in interview.questions:
            answers |= {key: found} if (found := _answers(interview.questions[key], value, faults)) else {}
        elif key not in (*OF_THE_BOARD, *NOT_SAID, LAWS):
            known = (*interview.seats, *interview.screens, *interview.questions, *OF_THE_BOARD)
            faults.append(Fault(_at(key, query), f"there is no {key[:40]} to be said", did_you_mean(key[:40], known)))
    if faults:
        raise InputError(faults)
    unknown = frozenset(key for key in answers if query[key] == UNKNOWN)
    return Said(counsel.adviser, seats, answers, unknown, frozenset(closed))


def _at(key: str, query: Mapping[str, str]) -> Place:
    return Place(f"{key[:40]}={query.get(key, '')[:40]}", 1)


def _one_of(key: str, value: str, known: tuple[str, ...], faults: list[Fault]) -> bool:
    if value not in known:
        what = f"{value[:40]} is nothing that {key} can be"
        faults.append(Fault(_at(key, {key: value}), what, did_you_mean(value[:40], known)))
    return value in known


def _answers(question: Question, value: str, faults: list[Fault]) -> frozenset[str]:
    known = tuple(question.answers)
    said = known if value == UNKNOWN else tuple(value.split(","))
    fine = [_one_of(question.id, one, known, faults) for one in said]
    return frozenset(said) if all(fine) else frozenset()


def written(said: Said) -> dict[str, str]:
    """What has been said as an address states it, in the order of the interview."""
    interview = said.adviser.survey.interview
    seats = {key: said.seats[key] for key in interview.seats if key in said.seats}
    answers = {
        name: UNKNOWN
        if name in said.unknown
        else ",".join(one for one in interview.questions[name].answers if one in said.answers[name])
        for name in said.adviser.number
        if name in said.answers
    }
    return {**seats, **answers, **dict.fromkeys((one for one in interview.screens if one in said.closed), NOTHING)}


def ruling_address(incident: Incident, laws: DeskLaws, entry: int | None = None) -> str:
    """The address of the ruling: by answers where they say all of it, else by the word that holds it.

    ``entry``: the number of the kept ruling that it corrects.
    """
    fields = answers_of(incident, laws) or {WORD: Submission.of_incident(incident).word}
    return address("/ruling", **fields, entry="" if entry is None else entry)


def answers_of(incident: Incident, laws: DeskLaws) -> dict[str, str] | None:
    """What an address must say to state this incident; None where the interview cannot say it."""
    if not incident.revokes or incident.revokes[0].hand is None or incident.declarer is None:
        return None
    law = law_named(incident)
    counsel = laws.counsel(law)
    more = {} if law == DEFAULT_EDITION else {LAWS: law}
    board = {key: str(value) for key in OF_THE_BOARD if (value := getattr(incident, key)) is not None}
    with counsel.lock:
        for said in told_by(counsel.adviser, incident):
            fields = {**written(said), **board, **more}
            try:
                again = seated(counsel, fields, laws)
            except InputError:
                continue
            if plain(under(again, law)) == plain(incident) and len(str(fields)) < MOST:
                return fields
    return None
