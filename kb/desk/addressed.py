"""Incidents and addresses: what an address of the desk states, and the address of an incident."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fastapi import Request

from facts.errors import InputError
from facts.incident import Incident
from facts.to_yaml import plain
from kb.desk.guard import LANG
from kb.desk.laws import DeskLaws, law_named, under
from kb.desk.submission import Submission
from kb.explain.say import Speaker
from kb.interview.address import LAWS, OF_THE_BOARD, address, law_of, place_of, said_of, seated, written
from kb.interview.chips import Chip, Telling
from kb.interview.told_by import told_by
from kb.language.folders import DEFAULT_EDITION

MOST: Final = 2_000
"""Letters of an address."""
WORD: Final = "f"


def submission(query: Mapping[str, str], laws: DeskLaws) -> Submission:
    """What an address states, by its word or by its answers; InputError names each key and value that is wrong."""
    if WORD in query:
        return Submission.of_word(query[WORD])
    law = law_of(query)
    counsel = laws.counsel(law)
    with counsel.lock:
        incident = seated(counsel, query)
    return Submission.of_incident(under(incident, law))


def query_of(request: Request) -> dict[str, str]:
    """What an address states; InputError where it is too long, or says something twice."""
    given = request.query_params
    if WORD not in given and len(request.url.query) > MOST:
        raise InputError.of("address", f"the address is longer than {MOST} letters", "begin again")
    twice = next((key for key in given if len(given.getlist(key)) > 1), None)
    if twice is not None:
        raise InputError.of(place_of(twice, given), f"{twice[:40]} is said twice", "say it once")
    return {key: value for key, value in given.items() if key != LANG}


def ruling_address(incident: Incident, laws: DeskLaws, entry: int | None = None) -> str:
    """The address of the ruling: by answers where they say all of it, else by the word that holds it.

    ``entry``: the number of the kept ruling that it corrects.
    """
    fields = answers_of(incident, laws) or {WORD: Submission.of_incident(incident).word}
    return address("/ruling", **fields, entry="" if entry is None else entry)


def asking_address(incident: Incident, laws: DeskLaws) -> str:
    """The address of what is asked next about an incident, whatever unusual there may be included."""
    fields = answers_of(incident, laws)
    if fields is None:
        return ruling_address(incident, laws)
    screens = laws.counsel(law_of(fields)).interview.screens
    return address("/ask", **{key: value for key, value in fields.items() if key not in screens})


def answers_of(incident: Incident, laws: DeskLaws) -> dict[str, str] | None:
    """What an address must say to state this incident; None where the interview cannot say it."""
    law = law_named(incident)
    counsel = laws.counsel(law)
    more = {} if law == DEFAULT_EDITION else {LAWS: law}
    stated = plain(incident)
    board: dict[str, str] = {key: str(stated[key]) for key in OF_THE_BOARD if key in stated}
    with counsel.lock:
        for said in told_by(counsel.adviser, incident):
            fields: dict[str, str] = {**written(said), **board, **more}
            try:
                again = seated(counsel, fields)
            except InputError:
                continue
            if plain(under(again, law)) == plain(incident) and len(str(fields)) < MOST:
                return fields
    return None


def chips_of(query: Mapping[str, str], laws: DeskLaws, speaker: Speaker) -> list[Chip]:
    """The answers that an address of answers holds; none of any other."""
    if WORD in query:
        return []
    counsel = laws.counsel(law_of(query))
    with counsel.lock:
        return list(Telling(said_of(counsel, query), speaker, query).chips())
