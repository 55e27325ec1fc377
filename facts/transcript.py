"""Slips of whoever typed a record in, which must not be taken for what happened at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from facts.cards import SEATS, Card, Seat
from facts.deal import Deal
from facts.play import Irregularity, Oddity, PlayRecord, Trick, irregularities


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
    found = [*_several(failures), *_cards(play, deal)]
    return tuple(sorted(found, key=lambda slip: slip.trick))


def doubtful(failures: Iterable[tuple[int, Seat]], found: Iterable[RecordSlip]) -> bool:
    """Whether some slip may be the reason why a card seems not to follow suit: it is in that trick or of that hand."""
    return any(trick == slip.trick or hand in slip.hands for trick, hand in failures for slip in found)


def _several(failures: Sequence[tuple[int, Seat]]) -> Iterator[RecordSlip]:
    hands = {hand for _, hand in failures}
    if len(hands) > 1:
        yield RecordSlip(SlipKind.SEVERAL_HANDS, failures[0][0], tuple(seat for seat in SEATS if seat in hands))


def _cards(play: PlayRecord, deal: Deal | None) -> Iterator[RecordSlip]:
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
