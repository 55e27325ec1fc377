from __future__ import annotations

import copy
import pickle

import pytest

from facts.cards import CLOCKWISE, DECK, NEXT, OTHER_SIDE, PARTNER, SEATS, SIDE, Card


def test_the_deck_has_52_different_cards() -> None:
    assert len({card.text for card in DECK}) == 52


@pytest.mark.parametrize("text", ["ST", "S10", "st", "s10", "♠T", "♠10", "♤10", " ST "])
def test_every_way_to_write_a_card_gives_the_same_card(text: str) -> None:
    assert Card.from_text(text) is Card.of("S", 10)


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_is_read_from_its_own_text(card: Card) -> None:
    assert Card.from_text(card.text) is card
    assert Card.of(card.suit, card.rank) is card


@pytest.mark.parametrize("text", ["", "S", "1S", "S1", "TS", "SS", "S11", "NT", "-", 5, None, ["ST"]])
def test_what_is_no_card_says_what_was_written_and_how_to_write_one(text: object) -> None:
    with pytest.raises(ValueError, match="is no card; write its suit and then its rank") as caught:
        Card.from_text(text)
    assert repr(str(text)) in str(caught.value)


def test_a_card_stays_the_same_object_when_copied_and_pickled() -> None:
    card = Card.of("H", 14)
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card


def test_cards_sort_by_suit_and_then_from_the_ace_down() -> None:
    cards = [Card.from_text(text) for text in ("C2", "S2", "HA", "SA", "D9")]
    assert [card.text for card in sorted(cards)] == ["SA", "S2", "HA", "D9", "C2"]


def test_going_round_the_table() -> None:
    for seat in SEATS:
        assert NEXT[NEXT[seat]] == PARTNER[seat] and PARTNER[PARTNER[seat]] == seat
        assert SIDE[PARTNER[seat]] == SIDE[seat] == OTHER_SIDE[SIDE[NEXT[seat]]]
        assert CLOCKWISE[seat][0] == seat and CLOCKWISE[seat][1:] == CLOCKWISE[NEXT[seat]][:3]
    assert NEXT["N"] == "E"
