"""Events, each at its moment."""

from __future__ import annotations

from collections.abc import Iterator

from facts import events
from facts.cards import PARTNER, SIDE
from facts.ground import Fact
from facts.incident import Incident
from facts.observe.timeline import Placed, Timeline


def happenings(incident: Incident, timeline: Timeline) -> Iterator[Fact]:
    """The facts of the events; cards replaced are facts of the record."""
    for change in timeline.refused:
        yield "change-refused", change.trick, change.hand, change.how, change.at
    claimed_at: int | None = None
    for placed in timeline.events:
        what = placed.event.what
        if isinstance(what, events.Claimed | events.Conceded):
            claimed_at = placed.at
            yield from _claim(what, placed)
        elif isinstance(what, events.Agreed | events.Objected) and claimed_at is not None:
            kind = "assent" if isinstance(what, events.Agreed) else "objection"
            yield kind, claimed_at, SIDE[what.by], placed.at
        elif isinstance(what, events.DummyLostRights) and incident.declarer is not None:
            yield "lost-rights", PARTNER[incident.declarer], placed.at
        else:
            yield from _said(placed)
            yield from _done(placed)
            yield from _afterwards(placed)


def _claim(what: events.Claimed | events.Conceded, placed: Placed) -> Iterator[Fact]:
    """Claiming fewer tricks than are left concedes the others, at the same moment."""
    left = 14 - placed.trick_going_on
    if isinstance(what, events.Claimed):
        yield "claim", SIDE[what.by], "claim", placed.at
    if isinstance(what, events.Conceded) or (what.tricks is not None and what.tricks < left):
        yield "claim", SIDE[what.by], "concession", placed.at


def _said(placed: Placed) -> Iterator[Fact]:
    what, at = placed.event.what, placed.at
    if isinstance(what, events.Attention):
        if what.to is None:
            yield "attention", at
        else:
            yield "attention-to", what.to.trick, what.to.hand, at
        yield "attention-by", what.by, at
    elif isinstance(what, events.Asked):
        yield "asked", what.by, what.of, placed.trick, what.answer, at
    elif isinstance(what, events.Required):
        if what.suit is not None:
            yield "requirement", what.of, placed.trick_going_on, what.how, what.suit, at
        if what.card is not None:
            yield "card-requirement", what.of, placed.trick_going_on, what.card.text, at


def _done(placed: Placed) -> Iterator[Fact]:
    what, at = placed.event.what, placed.at
    if isinstance(what, events.Designated):
        yield "took-part", placed.trick + 1, SIDE[what.by], "designated", at
    elif isinstance(what, events.LedOutOfTurn):
        trick = placed.trick_going_on if what.trick is None else what.trick
        yield "took-part", trick, SIDE[what.by], "led-out-of-turn", at
    elif isinstance(what, events.Exposed):
        card = what.card
        yield "exposed", what.by, card.text, card.suit, card.rank, what.kind, at
    elif isinstance(what, events.Quitted):
        yield "quitted", placed.trick, what.by, SIDE[what.by], at


def _afterwards(placed: Placed) -> Iterator[Fact]:
    what, at = placed.event.what, placed.at
    if isinstance(what, events.HandsReturned):
        yield "hands-returned", at
    elif isinstance(what, events.RoundEnded):
        yield "round-ended", at
    elif isinstance(what, events.CorrectionPeriodEnded):
        yield "correction-period-ended", at
    elif isinstance(what, events.CalledOnNextBoard):
        yield "called-next", SIDE[what.by], at
    elif isinstance(what, events.CardsMixed):
        yield "mixed", SIDE[what.by], at
    elif isinstance(what, events.CutForNextDeal):
        yield "cut", at
