"""Endings at random, and the tricks in them found by trying every card: slow, and sharing nothing with the solvers."""

from __future__ import annotations

from random import Random

import pytest

from facts.cards import CLOCKWISE, DECK, SEATS, SUITS
from facts.equity import Position, double_dummy_library
from support import table

needs_library = pytest.mark.skipif(double_dummy_library() is None, reason="the extra 'equity' is not installed")


def ending_at_random(chance: Random, tricks: int, on_table: int, following: bool = False) -> Position:
    """Hands of so many cards, and some already played to the trick; without ``following``, any card at all."""
    cards = chance.sample(DECK, 4 * tricks)
    hands = tuple(frozenset(cards[n * tricks : (n + 1) * tricks]) for n in range(4))
    position = Position(hands, chance.choice(SEATS), (), chance.choice([*SUITS, None]))
    for _ in range(on_table):
        position = position.after(
            chance.choice(position.legal() if following else sorted(position.hand(position.to_play)))
        )
    return position


def by_exhaustion(position: Position) -> dict[str, int]:
    """Tricks for the side to play after each legal card."""
    hands = {seat: {str(card) for card in position.hand(seat)} for seat in SEATS}
    played = dict(zip(CLOCKWISE[position.leader], map(str, position.table), strict=False))
    side = table.SIDE[position.to_play]
    return {
        card: _tricks(hands, position.leader, played, position.trump, position.to_play, card, side)
        for card in _legal(hands, position.leader, played, position.to_play)
    }


def _legal(hands: dict[str, set[str]], leader: str, played: dict[str, str], seat: str) -> set[str]:
    return {card for card in hands[seat] if played and card[0] == played[leader][0]} or hands[seat]


def _tricks(
    hands: dict[str, set[str]],
    leader: str,
    played: dict[str, str],
    trump: str | None,
    seat: str,
    card: str,
    side: str,
) -> int:
    hands, played, won = {**hands, seat: hands[seat] - {card}}, {**played, seat: card}, 0
    seat = table.NEXT[seat]
    if len(played) == 4:
        leader = seat = table.winner(leader, played, trump)
        played, won = {}, int(table.SIDE[seat] == side)
    choices = [_tricks(hands, leader, played, trump, seat, one, side) for one in _legal(hands, leader, played, seat)]
    return won + (max if table.SIDE[seat] == side else min)(choices, default=0)
