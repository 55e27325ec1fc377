from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.records import deal_at_random, play_at_random

from facts.cards import CLOCKWISE, Card, Seat, Suit
from facts.contract import Contract
from facts.deal import Deal
from facts.play import Irregularity, Oddity, PlayRecord, Trick, irregularities


def trick(row: str) -> Trick:
    leader, *cards = row.split()
    return Trick(leader, tuple(None if card == "-" else Card.from_text(card) for card in cards))


def record(*rows: str) -> PlayRecord:
    return PlayRecord(tuple(map(trick, rows)))


@pytest.mark.parametrize(
    ("row", "trump", "winner"),
    [
        ("S H7 H3 HJ HQ", None, "E"),
        ("S H7 HA S2 C2", None, "W"),
        ("S H7 HA S2 C2", "S", "N"),
        ("S H7 HA S2 ST", "S", "E"),
        ("S H7 CA DA SA", None, "S"),
        ("S S2 H3 H4 H5", "S", "S"),
        ("S H7 HA S2", "S", None),
        ("S H7 - S2 C3", "S", None),
    ],
)
def test_who_won(row: str, trump: Suit | None, winner: Seat | None) -> None:
    assert trick(row).winner(trump) == winner


def test_the_best_card_so_far() -> None:
    assert trick("S H7 - HA").best(None) == "N"
    assert trick("S - HA HK HQ").best(None) is None
    assert trick("S").best("S") is None


def test_of_a_card_recorded_twice_the_first_is_the_best() -> None:
    assert trick("S H7 HA HA H2").best(None) == "W" and trick("S H7 S2 S2").best("S") == "W"


def test_places_in_a_trick() -> None:
    third = trick("W H7 H8 H9")
    assert list(third.items()) == [
        ("W", Card.from_text("H7")),
        ("N", Card.from_text("H8")),
        ("E", Card.from_text("H9")),
    ]
    assert third.card_of("S") is None and third.card_of("N") is Card.from_text("H8")
    assert [third.nth_of(seat) for seat in CLOCKWISE["W"]] == [1, 2, 3, 4]
    assert third.led == "H" and trick("W - H2").led is None


def test_another_card_in_a_trick() -> None:
    play = record("S H7 H3 HJ HQ", "E DA D6")
    changed = play.with_card(2, "S", Card.from_text("S2"))
    assert changed == record("S H7 H3 HJ HQ", "E DA S2")
    with pytest.raises(ValueError, match="W has not played to trick 2"):
        play.with_card(2, "W", Card.from_text("S2"))


DEAL = Deal.from_pbn("N:A.A.. K.K.. Q.Q.. J.J..")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["N SA SK SQ SJ", "N HA HK HQ HJ"], []),
        (["N SA HK SQ SJ", "N HA SK HQ HJ"], []),  # a revoke is in order as a record
        (["N SA SK SQ SJ", "E HK HQ HJ HA"], [Irregularity(Oddity.LEAD_FROM_WRONG_HAND, 2, ("E",), Card.from_text("HK"))]),
        (["N SA SK SQ SJ", "N HA DK HQ HJ"], [Irregularity(Oddity.CARD_NOT_HELD, 2, ("E",), Card.from_text("DK"))]),
        (["N SA SK SQ SJ", "N SA HK HQ HJ"], [Irregularity(Oddity.CARD_PLAYED_TWICE, 2, ("N",), Card.from_text("SA"))]),
        (["N SA SK - SJ", "N HA HK HQ HJ"], []),
        (["N SA SK SQ SJ", "N HA HK"], []),
        (["E SK SQ SJ SA"], [Irregularity(Oddity.LEAD_FROM_WRONG_HAND, 1, ("E",), Card.from_text("SK"))]),
    ],
)  # fmt: skip
def test_each_irregularity_is_a_value(rows: list[str], expected: list[Irregularity]) -> None:
    assert list(irregularities(record(*rows), DEAL, Contract(1, "NT"), "W")) == expected


def test_more_cards_than_a_hand_has() -> None:
    found = irregularities(record("N SA SK SQ SJ", "N HA HK HQ HJ", "N S2 S3 S4 S5"), DEAL)
    assert [one.kind for one in found].count(Oddity.TOO_MANY_CARDS) == 1


def test_a_card_of_another_hand_is_not_held_even_where_the_own_hand_is_unknown() -> None:
    deal = Deal.from_pbn("N:A.A.. - - -")
    found = irregularities(record("N HA SA S2 S3"), deal)
    assert [(one.kind, one.hands) for one in found] == [(Oddity.CARD_NOT_HELD, ("E",))]


@given(st.integers(0, 10**9), st.sampled_from(["1NT", "4S", "2C", "6HXX"]), st.sampled_from("NESW"))
def test_whatever_is_played_from_the_right_hand_is_in_order(seed: int, bid: str, declarer: Seat) -> None:
    chance, contract = Random(seed), Contract.from_text(bid)
    deal = deal_at_random(chance)
    play = play_at_random(deal, contract, declarer, chance)
    assert irregularities(play, deal, contract, declarer) == ()
    assert tuple(trick.winner(contract.trump) for trick in play.tricks[:-1]) == tuple(
        trick.leader for trick in play.tricks[1:]
    )
