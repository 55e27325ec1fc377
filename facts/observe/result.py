"""How many tricks each side won, from each trick on and in all, as far as it is known."""

from __future__ import annotations

from collections.abc import Iterator

from facts.cards import OTHER_SIDE, SIDE, Side
from facts.ground import Fact
from facts.incident import Incident
from facts.observe.findings import play_of
from facts.observe.timeline import Timeline

SIDES: tuple[Side, Side] = ("NS", "EW")


def result(incident: Incident, timeline: Timeline) -> Iterator[Fact]:
    """Tricks won at the table, tricks from each revoke trick on, and the equity the director has judged."""
    sides = {trick: SIDE[seat] for trick, seat in timeline.won.items()}
    totals = table_tricks(incident, sides)
    if totals is not None:
        for side in SIDES:
            yield "table", side, totals[side]
    known = {} if totals is None else _from_totals(sides, totals)
    known = {**_from_findings(incident, sides), **known}
    yield from [("won-from", trick, side, tricks) for (trick, side), tricks in known.items()]
    for found in incident.revokes:
        if found.won_by is not None and found.trick not in sides:
            yield "won", found.trick, found.won_by, SIDE[found.won_by]
    if len(known) < 26:
        yield from _so_far(incident, sides, known)
    yield from _equity(incident, timeline)


def table_tricks(incident: Incident, sides: dict[int, Side]) -> dict[Side, int] | None:
    """Tricks each side won in all: by the cards when all thirteen tricks are known, else as agreed."""
    if len(sides) == 13:
        ns = sum(side == "NS" for side in sides.values())
        return {"NS": ns, "EW": 13 - ns}
    if incident.tricks is None or incident.declarer is None:
        return None
    declaring = SIDE[incident.declarer]
    return {declaring: incident.tricks, OTHER_SIDE[declaring]: 13 - incident.tricks}


def _from_totals(sides: dict[int, Side], totals: dict[Side, int]) -> dict[tuple[int, Side], int]:
    """Total less what was won before; known while every earlier winner is known and the numbers agree."""
    known: dict[tuple[int, Side], int] = {}
    ns, ew = totals["NS"], totals["EW"]
    for trick in range(1, 14):
        if ns < 0 or ew < 0:
            break
        known[trick, "NS"], known[trick, "EW"] = ns, ew
        if trick not in sides:
            break
        if sides[trick] == "NS":
            ns -= 1
        else:
            ew -= 1
    return known


def _from_findings(incident: Incident, sides: dict[int, Side]) -> dict[tuple[int, Side], int]:
    """What the findings say of the revoker's side: tricks after the revoke, and the revoke trick itself."""
    found_out: dict[tuple[int, Side], int] = {}
    for found in incident.revokes:
        winner = found.won_by_side or sides.get(found.trick)
        if winner is not None and found.later_tricks is not None:
            found_out[found.trick, found.side] = found.later_tricks + (winner == found.side)
    return found_out


def _so_far(incident: Incident, sides: dict[int, Side], known: dict[tuple[int, Side], int]) -> Iterator[Fact]:
    """At least so many, where the whole number is not known: the tricks known to be won, and those known to follow."""
    winners_found = {found.trick: found.won_by_side for found in incident.revokes if found.won_by_side is not None}
    won = winners_found | sides
    after = {(found.trick + 1, found.side): found.later_tricks or 0 for found in incident.revokes}
    for side in SIDES:
        at_least = 0
        for trick in range(max(won.keys() | {found.trick for found in incident.revokes}, default=0) + 1, 0, -1):
            at_least += won.get(trick) == side
            at_least = max(at_least, after.get((trick, side), 0), known.get((trick, side), 0))
            if (trick, side) not in known and trick < 14:
                yield "won-so-far", trick, side, at_least


def _equity(incident: Incident, timeline: Timeline) -> Iterator[Fact]:
    if incident.weights:
        yield "weights", len(incident.weights)
    if incident.declarer is None:
        return
    declaring = SIDE[incident.declarer]
    if incident.equity_tricks is not None:
        yield "equity", declaring, incident.equity_tricks
        yield "equity", OTHER_SIDE[declaring], 13 - incident.equity_tricks
    for number, found in enumerate(incident.revokes):
        if found.equity_tricks is not None:
            play = play_of(number, found, timeline)
            yield "equity-of", play, declaring, found.equity_tricks
            yield "equity-of", play, OTHER_SIDE[declaring], 13 - found.equity_tricks
