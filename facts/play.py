"""Tricks and the record of play, and what is to be seen in it: who followed suit, what is irregular, and what is a slip
of whoever typed it in, which must not be taken for what happened at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Final

from facts.cards import CLOCKWISE, NEXT, SEATS, Card, Seat, Suit
from facts.contract import Contract
from facts.deal import Deal

_PLACE_AFTER: Final = {leader: {seat: nth for nth, seat in enumerate(seats)} for leader, seats in CLOCKWISE.items()}


def beats(card: Card, best: Card, trump: Suit | None) -> bool:
    """Whether a card beats the best so far, the card led at first."""
    return card.suit == trump != best.suit or (card.suit == best.suit and card.rank > best.rank)


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
        for card in self.cards:
            if card is not None and beats(card, best, trump):
                best = card
        return CLOCKWISE[self.leader][self.cards.index(best)]


@dataclass(frozen=True, slots=True)
class PlayRecord:
    """The tricks in order; a record may be partial, and end within a trick."""

    tricks: tuple[Trick, ...]

    @property
    def before(self) -> int:
        """Tricks before the first of the record: an ending begins with so many without a card."""
        return next((number for number, trick in enumerate(self.tricks) if trick.cards), 0)

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


def proved_leader(cards: Sequence[Card | None], deal: Deal | None) -> Seat | None:
    """Who led to a trick of which two cards at least are recorded, if all whose holder is known are of the hands in
    turn from there.
    """
    if deal is None or len(cards) - cards.count(None) < 2:
        return None
    holders = [(nth, deal.holder.get(card)) for nth, card in enumerate(cards) if card is not None]
    began = {CLOCKWISE[holder][-nth % 4] for nth, holder in holders if holder is not None}
    return began.pop() if len(began) == 1 else None


class Oddity(StrEnum):
    """What can be irregular in a record. Failing to follow suit is not: the record of it is in order.

    All but a lead from the wrong hand may be slips of whoever typed it in.
    """

    CARD_NOT_HELD = "card-not-held"
    CARD_PLAYED_TWICE = "card-played-twice"
    TOO_MANY_CARDS = "too-many-cards"
    LEAD_FROM_WRONG_HAND = "lead-from-wrong-hand"
    SEVERAL_HANDS = "several-hands-fail"
    ROTATED_ROW = "rotated-row"
    RESULT_DENIED = "result-denied"
    MARK_DENIED = "mark-denied"
    BID_NOT_HIGHER = "bid-not-higher"
    CALL_OUT_OF_TURN = "call-out-of-turn"


OF_A_CARD: Final = (Oddity.CARD_NOT_HELD, Oddity.CARD_PLAYED_TWICE)


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One thing irregular in a record, and where."""

    kind: Oddity
    trick: int
    """0: before the play."""
    hands: tuple[Seat, ...] = ()
    """Whose cards or calls it concerns."""
    card: Card | None = None
    call: str | None = None


def irregularities(
    play: PlayRecord, deal: Deal | None, contract: Contract | None = None, declarer: Seat | None = None
) -> tuple[Irregularity, ...]:
    """What is irregular about single cards, and with the contract about leads; gaps in the record are not."""
    irregular: list[Irregularity] = []
    seen: set[Card] = set()
    due = None if declarer is None else NEXT[declarer]
    size = play.before + (13 if deal is None else deal.size)
    for number, trick in enumerate(play.tricks, 1):
        if number <= play.before:
            due = None
            continue
        for hand, card in trick.items():
            if card in seen:
                irregular.append(Irregularity(Oddity.CARD_PLAYED_TWICE, number, (hand,), card))
            if card is not None and deal is not None and _cannot_hold(deal, hand, card):
                irregular.append(Irregularity(Oddity.CARD_NOT_HELD, number, (hand,), card))
            seen.update({card} if card else ())
        if contract is not None and due is not None and trick.leader != due:
            irregular.append(
                Irregularity(Oddity.LEAD_FROM_WRONG_HAND, number, (trick.leader,), trick.card_of(trick.leader))
            )
        due = None if contract is None else trick.winner(contract.trump)
        if number > size:
            irregular.append(Irregularity(Oddity.TOO_MANY_CARDS, number, (trick.leader,)))
    return tuple(irregular)


def cannot_be(play: PlayRecord, deal: Deal | None) -> frozenset[tuple[int, Seat]]:
    """Trick and hand of each card that the hand cannot have played: another's by the deal, or played before."""
    return frozenset((slip.trick, slip.hands[0]) for slip in irregularities(play, deal) if slip.card)


