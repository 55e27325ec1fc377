"""A trick tapped card by card is ruled on as the same finding in a file, and as the same cards in a record."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from support.counsel import counsel_of
from support.ruling import laws, ruled, speaker_of
from support.tricks import EDITION, drawn, tapped

from facts.errors import InputError
from facts.readers.changes import all_changed
from kb.desk.resulting import groups
from kb.desk.tapped_trick import NO_MORE
from kb.interview.address import seated
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

FOUR = {"contract": "4S", "declarer": "S", "trick": "5", "leader": "E", "cards": "HK-H2-S4-H5"}


def ruling_on(fields: dict[str, str], **answered: str) -> Ruling:
    """With answers to the questions that follow, which are not asked where not all had played."""
    trick = tapped(fields)
    more = [] if trick.cut_short else [f"revoke-1.{key}={value}" for key, value in answered.items()]
    return rule(laws().of(EDITION), all_changed(seated(counsel_of(EDITION), trick.query()), more, laws().table))


def essence(ruling: Ruling) -> dict[str, Any]:
    """What is ruled, without who sits where and which way of telling it led there."""
    said = verdict(ruling)
    revokes = [
        {key: one[key] for key in ("hand", "trick", "card", "status", "automatic-tricks")} for one in said["revokes"]
    ]
    return {"revokes": revokes, **{key: said[key] for key in ("transfer", "rectifications")}}


@pytest.mark.thorough
def test_a_hundred_tricks_as_findings_and_as_cards() -> None:
    for one in drawn(100):
        answered = {"next-trick": "no"} | ({"noticed": "before-next-trick"} if one.number == 12 else {})
        ruling = ruling_on(one.taps(), **answered)
        assert verdict(ruling) == verdict(ruled(one.finding(**answered))), one
        assert essence(ruling) == essence(ruled(one.record())), one


@pytest.mark.thorough
def test_a_hundred_tricks_after_which_that_side_has_gone_on() -> None:
    for one in (one for one in drawn(100) if one.cards == 4 and one.number < 12):
        ruling = ruling_on(one.taps(), **{"next-trick": "played"})
        assert verdict(ruling) == verdict(ruled(one.finding(**{"next-trick": "played"}))), one
        assert essence(ruling) == essence(ruled(one.record(one.until_gone_on))), one


@pytest.mark.thorough
def test_only_what_the_ruling_hinges_on_is_asked() -> None:
    asked, said = [], dict[str, str]()
    while (opening := ruling_on(FOUR, **said).opening) is not None and opening.asking is not None:
        name = opening.asking.key[1]
        asked.append((name, [[one.words for one in row] for row in groups(opening, speaker_of())]))
        said[name] = groups(opening, speaker_of())[-1][0].written
    assert asked == [
        ("next-trick", [["done nothing"], ["led or played", "named a card", "led out of turn"]]),
        ("later-tricks", [["none"], ["one", "more than one"]]),
    ]
    assert said == {"next-trick": "played", "later-tricks": "one"}


def test_what_was_not_tapped_is_not_stated() -> None:
    said = tapped(FOUR | {"trick": "unknown"}).query()
    cards = {"cards": "E HK H2 S4 H5", "suit": "H", "card": "S4", "won-by": "W", "played-after": "N"}
    assert said == {"revoke": "W", "declarer": "S", "contract": "4S", **cards}
    (found,) = seated(counsel_of(EDITION), said).revokes
    assert (found.hand, found.trick, found.said.keys()) == ("W", None, cards.keys() - {"cards"})


def test_whoever_played_after_him_may_change_his_card() -> None:
    assert "62C1" in ruling_on(FOUR, **{"next-trick": "no"}).cited
    assert "62C1" in ruling_on(FOUR | {"cards": f"HK-H2-S4-H5-{NO_MORE}"}).cited
    assert "62C1" not in ruling_on(FOUR | {"cards": f"HK-H2-S4-{NO_MORE}"}).cited


def test_one_who_did_not_follow_suit_need_not_be_named() -> None:
    assert tapped(FOUR).step == "" and tapped(FOUR).revoker == "W"
    two = FOUR | {"cards": "HK-H2-S4-D5"}
    assert tapped(two).step == "revoker" and tapped(two).choices("revoker") == ("W", "N")


@pytest.mark.parametrize(
    "wrong",
    [
        {"trick": "13"},
        {"revoker": "E"},
        {"cards": "HK-HK"},
        {"cards": "HK-stop-H2"},
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(InputError):
        ruling_on(FOUR | wrong)


def test_back_takes_the_last_tap_away() -> None:
    fields, trail = dict(FOUR), []
    while "contract" in fields:
        trail.append(list(fields.values())[-1])
        fields = {key: value for key, value in tapped(fields).back().items() if value}
    assert trail == ["HK-H2-S4-H5", "HK-H2-S4", "HK-H2", "HK", "E", "5", "S", "4S"]
    assert tapped(FOUR | {"cards": f"HK-H2-S4-{NO_MORE}"}).back()["cards"] == "HK-H2-S4"
