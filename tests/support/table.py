"""The four seats, the cards and the winner of a trick, for the tests' own generator and oracle.

Deliberately shares nothing with the product: cards are plain strings such as ``"H9"``, a side is ``"NS"`` or ``"EW"``.
"""

from __future__ import annotations

SEATS = "NESW"
SUITS = "SHDC"
RANKS = "23456789TJQKA"
DECK = [suit + rank for suit in SUITS for rank in RANKS]
NEXT = {"N": "E", "E": "S", "S": "W", "W": "N"}
PARTNER = {"N": "S", "E": "W", "S": "N", "W": "E"}
SIDE = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}
OTHER = {"NS": "EW", "EW": "NS"}
ORDER = {"N": "NESW", "E": "ESWN", "S": "SWNE", "W": "WNES"}
"""The four seats clockwise from the one named."""

STRENGTH = {card: RANKS.index(card[1]) for card in DECK}


def trump_of(contract: str) -> str | None:
    """The trump suit of a contract such as ``4SX``; None in no trump."""
    return None if contract[1:3] == "NT" else contract[1]


def winner(leader: str, cards: dict[str, str], trump: str | None) -> str:
    """Which hand won a trick of four cards, by Law 44: the highest trump, else the highest card of the suit led."""
    suit = trump if trump and any(card[0] == trump for card in cards.values()) else cards[leader][0]
    return max(cards, key=lambda hand: STRENGTH[cards[hand]] if cards[hand][0] == suit else -1)


def read_deal(text: str) -> dict[str, set[str]]:
    """The hands of a PBN deal (``N:KQ3.742... -``); a hand given as ``-`` is left out."""
    first, hands = text.split(":")
    cards = {}
    for seat, hand in zip(ORDER[first], hands.split(), strict=True):
        if hand != "-":
            cards[seat] = {suit + rank for suit, ranks in zip(SUITS, hand.split("."), strict=True) for rank in ranks}
    return cards


def write_deal(first: str, hands: dict[str, list[str]]) -> str:
    """The hands as a PBN deal that begins with the seat named."""
    holdings = []
    for seat in ORDER[first]:
        cards = sorted(hands[seat], key=STRENGTH.__getitem__, reverse=True)
        holdings.append(".".join("".join(card[1] for card in cards if card[0] == suit) for suit in SUITS))
    return f"{first}:{' '.join(holdings)}"
