"""The play: tricks as they were played, however irregularly, and what is irregular in the record of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from facts.cards import CLOCKWISE, DECK, NEXT, SUITS, Card, Seat, Suit
from facts.deal import Deal

_PLACE_AFTER: Final = {leader: {seat: nth for nth, seat in enumerate(seats)} for leader, seats in CLOCKWISE.items()}

BEATEN_BY: Final[Mapping[Suit | None, Mapping[Card, frozenset[Card]]]] = {
    trump: {
        best: frozenset(
            card
            for card in DECK
            if (card.suit == best.suit and card.rank > best.rank) or (card.suit == trump != best.suit)
        )
        for best in DECK
    }
    for trump in (None, *SUITS)
}
"""Trump, the best card so far (the card led at first) -> the cards that beat it."""


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, perhaps not complete, perhaps not fully recorded."""

    leader: Seat
    cards: tuple[Card | None, ...]
    """Up to four, clockwise from the leader; None for a card played that was not recorded."""

    def items(self) -> Iterator[tuple[Seat, Card | None]]:
        """Each hand that played to the trick, in turn, and its card."""
        return zip(CLOCKWISE[self.leader], self.cards, strict=False)

    def card_of(self, seat: Seat) -> Card | None:
        """The card of a hand; None when it is not recorded or the hand has not played."""
        nth = _PLACE_AFTER[self.leader][seat]
        return self.cards[nth] if nth < len(self.cards) else None

    def nth_of(self, seat: Seat) -> int:
        """1 for the leader, 4 for the hand that plays last."""
        return _PLACE_AFTER[self.leader][seat] + 1

    @property
    def led(self) -> Suit | None:
        """The suit led, if the card is recorded."""
        return self.cards[0].suit if self.cards and self.cards[0] is not None else None

    def winner(self, trump: Suit | None) -> Seat | None:
        """Whose card won; None while the trick is unfinished or one of its cards is not recorded."""
        return self.best(trump) if len(self.cards) == 4 and None not in self.cards else None

    def best(self, trump: Suit | None) -> Seat | None:
        """Whose card is the best of those recorded so far; None without the card led."""
        best = self.cards[0] if self.cards else None
        if best is None:
            return None
        beaten_by = BEATEN_BY[trump]
        for card in self.cards:
            if card in beaten_by[best]:
                best = card
        return CLOCKWISE[self.leader][self.cards.index(best)]


@dataclass(frozen=True, slots=True)
class PlayRecord:
    """The tricks in order; a record may be partial, and end within a trick."""

    tricks: tuple[Trick, ...]

    def winners(self, trump: Suit | None) -> tuple[Seat | None, ...]:
        """For each trick whose card won it, as far as the cards tell."""
        return tuple(trick.winner(trump) for trick in self.tricks)

    def plays(self) -> Iterator[tuple[int, int, Seat, Card | None]]:
        """Every card in the order of play: trick (from 1), place in it (1 to 4), hand, card."""
        for number, trick in enumerate(self.tricks, 1):
            for nth, (seat, card) in enumerate(trick.items(), 1):
                yield number, nth, seat, card

    def with_card(self, trick: int, seat: Seat, card: Card) -> PlayRecord:
        """The record with another card of that hand in a trick; ValueError if the hand has no place there."""
        old = self.tricks[trick - 1]
        nth = old.nth_of(seat)
        if nth > len(old.cards):
            raise ValueError(f"{seat} has not played to trick {trick}; record the card first")
        new = replace(old, cards=(*old.cards[: nth - 1], card, *old.cards[nth:]))
        return PlayRecord((*self.tricks[: trick - 1], new, *self.tricks[trick:]))


class Oddity(StrEnum):
    """What can be irregular in a record. Failing to follow suit is not: the record of it is in order."""

    CARD_NOT_HELD = "card-not-held"
    CARD_PLAYED_TWICE = "card-played-twice"
    TOO_MANY_CARDS = "too-many-cards"
    MISSING_CARD = "missing-card"
    LEAD_FROM_WRONG_HAND = "lead-from-wrong-hand"
    SHORT_RECORD = "short-record"


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One thing irregular in a record, and where."""

    kind: Oddity
    trick: int
    hand: Seat | None = None
    card: Card | None = None


def irregularities(
    play: PlayRecord, deal: Deal | None, trump: Suit | None, declarer: Seat | None
) -> tuple[Irregularity, ...]:
    """Everything irregular in a record, in the order of play.

    A short record (fewer tricks than cards, or a last trick cut short) is named once, at its last trick.
    """
    found = [*_cards(play, deal), *_leads(play, trump, declarer), *_length(play, deal)]
    return tuple(sorted(found, key=lambda one: one.trick))


def _cards(play: PlayRecord, deal: Deal | None) -> Iterator[Irregularity]:
    seen: set[Card] = set()
    for trick, _, hand, card in play.plays():
        if card is None:
            yield Irregularity(Oddity.MISSING_CARD, trick, hand)
            continue
        if card in seen:
            yield Irregularity(Oddity.CARD_PLAYED_TWICE, trick, hand, card)
        seen.add(card)
        if deal is not None and _cannot_hold(deal, hand, card):
            yield Irregularity(Oddity.CARD_NOT_HELD, trick, hand, card)


def _cannot_hold(deal: Deal, hand: Seat, card: Card) -> bool:
    holder = deal.holder.get(card)
    return holder != hand and (holder is not None or deal[hand] is not None)


def _leads(play: PlayRecord, trump: Suit | None, declarer: Seat | None) -> Iterator[Irregularity]:
    due = None if declarer is None else NEXT[declarer]
    for number, trick in enumerate(play.tricks, 1):
        if due is not None and trick.leader != due:
            yield Irregularity(Oddity.LEAD_FROM_WRONG_HAND, number, trick.leader, trick.card_of(trick.leader))
        due = trick.winner(trump)


def _length(play: PlayRecord, deal: Deal | None) -> Iterator[Irregularity]:
    size = 13 if deal is None else deal.size
    for number in range(size + 1, len(play.tricks) + 1):
        yield Irregularity(Oddity.TOO_MANY_CARDS, number, play.tricks[number - 1].leader)
    short = len(play.tricks) < size or len(play.tricks[-1].cards) < 4
    if short:
        yield Irregularity(Oddity.SHORT_RECORD, max(1, len(play.tricks)))
