"""Who may have made each revoke, and who may have been declarer: what follows from another of these is told with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import Final, TypeAlias

from facts.cards import PARTNER, SEATS, Seat
from facts.incident import FROM_FIRST, SAME_TRICK, Finding, Incident, from_first
from facts.observe import ALL
from facts.table import numbers
from kb.space.layout import BOARD, Key

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
    if incident.rest is not None or incident.play is None or not any(one.shown for one in incident.revokes):
        return range(0)
    won, before = incident.timeline.won, incident.play.before
    agreed = incident.tricks is not None and not incident.unsettled and not before
    if agreed or before + len(won) == ALL or any(before + nth not in won for nth in range(1, len(won) + 1)):
        return range(0)
    return range(ALL - before - len(won) + 1)


def trick_of(incident: Incident, number: int) -> int:
    """The trick, or the one that stands for any before the twelfth.

    One that comes last is the last trick that leaves room for what is stated to come later. Of several each leaves room
    for others to be won before the next, and all for what is stated.
    """
    if number and incident.revokes[number].player == SAME_TRICK:
        return trick_of(incident, 0)
    told = [one.trick for one in incident.revokes]
    if (stated := told[number]) is not None:
        return stated
    later = [_tricks_after(one) for one in incident.revokes]
    begin = next((at + 1 for at in range(number, -1, -1) if told[at] is not None), 0)
    end = next((at for at in range(number, len(told)) if told[at] is not None), len(told))
    after = (told[begin - 1] or 0) + 1 if begin else 1
    if begin == number == len(told) - 1:
        return max(min(after, ORDINARY), min(ORDINARY, ALL - later[number]))
    if max(later) > MANY and end == len(told):
        last = max(after + end - begin - 1, min(ORDINARY, ALL - later[-1]))
        even = after + (number - begin) * (last - after) // (end - begin - 1)
        return min(even, max(after + number - begin, ALL - later[number]))
    most = ORDINARY if end == len(told) else (told[end] or ORDINARY) - 1
    least = after if begin or max(later) > MANY else max(1, min(MIDDLE, most))
    return min(least + (number - begin) * max(0, most + 1 - least) // (end - begin), ORDINARY)


def _tricks_after(found: Finding) -> int:
    """So many tricks at least came after a revoke: those its side won, or those of repeats and one more."""
    won, repeats = (min(numbers(found.said.get(name, 0)), default=0) for name in (LATER, REPEATS))
    return max(won, repeats + 1 if repeats else 0)


Head: TypeAlias = tuple[Seat, Seat]
"""Declarer, and the hand that made the first revoke."""
Column: TypeAlias = Mapping[Key, tuple[Seat, ...]]
"""Things that follow from one of them, and row by row what they may be together."""


class Seating:
    """Whose card each revoke may have been: one hand stands for each part it may play, where no other seat is named."""

    def __init__(self, incident: Incident, parts: Collection[str]) -> None:
        """``parts``: what the hand that revoked first may be."""
        self.incident, self.numbers, self.parts = incident, range(len(incident.revokes)), parts
        self.declarers = _declarers_of(incident, parts)
        told = any("to" in event.said or event.takes_back for event in incident.events)
        self.named = told or any(
            found.hand is not None or any(value in SEATS or isinstance(value, tuple) for value in found.said.values())
            for found in incident.revokes
        )
        """Whether a defender can be told from his partner."""
        self.heads = tuple((one, hand) for one in self.declarers for hand in self.of(0, one)) if self.numbers else ()
        self.hands = tuple(
            tuple(dict.fromkeys(hand for head in self.heads for hand in self.of(number, *head)))
            for number in self.numbers
        )
        """Of each revoke, every hand that may have made it."""

    def of(self, number: int, declarer: Seat, first: Seat | None = None) -> tuple[Seat, ...]:
        """Who may have made a revoke, given who is declarer and who made the first one."""
        found = self.incident.revokes[number]
        if found.hand is not None:
            return (found.hand,)
        if first is not None and (number == 0 or found.player in FROM_FIRST):
            return (from_first(found.player, first, declarer) if number and found.player else first,)
        beside: Seat = SEATS[(SEATS.index(declarer) + 1) % 4]
        parts: dict[str | None, tuple[Seat, ...]] = {
            "defender": (beside, PARTNER[beside]) if self.named or number else (beside,),
            "declarer": (declarer,),
            "dummy": (PARTNER[declarer],),
        }
        may_be = [part for part in parts if number or part in self.parts]
        return parts.get(found.player, tuple(seat for part in may_be for seat in parts[part]))

    def together(self, one: int, other: int) -> set[tuple[Seat, Seat]]:
        """The hands that two revokes may be of."""
        return {pair for head in self.heads for pair in product(self.of(one, *head), self.of(other, *head))}

    def columns(self) -> Iterator[Column]:
        """Declarer with the hands that follow from it, the first hand with those that follow from that, the rest."""
        left = [*self.numbers]
        for known in (0, 1):
            heads = {head[known]: head for head in self.heads}
            with_it = [number for number in left if self._follows(number, known)]
            left = [number for number in left if number not in with_it]
            declarer: Column = {(BOARD, "declarer"): tuple(heads)} if known == 0 else {}
            yield {
                **declarer,
                **{(number, "hand"): tuple(self.of(number, *head)[0] for head in heads.values()) for number in with_it},
            }
        yield from ({(number, "hand"): self.hands[number]} for number in left)

    def _follows(self, number: int, known: int) -> bool:
        """Whether the hand of a revoke is known by declarer's (0), or by the hand of the first revoke (1)."""
        by: dict[Seat, set[Seat]] = {}
        for head in self.heads:
            by.setdefault(head[known], set()).update(self.of(number, *head))
        return all(len(hands) == 1 for hands in by.values())


def _declarers_of(incident: Incident, parts: Collection[str]) -> tuple[Seat, ...]:
    """Who may be declarer, where nobody says so: anybody; one seat stands for him where no hand is known either, or
    where nobody is, as while the auction goes on."""
    if incident.declarer is not None:
        return (incident.declarer,)
    if all(found.hand is None or found.by_calls for found in incident.revokes):
        return (DECLARER,)
    first = incident.revokes[0].hand
    return SEATS if first is None or len(parts) > 1 else (SEATS[SEATS.index(first) - 1],)
