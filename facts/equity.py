"""What double dummy can say of a revoke: the tricks there were to be had had it not happened.

It is evidence for a judgement and not the judgement: see ``AGREES_WITH_PLAY``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from facts.cards import OTHER_SIDE, SIDE, Card, Seat, Side, Suit
from facts.deal import Deal
from facts.double_dummy import NotComputed, Position, Solver, WhyNotComputed, double_dummy
from facts.errors import MisreadError
from facts.incident import Incident
from facts.play import PlayRecord

AGREES_WITH_PLAY: Final[Mapping[int, int]] = {1: 55, 2: 62, 5: 73, 8: 85, 10: 92}
"""How much double dummy proves: at the start of which trick it equals the result actually reached, in per cent.

Measured by this project on 2,495 boards of championship records (1996-2002) with at least 24 cards recorded, of which
2,133 went on to trick 8 and 1,366 to trick 10. Some results come from claims, which flatters double dummy. At trick 5
declarer did better than double dummy on 10 boards of a hundred and worse on 17.
"""


@dataclass(frozen=True, slots=True)
class Revoke:
    """A card that should not have been played, and from what the choice should have been."""

    trick: int
    hand: Seat
    card: Card
    instead: tuple[Card, ...] = ()
    """The cards that had to be played where that was not to follow suit; empty for following suit."""


@dataclass(frozen=True, slots=True)
class LegalCard:
    """A card the hand could legally have played instead. Tricks are the other side's, in all."""

    card: Card
    tricks: int
    """Double dummy from this card on."""
    replay: int
    """The cards of the record followed as long as that could be, then double dummy."""
    followed: int
    """Cards of the record so followed, after this one."""
    to_the_end: bool
    """They could be followed to the end of the record."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What double dummy says of one revoke, everything before it being as it was played."""

    trick: int
    hand: Seat
    card: Card
    """The card of the revoke."""
    side: Side
    """The side that did not revoke here, whose tricks are counted."""
    cards: tuple[LegalCard, ...]
    after_revoke: int
    """The side's tricks in all, double dummy from the position with the revoke card played."""
    out_of: int
    """All tricks of the deal: 13, or fewer where only an ending is given and no earlier tricks are counted."""

    @property
    def low(self) -> int:
        """The side's tricks when the hand picks its best legal card: double dummy before the revoke."""
        return min(card.tricks for card in self.cards)

    @property
    def high(self) -> int:
        """The side's tricks when the hand picks its worst legal card."""
        return max(card.tricks for card in self.cards)

    @property
    def replays(self) -> tuple[int, int]:
        """The side's fewest and most tricks when the record is followed after a legal card as long as it can be."""
        tricks = [card.replay for card in self.cards]
        return min(tricks), max(tricks)

    @property
    def forced(self) -> bool:
        return len(self.cards) == 1


def line_to(deal: Deal, record: PlayRecord, trump: Suit | None, place: tuple[int, int]) -> Position:
    """The record followed up to a place (trick, place in it), without that card; NotComputed if that cannot be done.

    Each trick is led by whoever led it in the record.
    """
    try:
        line = Position.of(deal, record.tricks[0].leader, trump)
    except MisreadError as error:
        raise NotComputed(WhyNotComputed.NOT_KNOWN, str(error)) from None
    for number, nth, seat, card in record.plays():
        if nth == 1 and not line.table:
            line = replace(line, leader=seat)
        if seat != line.to_play:
            raise NotComputed(WhyNotComputed.NOT_IN_ORDER, f"trick {number - 1} is not complete; record its cards")
        if (number, nth) == place:
            return line
        if card is None:
            raise NotComputed(WhyNotComputed.NOT_KNOWN, f"{seat}'s card in trick {number} is not recorded; record it")
        try:
            line = line.after(card)
        except MisreadError as error:
            raise NotComputed(WhyNotComputed.NOT_IN_ORDER, f"trick {number}: {error}") from None
    raise NotComputed(WhyNotComputed.NOT_KNOWN, f"the record ends before trick {place[0]}; record the play up to there")


