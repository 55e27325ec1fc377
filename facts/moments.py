"""The moments of an incident, and how far it had come at each: every card, every event, every stage of a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from facts.cards import Card, Seat
from facts.events import Event
from facts.incident import Finding, Incident
from facts.observe.findings import noticed_at, play_of, told_by_event
from facts.observe.timeline import NEVER, Timeline, moment
from facts.play import PlayRecord

Stage: TypeAlias = Literal["revoked", "answered", "won", "went-on", "claimed", "noticed", "finished"]
"""What a finding says, in the order in which it happened."""
STAGES: Final[Sequence[Stage]] = ("revoked", "answered", "won", "went-on", "claimed", "noticed", "finished")
_OFFSET: Final = {"answered": 500, "won": 700, "went-on": 800, "claimed": 850}


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened; the first field that is not None says what."""

    at: int
    card: Card | None = None
    event: Event | None = None
    finding: int | None = None
    """The number of the finding, from 0, whose ``stage`` is reached."""
    stage: Stage | None = None
    trick: int | None = None
    hand: Seat | None = None
    """Trick and hand of a card, or of the finding."""


def moments(incident: Incident) -> tuple[Moment, ...]:
    """Everything that happened, in its order; then, as the last, whatever has no moment of its own."""
    timeline = Timeline.of(incident)
    found = [*_cards(incident), *_events(timeline), *_stages(incident, timeline)]
    return (*sorted(found, key=lambda one: one.at), Moment(NEVER))


def until(incident: Incident, happened: Sequence[Moment]) -> Incident:
    """The incident as it was when these moments, the first so many of all, had passed."""
    if happened and happened[-1].at == NEVER:
        return incident
    events = tuple(one.event for one in happened if one.event is not None)
    reached = {one.finding: one.stage for one in happened if one.finding is not None}
    so_far = replace(incident, events=events)
    told = {number for number in reached if told_by_event(incident.revokes[number], so_far)}
    return replace(
        so_far,
        play=_play_until(incident.play, sum(one.event is None and one.finding is None for one in happened)),
        tricks=None,
        equity_tricks=None,
        revokes=tuple(
            _finding_until(incident.revokes[number], stage or "revoked", number in told)
            for number, stage in reached.items()
        ),
    )


def _cards(incident: Incident) -> Iterator[Moment]:
    for trick, nth, hand, card in incident.play.plays() if incident.play is not None else ():
        yield Moment(moment(trick, nth), card, trick=trick, hand=hand)


def _events(timeline: Timeline) -> Iterator[Moment]:
    for placed in timeline.events:
        yield Moment(placed.at, event=placed.event)


def _stages(incident: Incident, timeline: Timeline) -> Iterator[Moment]:
    for number, found in enumerate(incident.revokes):
        at = play_of(number, found, timeline)
        for stage in STAGES:
            if _says(found, stage, incident):
                when = at if stage == "revoked" else 1000 * found.trick + _OFFSET.get(stage, 0)
                if stage == "noticed":
                    when = noticed_at(found) or NEVER
                yield Moment(when, finding=number, stage=stage, trick=found.trick, hand=found.hand)


def _says(found: Finding, stage: Stage, incident: Incident) -> bool:
    """Whether the finding itself tells of this stage."""
    return {
        "revoked": True,
        "answered": bool(found.played_after),
        "won": found.won_by is not None,
        "went-on": found.next_trick != "no",
        "claimed": found.claim != "none",
        "noticed": found.noticed != "not-yet" and not told_by_event(found, incident),
        "finished": False,
    }[stage]


def _finding_until(found: Finding, stage: Stage, told: bool) -> Finding:
    """The finding without what happened later."""
    reached = STAGES.index(stage)
    unset = Finding(hand=found.hand, trick=found.trick)
    hidden = {
        "answered": ("played_after",),
        "won": ("won_by",),
        "went-on": ("next_trick",),
        "claimed": ("claim",),
        "noticed": ("noticed", "asked_by", "next_board_call_by"),
        "finished": ("later_tricks", "later_win_playable", "repeats", "other_side_revoked", "equity_tricks"),
    }
    names = [name for later in STAGES[reached + 1 :] for name in hidden[later]]
    cut = replace(found, **{name: getattr(unset, name) for name in names})
    return cut if told or reached >= STAGES.index("noticed") else replace(cut, noticed="not-yet")


def _play_until(play: PlayRecord | None, cards: int) -> PlayRecord | None:
    if play is None or cards == 0:
        return None
    full, rest = divmod(cards, 4)
    tricks = play.tricks[:full]
    if rest:
        last = play.tricks[full]
        tricks = (*tricks, replace(last, cards=last.cards[:rest]))
    return PlayRecord(tricks)
