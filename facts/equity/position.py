"""A position in the middle of play: what a double-dummy solver is asked about.

How it came about does not matter, so it may be one that only a failure to follow suit can produce.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facts.cards import CLOCKWISE, SEATS, Card, Seat, Suit
from facts.deal import Deal
from facts.play import Trick


class PositionError(ValueError):
    """A position that cannot be on any table."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        self.faults = faults
        """Each thing wrong: what, a semicolon, and how to mend it."""
        super().__init__(" / ".join(faults))


@dataclass(frozen=True, slots=True)
class Position:
    """Four hands and the trick in progress; PositionError when these do not fit together."""

    hands: tuple[frozenset[Card], ...]
    """In the order N E S W, without the cards of the trick in progress."""
    leader: Seat
    """Who led to the trick in progress, or leads next."""
    table: tuple[Card, ...] = ()
    """The cards of the trick in progress, none to three, clockwise from the leader."""
    trump: Suit | None = None

    def __post_init__(self) -> None:
        faults = tuple(_faults(self))
        if faults:
            raise PositionError(faults)

    @staticmethod
    def of(deal: Deal, leader: Seat, trump: Suit | None) -> Position:
        """The position before the first card; PositionError when a hand is not known."""
        if None in deal.hands:
            raise PositionError(("a hand is not known; give all four",))
        return Position(tuple(frozenset(hand or ()) for hand in deal.hands), leader, (), trump)

    @property
    def to_play(self) -> Seat:
        """Whose turn it is."""
        return CLOCKWISE[self.leader][len(self.table)]

    @property
    def tricks_left(self) -> int:
        """Tricks not yet quitted, the one in progress included."""
        return max(map(len, self.hands))

    def hand(self, seat: Seat) -> frozenset[Card]:
        """The cards a hand still holds."""
        return self.hands[SEATS.index(seat)]

    def legal(self) -> tuple[Card, ...]:
        """The cards that the hand whose turn it is may play, following suit if able, in the order of the deck."""
        held = self.hand(self.to_play)
        following = [card for card in held if self.table and card.suit == self.table[0].suit]
        return tuple(sorted(following or held))

    def after(self, card: Card) -> Position:
        """The position when that card is played, followed suit or not; ValueError if the hand does not hold it."""
        seat = self.to_play
        if card not in self.hand(seat):
            raise ValueError(f"{seat} does not hold {card}; play a card of that hand")
        hands = tuple(hand - {card} if one == seat else hand for one, hand in zip(SEATS, self.hands, strict=True))
        table = (*self.table, card)
        if len(table) < 4:
            return Position(hands, self.leader, table, self.trump)
        winner = Trick(self.leader, table).winner(self.trump)
        assert winner is not None
        return Position(hands, winner, (), self.trump)


def _faults(position: Position) -> Iterator[str]:
    if len(position.hands) != 4:
        yield f"there are {len(position.hands)} hands; give four, in the order N E S W"
        return
    if len(position.table) > 3:
        yield f"the trick in progress has {len(position.table)} cards; a fourth card ends it"
        return
    seen = list(position.table)
    for hand in position.hands:
        seen += hand
    for card in sorted({card for card in seen if seen.count(card) > 1}):
        yield f"{card} is in two places; take it out of one of them"
    size = max(map(len, position.hands))
    if size > 13:
        yield f"a hand has {size} cards; the most is 13"
    have_played = CLOCKWISE[position.leader][: len(position.table)]
    for seat, hand in zip(SEATS, position.hands, strict=True):
        due = size - (seat in have_played)
        if len(hand) != due:
            yield f"{seat} has {len(hand)} cards and should have {due}; look for a card missing or one too many"