def total(line: Position, side: Side, out_of: int, solver: Solver) -> int:
    """Of so many tricks of the deal those of a side, double dummy from here on."""
    best = max(solver(line).values(), default=0)
    ns = line.won + (best if SIDE[line.to_play] == "NS" else line.tricks_left - best)
    return ns if side == "NS" else out_of - ns


def evidence(incident: Incident, revoke: Revoke, solver: Solver = double_dummy) -> Evidence | NotComputed:
    """The evidence on a revoke from the position just before it.

    Earlier revokes stand as they were played, or as corrected. So that on the first is also the evidence for what would
    have been with none of them. Unknown cards after a revoke do not matter: double dummy needs none of them.
    """
    try:
        return _weighed(incident, revoke, solver)
    except NotComputed as why_not:
        return why_not


def _weighed(incident: Incident, revoke: Revoke, solver: Solver) -> Evidence:
    record = incident.timeline.final
    if incident.contract is None or incident.contract.passed_out:
        raise NotComputed(WhyNotComputed.NOT_KNOWN, "the contract is not known; state it")
    if incident.deal is None or record is None or not record.tricks:
        raise NotComputed(
            WhyNotComputed.NOT_KNOWN, "all four hands and the play up to the revoke are needed; give both"
        )
    if revoke.trick > len(record.tricks):
        what = f"trick {revoke.trick} is not in the record"
        raise NotComputed(WhyNotComputed.NOT_KNOWN, f"{what}; record the play up to the revoke")
    place = revoke.trick, record.tricks[revoke.trick - 1].nth_of(revoke.hand)
    side = OTHER_SIDE[SIDE[revoke.hand]]
    before = line_to(incident.deal, record, incident.trump, place)
    instead = _instead(before, revoke)
    out_of = incident.deal.size
    tricks = partial(total, side=side, out_of=out_of, solver=solver)
    cards: list[LegalCard] = []
    for card in instead:
        line, followed, to_the_end = replay(before, card, record, place)
        cards.append(LegalCard(card, tricks(before.after(card)), tricks(line), followed, to_the_end))
    after = tricks(before.after(revoke.card))
    return Evidence(revoke.trick, revoke.hand, revoke.card, side, tuple(cards), after, out_of)


def _instead(before: Position, revoke: Revoke) -> tuple[Card, ...]:
    """The legal cards; NotComputed when by the cards there was no revoke."""
    held = before.hand(revoke.hand)
    legal = revoke.instead or before.legal()
    where = f"{revoke.hand} in trick {revoke.trick}"
    if not held.issuperset({revoke.card, *legal}):
        what = f"{where} no longer holds one of the cards named"
        raise NotComputed(WhyNotComputed.NOT_IN_ORDER, f"{what}; check the record")
    if revoke.card in legal:
        what = f"{where} follows suit with {revoke.card} or cannot"
        raise NotComputed(WhyNotComputed.NOT_IN_ORDER, f"{what}; check the revoke")
    return legal


def replay(before: Position, card: Card, record: PlayRecord, place: tuple[int, int]) -> tuple[Position, int, bool]:
    """Another card in one place of a record, then the record's own cards while all are legal and win the same tricks.

    When the record later asks the hand for that other card, the card it replaced comes instead. Returns the line so
    far, how many cards were followed, and whether the record was followed to its end.
    """
    line, followed = before.after(card), 0
    played = record.tricks[place[0] - 1].card_of(before.to_play)
    for number, nth, seat, recorded in record.plays():
        if (number, nth) <= place:
            continue
        if nth == 1:
            if line.leader != record.tricks[number - 2].winner(line.trump):
                return line, followed, False
            line = replace(line, leader=seat)
        following = played if recorded is card else recorded
        if following not in line.legal():
            return line, followed, False
        line, followed = line.after(following), followed + 1
    return line, followed, True
