"""The same knowledge comes to the same ruling: in a file, in the interview, as cards, and through the API."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from support.counsel import counsel_of
from support.ruling import laws, ruled, speaker_of
from support.tables import shipped
from support.tricks import drawn

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.changes import all_changed
from facts.table import spelled
from facts.to_yaml import plain
from kb.cli.ask_command import incident_file, taps_of
from kb.explain.as_text import page_of
from kb.explain.page import as_text
from kb.explain.words import Speaker
from kb.interview.address import seated
from kb.interview.question import AskedPage
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

pytestmark = pytest.mark.thorough

if TYPE_CHECKING:
    from support.desk_pages import Visitor

EDITIONS = ("duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912")
SEEDS = [
    0,
    *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 21 if "REVOKE_ALL" in os.environ else 4)),
]
EACH = 25
FOUND_OUT: dict[str, list[Any]] = {
    "next-trick": ["no", "led", "played", "designated", "led-out-of-turn"],
    "later-tricks": [0, 1, 2, "more"],
    "noticed": ["before-next-trick", "during-play", "after-play", "after-hands-returned", "after-round"],
    "claim": ["none", "by-revokers", "by-opponents-agreed", "by-opponents-open"],
    "faced": [True, False],
    "required-faced": [True, False],
    "later-win-playable": [True, False],
    "dummy-lost-rights": [True, False],
    "asked-by": ["nobody", "N", "E", "S", "W"],
}
"""What may be found out besides the cards of a trick."""


def tried(way: Callable[[], Ruling]) -> Ruling | None:
    """The ruling; None for what cannot be."""
    try:
        return way()
    except InputError:
        return None


def by_api(visitor: Visitor, file: dict[str, Any]) -> str | None:
    answer = visitor.client.post("/api/rule", json={"incident": file})
    return answer.json()["rulings"][0]["text"] if answer.status_code == 200 else None


def said_of(ruling: Ruling | None) -> str | None:
    """In full, in the words of the law that it was ruled by."""
    if ruling is None:
        return None
    speaker = Speaker(speaker_of().words, ruling.edition.vocabulary, "en")
    return as_text(page_of(ruling, speaker), speaker)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_file_address_and_api(visitor: Visitor, edition: str, seed: int) -> None:
    chance, sure = Random(seed), 0
    for one in drawn(EACH, seed):
        said = {name: chance.choice(values) for name, values in FOUND_OUT.items() if chance.random() < 0.3}
        if one.cards < 4:
            said = {"next-trick": "no"}  # so it is when the trick is cut short
        file = {"edition": edition, **one.finding(**said)}
        more = [] if one.cards < 4 else [f"revoke-1.{name}={spelled(value)}" for name, value in said.items()]
        law, query = laws().of(edition), one.address()
        by_file = tried(lambda file=file: ruled(file))
        by_address = tried(
            lambda law=law, query=query, more=more: rule(
                law, all_changed(seated(counsel_of(edition), query), more, laws().table)
            )
        )
        assert (by_file and verdict(by_file)) == (by_address and verdict(by_address)), file
        assert said_of(by_file) == by_api(visitor, file), file
        sure += by_file is not None
    assert sure > EACH / 2


def essence(ruling: Ruling) -> dict[str, Any]:
    """What is ruled, without which way of telling it led there."""
    said = verdict(ruling)
    keys = ("hand", "trick", "card", "status", "automatic-tricks")
    revokes = [{key: one[key] for key in keys} for one in said["revokes"]]
    return {"revokes": revokes, **{key: said[key] for key in ("transfer", "rectifications")}}


def test_a_hundred_tricks_as_findings_and_as_cards() -> None:
    for one in drawn(100):
        answered = {"next-trick": "no"} | ({"noticed": "before-next-trick"} if one.number == 12 else {})
        assert essence(ruled(one.finding(**answered))) == essence(ruled(one.record())), one
        if one.cards == 4 and one.number < 12:  # that side has gone on
            finding, record = one.finding(**{"next-trick": "played"}), one.record(one.until_gone_on)
            assert essence(ruled(finding)) == essence(ruled(record)), one


def walks(edition: str, chance: Random) -> Iterator[tuple[Incident, Ruling]]:
    """What is stated after taps at random, some of them that one does not know, and the ruling on it."""
    counsel = counsel_of(edition)
    for _ in range(EACH):
        query: dict[str, str] = {"revoke": chance.choice("NESW"), "declarer": chance.choice("NESW")}
        for _ in range(chance.randint(1, 9)):
            if (asked := AskedPage(counsel, query, speaker_of())).step is not None:
                query = chance.choice([said for _, said in taps_of(asked.context()).values()])
        incident = replace(seated(counsel, AskedPage(counsel, query, speaker_of()).settled), edition=edition)
        if (ruling := tried(lambda incident=incident: rule(counsel.law, incident))) is not None:
            yield incident, ruling  # of two revokes on trick 12 too little may be known


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_interview_file_and_api(visitor: Visitor, edition: str, seed: int) -> None:
    for incident, ruling in walks(edition, Random(seed)):
        law = laws().of(edition)
        file = read_again(incident)
        assert verdict(rule(law, file)) == verdict(ruling), plain(incident)
        assert by_api(visitor, {**plain(file), "edition": edition}) == said_of(rule(law, file)), plain(incident)


def read_again(incident: Incident) -> Incident:
    from facts.readers.incident_file import read_incident  # noqa: PLC0415

    return read_incident(incident_file(incident), "incident.yaml", shipped)
