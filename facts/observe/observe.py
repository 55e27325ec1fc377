"""One incident, observed: the table, the record, the events, the result, and what of the findings the cards show."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from facts.cards import CLOCKWISE, NEXT, OTHER_SIDE, PARTNER, SEATS, SIDE, SUITS, Card, Seat, Side
from facts.fact import Fact, FactBase, Value
from facts.incident import NOT_YET, Event, Finding, Incident, RevokeNamed
from facts.observe.statements import facts_of
from facts.observe.timeline import MOMENTS, NEVER, Change, PlacedEvent, Timeline, play_of
from facts.play import PlayRecord
from facts.table import Table

_PLACES: Final = {leader: tuple(zip(seats, (1, 2, 3, 4), strict=True)) for leader, seats in CLOCKWISE.items()}
_FIRST_PARTS: Final = ("led", "played")


def record(incident: Incident, timeline: Timeline, wanted: Container[str]) -> dict[Value, list[Fact]]:
    """The facts of the play as recorded and changed, of these kinds; without a record, of the changes only."""
    kinds: dict[Value, list[Fact]] = {}
    play, at_hand = incident.play, timeline.at_hand
    if play is not None and at_hand is not None:
        kinds = {kind: facts(play) for kind, facts in _OF_PLAY.items() if kind in wanted}
        if "led" in wanted:
            kinds["led"] = [*_leads(timeline, play)]
        if "held" in wanted or "void" in wanted:
            held, void = _holdings(incident, at_hand, timeline)
            kinds |= {kind: facts for kind, facts in (("held", held), ("void", void)) if kind in wanted}
        if "won" in wanted:
            kinds["won"] = [("won", trick, seat, SIDE[seat]) for trick, seat in timeline.won.items()]
    for change in timeline.changes:
        for fact in _changed(change):
            if fact[0] in wanted:
                kinds.setdefault(fact[0], []).append(fact)
    return kinds


def play_facts(trick: int, hand: Seat, card: Card | None, at: int) -> Iterator[Fact]:
    """A card played, by its moment."""
    yield "played", at, trick, hand, SIDE[hand], None if card is None else card.text, at
    if card is not None:
        yield "card-played", at, trick, hand, card.text, card.suit, card.rank, at


def _played(play: PlayRecord) -> list[Fact]:
    return [
        ("played", at, number, seat, SIDE[seat], None if card is None else card.text, at)
        for number, trick in enumerate(play.tricks, 1)
        for seat, card, at in zip(CLOCKWISE[trick.leader], trick.cards, MOMENTS[number], strict=False)
    ]


def _cards_played(play: PlayRecord) -> list[Fact]:
    return [
        ("card-played", at, number, seat, card.text, card.suit, card.rank, at)
        for number, trick in enumerate(play.tricks, 1)
        for seat, card, at in zip(CLOCKWISE[trick.leader], trick.cards, MOMENTS[number], strict=False)
        if card is not None
    ]


def _places(play: PlayRecord) -> list[Fact]:
    return [("place", t, seat, nth) for t, trick in enumerate(play.tricks, 1) for seat, nth in _PLACES[trick.leader]]


def _first_parts(play: PlayRecord) -> list[Fact]:
    """The first part each side took in each trick; a side that has led has not also 'played' sooner."""
    return [
        ("took-part", number, SIDE[seat], part, at)
        for number, trick in enumerate(play.tricks, 1)
        for seat, _, part, at in zip(CLOCKWISE[trick.leader], trick.cards, _FIRST_PARTS, MOMENTS[number], strict=False)
    ]


_OF_PLAY: Final[Mapping[str, Callable[[PlayRecord], list[Fact]]]] = {
    "played": _played,
    "card-played": _cards_played,
    "place": _places,
    "took-part": _first_parts,
}
"""What the cards as first played are enough for."""


def _leads(timeline: Timeline, play: PlayRecord) -> Iterator[Fact]:
    """The suit led to each trick, and from when until when, as the card led may be replaced."""
    for number, trick in enumerate(play.tricks, 1):
        suit, since = trick.led, MOMENTS[number][0]
        for change in timeline.changes:
            if change.trick == number and change.hand == trick.leader:
                if suit is not None:
                    yield "led", number, suit, since, change.at
                suit, since = change.played.suit, change.at
        if suit is not None:
            yield "led", number, suit, since, NEVER


def _changed(change: Change) -> Iterator[Fact]:
    trick, hand, card = change.trick, change.hand, change.withdrawn
    yield "replaced", trick, hand, change.how, change.at
    yield "card-withdrawn", trick, hand, change.how, card.text, card.suit, change.at
    yield from play_facts(trick, hand, change.played, change.at)


def _holdings(incident: Incident, at_hand: PlayRecord, timeline: Timeline) -> tuple[list[Fact], list[Fact]]:
    """Until which trick each hand held each card known to have been in it, and from when on it was out of a suit."""
    went: dict[Seat, dict[Card, int]] = {seat: {} for seat in SEATS}
    hidden: dict[Seat, int] = {}
    for number, trick in enumerate(at_hand.tricks, 1):
        for seat, card in zip(CLOCKWISE[trick.leader], trick.cards, strict=False):
            if card is not None:
                went[seat][card] = number
            else:
                hidden.setdefault(seat, number)
    held: list[Fact] = []
    void: list[Fact] = []
    for seat in SEATS:
        dealt = None if incident.deal is None else incident.deal[seat]
        seen = [change.withdrawn for change in timeline.changes if change.hand == seat]
        seen += [change.played for change in timeline.refused if change.hand == seat]
        gone, still = went[seat], hidden.get(seat, 14)
        cards = dict.fromkeys([*(dealt or ()), *gone, *seen])
        held += [("held", seat, card.text, card.suit, card.rank, gone.get(card, still)) for card in cards]
        if dealt is not None:
            void += _voids(seat, dealt, gone)
    return held, void


def _voids(seat: Seat, dealt: tuple[Card, ...], gone: dict[Card, int]) -> list[Fact]:
    since = dict.fromkeys(SUITS, 1)
    for card in dealt:
        if gone.get(card, 14) >= since[card.suit]:
            since[card.suit] = gone.get(card, 14) + 1
    return [("void", seat, suit, trick) for suit, trick in since.items() if trick < 14]


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
