"""One incident, observed: the table, the record, the events, the director's findings, the result."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Final, TypeAlias

from facts.cards import NEXT, OTHER_SIDE, PARTNER, SEATS, SIDE
from facts.ground import Fact, Ground
from facts.incident import Incident
from facts.observe.findings import OF_A_FINDING, beyond_record
from facts.observe.happenings import happenings
from facts.observe.record import record
from facts.observe.result import result
from facts.observe.timeline import Timeline


def observe(incident: Incident, wanted: Container[str] | None = None) -> Ground:
    """Every ground fact of an incident, each once; of ``wanted`` kinds only, if given."""
    timeline = Timeline.of(incident)
    wanted = Every() if wanted is None else wanted
    kinds = record(incident, timeline, wanted)
    told = dict.fromkeys(_told(incident, timeline))
    known = {fact for kind in {fact[0] for fact in told} for fact in kinds.get(kind, ())}
    for fact in told:
        if fact[0] in wanted and fact not in known:
            kinds.setdefault(fact[0], []).append(fact)
    return Ground.of(kinds)


def _told(incident: Incident, timeline: Timeline) -> Iterator[Fact]:
    """What all the stages say, maybe some of it twice."""
    for stage in OF_AN_INCIDENT:
        yield from stage(incident, timeline)
    for number in range(len(incident.revokes)):
        for of_one in OF_A_FINDING:
            yield from of_one(incident, number, timeline)


class Every(Container[str]):
    """Holds everything."""

    def __contains__(self, _: object) -> bool:
        return True


def table(incident: Incident, timeline: Timeline) -> list[Fact]:
    """Who sits where, and who plays which part."""
    facts: list[Fact] = [
        ("hand", seat, SIDE[seat], OTHER_SIDE[SIDE[seat]], PARTNER[seat], NEXT[seat]) for seat in SEATS
    ]
    declarer = incident.declarer
    if declarer is not None:
        parts = {declarer: "declarer", PARTNER[declarer]: "dummy"}
        facts += [("role", seat, parts.get(seat, "defender")) for seat in SEATS]
        facts += [("side-role", SIDE[declarer], "declaring"), ("side-role", OTHER_SIDE[SIDE[declarer]], "defending")]
    return facts


Stage: TypeAlias = Callable[[Incident, Timeline], Iterable[Fact]]
OF_AN_INCIDENT: Final[tuple[Stage, ...]] = (table, result, happenings, beyond_record)
"""Everything that an incident says beside its record and its single findings."""
