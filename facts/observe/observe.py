"""One incident, observed: the table, the record, the events, the result; what was found out is laid out elsewhere."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
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


OBSERVED: Final[Mapping[str, str]] = {
    "hand": "hand: seat, side: side, other: side, partner: seat, next: seat",
    "role": "hand: seat, is: role",
    "side-role": "side: side, is: side-role",
    "plain-suit": "suit: suit",
    "table": "side: side, tricks: integer",
    "equity": "side: side, tricks: integer",
    "weights": "outcomes: integer",
    "evidence": "play: play, side: side, measure: measure, tricks: integer",
    "failed": "play: play, trick: trick, hand: seat, to: duty, at: moment",
    "played": "play: play, trick: trick, hand: seat, side: side, card: card?, at: moment",
    "card-played": "play: play, trick: trick, hand: seat, card: card, suit: suit, rank: integer, at: moment",
    "place": "trick: trick, hand: seat, nth: integer",
    "took-part": "trick: trick, side: side, how: part, at: moment",
    "led": "trick: trick, suit: suit, at: moment, until: moment",
    "held": "hand: seat, card: card, suit: suit, rank: integer, until: trick",
    "void": "hand: seat, suit: suit, from: trick",
    "won": "trick: trick, hand: seat, side: side",
    "won-from": "trick: trick, side: side, tricks: integer",
    "replaced": "trick: trick, hand: seat, how: taking-back, at: moment",
    "card-withdrawn": "trick: trick, hand: seat, how: taking-back, card: card, suit: suit, at: moment",
    "change-refused": "trick: trick, hand: seat, how: taking-back, at: moment",
}
"""The kinds of fact that are observed, or computed, whatever is declared, each with its fields in order."""


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
