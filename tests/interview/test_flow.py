"""Who answers the flow as it was comes to the ruling on all of it, is asked nothing twice, and comes to an end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from urllib.parse import parse_qsl

import pytest
from support.counsel import EDITIONS, counsel_of, universe_of, voice_of
from support.drafts import sample

from kb.interview.account import Account
from kb.interview.flow import next_step, reopened, seats_of, taps
from kb.interview.question import AskedPage
from kb.ruling.make_ruling import rule
from kb.space.interview import Compass, Screen

SEATS = {"declarer": "S", "dummy": "N", "defender": "WE"}
MOST = 25
"""Taps."""


def begun(edition: str, situation: Mapping[str, str], random: Random) -> Account:
    """The seats: either defender is ruled alike."""
    adviser = counsel_of(edition).adviser
    seats = {"revoke": random.choice(SEATS[situation.get("hand", "defender")]), "declarer": "S"}
    return Account(adviser, {name: seat for name, seat in seats.items() if name in adviser.interview.seats})


def answered(said: Account, situation: Mapping[str, str], random: Random) -> Account:
    """After the next tap of somebody who says what is so."""
    step = next_step(said)
    assert step is not None
    if isinstance(step, Compass):
        return replace(said, seats={**said.seats, step.id: random.choice(seats_of(step, said))})
    if isinstance(step, Screen) and step.closes:
        for name in said.rows(step):
            if situation.get(name) in said.unusually(name):
                return said.but(name, situation[name])
        return replace(said, closed=said.closed | {step.id})
    if isinstance(step, Screen):
        sure = [tap for tap in taps(step, said) if not tap.row.unknown]
        fitting = (
            tap
            for tap in sure
            if all(name not in situation or situation[name] in tap.then.answers[name] for name in tap.row.answers)
        )
        return min(fitting, key=lambda tap: sum(map(len, tap.row.answers.values()))).then
    assert step.id not in said.answers
    return replace(said, answers={**said.answers, step.id: frozenset({situation[step.id]})})


@pytest.mark.parametrize("edition", EDITIONS)
def test_who_says_what_is_so_comes_to_the_ruling_on_all_of_it(edition: str) -> None:
    counsel, of, random = counsel_of(edition), universe_of(edition), Random(edition)
    for number in sample(of, 60):
        situation = of.answers(number)
        if situation.get("next-trick", "no") != "no":
            situation["next-trick"] = "played"  # which way of going on it was, nobody is asked
        said = begun(edition, situation, random)
        for _ in range(MOST):
            if next_step(said) is None:
                break
            said = reopened(answered(said, situation, random), said).sensible()
        assert next_step(said) is None, situation
        short, long = rule(counsel.law, said.stated()), counsel.ruling(situation)
        assert [one.status for one in short.revokes] == [one.status for one in long.revokes], situation
        assert sorted(short.transfer.values()) == sorted(long.transfer.values()), situation


@pytest.mark.parametrize("edition", EDITIONS)
def test_whoever_knows_nothing_comes_to_an_end(edition: str) -> None:
    counsel = counsel_of(edition)
    said, asked = begun(edition, {}, Random(edition)), list[str]()
    while (step := next_step(said)) is not None:
        assert len(asked) < MOST
        if isinstance(step, Compass):
            said = replace(said, seats={**said.seats, step.id: "N"})
        elif isinstance(step, Screen) and step.closes:
            said = replace(said, closed=said.closed | {step.id})
        elif isinstance(step, Screen):
            said = next(tap.then for tap in taps(step, said) if step.questions[0] in tap.row.unknown)
        else:
            every = {**said.answers, step.id: frozenset(step.answers)}
            said = replace(said, answers=every, unknown=said.unknown | {step.id})
        asked.append(step.id)
    assert len(asked) == len({*asked})
    assert rule(counsel.law, said.stated()).certainty.is_open


@pytest.mark.parametrize(
    ("answers", "seat", "stays"),
    [
        ("next-trick=played&won-by=revoker&later-tricks=one,more&unusual=none", "E", "next-trick=played&won-by=partner&later-tricks=one,more&unusual=none"),
        ("next-trick=played&won-by=opponent&later-tricks=none&claim=by-revokers", "E", "next-trick=played&won-by=opponent&later-tricks=none&claim=by-revokers"),
        ("next-trick=played&won-by=revoker&later-tricks=one,more&unusual=none", "N", ""),
        ("next-trick=no&played-after=up-to-partner&unusual=none", "E", "next-trick=no&unusual=none"),
        ("next-trick=no&played-after=everybody", "E", "next-trick=no"),
        ("", "E", ""),
        ("next-trick=led", "E", ""),
    ],
)  # fmt: skip
def test_what_was_said_of_seats_stays_said_of_them(answers: str, seat: str, stays: str) -> None:
    counsel = counsel_of("duplicate-2017")
    query = dict(parse_qsl(f"revoke=W&declarer=S&{answers}&change=revoke"))
    there = next(one for one in AskedPage(counsel, query, voice_of(counsel)).context()["compass"] if one.seat == seat)
    assert dict(parse_qsl(there.at.partition("?")[2])) == dict(parse_qsl(f"revoke={seat}&declarer=S&{stays}"))


@pytest.mark.parametrize("query", ["next-trick=played&won-by=revoker", "declarer=S&played-after=next", "unusual=none"])
def test_answers_about_nobody_ask_whose_card_it_was(query: str) -> None:
    counsel = counsel_of("duplicate-2017")
    page = AskedPage(counsel, dict(parse_qsl(query)), voice_of(counsel))
    assert page.step is counsel.interview.seats["revoke"]
    assert len([*page.chips()]) == ("declarer" in query)


def test_an_address_may_ask_for_declarer_first() -> None:
    counsel = counsel_of("duplicate-2017")
    page = AskedPage(counsel, {"declarer": "S", "change": "declarer"}, voice_of(counsel))
    assert page.context()["asks"] == "Who is declarer?"


def test_of_what_was_said_no_more_is_told() -> None:
    counsel = counsel_of("duplicate-2017")
    page = AskedPage(counsel, {"revoke": "N", "declarer": "N", "next-trick": "led"}, voice_of(counsel))
    assert [one.says for one in page.chips()] == ["North revoked", "North declares", "played on"]


@pytest.mark.parametrize(("several", "stated"), [("none,one", "0..1"), ("none,more", None)])
def test_of_several_answers_only_a_range_without_a_gap_is_stated(several: str, stated: str | None) -> None:
    counsel = counsel_of("duplicate-2017")
    query = {"revoke": "W", "declarer": "S", "next-trick": "played", "won-by": "revoker", "later-tricks": several}
    page = AskedPage(counsel, query, voice_of(counsel))
    assert page.account.stated().revokes[0].said.get("later-tricks") == stated
