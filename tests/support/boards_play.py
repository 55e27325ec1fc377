"""A table at which cards are dealt and legally played, and the incident file of what happened there."""

from __future__ import annotations

from random import Random
from typing import Any

from support.table import DECK, NEXT, PARTNER, SEATS, SIDE, trump_of, winner, write_deal


class Playing:
    """One board from the deal on. Tricks map a hand to its card as it lies now, in the order played."""

    def __init__(self, rng: Random) -> None:
        """Deal, and take a contract and a declarer at random."""
        self.rng = rng
        cards = DECK[:]
        rng.shuffle(cards)
        self.hands = {seat: cards[13 * n : 13 * n + 13] for n, seat in enumerate(SEATS)}
        self.declarer = rng.choice(SEATS)
        self.dummy = PARTNER[self.declarer]
        contract = rng.choice("1234567") + rng.choice(["S", "H", "D", "C", "NT"]) + rng.choice(["", "", "", "X", "XX"])
        self.trump = trump_of(contract)
        self.incident: dict[str, Any] = {
            "edition": "duplicate-2017",
            "board": rng.randint(1, 36),
            "dealer": rng.choice(SEATS),
            "vulnerable": rng.choice(["none", "NS", "EW", "both"]),
            "contract": contract,
            "declarer": self.declarer,
            "deal": write_deal(rng.choice(SEATS), self.hands),
        }
        self.tricks: list[dict[str, str]] = []
        self.rows: list[list[str]] = []
        self.events: list[dict[str, Any] | str] = []
        self.last_event_after = ""
        self.faced: set[str] = set()
        self.penalty: set[str] = set()

    def by_chance(self, probability: float) -> bool:
        """True that often."""
        return self.rng.random() < probability

    def is_defender(self, hand: str) -> bool:
        """Whether the hand is neither declarer's nor dummy's."""
        return SIDE[hand] != SIDE[self.declarer]

    def trick_is_over(self) -> bool:
        """Whether a new trick is to be led."""
        return not self.tricks or len(self.tricks[-1]) == 4

    def next_hand(self) -> str:
        """Whose card is next: the winner of the last trick leads, the others follow clockwise."""
        if not self.tricks:
            return NEXT[self.declarer]
        return self.winner(len(self.tricks)) if self.trick_is_over() else NEXT[list(self.tricks[-1])[-1]]

    def winner(self, trick: int) -> str:
        """Which hand won a complete trick, by the cards as they lie."""
        cards = self.tricks[trick - 1]
        return winner(next(iter(cards)), cards, self.trump)

    def won_by_declarer(self) -> int:
        """How many of the complete tricks declarer's side has won."""
        complete = [number for number, cards in enumerate(self.tricks, start=1) if len(cards) == 4]
        return sum(not self.is_defender(self.winner(number)) for number in complete)

    def suit_led(self, trick: int) -> str:
        """The suit led to a trick that has begun."""
        return next(iter(self.tricks[trick - 1].values()))[0]

    def legal(self, hand: str, suit_led: str | None) -> list[str]:
        """The cards that may be played: follow suit if able; then a penalty card at the first legal opportunity."""
        cards = self.hands[hand]
        playable = [card for card in cards if card[0] == suit_led] or cards
        required = [card for card in playable if card in self.penalty] if self.penalty else []
        return required or playable

    def put(self, hand: str, card: str) -> None:
        """Lay a card on the table: on the trick in progress, or as a lead."""
        if self.trick_is_over():
            self.tricks.append({})
            self.rows.append([hand])
        self.tricks[-1][hand] = card
        self.rows[-1].append(card)
        self.hands[hand].remove(card)
        self.penalty.discard(card)

    def change(self, trick: int, hand: str, new: str, *, penalty: bool) -> str:
        """Take back the card that lies in the trick and lay another; gives the card taken back."""
        old = self.tricks[trick - 1][hand]
        self.hands[hand].append(old)
        self.hands[hand].remove(new)
        self.tricks[trick - 1][hand] = new
        self.penalty.discard(new)
        if penalty and self.is_defender(hand):
            self.make_penalty_card(old)
        return old

    def make_penalty_card(self, card: str) -> None:
        """The card lies face up before its owner from now on."""
        self.penalty.add(card)
        self.faced.add(card)

    def emit(self, name: str, **fields: Any) -> None:
        """Write an event down after the last card played; the place is left out now and then where it can be."""
        here = f"{len(self.tricks)}.{len(self.tricks[-1])}"
        if here == self.last_event_after and self.by_chance(0.6):
            self.events.append({name: fields} if fields or self.by_chance(0.5) else name)
        else:
            self.events.append({"after": here, name: fields})
        self.last_event_after = here

    def result(self) -> dict[str, Any]:
        """The incident as a plain dict in the form of the incident file."""
        incident = {**self.incident, "play": [" ".join(row) for row in self.rows]}
        if self.events:
            incident["events"] = self.events
        return incident