def _cannot_hold(deal: Deal, hand: Seat, card: Card) -> bool:
    holder = deal.holder.get(card)
    return holder != hand and (holder is not None or deal[hand] is not None)


_NEVER: Final = 14
"""After the last trick."""


def held_until(cards: int, hidden: Sequence[int]) -> int:
    """Until which trick a hand is certain to have had one of so many cards that it is not seen to play; each card of it
    that is not recorded, by its trick, may have been one of them."""
    return 0 if not cards else hidden[cards - 1] if cards <= len(hidden) else _NEVER


def denies_revoke(play: PlayRecord, deal: Deal | None, number: int, hand: Seat) -> bool:
    """Whether the card of a hand follows suit, or the hand had none left by then, whatever is not recorded; a trick of
    which no card is recorded denies nothing."""
    if number > len(play.tricks):
        return False
    trick = play.tricks[number - 1]
    card, dealt = trick.card_of(hand), None if deal is None else deal[hand]
    if card is None or trick.led is None or card.suit == trick.led or dealt is None:
        return card is not None and card.suit == trick.led
    gone = {earlier.card_of(hand) for earlier in play.tricks[: number - 1]}
    return not any(dealt_card.suit == trick.led for dealt_card in dealt if dealt_card not in gone)


def failures_to_follow(play: PlayRecord, deal: Deal | None) -> tuple[tuple[int, Seat], ...]:
    """Trick and hand of each card that is not of the suit led although the hand is known to have held that suit.

    A hand held until each trick what it was dealt or plays to that trick or a later one; as many cards as are not
    recorded before may have been of what it was dealt and is not seen to play. Who should have led is not looked at.
    """
    kept = {seat: set(() if deal is None else deal[seat] or ()) for seat in SEATS}
    last: dict[Seat, dict[Suit, int]] = {"N": {}, "E": {}, "S": {}, "W": {}}
    hidden: dict[Seat, list[int]] = {seat: [] for seat in SEATS}
    off_suit: list[tuple[int, Seat, Suit]] = []
    for number, trick in enumerate(play.tricks, 1):
        led = trick.led
        for seat, card in trick.items():
            if card is None:
                hidden[seat].append(number)
                continue
            kept[seat].discard(card)
            last[seat][card.suit] = number
            if led is not None and card.suit != led:
                off_suit.append((number, seat, led))
    return tuple(
        (number, seat)
        for number, seat, led in off_suit
        if last[seat].get(led, 0) >= number
        or held_until(sum(card.suit == led for card in kept[seat]), hidden[seat]) >= number
    )


def slips(play: PlayRecord, deal: Deal | None, failures: Sequence[tuple[int, Seat]]) -> tuple[Irregularity, ...]:
    """What is wrong with a record in which these cards did not follow suit, in the order of play.

    Of two hands that fail to follow suit on one board hardly ever both did: a card was left out or typed twice, and all
    that come after it stand with the wrong hand.
    """
    hands = tuple(seat for seat in SEATS if seat in {hand for _, hand in failures})
    irregular = [Irregularity(Oddity.SEVERAL_HANDS, failures[0][0], hands)] if len(hands) > 1 else []
    for number, of_trick in groupby(irregularities(play, deal), key=lambda slip: slip.trick):
        trick = play.tricks[number - 1]
        if deal is not None and _is_rotated(trick, deal):
            recorded = tuple(seat for seat, card in trick.items() if card)
            irregular.append(Irregularity(Oddity.ROTATED_ROW, number, recorded))
        else:
            irregular += [slip if slip.card else replace(slip, hands=()) for slip in of_trick]
    return tuple(sorted(irregular, key=lambda slip: slip.trick))


def doubtful(failures: Iterable[tuple[int, Seat]], recorded_slips: Iterable[Irregularity]) -> bool:
    """Whether some slip may be the reason why a card seems not to follow suit: it is in that trick or of that hand."""
    return any(trick == slip.trick or hand in slip.hands for trick, hand in failures for slip in recorded_slips)


def _is_rotated(trick: Trick, deal: Deal) -> bool:
    """Whether each card is that of the hand so many places on; one card alone must be that of the leader."""
    owners = [(seat, deal.holder.get(card)) for seat, card in trick.items() if card is not None]
    steps = {None if owner is None else (SEATS.index(owner) - SEATS.index(seat)) % 4 for seat, owner in owners}
    return len(steps) == 1 and steps.isdisjoint({0, None}) and (len(owners) > 1 or owners[0][1] == trick.leader)
