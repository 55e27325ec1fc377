"""Random boards on which somebody revokes once, as exercises: everybody else follows suit, and the play is complete."""

from __future__ import annotations

from random import Random
from typing import Final

from facts.cards import CLOCKWISE, DECK, NEXT, PARTNER, SEATS, Card, Denomination, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import Place
from facts.events import Event
from facts.incident import Incident
from facts.play import PlayRecord, Trick

DENOMINATIONS: Final[tuple[Denomination, ...]] = ("S", "H", "D", "C", "NT")
LATEST: Final = 12
"""The last trick on which anybody can revoke."""


def injected(rng: Random) -> Incident:
    """A board with one revoke; the same generator gives the same board."""
    while True:
        board = _Board(rng, rng.randint(2, LATEST))
        record = board.played()
        if board.revoker is not None:
            return board.incident(record, board.revoker)


class _Board:
    """One board while it is played."""

    def __init__(self, rng: Random, wanted: int) -> None:
        self.rng = rng
        self.wanted = wanted
        cards = list(DECK)
        rng.shuffle(cards)
        self.dealt = {seat: tuple(sorted(cards[13 * n : 13 * n + 13])) for n, seat in enumerate(SEATS)}
        self.hands = {seat: list(held) for seat, held in self.dealt.items()}
        self.declarer: Seat = rng.choice(SEATS)
        self.contract = Contract(rng.randint(2, 4), rng.choice(DENOMINATIONS))
        self.revoker: Seat | None = None

    def played(self) -> PlayRecord:
        """All thirteen tricks."""
        leader, tricks = NEXT[self.declarer], list[Trick]()
        for number in range(1, 14):
            cards: list[Card] = []
            for seat in CLOCKWISE[leader]:
                cards.append(self._card(seat, cards[0] if cards else None, number))
                self.hands[seat].remove(cards[-1])
            tricks.append(Trick(leader, tuple(cards)))
            leader = tricks[-1].winner(self.contract.trump) or leader
        return PlayRecord(tuple(tricks))

    def _card(self, seat: Seat, led: Card | None, number: int) -> Card:
        held = self.hands[seat]
        following = [card for card in held if led is not None and card.suit == led.suit]
        others = [card for card in held if card not in following]
        if following and others and self.revoker is None and number == self.wanted:
            self.revoker = seat
            return self.rng.choice(others)
        return self.rng.choice(following or held)

    def incident(self, record: PlayRecord, revoker: Seat) -> Incident:
        """The board, with attention drawn to the revoke at some moment after it."""
        by = self.rng.choice([NEXT[revoker], NEXT[PARTNER[revoker]]])
        last = min(13, self.wanted + self.rng.randint(0, 3))
        moment = self.rng.choice(("soon", "soon", "at-the-end", "late"))
        attention = Event("attention", {"by": by})
        events = [attention]
        if moment == "soon":
            record = PlayRecord(record.tricks[:last])
        else:
            ended = ("play-ended", *(("hands-returned", "round-ended") if moment == "late" else ()))
            events = [*(Event(name, ends_play=True) for name in ended), attention]
        return Incident(
            place=Place("quiz", 1),
            contract=self.contract,
            declarer=self.declarer,
            deal=Deal(tuple(self.dealt[seat] for seat in SEATS)),
            play=record,
            events=tuple(events),
        )
