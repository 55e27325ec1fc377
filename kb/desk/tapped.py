"""A trick entered card by card: each tap adds one thing to an address, until there is enough to rule on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast, get_args

import yaml

from facts.cards import CLOCKWISE, DECK, SEATS, SIDE, SUITS, Card, Seat
from facts.contract import Contract
from facts.errors import Fault, InputError, Place
from facts.incident import NextTrick
from facts.play import Trick
from kb.desk.given import Given

STEPS: Final = ("contract", "declarer", "trick", "leader", "cards", "revoker", "next-trick", "later-tricks")
"""What is asked, in this order."""
CARDS: Final = tuple(card.text for card in DECK)
CONTRACTS: Final = tuple(f"{level}{strain}" for level in range(1, 8) for strain in (*reversed(SUITS), "NT"))


@dataclass(frozen=True)
class Tapped:
    """As much of a trick as has been entered; texts, in the words of the incident file."""

    said: Mapping[str, str]

    @staticmethod
    def of(said: Mapping[str, str]) -> Tapped:
        """From the fields of an address; InputError for a card or anything else that cannot be."""
        tapped = Tapped({key: said[key] for key in STEPS if said.get(key)})
        for key, value in tapped.said.items():
            known = tapped.choices(key)
            if key == "cards":
                cards = value.split("-")
                well = set(cards) <= set(CARDS) and len(set(cards)) == len(cards) <= 4 and "leader" in tapped.said
            else:
                well = value in known
            if not well:
                raise InputError([Fault(Place(key, 1), f"{value[:40]} cannot stand here", "go back and choose again")])
        return tapped

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of the trick so far."""
        return tuple(filter(None, self.said.get("cards", "").split("-")))

    @property
    def trick(self) -> Trick:
        """The trick; it needs its leader."""
        return Trick(cast(Seat, self.said["leader"]), tuple(Card.from_text(card) for card in self.cards))

    @property
    def turn(self) -> Seat:
        """Whose card comes next; it needs the leader and fewer than four cards."""
        return CLOCKWISE[cast(Seat, self.said["leader"])][len(self.cards)]

    @property
    def strayed(self) -> tuple[Seat, ...]:
        """The hands that did not follow suit."""
        return tuple(seat for seat, card in self.trick.items() if card is not None and card.suit != self.trick.led)

    @property
    def step(self) -> str:
        """What is asked next; nothing when it is enough, or when everybody followed suit."""
        for key in STEPS:
            if key == "cards" and len(self.cards) < 4:
                return key
            if key == "revoker" and not self.strayed:
                return ""
            if key == "later-tricks" and self.said["next-trick"] == "no":
                return ""
            if key not in self.said:
                return key
        return ""

    def choices(self, key: str) -> tuple[str, ...]:
        """The answers to choose from."""
        if key == "contract":
            return CONTRACTS
        if key in ("declarer", "leader", "revoker"):
            return SEATS
        if key == "trick":
            return tuple(map(str, range(1, 14)))
        if key == "cards":
            return tuple(card for card in CARDS if card not in self.cards)
        if key == "next-trick":
            return get_args(NextTrick)
        left = 13 - int(self.said.get("trick", "1"))
        return tuple(map(str, range(left + 1)))

    def with_(self, key: str, value: str) -> dict[str, str]:
        """The fields of the address after one more tap."""
        return {**self.said, key: "-".join((*self.cards, value)) if key == "cards" else value}

    def back(self) -> dict[str, str]:
        """The fields of the address without the last tap."""
        fields = dict(self.said)
        if fields:
            last = [key for key in STEPS if key in fields][-1]
            fields.pop(last)
            if last == "cards" and len(self.cards) > 1:
                fields[last] = "-".join(self.cards[:-1])
        return fields

    def given(self) -> Given:
        """The incident; it needs everything that is asked."""
        contract, trick = Contract.from_text(self.said["contract"]), self.trick
        revoker = cast(Seat, self.said["revoker"])
        finding: dict[str, Any] = {
            "hand": revoker,
            "trick": int(self.said["trick"]),
            "suit": trick.led,
            "card": str(trick.card_of(revoker)),
            "won-by": trick.winner(contract.trump),
            "next-trick": self.said["next-trick"],
        }
        if "later-tricks" in self.said:
            finding["later-tricks"] = int(self.said["later-tricks"])
        incident = {"contract": self.said["contract"], "declarer": self.said["declarer"], "revokes": [finding]}
        return Given(yaml.safe_dump(incident, sort_keys=False, allow_unicode=True))

    @property
    def side(self) -> str:
        """The revoker's side."""
        return SIDE[cast(Seat, self.said["revoker"])]
