"""Random boards on which somebody revokes once, played about as people play: each its own deal."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from facts.cards import CLOCKWISE, DECK, NEXT, PARTNER, SEATS, SIDE, SUITS, Card, Denomination, Seat, Suit, part_of
from facts.contract import Contract
from facts.deal import Deal
from facts.play import BEATEN_BY, Trick

EARLIEST: Final = 2
LATEST: Final = 12
"""The first trick on which anybody revokes here, and the last on which anybody can."""
FIT: Final = 8
"""Trumps with which a suit is chosen; with fewer it is notrump."""


@dataclass(frozen=True)
class Board:
    """A whole board, and the one card in it that should not have been played."""

    deal: Deal
    contract: Contract
    declarer: Seat
    tricks: tuple[Trick, ...]
    number: int
    """The trick with the revoke."""
    hand: Seat
    card: Card
    due: Card
    """A card that should have been played instead."""

    @property
    def trick(self) -> Trick:
        """The trick with the revoke."""
        return self.tricks[self.number - 1]

    @property
    def part(self) -> str:
        """declarer, dummy or defender."""
        return str(part_of(self.hand, self.declarer))

    @property
    def winner(self) -> Seat:
        """Whose card won that trick."""
        return self.trick.winner(self.contract.trump) or self.trick.leader

    @property
    def later(self) -> int:
        """The tricks that the side of the hand won after it."""
        winners = (trick.winner(self.contract.trump) for trick in self.tricks[self.number :])
        return sum(winner is not None and SIDE[winner] == SIDE[self.hand] for winner in winners)


def board(rng: Random, part: str, number: int, follows: bool = False) -> Board:
    """One on which a hand of that part plays the wrong card to that trick: of the suit led, or not of it."""
    while True:
        play = _Play(rng, part, number, follows)
        tricks = tuple(play.trick(nth) for nth in range(1, 14))
        if play.wrong is not None:
            return Board(play.deal, play.contract, play.declarer, tricks, number, *play.wrong)


class _Play:
    """A board while it is played."""

    def __init__(self, rng: Random, part: str, number: int, follows: bool) -> None:
        self.rng, self.part, self.number, self.follows = rng, part, number, follows
        cards = rng.sample(DECK, len(DECK))
        hands = {seat: sorted(cards[13 * n : 13 * n + 13]) for n, seat in enumerate(SEATS)}
        self.deal = Deal(tuple(tuple(hands[seat]) for seat in SEATS))
        self.hands = hands
        self.declarer: Seat = rng.choice(SEATS)
        both = [card.suit for seat in (self.declarer, PARTNER[self.declarer]) for card in hands[seat]]
        longest: Suit = max(SUITS, key=both.count)
        strain: Denomination = longest if both.count(longest) >= FIT else "NT"
        self.contract = Contract(rng.randint(2, 4) if strain != "NT" else rng.randint(1, 3), strain)
        self.leader: Seat = NEXT[self.declarer]
        self.wrong: tuple[Seat, Card, Card] | None = None

    def trick(self, number: int) -> Trick:
        """The next trick."""
        cards: list[Card] = []
        for seat in CLOCKWISE[self.leader]:
            card = self._card(seat, Trick(self.leader, tuple(cards)), number)
            self.hands[seat].remove(card)
            cards.append(card)
        played = Trick(self.leader, tuple(cards))
        self.leader = played.winner(self.contract.trump) or self.leader
        return played

    def _card(self, seat: Seat, trick: Trick, number: int) -> Card:
        held = self.hands[seat]
        following = [card for card in held if card.suit == trick.led]
        if number == self.number and self.wrong is None and following and self._is_wanted(seat):
            others = following[:-1] if self.follows else [card for card in held if card.suit != trick.led]
            if others:
                ruffs = [card for card in others if card.suit == self.contract.trump]
                card = ruffs[-1] if ruffs and self.rng.random() < 2 / 3 else others[-1]
                self.wrong = seat, card, following[-1]
                return card
        return self._usual(following or held, trick)

    def _is_wanted(self, seat: Seat) -> bool:
        return part_of(seat, self.declarer) == self.part

    def _usual(self, cards: list[Card], trick: Trick) -> Card:
        """A lead as it comes; else the lowest card that wins, unless the partner's does already; else the lowest."""
        if not trick.cards:
            return self.rng.choice(cards)
        trump = self.contract.trump
        best = trick.best(trump)
        card = None if best is None else trick.card_of(best)
        winning = [] if card is None else [one for one in cards if one in BEATEN_BY[trump][card]]
        lowest = min(cards, key=lambda one: (one.suit == trump, one.rank))
        if not winning or (best is not None and SIDE[best] == SIDE[CLOCKWISE[trick.leader][len(trick.cards)]]):
            return lowest
        return min(winning, key=lambda one: one.rank)
