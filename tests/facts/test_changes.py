"""Changes of an incident, as they are written on the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.tables import shipped

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.changes import all_changed
from facts.readers.incident_file import incident_of
from facts.to_yaml import plain
from facts.yaml_reader import read_yaml

STATED: dict[str, Any] = {
    "contract": "4S",
    "declarer": "S",
    "play": ["W H2 H3 H4 S5", "S DA D2 D3 D4"],
    "events": [{"after": "1.3", "asked": {"by": "S", "of": "W", "answer": "no"}}, {"attention": {"by": "N"}}],
    "revokes": [{"hand": "W", "trick": 5, "suit": "H", "won-by": "E"}],
}


def incident(**more: Any) -> Incident:
    return incident_of(read_yaml(json.dumps({**STATED, **more}), "test.yaml"), shipped)


def changed(before: Incident, change: str) -> Incident:
    return all_changed(before, [change], shipped)


@pytest.mark.parametrize(
    ("change", "key", "value"),
    [
        ("declarer=E", "declarer", "E"),
        ("tricks=9", "tricks", 9),
        ("board=7", "board", "7"),
        ("elections=a,b", "elections", ["a", "b"]),
        ("declarer=", "declarer", None),
        ("edition=duplicate-2007", "edition", "duplicate-2007"),
        ("deal=N:- - - -", "deal", "N:- - - -"),
    ],
)
def test_a_key_of_the_incident(change: str, key: str, value: object) -> None:
    assert plain(changed(incident(), change)).get(key) == value


@pytest.mark.parametrize(
    ("change", "key", "value"),
    [
        ("won-by=W", "won-by", "W"),
        ("revoke-1.won-by=W", "won-by", "W"),
        ("played-after=N,E", "played-after", ["N", "E"]),
        ("faced=true", "faced", True),
        ("won-by=", "won-by", None),
    ],
)
def test_a_key_of_the_one_finding(change: str, key: str, value: object) -> None:
    assert plain(changed(incident(), change))["revokes"][0].get(key) == value


def test_a_finding_comes_and_goes() -> None:
    assert changed(incident(), "revoke-1=").revokes == ()
    more = changed(incident(), "+revoke:hand=N,trick=3,suit=S,won-by=N").revokes
    assert [(one.hand, one.trick) for one in more] == [("W", 5), ("N", 3)]


def test_an_event_comes_in_its_place_and_goes() -> None:
    names = [event.name for event in changed(incident(), "+attention:by=S,after=1.1").events]
    assert names == ["attention", "asked", "attention"]
    twice = changed(changed(incident(), "+attention:by=S,after=2.1"), "+dummy-lost-rights:after=2.1").events
    assert [event.name for event in twice] == ["asked", "attention", "attention", "dummy-lost-rights"]
    assert [event.name for event in changed(incident(), "+play-ended").events] == ["asked", "attention", "play-ended"]
    assert [event.name for event in changed(incident(), "event-1=").events] == ["attention"]
    assert changed(incident(), "event-1.after=2.1").events[0].after == (2, 1)
    assert plain(changed(incident(), "+attention:by=S,to.hand=W,to.trick=1"))["events"][-1] == {
        "attention": {"by": "S", "to": {"hand": "W", "trick": 1}}
    }


def test_a_card_changes_and_trades_places_with_one_played_later() -> None:
    assert plain(changed(incident(), "card-1.2=HK"))["play"][0] == "W H2 HK H4 S5"
    assert plain(changed(incident(), "card-1.4=DA"))["play"] == ["W H2 H3 H4 DA", "S S5 D2 D3 D4"]
    assert plain(changed(incident(), "card-1.4=-"))["play"][0] == "W H2 H3 H4 -"


def test_one_change_after_the_other() -> None:
    both = all_changed(incident(), ["won-by=W", "declarer=N"], shipped)
    assert (both.revokes[0].said["won-by"], both.declarer) == ("W", "N")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("wonby=W", "'wonby' is no key of an incident or a finding; did you mean won-by?"),
        ("won-by=Q", "'Q' cannot stand here; write one of N, E, S, W"),
        ("revoke-2.won-by=W", "there is no revoke 2; number them from 1; there are 1"),
        ("event-9=", "there is no event 9; number them from 1; there are 2"),
        ("card-9.1=H7", "there is no such card in the play; name trick and place of a card played: card-5.3=H7"),
        ("card-1.1=ZZ", "'ZZ' is no card"),
        ("+atention:by=S", "there is no event atention; did you mean attention?"),
        ("+attention:by=S,after=7.1", "there is no card 7.1 in the play"),
        ("won-by", "'won-by' is no change; write such as won-by=W"),
        ("event-1=x", "event-1 cannot be given a value"),
        ("tricks=14", "14 cannot stand here; write a number from 0 to 13"),
    ],
)
def test_what_cannot_be_done_is_told_at_the_change(change: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        changed(incident(), change)
    assert str(caught.value).startswith(f"{change}:1:")
    assert message in str(caught.value)


def test_which_finding_is_meant_must_be_said() -> None:
    two = [*STATED["revokes"], {"hand": "N", "trick": 3}]
    with pytest.raises(InputError, match="won-by is a key of a finding, and the incident has 2; say which: revoke-1"):
        changed(incident(revokes=two), "won-by=W")
    with pytest.raises(InputError, match="the incident has none; change a card instead"):
        changed(incident(revokes=[]), "won-by=W")
