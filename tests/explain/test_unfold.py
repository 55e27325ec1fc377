"""The ruling as it unfolds."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from support.cases import incidents, ruled
from support.records import deal_at_random, play_at_random
from support.ruling import incident, law, laws, speaker_of

from facts.contract import Contract
from facts.errors import InputError, Place
from facts.history import moments, until
from facts.incident import Event, Incident
from facts.observe import observe
from kb.explain.page import as_text
from kb.explain.unfold import unfold, unfold_page
from kb.ruling.ruling import RevokeRuled
from kb.ruling.verdict import verdict

RUFF: dict[str, Any] = {
    "contract": "4S",
    "declarer": "S",
    "deal": "N:KQ3.742.AK8.KQ76 65.JT853.J95.832 JT8742.K96.2.AJ9 A9.AQ.QT7643.T54",
    "play": ["W D6 DA D5 D2", "N H7 H3 H6 HQ", "W CT CK C2 C9", "N SK S5 S2 SA", "W C4 C6 S6 CJ", "E C8 CA C5 C7"],
    "events": [{"attention": {"by": "S"}}],
}


def test_the_moments_of_a_ruff() -> None:
    turns = unfold(law(), incident(RUFF))
    told = [(turn.moment.trick, turn.moment.hand, turn.came) for turn in turns if turn.came]
    assert told == [(5, "E", ("44C", "61A")), (6, "E", ("63A1", "64A1"))]


def test_it_is_told_in_words() -> None:
    text = as_text(unfold_page(unfold(law(), incident(RUFF)), speaker_of("de")), speaker_of("de"))
    assert "Ost spielt ♠6 zu Stich 5" in text
    assert "Von jetzt an: § 63A1, 64A1" in text
    assert "Auf dem Spiel: 1 Stich an Nord–Süd" in text


def test_findings_unfold_too() -> None:
    stated = {
        "declarer": "S",
        "revokes": [
            {
                "hand": "W",
                "trick": 5,
                "suit": "H",
                "won-by": "W",
                "later-tricks": 2,
                "next-trick": "led",
                "claim": "none",
            }
        ],
    }
    stages = [turn.moment.stage for turn in unfold(law(), incident(stated))]
    assert stages == ["revoked", "trick-over", "went-on", None]


def test_an_attention_told_by_an_event_comes_with_the_event() -> None:
    stated = {
        "declarer": "S",
        "revokes": [{"hand": "W", "trick": 5, "suit": "H", "card": "S4", "next-trick": "no"}],
        "events": [{"attention": {"by": "N"}}],
    }
    turns = unfold(law(), incident(stated))
    assert [[one.status for one in turn.ruling.revokes] for turn in turns] == [
        ["none-yet"],
        ["must-correct"],
        ["must-correct"],
    ]


@pytest.mark.thorough
def test_the_last_ruling_is_the_ruling() -> None:
    for name, one in incidents():
        table = laws().of(one.edition, one.elections).edition.table
        assert until(one, moments(one, table), table) == one, name
    for name, one in Random(4).sample(incidents(), 20):
        turns = unfold(laws().of(one.edition, one.elections), one)
        assert verdict(turns[-1].ruling) == verdict(ruled(one)), name


def test_a_beginning_shows_nothing_that_comes_later() -> None:
    for name, one in Random(5).sample(incidents(), 60):
        table = laws().of(one.edition, one.elections).edition.table
        happened = moments(one, table)
        for number in range(1, len(happened)):
            begun = until(one, happened[:number], table)
            assert len(begun.events) <= len(one.events)
            assert begun.tricks is None
            assert observe(begun, table) is not None, name


def records() -> list[Incident]:
    chance = Random(12)
    found = []
    for _ in range(4):
        deal = deal_at_random(chance)
        contract = Contract.from_text(chance.choice(["4S", "3NT", "5D"]))
        declarer = chance.choice(["N", "E", "S", "W"])
        play = play_at_random(deal, contract, declarer, chance, revoking=0.15)
        found.append(Incident(place=Place("random", 1), deal=deal, contract=contract, declarer=declarer, play=play))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(4))
def test_correcting_in_time_never_costs_a_trick(number: int) -> None:
    one = records()[number]
    table = law().edition.table
    happened, tried = moments(one, table), 0
    for turn_number in range(1, len(happened)):
        begun = until(one, happened[:turn_number], table)
        ruling = ruled(begun)
        if [revoke.status for revoke in ruling.revokes] != ["none-yet"]:
            continue
        legal = legal_card(begun, ruling.revokes[0])
        if legal is None:
            continue
        tried += 1
        assert not any(ruled(put_right(begun, ruling.revokes[0], legal)).transfer.values())
    assert tried or not ruled(one).revokes


def legal_card(begun: Incident, revoke: RevokeRuled) -> Any:
    """A card of the suit led that the hand still holds."""
    assert begun.deal is not None
    assert begun.play is not None
    gone = {card for _, _, _, card in begun.play.plays()}
    held = [card for card in begun.deal[revoke.hand] or () if card.suit == revoke.suit and card not in gone]
    return held[0] if held else None


def put_right(begun: Incident, revoke: RevokeRuled, legal: Any) -> Incident:
    wrong = begun.play.tricks[revoke.trick - 1].card_of(revoke.hand)  # type: ignore[union-attr]
    assert wrong is not None
    correction = {"by": revoke.hand, "withdrawn": wrong, "played": legal}
    return replace(begun, events=(Event("attention", {"by": "N"}), Event("corrected", correction)))


def test_a_faulty_incident_stays_a_fault() -> None:
    clash = {
        "declarer": "S",
        "revokes": [
            {"hand": "W", "trick": 5, "suit": "H", "won-by": "E"},
            {"hand": "N", "trick": 5, "suit": "H", "won-by": "W"},
        ],
    }
    with pytest.raises(InputError):
        unfold(law(), incident(clash))
