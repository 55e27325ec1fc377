"""One incident, observed: the table, the record, the events, the result; what was found out is laid out elsewhere."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from facts.cards import NEXT, OTHER_SIDE, PARTNER, SEATS, SIDE, SUITS
from facts.fact import Fact, FactBase
from facts.incident import Incident
from facts.observe.findings import beyond_record
from facts.observe.happenings import happenings
from facts.observe.record import record
from facts.observe.result import result
from facts.observe.timeline import Timeline
from facts.table import Table


def observe(incident: Incident, said: Table, wanted: Container[str] | None = None) -> FactBase:
    """Every ground fact of an incident but for its findings, each once; of ``wanted`` kinds only, if given."""
    timeline = Timeline.of(incident)
    wanted = Every() if wanted is None else wanted
    kinds = record(incident, timeline, wanted)
    told = dict.fromkeys(_told(incident, timeline, said))
    known = {fact for kind in {fact[0] for fact in told} for fact in kinds.get(kind, ())}
    for fact in told:
        if fact[0] in wanted and fact not in known:
            kinds.setdefault(fact[0], []).append(fact)
    return FactBase.of(kinds)


def _told(incident: Incident, timeline: Timeline, said: Table) -> Iterator[Fact]:
    """What is told beside the cards, maybe some of it twice."""
    yield from table(incident)
    yield from result(incident, timeline)
    yield from happenings(incident, timeline, said)
    yield from beyond_record(incident, timeline)


OBSERVED: Final = frozenset(
    {
        *("hand", "role", "side-role", "plain-suit", "table", "equity", "weights", "evidence", "failed"),
        *("played", "card-played", "place", "took-part", "led", "held", "void", "won", "won-from"),
        *("replaced", "card-withdrawn", "change-refused"),
    }
)
"""The kinds of fact that are observed, or computed, whatever is declared."""


class Every(Container[str]):
    """Holds everything."""

    def __contains__(self, _: object) -> bool:
        return True


def table(incident: Incident) -> list[Fact]:
    """Who sits where, and who plays which part; which suits are not trumps."""
    facts: list[Fact] = [
        ("hand", seat, SIDE[seat], OTHER_SIDE[SIDE[seat]], PARTNER[seat], NEXT[seat]) for seat in SEATS
    ]
    declarer = incident.declarer
    if declarer is not None:
        parts = {declarer: "declarer", PARTNER[declarer]: "dummy"}
        facts += [("role", seat, parts.get(seat, "defender")) for seat in SEATS]
        facts += [("side-role", SIDE[declarer], "declaring"), ("side-role", OTHER_SIDE[SIDE[declarer]], "defending")]
    if incident.contract is not None:
        facts += [("plain-suit", suit) for suit in SUITS if suit != incident.trump]
    return facts
