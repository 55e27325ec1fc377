"""Double dummy in Python for the end of the play, where the library is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from facts.cards import SEATS, SUITS, Card
from facts.equity.position import Position
from facts.equity.solver import Answer, NotComputed, WhyNotComputed

MOST_TRICKS: Final = 8
MOST_TRICKS_SEARCHED: Final = 300_000
"""Beginnings of tricks kept before giving up: some twenty seconds. Of 60 random positions the hardest kept 46,000."""

_Best = tuple[int, int, int]
"""Seat, suit and bit of the card that is winning the trick."""


class PythonSolver:
    """Solver B: positions of at most eight tricks."""

    def tricks(self, position: Position) -> Answer:
        """See ``Solver``; NotComputed for an earlier position."""
        if position.tricks_left > MOST_TRICKS:
            return NotComputed(
                WhyNotComputed.NO_LIBRARY,
                f"double dummy before the last {MOST_TRICKS} tricks needs the extra 'equity' of revoke-kb, "
                "which Python 3.14 and later do not have; install revoke-kb[equity]",
            )
        search = _Search(position)
        try:
            return search.every_card(position)
        except _GaveUp:
            return NotComputed(
                WhyNotComputed.TOO_HARD, "this position is too hard in Python; install revoke-kb[equity]"
            )


class _GaveUp(Exception):  # noqa: N818 - it never leaves this module
    """The limit of the search is reached."""


class _Search:
    """The cards, a deuce being bit 0 and an ace bit 12 of its suit, played and taken back in place.

    Everything is asked as "do North and South win at least so many?", and what is known of the beginning of a trick is
    kept under the owners of the cards left in each suit, from the highest: which ranks they are does not matter.
    """

    def __init__(self, position: Position) -> None:
        self.trump = SUITS.index(position.trump) if position.trump else -1
        self.held = [[_bits(hand, suit) for suit in SUITS] for hand in position.hands]
        self.left = position.tricks_left
        self.known: dict[tuple[int, ...], tuple[int, int]] = {}
        self.present = [0] * 4
        """Cards in the hands when the trick in progress began."""
        self._begin_trick()
        for card in position.table:
            self.present[SUITS.index(card.suit)] |= 1 << card.rank - 2

    def every_card(self, position: Position) -> dict[Card, int]:
        """Tricks for the side to play after each legal card."""
        if not self.left:
            return {}
        leader, seat = SEATS.index(position.leader), SEATS.index(position.to_play)
        led, best = self._table(position, leader)
        values: dict[tuple[int, int], int] = {}
        guess = (self.left + 1) // 2
        for suit, bit in self._cards(seat, led):
            guess = values[suit, bit] = self._value(leader, seat, led, best, (suit, bit), guess)
        tricks = {}
        for card in position.legal():
            suit = SUITS.index(card.suit)
            ns = values[suit, _highest_equal(1 << card.rank - 2, self.held[seat][suit], self.present[suit])]
            tricks[card] = self.left - ns if seat % 2 else ns
        return tricks

    def _table(self, position: Position, leader: int) -> tuple[int, _Best | None]:
        best = None
        for nth, card in enumerate(position.table):
            one = ((leader + nth) % 4, SUITS.index(card.suit), 1 << card.rank - 2)
            best = self._better(best, one)
        return (SUITS.index(position.table[0].suit) if position.table else -1), best

    def _value(self, leader: int, seat: int, led: int, best: _Best | None, card: tuple[int, int], guess: int) -> int:
        """Tricks for North and South after the card, looked for from a guess up or down."""
        while guess < self.left and self._after(leader, seat, led, best, card, guess + 1):
            guess += 1
        while guess > 0 and not self._after(leader, seat, led, best, card, guess):
            guess -= 1
        return guess

    def _better(self, best: _Best | None, new: _Best) -> _Best:
        if best is None or (new[2] > best[2] if new[1] == best[1] else new[1] == self.trump):
            return new
        return best

    def _cards(self, seat: int, led: int) -> Iterator[tuple[int, int]]:
        """One of each group of equal legal cards, lowest first in each suit."""
        held = self.held[seat]
        for suit in (led,) if led >= 0 and held[led] else range(4):
            for bit in _groups(held[suit], self.present[suit]):
                yield suit, bit

    def _likely_first(self, seat: int, led: int, best: _Best | None) -> list[tuple[int, int]]:
        """The same cards, a leader's highest first, the cheapest that wins first where partner is not winning."""
        cards = list(self._cards(seat, led))
        if best is None:
            cards.sort(key=lambda card: -card[1])
        elif (best[0] - seat) % 2:
            cards.sort(key=lambda card: self._better(best, (seat, *card)) is best)
        return cards

    def _play(self, leader: int, seat: int, led: int, best: _Best | None, goal: int) -> bool:
        for_ns = seat % 2 == 0
        for card in self._likely_first(seat, led, best):
            if self._after(leader, seat, led, best, card, goal) == for_ns:
                return for_ns
        return not for_ns

    def _after(self, leader: int, seat: int, led: int, best: _Best | None, card: tuple[int, int], goal: int) -> bool:
        """Whether North and South win at least the goal, when this card is played."""
        suit, bit = card
        self.held[seat][suit] ^= bit
        best = self._better(best, (seat, suit, bit))
        if (seat + 1) % 4 == leader:
            wins = self._next_trick(best[0], goal)
        else:
            wins = self._play(leader, (seat + 1) % 4, suit if led < 0 else led, best, goal)
        self.held[seat][suit] ^= bit
        return wins

    def _next_trick(self, leader: int, goal: int) -> bool:
        goal -= leader % 2 == 0
        if goal <= 0 or goal >= self.left:
            return goal <= 0
        present = self.present
        self.present = [0] * 4
        self.left -= 1
        key = (leader, *self._begin_trick())
        low, high = self.known.get(key, (0, self.left))
        if low < goal <= high:
            if len(self.known) >= MOST_TRICKS_SEARCHED:
                raise _GaveUp
            wins = self._play(leader, leader, -1, None, goal)
            self.known[key] = (goal, high) if wins else (low, goal - 1)
        else:
            wins = goal <= low
        self.left += 1
        self.present = present
        return wins

    def _begin_trick(self) -> tuple[int, ...]:
        """Note which cards are there; who owns them, suit by suit."""
        north, east, south, west = self.held
        self.present = [north[suit] | east[suit] | south[suit] | west[suit] for suit in range(4)]
        return tuple(_owners(north[suit], east[suit], south[suit], self.present[suit]) for suit in range(4))


def _bits(hand: frozenset[Card], suit: str) -> int:
    return sum(1 << card.rank - 2 for card in hand if card.suit == suit)


@lru_cache(maxsize=100_000)
def _groups(own: int, present: int) -> tuple[int, ...]:
    """The highest card of each run of a hand's cards that no other card parts, lowest first."""
    return tuple(sorted({_highest_equal(1 << nth, own, present) for nth in range(13) if own >> nth & 1}))


def _highest_equal(bit: int, own: int, present: int) -> int:
    highest = above = bit
    while (above := above << 1) <= present:
        if above & own:
            highest = above
        elif above & present:
            break
    return highest


@lru_cache(maxsize=100_000)
def _owners(north: int, east: int, south: int, present: int) -> int:
    """The owners of a suit's cards from the lowest, as digits to base 4 after a leading 1."""
    owners = 1
    for nth in range(13):
        bit = 1 << nth
        if present & bit:
            owners = owners * 4 + (0 if north & bit else 1 if east & bit else 2 if south & bit else 3)
    return owners
