from __future__ import annotations

import pytest

from facts.cards import DECK, Card, Seat
from facts.deal import Deal
from facts.double_dummy import Position
from facts.errors import MisreadError


def cards(text: str) -> frozenset[Card]:
    return frozenset(map(Card.from_text, text.split()))


def position(*hands: str, leader: Seat = "N", table: str = "") -> Position:
    return Position(tuple(map(cards, hands)), leader, tuple(map(Card.from_text, table.split())), "S")


@pytest.mark.parametrize(
    ("hands", "table", "faults"),
    [
        (("SA SK", "HA HK", "DA DK"), "", ["there are 3 hands"]),
        (("SA SK", "HA HK", "DA DK", "CA"), "", ["W has 1 cards and should have 2"]),
        (("SA", "HA", "DA", "CA CK"), "", ["N has 1 cards", "E has 1 cards", "S has 1 cards"]),
        (("SA SK", "HA HK", "DA DK", "SK CK"), "", ["SK is in two places"]),
        (("SA", "HA HK", "DA DK", "CA CK"), "SA", ["SA is in two places"]),
        # A card played but not taken from the hand, which the library would take for a trick that does not exist.
        (("SA SK", "HA HK", "DA DK", "CA CK"), "SA", ["SA is in two places", "N has 2 cards and should have 1"]),
        (("SA SK", "HA HK", "DA DK", "CA CK"), "S2", ["N has 2 cards and should have 1"]),
        (("SA", "HA", "DA", "CA"), "S2 H2 D2 C2", ["the trick in progress has 4 cards"]),
    ],
)
def test_what_cannot_be_on_a_table(hands: tuple[str, ...], table: str, faults: list[str]) -> None:
    with pytest.raises(MisreadError) as error:
        position(*hands, table=table)
    for fault in faults:
        assert any(what.startswith(fault) for what, _ in error.value.wrong), error.value


def test_a_hand_of_fourteen() -> None:
    with pytest.raises(MisreadError, match="a hand has 14 cards"):
        Position((frozenset(DECK[:14]), *[frozenset[Card]()] * 3), "N")


def test_a_hand_not_known() -> None:
    with pytest.raises(MisreadError, match="give all four"):
        Position.of(Deal.from_pbn("N:A... K... - -"), "N", None)


def test_whose_turn_and_what_is_legal() -> None:
    here = position("SK", "HA S2", "DA DK", "S3 CK", table="SA")
    assert (here.to_play, here.tricks_left) == ("E", 2)
    assert list(map(str, here.legal())) == ["S2"]
    here = here.after(Card.from_text("HA"))
    assert (here.to_play, [str(card) for card in here.legal()]) == ("S", ["DA", "DK"])
    with pytest.raises(ValueError, match="S does not hold S3"):
        here.after(Card.from_text("S3"))


def test_the_fourth_card_ends_the_trick_and_a_trump_wins_it() -> None:
    here = position("H2 C3", "D2 S2", "DA", "CK C2", leader="S", table="H3")
    for text in ("C2", "H2", "S2"):
        here = here.after(Card.from_text(text))
    assert (here.leader, here.to_play, here.table, here.tricks_left) == ("E", "E", (), 1)
