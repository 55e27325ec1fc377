"""The same incident with the table turned or the suits renamed, and the ruling that must come of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

SEATS = "NESW"
SUITS = "SHDC"
SEAT_KEYS = {"by", "of", "hand", "player", "seat", "declarer", "dealer", "won-by", "asked-by", "withdraws"}
SIDE_KEYS = {"side", "to", "from", "vulnerable", "next-board-call-by"}
CARD_KEYS = {"card", "withdrawn", "played"}


def turned(incident: Any, quarters: int) -> Any:
    """Everybody moves so many seats clockwise."""
    seat = {one: SEATS[(at + quarters) % 4] for at, one in enumerate(SEATS)}
    side = {"NS": "EW", "EW": "NS"} if quarters % 2 else {}
    return _mapped(incident, _Names(seat, side, {}))


def renamed(incident: Any, suits: Mapping[str, str]) -> Any:
    """Every suit is called by another's name."""
    return _mapped(incident, _Names({}, {}, suits))


class _Names:
    def __init__(self, seat: Mapping[str, str], side: Mapping[str, str], suit: Mapping[str, str]) -> None:
        self.seat, self.side, self.suit = seat, side, suit

    def card(self, text: str) -> str:
        return self.suit.get(text[0], text[0]) + text[1:]

    def deal(self, text: str) -> str:
        first, hands = text.split(":")
        return f"{self.seat.get(first, first)}:{' '.join(map(self._hand, hands.split()))}"

    def _hand(self, hand: str) -> str:
        if hand == "-":
            return hand
        by_suit = {self.suit.get(suit, suit): ranks for suit, ranks in zip(SUITS, hand.split("."), strict=True)}
        return ".".join(by_suit[suit] for suit in SUITS)

    def row(self, row: str) -> str:
        leader, *cards = row.split()
        return " ".join([self.seat.get(leader, leader), *(card if card == "-" else self.card(card) for card in cards)])

    def contract(self, text: str) -> str:
        return (
            re.sub("[SHDC](?!T)", lambda found: self.suit.get(found[0], found[0]), text) if "NT" not in text else text
        )


def _mapped(value: Any, names: _Names, key: str = "") -> Any:
    if isinstance(value, dict):
        return {names.side.get(k, k): _mapped(v, names, k) for k, v in value.items()}
    if isinstance(value, list):
        return [names.row(one) if key == "play" else _mapped(one, names, key) for one in value]
    if isinstance(value, str):
        return _word(value, names, key)
    return -value if key.startswith("score-ns") and names.side and isinstance(value, int) else value


def _word(value: str, names: _Names, key: str) -> str:
    special: dict[str, Callable[[str], str]] = {"deal": names.deal, "contract": names.contract}
    special |= dict.fromkeys(CARD_KEYS, names.card)
    special |= dict.fromkeys(SEAT_KEYS | {"played-after"}, lambda seat: names.seat.get(seat, seat))
    special |= dict.fromkeys(SIDE_KEYS, lambda side: names.side.get(side, side))
    special["cards"] = names.row
    special["suit"] = lambda suit: names.suit.get(suit, suit)
    return special[key](value) if key in special else value
