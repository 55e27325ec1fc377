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
from facts.readers.incident_file import UNDECLARED
from kb.interview.account import WHOSE, Account, bare, with_exact
from kb.interview.adviser import Counsel
from kb.space.completions import completions
from kb.space.interview import Interview

LAWS: Final = "laws"
MATTER: Final = "of"
UNKNOWN_MARK: Final = "?"
NOTHING_ELSE: Final = "none"
OF_THE_BOARD: Final = ("board", "contract", "vulnerable", "tricks", "equity-tricks")
"""Keys of an incident that an address may state."""
FURTHER: Final = re.compile(r"revoke-[2-9]\.([a-z-]+)")
"""A key of a further revoke, which no question asks for."""
PAGE_KEYS: Final = ("change", "top", "lang", "entry")
"""Keys of an address that say nothing of the table."""


def law_asked(query: Mapping[str, str]) -> str:
    """The name of the law that an address asks for."""
    return query.get(LAWS) or DEFAULT_EDITION


def seated(counsel: Counsel, query: Mapping[str, str]) -> Incident:
    """The incident of an address's answers, which must all make sense."""
    account = account_of(counsel, query)
    if account.senseless:
        name = account.senseless[0]
        mend = "leave it out, or change an answer before it"
        raise InputError.of(place_of(name, query), f"{name} cannot be so after the other answers", mend)
    if account.role is None:
        missing = "revoke" if "revoke" not in account.seats else "declarer"
        raise InputError.of("address", f"{missing} is missing", f"add {missing}= with N, E, S or W")
    board = [f"{key}={query[key]}" for key in OF_THE_BOARD if query.get(key)]
    with _placed(query):
        incident = all_changed(account.stated(), board, lambda _: counsel.interview.table)
    if incident.contract is not None and incident.contract.passed_out:
        raise InputError.of(
            place_of("contract", query), "a board that was passed out has no play", "leave the contract out"
        )
    return incident


def refuse_impossible(counsel: Counsel, account: Account) -> None:
    """InputError where the answers cannot stand together as these hands sit, once it is known how they sit."""
    try:
        if account.role is not None:
            completions(account.stated(), counsel.law.sayable)
    except InputError as error:
        raise InputError(replace(fault, place=Place("", 1)) for fault in error.faults) from error


@contextmanager
def _placed(query: Mapping[str, str]) -> Iterator[None]:
    """Faults of what an address says stand at its key there."""
    try:
        yield
    except InputError as error:
        keys = [(one, bare(one.place.file.partition("=")[0])) for one in error.faults]
        raise InputError(replace(fault, place=place_of(key, query)) for fault, key in keys) from error


def account_of(counsel: Counsel, query: Mapping[str, str]) -> Account:
    """The seats and answers of an address; InputError names each that there is not."""
    interview, exact = counsel.interview, dict[str, str]()
    asked = {key: tuple(question.answers) for key, question in interview.questions.items()}
    may_be = {**dict.fromkeys(interview.seats, SEATS), **dict.fromkeys(interview.screens, (NOTHING_ELSE,)), **asked}
    again = (*may_be, *OF_THE_BOARD, *UNDECLARED, *interview.table.findings)
    may_be |= {"top": SEATS, "change": again}
    values, faults = dict[str, tuple[str, ...]](), list[Fault]()
    for key, value in query.items():
        if _is_exact(key, value, interview):
            exact[key] = value
        elif key in may_be:
            question = interview.questions.get(key)
            every = value == UNKNOWN_MARK and question is not None and not question.of_further
            values[key] = may_be[key] if every else tuple(value.split(",") if question else [value])
            for word in (word for word in values[key] if word not in may_be[key]):
                problem = f"{word[:40]} is nothing that {key} can be"
                faults.append(Fault(place_of(key, {key: word}), problem, did_you_mean(word[:40], may_be[key])))
        elif key not in (*OF_THE_BOARD, *PAGE_KEYS, LAWS, MATTER):
            mend = did_you_mean(key[:40], (*may_be, *OF_THE_BOARD))
            faults.append(Fault(place_of(key, query), f"there is no {key[:40]} to be said", mend))
    if faults:
        raise InputError(faults)
    seats = {key: cast(Seat, values[key][0]) for key in interview.seats if key in values}
    answers = {key: frozenset(ids) for key, ids in values.items() if key in interview.questions}
    unknown = frozenset(key for key in answers if query[key] == UNKNOWN_MARK)
    account = Account(counsel.adviser, seats, answers, unknown, frozenset(interview.screens.keys() & values.keys()))
    with _placed(query):
        return with_exact(account, exact) if exact else account


def _is_exact(key: str, value: str, interview: Interview) -> bool:
    """Whether it is no answer to a question, but may be something that a file says of a revoke."""
    further = FURTHER.fullmatch(key)
    sayable = {*UNDECLARED, *interview.table.findings} - {*WHOSE}
    if key not in interview.questions:
        return (further[1] if further else key) in sayable
    kind, answers = interview.table.findings.get(key), interview.questions[key].answers
    if value == UNKNOWN_MARK or {*value.split(",")} & {*answers} or key not in sayable:
        return False
    words = None if kind is None else ("true", "false") if kind.type.name == "yes-no" else kind.type.words
    return not words or value in words


def place_of(key: str, query: Mapping[str, str]) -> Place:
    return Place(f"{key[:40]}={query.get(key, '')[:40]}", 1)


def as_query(account: Account) -> dict[str, str]:
    """What has been said as an address states it, in the order of the interview."""
    interview, exact = account.adviser.interview, account.exact
    seats = {key: account.seats[key] for key in interview.seats if key in account.seats}
    answers = {
        name: UNKNOWN_MARK
        if name in account.unknown
        else ",".join(answer for answer in interview.questions[name].answers if answer in account.answers[name])
        for name in account.adviser.number
        if name in account.answers
    }
    closed = {screen: NOTHING_ELSE for screen in interview.screens if screen in account.closed}
    return {**dict[str, str](seats), **answers, **exact, **closed}


def address(path: str, **fields: object) -> str:
    """A path with what follows its question mark, of several values each; empty fields are left out."""
    each = ((key, val) for key, value in fields.items() for val in (value if isinstance(value, tuple) else (value,)))
    query = urlencode([(key.rstrip("_"), str(value)) for key, value in each if value not in ("", None)], safe=",?")
    return f"{path}?{query}" if query else path
