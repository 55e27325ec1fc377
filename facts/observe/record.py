"""The record of the play: each card with its moment, what each hand held, who won each trick."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import Final

from facts.cards import CLOCKWISE, SEATS, SIDE, SUITS, Card, Seat
from facts.fact import Fact, Value
from facts.incident import Incident
from facts.observe.timeline import MOMENTS, NEVER, Change, Timeline
from facts.play import PlayRecord

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
