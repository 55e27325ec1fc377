"""Cards recorded one after the other in the order of play, put into tricks."""

from __future__ import annotations

from collections.abc import Sequence

from facts.cards import NEXT, SEATS, Card, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import MisreadError
from facts.play import PlayRecord, Trick


def play_of(
    cards: Sequence[Card], contract: Contract | None, declarer: Seat | None, deal: Deal | None
) -> PlayRecord | None:
    """The play: declarer's left-hand opponent leads, then the winner of each trick, unless the deal proves another.

    A leader is proved when all cards of the trick, two at least, are those of the hands in turn from there. ValueError
    when nothing tells who led.
    """
    if len(cards) > 52:
        raise MisreadError(f"there are {len(cards)} cards in the play", "a board has 52")
    expected = None if declarer is None else NEXT[declarer]
    tricks: list[Trick] = []
    for start in range(0, len(cards), 4):
        row = tuple(cards[start : start + 4])
        leader = _proved(row, deal) or expected or _holder(row[0], deal)
        if leader is None:
            number = start // 4 + 1
            raise MisreadError(f"it is not known who led to trick {number}", "give the hands or the auction")
        tricks.append(Trick(leader, row))
        expected = None if contract is None else tricks[-1].best(contract.trump)
    return PlayRecord(tuple(tricks)) if tricks else None


def _proved(row: tuple[Card, ...], deal: Deal | None) -> Seat | None:
    if deal is None or len(row) < 2:
        return None
    holders = [deal.holder.get(card) for card in row]
    if None in holders:
        return None
    begins = {(SEATS.index(holder) - nth) % 4 for nth, holder in enumerate(holders) if holder}
    return SEATS[begins.pop()] if len(begins) == 1 else None


def _holder(card: Card, deal: Deal | None) -> Seat | None:
    return None if deal is None else deal.holder.get(card)
