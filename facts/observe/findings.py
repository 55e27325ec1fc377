"""What the director found out, as far as it depends on the cards of a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from facts.cards import CLOCKWISE, NEXT, SIDE, Card, Seat
from facts.events import Event
from facts.fact import Fact
from facts.incident import Finding, Incident
from facts.observe.record import play_facts
from facts.observe.result import ALL, won_from
from facts.observe.timeline import Timeline
from facts.table import Table

TOLD: Final = "told"
"""The value of a finding of which the record or an event tells by itself: it states nothing more."""


def beyond_record(incident: Incident, timeline: Timeline) -> Iterator[Fact]:
    """Who must have played to the trick after the last one recorded, as something was found out about a later card.

    Nothing for a side whose own finding says whether it has gone on.
    """
    if incident.play is None or not incident.play.tricks:
        return
    tricks = incident.play.tricks
    following = len(tricks) + (len(tricks[-1].cards) == 4)
    stated = [one for one in incident.revokes if not one.shown]
    found = [(one.trick, SIDE[one.hand]) for one in stated if one.trick is not None and one.hand is not None]
    told = {(trick + 1, side) for trick, side in found}
    later = any(trick > following for trick, _ in found)
    sides = SIDE.values() if later else [side for trick, side in found if trick == following]
    for side in dict.fromkeys(sides):
        if (following, side) not in told:
            yield "took-part", following, side, "played", 1000 * following + 450


def play_of(number: int, trick: int, hand: Seat, timeline: Timeline) -> int:
    """The moment that names the play of the finding of some number: of the record, if the record has it."""
    recorded = timeline.moments.get((trick, hand))
    return 1000 * trick + 100 + 10 * (number + 1) if recorded is None else recorded


def played(number: int, trick: int, hand: Seat, card: Card | None, timeline: Timeline) -> Iterator[Fact]:
    """That the card was played, if the record does not have it."""
    if (trick, hand) not in timeline.moments:
        yield from play_facts(trick, hand, card, play_of(number, trick, hand, timeline))


def shown(trick: int, hand: Seat, timeline: Timeline) -> dict[str, Any]:
    """Findings that the record shows, and their values; TOLD where nothing more is to be stated."""
    known: dict[str, Any] = {}
    if trick in timeline.won:
        known["won-by"] = timeline.won[trick]
    play = timeline.incident.play
    if play is not None and trick <= len(play.tricks) and play.tricks[trick - 1].led is not None:
        known["suit"] = play.tricks[trick - 1].led
    if any(later == trick + 1 for later, _ in timeline.moments):
        known |= {"next-trick": TOLD}
    answered = tuple(seat for seat in CLOCKWISE[hand][1:] if _comes_after(trick, hand, seat, timeline))
    if answered or "next-trick" in known:
        known["played-after"] = TOLD
    sides = {number: SIDE[seat] for number, seat in timeline.won.items()}
    incident = timeline.incident
    if play is not None and not _may_still_win(trick, hand, timeline):
        known["later-win-playable"] = TOLD
    if incident.rest is None and play is not None and any(found.shown for found in incident.revokes):
        incident = replace(incident, rest=0)  # it is laid out; how many there are makes no difference here
    if (trick, SIDE[hand]) in won_from(incident, sides):
        known["later-tricks"] = TOLD
    return known


def _may_still_win(trick: int, hand: Seat, timeline: Timeline) -> bool:
    """Whether he may have won a trick of which the record does not tell, with a card of the suit led to this one."""
    sides, play = {number: SIDE[seat] for number, seat in timeline.won.items()}, timeline.final
    won_later = won_from(timeline.incident, sides).get((len(sides) + 1, SIDE[hand]), ALL)
    if play is None or len(sides) == ALL or won_later == 0:
        return False
    dealt = None if timeline.incident.deal is None else timeline.incident.deal[hand]
    played = {card for number, _, seat, card in play.plays() if seat == hand and number in sides}
    led = play.tricks[trick - 1].led if trick <= len(play.tricks) else None
    return dealt is None or led is None or any(card.suit == led for card in dealt if card not in played)


def of_a_record(
    incident: Incident, revokes: Iterable[tuple[int, Seat]], said: Mapping[str, Any] | None = None
) -> Incident:
    """An incident with the revokes that its record shows as findings, of which the record tells all it can.

    ``said``: what is supposed of each of them beside.
    """
    stated = {(found.trick, found.hand) for found in incident.revokes}
    more = [Finding(hand, trick, said=said or {}, shown=True) for trick, hand in revokes if (trick, hand) not in stated]
    return replace(incident, revokes=(*incident.revokes, *more))


def settled(incident: Incident, table: Table) -> Incident:
    """An incident with the agreement to a claim that must have followed where the play is over and nobody objected."""
    if not incident.over:
        return incident
    events: list[Event] = []
    for number, event in enumerate(incident.events):
        events.append(event)
        follows = table.events[event.name].settled_by
        answered = any(event.name in table.events[later.name].answers for later in incident.events[number + 1 :])
        if follows is not None and not answered:
            events.append(Event(follows, {"by": NEXT[event.said["by"]]}))
    return replace(incident, events=tuple(events))


def _comes_after(trick: int, hand: Seat, other: Seat, timeline: Timeline) -> bool:
    own, at = timeline.moments.get((trick, hand)), timeline.moments.get((trick, other))
    return own is not None and at is not None and own < at
