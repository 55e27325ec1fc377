"""Where a revoke may have been, and what stands for seats, tricks and numbers that nobody says."""

from __future__ import annotations

from typing import Final

from facts.cards import PARTNER, SEATS, Seat
from facts.incident import Incident
from facts.observe.result import ALL
from facts.observe.timeline import Timeline
from facts.table import numbers

ORDINARY: Final = 11
"""The last trick that another may stand for."""
MIDDLE: Final = 5
"""The trick that stands for the first of several revokes: so fewer later tricks are laid out than after trick 1."""
MANY: Final = 2
"""More tricks than that are not stated of one that stands in the middle."""


def rests_of(incident: Incident) -> range:
    """How many of the tricks North-South may have won after the last whose winner is known, where it matters."""
    if incident.rest is not None or incident.play is None or not any(one.shown for one in incident.revokes):
        return range(0)
    won = Timeline.of(incident).won
    if incident.tricks is not None or len(won) == ALL or any(number not in won for number in range(1, len(won) + 1)):
        return range(0)
    return range(ALL - len(won) + 1)


def declarers_of(incident: Incident) -> tuple[Seat | None, ...]:
    """Who may be declarer, where nobody says so: anybody, if it matters to findings at all."""
    if not incident.revokes:
        return (None,)
    if all(found.hand is None for found in incident.revokes):
        return ("S",)
    return SEATS


def hands_of(incident: Incident, number: int, declarers: tuple[Seat | None, ...]) -> tuple[Seat, ...]:
    """Whose card it may have been: one hand stands for each part it may play, where no other seat is named."""
    found = incident.revokes[number]
    if found.hand is not None:
        return (found.hand,)
    first = hands_of(incident, 0, declarers)[0] if number else None
    declarer = declarers[0] or "S"
    beside: Seat = SEATS[(SEATS.index(declarer) + 1) % 4]
    defenders = (beside, PARTNER[beside]) if _seats_named(incident) else (beside,)
    by_player: dict[str | None, tuple[Seat, ...]] = {
        "declarer": (declarer,),
        "dummy": (PARTNER[declarer],),
        "defender": defenders,
        None: (*defenders, declarer, PARTNER[declarer]),
    }
    if first is not None:
        right: Seat = SEATS[(SEATS.index(first) + 3) % 4]
        by_player |= {
            "same-player": (first,),
            "partner": (PARTNER[first],),
            "opponent": (right,),
            "opponent-on-that-trick": (right,),
        }
    return by_player[found.player]


def _seats_named(incident: Incident) -> bool:
    """Whether a defender can be told from his partner."""
    return any(
        found.hand is not None or any(value in SEATS or isinstance(value, tuple) for value in found.said.values())
        for found in incident.revokes
    )


def trick_of(incident: Incident, number: int) -> int:
    """The trick, or the one that stands for any before the twelfth: the first that agrees with the order; of several
    such revokes each leaves room for others to be won before the next, and all for what is stated to come later.
    """
    if number and incident.revokes[number].player == "opponent-on-that-trick":
        return trick_of(incident, 0)
    told = [one.trick for one in incident.revokes]
    if (stated := told[number]) is not None:
        return stated
    begin = next((at + 1 for at in range(number, -1, -1) if told[at] is not None), 0)
    end = next((at for at in range(number, len(told)) if told[at] is not None), len(told))
    many = any(min(numbers(value), default=0) > MANY for one in incident.revokes for value in one.said.values())
    most = ORDINARY if end == len(told) else (told[end] or ORDINARY) - 1
    least = (told[begin - 1] or 0) + 1 if begin else 1 if many or len(told) == 1 else max(1, min(MIDDLE, most))
    return min(least + (number - begin) * max(0, most + 1 - least) // (end - begin), ORDINARY)
