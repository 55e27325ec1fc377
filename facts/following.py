"""Who followed suit: a quick look at a record of play, which tells whether there is anything in it to rule on."""

from __future__ import annotations

from typing import Final, NamedTuple

from facts.cards import CLOCKWISE, SEATS, Card, Seat, Suit
from facts.deal import Deal
from facts.play import PlayRecord

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
