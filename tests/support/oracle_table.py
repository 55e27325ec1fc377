"""What lies on the table while the oracle goes through an incident: no law here, only cards and their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from support.table import ORDER, PARTNER, SEATS, SIDE, read_deal, trump_of, winner


@dataclass(frozen=True, slots=True)
class Play:
    """A card as it was first played."""

    trick: int
    hand: str
    card: str


@dataclass(frozen=True, slots=True)
class Event:
    """Anything else that happened, with the fields of the incident file."""

    name: str
    fields: dict[str, Any]


@dataclass(slots=True)
class Trick:
    """The cards of one trick as they lie now, by hand, in the order played."""

    leader: str
    cards: dict[str, str] = field(default_factory=dict)


def timeline(incident: dict[str, Any]) -> list[Play | Event]:
    """Cards and events in the order in which they happened."""
    at = _events_by_place(incident)
    happened: list[Play | Event] = []
    for number, row in enumerate(incident.get("play") or [], start=1):
        leader, *cards = row.split()
        for place, (hand, card) in enumerate(zip(ORDER[leader], cards, strict=False), start=1):
            happened.append(Play(number, hand, card))
            happened += at.pop((number, place), [])
    return happened + [event for rest in at.values() for event in rest]


def _events_by_place(incident: dict[str, Any]) -> dict[tuple[int, int], list[Event]]:
    """The events under the trick and place of the card they come after; without a place, after the one before."""
    rows = incident.get("play") or []
    place = (len(rows), len(rows[-1].split()) - 1) if rows else (0, 0)
    found: dict[tuple[int, int], list[Event]] = {}
    for item in incident.get("events") or []:
        body = {item: {}} if isinstance(item, str) else dict(item)
        if "after" in body:
            trick, card = str(body.pop("after")).split(".")
            place = (int(trick), int(card))
        ((name, fields),) = body.items()
        found.setdefault(place, []).append(Event(name, fields or {}))
    return found


class Table:
    """The tricks and the hands at any moment; a card taken back is in its hand again."""

    def __init__(self, incident: dict[str, Any], happened: list[Play | Event]) -> None:
        """Each hand starts with the cards it was dealt, or at least with those seen from it later."""
        self.trump = trump_of(incident["contract"])
        self.declarer = incident["declarer"]
        self.dummy = PARTNER[self.declarer]
        self.tricks: list[Trick] = []
        self.order: list[tuple[int, str]] = []
        self.swapped = False
        self.to_come = [(what.hand, what.card) for what in happened if isinstance(what, Play)]
        self.held: dict[str, set[str]] = {seat: set() for seat in SEATS}
        self.held.update(read_deal(incident["deal"]) if incident.get("deal") else {})
        for hand, card in _seen(happened):
            self.held[hand].add(card)

    def is_defender(self, hand: str) -> bool:
        """Whether the hand is neither declarer's nor dummy's."""
        return SIDE[hand] != SIDE[self.declarer]

    def play(self, play: Play) -> None:
        """Lay a card on the trick."""
        self.to_come.remove((play.hand, play.card))
        if play.trick > len(self.tricks):
            self.tricks.append(Trick(play.hand))
        self.tricks[play.trick - 1].cards[play.hand] = play.card
        self.order.append((play.trick, play.hand))
        self.held[play.hand].discard(play.card)

    def replace(self, hand: str, old: str, new: str) -> int:
        """Take a card back and lay another in its place; gives the number of the trick.

        When the new card had already gone to a later trick, the two cards change places.
        """
        number = next(n for n in range(len(self.tricks), 0, -1) if self.tricks[n - 1].cards.get(hand) == old)
        for later in self.tricks[number:]:
            if later.cards.get(hand) == new:
                later.cards[hand] = old
                self.swapped = True
                break
        else:
            self.held[hand].add(old)
            self.held[hand].discard(new)
        self.tricks[number - 1].cards[hand] = new
        return number

    def change_hands_only(self, hand: str, old: str, new: str) -> None:
        """Take a card back although it counts as played: the trick keeps it, and the hand has it again.

        A hand that plays the other card later had put it back, whatever is said.
        """
        if (hand, new) not in self.to_come:
            self.held[hand].add(old)
            self.held[hand].discard(new)

    def suit_led(self, trick: int) -> str:
        """The suit of the card that was led to a trick, as it lies now."""
        laid = self.tricks[trick - 1]
        return laid.cards[laid.leader][0]

    def holds(self, hand: str, suit: str) -> bool:
        """Whether the hand is known to hold a card of the suit now."""
        return any(card[0] == suit for card in self.held[hand])

    def in_progress(self) -> int:
        """The number of the trick that is short of four cards, or of the next to be led."""
        return len(self.tricks) + (not self.tricks or len(self.tricks[-1].cards) == 4)

    def winners(self) -> dict[int, str]:
        """Which hand won each complete trick, by the cards as they lie."""
        won: dict[int, str] = {}
        for number, trick in enumerate(self.tricks, start=1):
            if len(trick.cards) == 4 and "-" not in trick.cards.values():
                # A correction at trick 12 after the last cards were played decides anew who leads them.
                leader = won[12] if number == 13 and self.swapped else trick.leader
                won[number] = winner(leader, trick.cards, self.trump)
        return won


def _seen(happened: list[Play | Event]) -> Iterator[tuple[str, str]]:
    for what in happened:
        if isinstance(what, Play):
            if what.card != "-":
                yield what.hand, what.card
        elif what.name in {"corrected", "withdrawn"}:
            yield what.fields["by"], what.fields["played"]
