"""Events, each at its moment, with the facts that they are declared to state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facts.events import RevokeNamed
from facts.fact import Fact
from facts.incident import Incident
from facts.observe.statements import facts_of
from facts.observe.timeline import PlacedEvent, Timeline
from facts.table import Table


def happenings(incident: Incident, timeline: Timeline, table: Table) -> Iterator[Fact]:
    """The facts of the events; cards replaced are facts of the record."""
    for change in timeline.refused:
        yield "change-refused", change.trick, change.hand, change.how, change.at
    answered: dict[str, int] = {}
    for placed in timeline.events:
        kind = table.events[placed.event.name]
        given = _given(placed, incident)
        given["answered"] = max((answered.get(name, 0) for name in kind.answers), default=0) or None
        yield from facts_of(kind.states, given, table)
        answered[kind.id] = placed.at


def _given(placed: PlacedEvent, incident: Incident) -> dict[str, Any]:
    """The names that the templates of an event may use."""
    given: dict[str, Any] = {
        "at": placed.at,
        "last-trick": placed.trick,
        "going-on": placed.trick_going_on,
        "tricks-left": 14 - placed.trick_going_on,
        "declarer": incident.declarer,
    }
    for name, value in placed.event.said.items():
        given |= {f"{name}-hand": value.hand, f"{name}-trick": value.trick} if isinstance(value, RevokeNamed) else {}
        given[name] = value
    return given
