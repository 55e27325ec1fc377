"""A line of play followed card by card, with the tricks that one side wins on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from facts.cards import SIDE, Card, Seat, Side, Suit
from facts.deal import Deal
from facts.equity.position import Position, PositionError
from facts.equity.solver import NotComputed, Solver, WhyNotComputed
from facts.play import PlayRecord


class Unanswered(Exception):  # noqa: N818 - it never leaves the package
    """There is no number, for the reason given."""

    def __init__(self, why: WhyNotComputed, detail: str) -> None:
        self.answer = NotComputed(why, detail)
        super().__init__(detail)


@dataclass(frozen=True, slots=True)
class ReplayedPosition:
    """A position that the play came to, and the tricks won until then."""

    position: Position
    side: Side
    """The side whose tricks are counted."""
    won: int = 0
    """Tricks the side has won since the first of the deal."""

    def after(self, card: Card) -> ReplayedPosition:
        """The line one card later; ValueError if the hand to play does not hold the card."""
        position = self.position.after(card)
        ended_for_side = not position.table and SIDE[position.leader] == self.side
        return ReplayedPosition(position, self.side, self.won + ended_for_side)

    def led_by(self, seat: Seat) -> ReplayedPosition:
        """The line when that hand leads, whoever won the trick before."""
        return replace(self, position=replace(self.position, leader=seat))

    def totals(self, solver: Solver) -> Mapping[Card, int]:
        """The side's tricks in all, double dummy, for each legal card; Unanswered when there is no number."""
        answer = solver.tricks(self.position)
        if isinstance(answer, NotComputed):
            raise Unanswered(answer.why, answer.detail)
        if SIDE[self.position.to_play] == self.side:
            return {card: self.won + tricks for card, tricks in answer.items()}
        return {card: self.won + self.position.tricks_left - tricks for card, tricks in answer.items()}

    def total(self, solver: Solver) -> int:
        """The side's tricks in all, double dummy from here on; Unanswered when there is no number."""
        totals = self.totals(solver).values()
        best = max if SIDE[self.position.to_play] == self.side else min
        return best(totals, default=self.won)


def line_to(deal: Deal, record: PlayRecord, trump: Suit | None, place: tuple[int, int], side: Side) -> ReplayedPosition:
    """The record followed up to a place (trick, place in it), without that card; Unanswered if that cannot be done.

    Each trick is led by whoever led it in the record.
    """
    try:
        line = ReplayedPosition(Position.of(deal, record.tricks[0].leader, trump), side)
    except PositionError as error:
        raise Unanswered(WhyNotComputed.NOT_KNOWN, str(error)) from None
    for number, nth, seat, card in record.plays():
        if nth == 1 and not line.position.table:
            line = line.led_by(seat)
        if seat != line.position.to_play:
            raise Unanswered(WhyNotComputed.NOT_IN_ORDER, f"trick {number - 1} is not complete; record its cards")
        if (number, nth) == place:
            return line
        if card is None:
            raise Unanswered(WhyNotComputed.NOT_KNOWN, f"{seat}'s card in trick {number} is not recorded; record it")
        try:
            line = line.after(card)
        except ValueError as error:
            raise Unanswered(WhyNotComputed.NOT_IN_ORDER, f"trick {number}: {error}") from None
    raise Unanswered(WhyNotComputed.NOT_KNOWN, f"the record ends before trick {place[0]}; record the play up to there")
