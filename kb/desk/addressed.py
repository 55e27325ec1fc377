"""Incidents and addresses: what an address of the desk states, by answers or by a word that holds the text.

Either is carried from page to page as one parameter, ``f``: a word, or ``revoke=W&declarer=S…`` as ``/ruling`` has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from fastapi import Request

from facts.errors import InputError
from facts.incident import Incident
from facts.to_yaml import plain
from kb.desk.guard import LANG
from kb.desk.laws import DeskLaws, under
from kb.desk.submission import Submission
from kb.explain.say import Speaker
from kb.interview.address import LAWS, NOT_SAID, law_of, place_of, said_of, seated
from kb.interview.asked import Chip, Telling
from kb.interview.said import FIRST, WHOSE
from kb.language.folders import DEFAULT_EDITION

MOST: Final = 2_000
"""Letters of an address."""
WORD: Final = "f"
SEATED: Final = {"revoke-1.hand": "revoke", "revoke-2.hand": "other"}
"""What an address states as seats."""


def query_of(request: Request) -> dict[str, str]:
    """What an address states; InputError where it is too long, or says something twice."""
    given = request.query_params
    if WORD not in given and len(request.url.query) > MOST:
        raise InputError.of("address", f"the address is longer than {MOST} letters", "begin again")
    twice = next((key for key in given if len(given.getlist(key)) > 1), None)
    if twice is not None:
        raise InputError.of(place_of(twice, given), f"{twice[:40]} is said twice", "say it once")
    said = {key: value for key, value in given.items() if key != LANG}
    return {**query_in(said.pop(WORD, "")), **said}


def query_in(word: str) -> dict[str, str]:
    """What is carried from page to page as an address states it; InputError as above."""
    if "=" not in word:
        return {WORD: word} if word else {}
    if len(word) > MOST:
        raise InputError.of("address", f"the address is longer than {MOST} letters", "begin again")
    return dict(parse_qsl(word))


def submission(query: Mapping[str, str], laws: DeskLaws) -> Submission:
    """What an address states, by its word or by its answers; InputError names each key and value that is wrong."""
    if WORD in query:
        return Submission.of_word(query[WORD])
    asked = urlencode({key: value for key, value in query.items() if key not in NOT_SAID and value}, safe=",?")
    return replace(Submission.of_incident(_stated(query, laws)), asked=asked)


def _stated(query: Mapping[str, str], laws: DeskLaws) -> Incident:
    law = law_of(query)
    counsel = laws.counsel(law)
    with counsel.lock:
        return under(seated(counsel, query), law)


def restated(query: Mapping[str, str], changes: Iterable[str], incident: Incident, laws: DeskLaws) -> Submission:
    """An incident that is stated by an address with these changes; by a word where its answers cannot say them."""
    new = amended(query, changes)
    with suppress(InputError):
        if WORD not in new and plain(_stated(new, laws)) == plain(incident) and len(urlencode(new)) <= MOST:
            return submission(new, laws)
    return Submission.of_incident(incident)


def amended(query: Mapping[str, str], changes: Iterable[str]) -> dict[str, str]:
    """What an address would state after changes of its incident; never a part that is played, instead of a seat."""
    new = dict(query)
    for key, _, value in (one.partition("=") for one in changes):
        name = SEATED.get(key, key.removeprefix(FIRST))
        if name.rpartition(".")[2] not in WHOSE:
            new[name] = value
    return {key: value for key, value in new.items() if value}


def law_query(law: str) -> dict[str, str]:
    """What an address states of the law, where it is not the one in force."""
    return {} if law in ("", DEFAULT_EDITION) else {LAWS: law}


def chips_of(query: Mapping[str, str], laws: DeskLaws, speaker: Speaker) -> list[Chip]:
    """The answers that an address of answers holds; none of any other."""
    if WORD in query:
        return []
    counsel = laws.counsel(law_of(query))
    with counsel.lock:
        return list(Telling(said_of(counsel, query), speaker, query).chips())
