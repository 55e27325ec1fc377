"""Addresses that say what happened: seats, answers and the result, by the names under which they are declared.

``revoke=W&declarer=S&next-trick=played&won-by=revoker&later-tricks=one,more&unusual=none``. An answer of several is one
of these; ``?`` is «I don't know», and what is left out has not been asked. ``laws`` names a law that is not in force.
Whatever else can be said of the first revoke stands beside them, as in ``trick=5`` or ``cards=E HK H2 S4 H7``, and so
does what is known more exactly than an answer says it, as in ``later-tricks=3``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, cast
from urllib.parse import urlencode

from facts.cards import SEATS, Seat
from facts.errors import Fault, InputError, Place, did_you_mean
from facts.incident import DEFAULT_EDITION, Incident
from facts.readers.changes import all_changed
from facts.readers.incident import UNDECLARED
from kb.interview.counsel import Counsel
from kb.interview.said import WHOSE, Said, bare, exactly
from kb.space.interview import Interview

LAWS: Final = "laws"
MATTER: Final = "of"
UNKNOWN: Final = "?"
NOTHING: Final = "none"
OF_THE_BOARD: Final = ("board", "contract", "vulnerable", "tricks", "equity-tricks")
"""Keys of an incident that an address may state."""
FURTHER: Final = re.compile(r"revoke-[2-9]\.([a-z-]+)")
"""A key of a further revoke, which no question asks for."""
NOT_SAID: Final = ("change", "top", "lang", "entry")
"""Keys of an address that say nothing of the table."""


def law_of(query: Mapping[str, str]) -> str:
    """The name of the law that an address asks for."""
    return query.get(LAWS) or DEFAULT_EDITION


def seated(counsel: Counsel, query: Mapping[str, str]) -> Incident:
    """The incident of an address's answers, which must all make sense."""
    said = said_of(counsel, query)
    if said.senseless:
        name = said.senseless[0]
        mend = "leave it out, or change an answer before it"
        raise InputError.of(place_of(name, query), f"{name} cannot be so after the other answers", mend)
    if said.role is None:
        missing = "revoke" if "revoke" not in said.seats else "declarer"
        raise InputError.of("address", f"{missing} is missing", f"add {missing}= with N, E, S or W")
    board = [f"{key}={query[key]}" for key in OF_THE_BOARD if query.get(key)]
    with _placed(query):
        incident = all_changed(said.stated(), board, lambda _: counsel.interview.table)
    if incident.contract is not None and incident.contract.passed_out:
        raise InputError.of(
            place_of("contract", query), "a board that was passed out has no play", "leave the contract out"
        )
    return incident


@contextmanager
def _placed(query: Mapping[str, str]) -> Iterator[None]:
    """Faults of what an address says stand at its key there."""
    try:
        yield
    except InputError as error:
        keys = [(one, bare(one.place.file.partition("=")[0])) for one in error.faults]
        raise InputError(replace(one, place=place_of(key, query)) for one, key in keys) from error


def said_of(counsel: Counsel, query: Mapping[str, str]) -> Said:
    """The seats and answers of an address; InputError names each that there is not."""
    interview, exact = counsel.interview, dict[str, str]()
    asked = {key: tuple(one.answers) for key, one in interview.questions.items()}
    may_be = {**dict.fromkeys(interview.seats, SEATS), **dict.fromkeys(interview.screens, (NOTHING,)), **asked}
    again = (*may_be, *OF_THE_BOARD, *UNDECLARED, *interview.table.findings)
    may_be |= {"top": SEATS, "change": again}
    said, faults = dict[str, tuple[str, ...]](), list[Fault]()
    for key, value in query.items():
        if _is_exact(key, value, interview):
            exact[key] = value
        elif key in may_be:
            question = interview.questions.get(key)
            every = value == UNKNOWN and question is not None and not question.of_further
            said[key] = may_be[key] if every else tuple(value.split(",") if question else [value])
            for one in (one for one in said[key] if one not in may_be[key]):
                what = f"{one[:40]} is nothing that {key} can be"
                faults.append(Fault(place_of(key, {key: one}), what, did_you_mean(one[:40], may_be[key])))
        elif key not in (*OF_THE_BOARD, *NOT_SAID, LAWS, MATTER):
            mend = did_you_mean(key[:40], (*may_be, *OF_THE_BOARD))
            faults.append(Fault(place_of(key, query), f"there is no {key[:40]} to be said", mend))
    if faults:
        raise InputError(faults)
    seats = {key: cast(Seat, said[key][0]) for key in interview.seats if key in said}
    answers = {key: frozenset(some) for key, some in said.items() if key in interview.questions}
    unknown = frozenset(key for key in answers if query[key] == UNKNOWN)
    given = Said(counsel.adviser, seats, answers, unknown, frozenset(interview.screens.keys() & said.keys()))
    with _placed(query):
        return exactly(given, exact) if exact else given


def _is_exact(key: str, value: str, interview: Interview) -> bool:
    """Whether it is no answer to a question, but may be something that a file says of a revoke."""
    further = FURTHER.fullmatch(key)
    known = {*UNDECLARED, *interview.table.findings} - {*WHOSE}
    if key not in interview.questions:
        return (further[1] if further else key) in known
    kind, answers = interview.table.findings.get(key), interview.questions[key].answers
    if value == UNKNOWN or {*value.split(",")} & {*answers} or key not in known:
        return False
    words = None if kind is None else ("true", "false") if kind.type.name == "yes-no" else kind.type.words
    return not words or value in words


def place_of(key: str, query: Mapping[str, str]) -> Place:
    return Place(f"{key[:40]}={query.get(key, '')[:40]}", 1)


def written(said: Said) -> dict[str, str]:
    """What has been said as an address states it, in the order of the interview."""
    interview, exact = said.adviser.interview, said.exact
    seats = {key: said.seats[key] for key in interview.seats if key in said.seats}
    answers = {
        name: UNKNOWN
        if name in said.unknown
        else ",".join(one for one in interview.questions[name].answers if one in said.answers[name])
        for name in said.adviser.number
        if name in said.answers
    }
    closed = {one: NOTHING for one in interview.screens if one in said.closed}
    return {**dict[str, str](seats), **answers, **exact, **closed}


def address(path: str, **fields: object) -> str:
    """A path with what follows its question mark, of several values each; empty fields are left out."""
    each = ((key, one) for key, value in fields.items() for one in (value if isinstance(value, tuple) else (value,)))
    said = urlencode([(key.rstrip("_"), str(value)) for key, value in each if value not in ("", None)], safe=",?")
    return f"{path}?{said}" if said else path
