"""The record of the play: each card with its moment, what each hand held, who won each trick."""

from __future__ import annotations

from collections.abc import Iterator

from facts.cards import CLOCKWISE, SEATS, SIDE, SUITS, Card, Seat, Suit
from facts.ground import Fact
from facts.incident import Incident
from facts.observe.timeline import NEVER, Timeline, moment
from facts.play import PlayRecord


def record(incident: Incident, timeline: Timeline) -> list[Fact]:
    """The facts of the play as recorded and changed; none without a record."""
    play, final, at_hand = incident.play, timeline.final, timeline.at_hand
    if play is None or final is None or at_hand is None:
        return [fact for change in timeline.changes for fact in _changed(change.trick, change.hand, timeline)]
    facts: list[Fact] = [*_cards(play), *_first_parts(play), *_leads(timeline, play)]
    for change in timeline.changes:
        facts += _changed(change.trick, change.hand, timeline)
    facts += _holdings(incident, at_hand, timeline)
    facts += [("won", trick, seat, SIDE[seat]) for trick, seat in winners(final, incident.trump).items()]
    return facts


def winners(final: PlayRecord, trump: Suit | None) -> dict[int, Seat]:
    """Who won each trick: by its cards, or where one is not recorded, whoever led to the next."""
    won: dict[int, Seat] = {}
    for number, trick in enumerate(final.tricks, 1):
        winner = trick.winner(trump)
        if winner is None and len(trick.cards) == 4 and number < len(final.tricks):
            winner = final.tricks[number].leader
        if winner is not None:
            won[number] = winner
    return won


def play_facts(trick: int, hand: Seat, card: Card | None, at: int) -> Iterator[Fact]:
    """A card played, by its moment."""
    yield "played", at, trick, hand, SIDE[hand], None if card is None else card.text, at
    if card is not None:
        yield "card-played", at, trick, hand, card.text, card.suit, card.rank, at


def _cards(play: PlayRecord) -> Iterator[Fact]:
    for trick, nth, hand, card in play.plays():
        yield from play_facts(trick, hand, card, moment(trick, nth))
    for number, one in enumerate(play.tricks, 1):
        for nth, seat in enumerate(CLOCKWISE[one.leader], 1):
            yield "place", number, seat, nth


def _first_parts(play: PlayRecord) -> Iterator[Fact]:
    """The first part each side took in each trick; a side that has led has not also 'played' sooner."""
    for number, trick in enumerate(play.tricks, 1):
        for nth in range(1, min(2, len(trick.cards)) + 1):
            seat = CLOCKWISE[trick.leader][nth - 1]
            yield "took-part", number, SIDE[seat], "led" if nth == 1 else "played", moment(number, nth)


def _leads(timeline: Timeline, play: PlayRecord) -> Iterator[Fact]:
    """The suit led to each trick, and from when until when, as the card led may be replaced."""
    for number, trick in enumerate(play.tricks, 1):
        suit, since = trick.led, moment(number, 1)
        for change in timeline.changes:
            if change.trick == number and change.hand == trick.leader:
                if suit is not None:
                    yield "led", number, suit, since, change.at
                suit, since = change.played.suit, change.at
        if suit is not None:
            yield "led", number, suit, since, NEVER


def _changed(trick: int, hand: Seat, timeline: Timeline) -> Iterator[Fact]:
    for change in timeline.changes:
        if (change.trick, change.hand) == (trick, hand):
            card = change.withdrawn
            yield "replaced", trick, hand, change.how, change.at
            yield "card-withdrawn", trick, hand, change.how, card.text, card.suit, card.rank, change.at
            yield from play_facts(trick, hand, change.played, change.at)


def _holdings(incident: Incident, at_hand: PlayRecord, timeline: Timeline) -> Iterator[Fact]:
    """Until which trick each hand held each card known to have been in it, and when it was out of a suit."""
    for seat in SEATS:
        went: dict[Card, int] = {}
        hidden = 14
        for number, trick in enumerate(at_hand.tricks, 1):
            card = trick.card_of(seat)
            if card is not None:
                went[card] = number
            elif trick.nth_of(seat) <= len(trick.cards):
                hidden = min(hidden, number)
        dealt = None if incident.deal is None else incident.deal[seat]
        seen = [change.withdrawn for change in timeline.changes if change.hand == seat]
        for card in dict.fromkeys([*(dealt or ()), *went, *seen]):
            yield "held", seat, card.text, card.suit, card.rank, went.get(card, hidden)
        if dealt is not None:
            yield from _voids(seat, dealt, went)


def _voids(seat: Seat, dealt: tuple[Card, ...], went: dict[Card, int]) -> Iterator[Fact]:
    for suit in SUITS:
        left = [went.get(card, 14) for card in dealt if card.suit == suit]
        since = max(left, default=0) + 1
        if since < 14:
            yield "void", seat, suit, since
