"""Who may have made each revoke, and who may have been declarer: what follows from another of these is told with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import Final, TypeAlias

from facts.cards import PARTNER, SEATS, Seat
from facts.incident import FROM_FIRST, SAME_TRICK, Finding, Incident, from_first
from facts.observe import ALL
from facts.table import numbers
from kb.space.layout import BOARD, FindingKey

DECLARER: Final[Seat] = "S"
"""The seat that stands for declarer's where no seat is known."""
ORDINARY: Final = 11
"""The last trick that another may stand for."""
LATER: Final = "later-tricks"
"""The finding that says how many tricks were won after a revoke."""
REPEATS: Final = "repeats"
WON_BY: Final = "won-by"
MIDDLE: Final = 5
"""The trick that stands for the first of several revokes: so fewer later tricks are laid out than after trick 1."""
MANY: Final = 2
"""More tricks than that are not stated of one that stands in the middle."""


def rests_of(incident: Incident) -> range:
    """How many of the tricks North-South may have won after the last whose winner is known, where it matters."""
    if incident.rest is not None or incident.play is None or not any(revoke.shown for revoke in incident.revokes):
        return range(0)
    won, earlier = incident.timeline.won, incident.play.before
    agreed = incident.tricks is not None and not incident.unsettled and not earlier
    if agreed or earlier + len(won) == ALL or any(earlier + nth not in won for nth in range(1, len(won) + 1)):
        return range(0)
    return range(ALL - earlier - len(won) + 1)


def trick_of(incident: Incident, number: int) -> int:
    """The trick, or the one that stands for any before the twelfth.

    One that comes last is the last trick that leaves room for what is stated to come later. Of several each leaves room
    for others to be won before the next, and all for what is stated.
    """
    if number and incident.revokes[number].player == SAME_TRICK:
        return trick_of(incident, 0)
    tricks = [revoke.trick for revoke in incident.revokes]
    if (stated := tricks[number]) is not None:
        return stated
    later = [_tricks_after(revoke) for revoke in incident.revokes]
    begin = next((index + 1 for index in range(number, -1, -1) if tricks[index] is not None), 0)
    end = next((index for index in range(number, len(tricks)) if tricks[index] is not None), len(tricks))
    earliest = (tricks[begin - 1] or 0) + 1 if begin else 1
    if begin == number == len(tricks) - 1:
        return max(min(earliest, ORDINARY), min(ORDINARY, ALL - later[number]))
    if max(later) > MANY and end == len(tricks):
        last = max(earliest + end - begin - 1, min(ORDINARY, ALL - later[-1]))
        even = earliest + (number - begin) * (last - earliest) // (end - begin - 1)
        return min(even, max(earliest + number - begin, ALL - later[number]))
    most = ORDINARY if end == len(tricks) else (tricks[end] or ORDINARY) - 1
    least = earliest if begin or max(later) > MANY else max(1, min(MIDDLE, most))
    return min(least + (number - begin) * max(0, most + 1 - least) // (end - begin), ORDINARY)


def _tricks_after(revoke: Finding) -> int:
    """So many tricks at least came after a revoke: those its side won, or those of repeats and one more."""
    won, repeats = (min(numbers(revoke.said.get(name, 0)), default=0) for name in (LATER, REPEATS))
    return max(won, repeats + 1 if repeats else 0)


DeclarerAndFirst: TypeAlias = tuple[Seat, Seat]
"""Declarer, and the hand that made the first revoke."""
Column: TypeAlias = Mapping[FindingKey, tuple[Seat, ...]]
"""Things that follow from one of them, and row by row what they may be together."""


class Seating:
    """Whose card each revoke may have been: one hand stands for each part it may play, where no other seat is named."""

    def __init__(self, incident: Incident, parts: Collection[str]) -> None:
        """``parts``: what the hand that revoked first may be."""
        self.incident, self.numbers, self.parts = incident, range(len(incident.revokes)), parts
        self.declarers = _declarers_of(incident, parts)
        by_event = any("to" in event.said or event.takes_back for event in incident.events)
        self.named = by_event or any(
            revoke.hand is not None or any(value in SEATS or isinstance(value, tuple) for value in revoke.said.values())
            for revoke in incident.revokes
        )
        """Whether a defender can be told from his partner."""
        self.heads = tuple((seat, hand) for seat in self.declarers for hand in self.of(0, seat)) if self.numbers else ()
        self.hands = tuple(
            tuple(dict.fromkeys(hand for head in self.heads for hand in self.of(number, *head)))
            for number in self.numbers
        )
        """Of each revoke, every hand that may have made it."""

    def of(self, number: int, declarer: Seat, first: Seat | None = None) -> tuple[Seat, ...]:
        """Who may have made a revoke, given who is declarer and who made the first one."""
        revoke = self.incident.revokes[number]
        if revoke.hand is not None:
            return (revoke.hand,)
        if first is not None and (number == 0 or revoke.player in FROM_FIRST):
            return (from_first(revoke.player, first, declarer) if number and revoke.player else first,)
        beside: Seat = SEATS[SEATS.index(declarer) - 1]
        parts: dict[str | None, tuple[Seat, ...]] = {
            "defender": (beside, PARTNER[beside]) if self.named or number else (beside,),
            "declarer": (declarer,),
            "dummy": (PARTNER[declarer],),
        }
        may_be = [part for part in parts if number or part in self.parts]
        return parts.get(revoke.player, tuple(seat for part in may_be for seat in parts[part]))

    def together(self, first: int, second: int) -> set[tuple[Seat, Seat]]:
        """The hands that two revokes may be of."""
        return {pair for head in self.heads for pair in product(self.of(first, *head), self.of(second, *head))}

    def columns(self) -> Iterator[Column]:
        """Declarer with the hands that follow from it, the first hand with those that follow from that, the rest."""
        remaining = [*self.numbers]
        for position in (0, 1):
            heads = {head[position]: head for head in self.heads}
            with_it = [number for number in remaining if self._follows(number, position)]
            remaining = [number for number in remaining if number not in with_it]
            declarer: Column = {(BOARD, "declarer"): tuple(heads)} if position == 0 else {}
            yield {
                **declarer,
                **{(number, "hand"): tuple(self.of(number, *head)[0] for head in heads.values()) for number in with_it},
            }
        yield from ({(number, "hand"): self.hands[number]} for number in remaining)

    def _follows(self, number: int, position: int) -> bool:
        """Whether the hand of a revoke is known by declarer's (0), or by the hand of the first revoke (1)."""
        by: dict[Seat, set[Seat]] = {}
        for head in self.heads:
            by.setdefault(head[position], set()).update(self.of(number, *head))
        return all(len(hands) == 1 for hands in by.values())


def _declarers_of(incident: Incident, parts: Collection[str]) -> tuple[Seat, ...]:
    """Who may be declarer, where nobody says so: anybody; one seat stands for him where no hand is known either, or
    where nobody is, as while the auction goes on."""
    if incident.declarer is not None:
        return (incident.declarer,)
    if all(found.hand is None or found.by_calls for found in incident.revokes):
        return (DECLARER,)
    first = incident.revokes[0].hand
    return SEATS if first is None or len(parts) > 1 else (SEATS[(SEATS.index(first) + 1) % 4],)
