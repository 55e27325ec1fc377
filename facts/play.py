"""Tricks and the record of play, and what is to be seen in it: who followed suit, what is irregular, and what is a slip
of whoever typed it in, which must not be taken for what happened at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Final, NamedTuple

from facts.cards import CLOCKWISE, DECK, NEXT, SEATS, SUITS, Card, Seat, Suit
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


_NEVER: Final = 14
"""After the last trick: no card of the hand went unrecorded."""


class Followed(NamedTuple):
    """What the cards of a record tell of following suit."""

    failures: tuple[tuple[int, Seat], ...]
    """Trick and hand of each card that is not of the suit led although the hand is known to have held that suit."""
    in_order: bool
    """Whether each card was played once, by the hand that was dealt it as far as that is known, and to thirteen
    tricks or as many as the deal has."""


def followed(play: PlayRecord, deal: Deal | None) -> Followed:
    """Who failed to follow suit when able, and whether the record can be trusted.

    A hand held until each trick what it was dealt or plays to that trick or a later one; what it was dealt and is not
    seen to play may have gone to the first trick where its card is not recorded. Who should have led is not looked at.
    """
    went: dict[Seat, list[Card]] = {"N": [], "E": [], "S": [], "W": []}
    last: dict[Seat, dict[Suit, int]] = {"N": {}, "E": {}, "S": {}, "W": {}}
    hidden: dict[Seat, int] = {}
    off_suit: list[tuple[int, Seat, Suit]] = []
    for number, trick in enumerate(play.tricks, 1):
        cards = trick.cards
        led = cards[0].suit if cards and cards[0] is not None else None
        for seat, card in zip(CLOCKWISE[trick.leader], cards, strict=False):
            if card is None:
                hidden.setdefault(seat, number)
                continue
            went[seat].append(card)
            suit = card.suit
            last[seat][suit] = number
            if suit != led and led is not None:
                off_suit.append((number, seat, led))
    kept, in_order = _kept(went, deal)
    failures = tuple(
        (number, seat)
        for number, seat, led in off_suit
        if last[seat].get(led, 0) >= number or (led in kept[seat] and hidden.get(seat, _NEVER) >= number)
    )
    return Followed(failures, in_order and len(play.tricks) <= (13 if deal is None else deal.size))


def _kept(went: dict[Seat, list[Card]], deal: Deal | None) -> tuple[dict[Seat, set[Suit]], bool]:
    """The suits in which each hand is not seen to play all that it was dealt, and whether the cards are in order."""
    kept: dict[Seat, set[Suit]] = {}
    in_order = known = True
    for seat in SEATS:
        played = went[seat]
        dealt = None if deal is None else deal[seat]
        if dealt is None:
            kept[seat], known = set(), False
            continue
        left = set(dealt).difference(played)
        kept[seat] = {card.suit for card in left}
        in_order = in_order and len(dealt) == len(left) + len(played) == len(left) + len(set(played))
    return kept, in_order and (known or _can_be(went, deal))


def _can_be(went: dict[Seat, list[Card]], deal: Deal | None) -> bool:
    """Whether no card was played twice or by a hand that did not hold it, where not every hand is known."""
    holder = {} if deal is None else deal.holder
    everything = [card for cards in went.values() for card in cards]
    return len(set(everything)) == len(everything) and all(
        holder.get(card, seat) == seat for seat, cards in went.items() for card in cards
    )


class SlipKind(StrEnum):
    """What can be wrong with a record."""

    SEVERAL_HANDS = "several-hands-fail"
    ROTATED_ROW = "rotated-row"
    CARD_NOT_HELD = "card-not-held"
    CARD_PLAYED_TWICE = "card-played-twice"
    TOO_MANY_CARDS = "too-many-cards"
    RESULT_DENIED = "result-denied"


@dataclass(frozen=True, slots=True)
class RecordSlip:
    """One thing wrong in a record, and where."""

    kind: SlipKind
    trick: int
    hands: tuple[Seat, ...] = ()
    """Whose cards it concerns."""
    card: Card | None = None


def slips(play: PlayRecord, deal: Deal | None, failures: Sequence[tuple[int, Seat]]) -> tuple[RecordSlip, ...]:
    """Everything wrong with a record in which these cards did not follow suit, in the order of play.

    Of two hands that fail to follow suit on one board hardly ever both did: a card was left out or typed twice, and all
    that come after it stand with the wrong hand.
    """
    found = [*_several(failures), *_slips_of_cards(play, deal)]
    return tuple(sorted(found, key=lambda slip: slip.trick))


def doubtful(failures: Iterable[tuple[int, Seat]], found: Iterable[RecordSlip]) -> bool:
    """Whether some slip may be the reason why a card seems not to follow suit: it is in that trick or of that hand."""
    return any(trick == slip.trick or hand in slip.hands for trick, hand in failures for slip in found)


def _several(failures: Sequence[tuple[int, Seat]]) -> Iterator[RecordSlip]:
    hands = {hand for _, hand in failures}
    if len(hands) > 1:
        yield RecordSlip(SlipKind.SEVERAL_HANDS, failures[0][0], tuple(seat for seat in SEATS if seat in hands))


def _slips_of_cards(play: PlayRecord, deal: Deal | None) -> Iterator[RecordSlip]:
    kinds = {Oddity.CARD_NOT_HELD, Oddity.CARD_PLAYED_TWICE, Oddity.TOO_MANY_CARDS}
    odd = [one for one in irregularities(play, deal, None, None) if one.kind in kinds]
    for number, of_trick in groupby(odd, key=lambda one: one.trick):
        if deal is not None and _is_rotated(play.tricks[number - 1], deal):
            yield RecordSlip(
                SlipKind.ROTATED_ROW, number, tuple(seat for seat, card in play.tricks[number - 1].items() if card)
            )
        else:
            yield from map(_slip, of_trick)


def _slip(odd: Irregularity) -> RecordSlip:
    return RecordSlip(SlipKind(odd.kind), odd.trick, (odd.hand,) if odd.card and odd.hand else (), odd.card)


def _is_rotated(trick: Trick, deal: Deal) -> bool:
    """Whether each card is that of the hand so many places on; one card alone must be that of the leader."""
    owners = [(seat, deal.holder.get(card)) for seat, card in trick.items() if card is not None]
    steps = {None if owner is None else (SEATS.index(owner) - SEATS.index(seat)) % 4 for seat, owner in owners}
    return len(steps) == 1 and steps.isdisjoint({0, None}) and (len(owners) > 1 or owners[0][1] == trick.leader)
