"""What stands for tricks and numbers that nobody says."""

from __future__ import annotations

from typing import Final

from facts.incident import SAME_TRICK, Incident
from facts.observe.observe import ALL
from facts.observe.timeline import Timeline
from facts.table import numbers

ORDINARY: Final = 11
"""The last trick that another may stand for."""
LATER: Final = "later-tricks"
"""The finding that says how many tricks were won after a revoke."""
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
    later = [min(numbers(one.said.get(LATER, 0)), default=0) for one in incident.revokes]
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
