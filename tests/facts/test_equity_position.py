from __future__ import annotations

from facts.cards import Card, Seat
from facts.equity import Position


def cards(text: str) -> frozenset[Card]:
    return frozenset(map(Card.from_text, text.split()))


def position(*hands: str, leader: Seat = "N", table: str = "") -> Position:
    return Position(tuple(map(cards, hands)), leader, tuple(map(Card.from_text, table.split())), "S")


def test_whose_turn_and_what_is_legal() -> None:
    here = position("SK", "HA S2", "DA DK", "S3 CK", table="SA")
    assert (here.to_play, here.tricks_left) == ("E", 2)
    assert list(map(str, here.legal())) == ["S2"]
    here = here.after(Card.from_text("HA"))
    assert (here.to_play, [str(card) for card in here.legal()]) == ("S", ["DA", "DK"])


def test_the_fourth_card_ends_the_trick_and_a_trump_wins_it() -> None:
    here = position("H2 C3", "D2 S2", "DA", "CK C2", leader="S", table="H3")
    for text in ("C2", "H2", "S2"):
        here = here.after(Card.from_text(text))
    assert (here.leader, here.to_play, here.table, here.tricks_left) == ("E", "E", (), 1)
