"""How many tricks each side won, from each trick on and in all, as far as it is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from facts.cards import OTHER_SIDE, SIDE, Side
from facts.fact import Fact
from facts.incident import NOT_YET, Incident
from facts.observe.timeline import Timeline

SIDES: tuple[Side, Side] = ("NS", "EW")
ALL: Final = 13
"""Tricks of a board."""


def result(incident: Incident, timeline: Timeline) -> Iterator[Fact]:
    """Tricks won at the table, tricks from each trick on, and the equity the director has judged."""
    sides = {trick: SIDE[seat] for trick, seat in timeline.won.items()}
    totals = table_tricks(incident, sides)
    # What is only supposed is no result at the table: it is but held against what the director has judged.
    known = incident.rest is None or incident.equity_tricks is not None
    if totals is not None and known and sum(totals.values()) == ALL:
        yield from [("table", side, totals[side]) for side in SIDES]
    yield from [("won-from", trick, side, tricks) for (trick, side), tricks in won_from(incident, sides).items()]
    yield from _equity(incident)


def won_from(incident: Incident, sides: dict[int, Side]) -> dict[tuple[int, Side], int]:
    """Tricks that each side won from each trick on, as far as the record and the total, known or supposed, tell."""
    totals = table_tricks(incident, sides)
    return {} if totals is None else _from_totals(sides, totals)


def table_tricks(incident: Incident, sides: dict[int, Side]) -> dict[Side, int] | None:
    """Tricks each side won in all, or so far: by the cards when all thirteen are known, else as agreed or supposed."""
    ns = sum(side == "NS" for side in sides.values())
    if len(sides) == ALL:
        return {"NS": ns, "EW": ALL - ns}
    if incident.tricks is not None and incident.declarer is not None:
        declaring = SIDE[incident.declarer]
        return {declaring: incident.tricks, OTHER_SIDE[declaring]: ALL - incident.tricks}
    if incident.rest is None:
        return None
    rest = (0, 0) if incident.rest == NOT_YET else (incident.rest, ALL - len(sides) - incident.rest)
    return {"NS": ns + rest[0], "EW": len(sides) - ns + rest[1]}


def denied(incident: Incident) -> bool:
    """Whether a record of others states a result that its own cards deny; one that somebody wrote by hand has a
    place, and he can mend it.
    """
    if incident.tricks is None or incident.declarer is None or "tricks" in incident.places:
        return False
    won = Timeline.of(incident).won
    own = sum(SIDE[seat] == SIDE[incident.declarer] for seat in won.values())
    return not own <= incident.tricks <= ALL - len(won) + own


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


def _equity(incident: Incident) -> Iterator[Fact]:
    if incident.weights:
        yield "weights", len(incident.weights)
    if incident.declarer is not None and incident.equity_tricks is not None:
        declaring = SIDE[incident.declarer]
        yield "equity", declaring, incident.equity_tricks
        yield "equity", OTHER_SIDE[declaring], 13 - incident.equity_tricks
