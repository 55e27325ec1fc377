"""Seats, sides, suits and cards: the words that every other module uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr
from typing import Final, Literal, TypeAlias

from facts.errors import MisreadError

Seat: TypeAlias = Literal["N", "E", "S", "W"]
Side: TypeAlias = Literal["NS", "EW"]
Role: TypeAlias = Literal["declarer", "dummy", "defender"]
Suit: TypeAlias = Literal["S", "H", "D", "C"]
Denomination: TypeAlias = Literal["S", "H", "D", "C", "NT"]

SEATS: Final[tuple[Seat, ...]] = ("N", "E", "S", "W")
"""Clockwise, as the turn to play passes."""
SUITS: Final[tuple[Suit, ...]] = ("S", "H", "D", "C")
NEXT: Final[Mapping[Seat, Seat]] = {"N": "E", "E": "S", "S": "W", "W": "N"}
"""The seat on the left."""
PARTNER: Final[Mapping[Seat, Seat]] = {"N": "S", "E": "W", "S": "N", "W": "E"}
SIDE: Final[Mapping[Seat, Side]] = {"N": "NS", "E": "EW", "S": "NS", "W": "EW"}
OTHER_SIDE: Final[Mapping[Side, Side]] = {"NS": "EW", "EW": "NS"}
CLOCKWISE: Final[Mapping[Seat, tuple[Seat, ...]]] = {
    seat: tuple(SEATS[(start + step) % 4] for step in range(4)) for start, seat in enumerate(SEATS)
}
"""The four seats in rotation, beginning with this one."""

RANKS: Final = "23456789TJQKA"
"""The letters of the ranks 2 to 14."""


def part_of(hand: Seat, declarer: Seat | None) -> Role | None:
    """The part that a hand plays; None where nobody says who is declarer."""
    if declarer is None:
        return None
    return "declarer" if hand == declarer else "dummy" if hand == PARTNER[declarer] else "defender"


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A playing card. There are 52 and no more: take one from ``Card.of`` or ``Card.from_text``, never build one."""

    suit: Suit
    rank: int
    """2 to 14; 11 is the jack, 14 the ace."""
    text: str
    """Suit, then rank: ``ST``."""

    @staticmethod
    def of(suit: Suit, rank: int) -> Card:
        """The card of that suit and rank; KeyError if there is none."""
        return BY_TEXT[suit + RANKS[rank - 2]]

    @staticmethod
    def from_text(text: object) -> Card:
        """The card written ``ST``, ``S10``, ``♠10`` or ``st``; MisreadError for anything else."""
        card = BY_SPELLING.get(str(text).strip().upper())
        if card is None:
            raise MisreadError(f"{repr(str(text))} is no card", "write its suit and then its rank, such as ST or H9")
        return card

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text})"

    def __lt__(self, other: Card) -> bool:
        return DECK_ORDER[self] < DECK_ORDER[other]

    def __reduce__(self) -> tuple[object, ...]:
        return Card.from_text, (self.text,)


DECK: Final[tuple[Card, ...]] = tuple(
    Card(suit, rank, suit + RANKS[rank - 2]) for suit in SUITS for rank in range(14, 1, -1)
)
"""All cards, spades first, each suit from the ace down: the order in which cards are sorted."""
DECK_ORDER: Final[Mapping[Card, int]] = {card: number for number, card in enumerate(DECK)}
BY_TEXT: Final[Mapping[str, Card]] = {card.text: card for card in DECK}

SYMBOLS: Final[Mapping[Suit, str]] = {"S": "S♠♤", "H": "H♥♡", "D": "D♦♢", "C": "C♣♧"}
"""Each way to write a suit."""
BY_SPELLING: Final[Mapping[str, Card]] = {
    symbol + rank: card
    for card in DECK
    for symbol in SYMBOLS[card.suit]
    for rank in ({"T", "10"} if card.rank == 10 else {card.text[1]})
}
