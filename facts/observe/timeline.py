"""When everything happened, how the cards finally lie, and how far an incident had come at each moment.

A moment is an integer that only orders what happened. A card played lies at 1000 x trick + 100 x place in it; an event
a little after the card it follows; findings without a record are given consistent moments around their trick.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias, cast, get_args

from facts.cards import CLOCKWISE, PARTNER, Card, Seat, Suit
from facts.incident import NOT_YET, Event, Finding, Incident
from facts.observe.statements import moment_of
from facts.play import PlayRecord, Trick
from facts.table import FindingKind, Table

NEVER: Final = 99_999
"""After everything."""
WITHOUT_RECORD: Final = 19_000
"""The first event where no play is recorded, or where something was found out about tricks after the record."""


@dataclass(frozen=True, slots=True)
class PlacedEvent:
    """An event and its place in time."""

    event: Event
    at: int
    trick: int
    """The trick of the card before it; 0 before the first."""
    nth: int
    """The place of that card in its trick; 4 when there is none."""

    @property
    def trick_going_on(self) -> int:
        """The trick in progress, or the one about to be led."""
        return self.trick if self.nth < 4 else self.trick + 1


@dataclass(frozen=True, slots=True)
class Change:
    """A card taken back and another played to the same trick."""

    trick: int
    hand: Seat
    how: str
    """``corrected`` or ``withdrawn``."""
    withdrawn: Card
    played: Card
    at: int


@dataclass(frozen=True)
class Timeline:
    """The moments of an incident."""

    events: tuple[PlacedEvent, ...]
    changes: tuple[Change, ...]
    refused: tuple[Change, ...]
    """Those that do not stand."""
    final: PlayRecord | None
    """The record as the cards finally lie."""
    at_hand: PlayRecord | None
    """The record with every replaced card in place, but for one that had gone to a later trick by then."""
    incident: Incident

    @cached_property
    def moments(self) -> dict[tuple[int, Seat], int]:
        """Trick and hand -> when that hand first played to it, for cards of the record."""
        play = self.incident.play
        return {} if play is None else {(trick, seat): moment(trick, nth) for trick, nth, seat, _ in play.plays()}

    @cached_property
    def won(self) -> dict[int, Seat]:
        """Who won each trick: by its cards, or where one is not recorded, whoever led to the next."""
        tricks, trump, won = () if self.final is None else self.final.tricks, self.incident.trump, dict[int, Seat]()
        for number, trick in enumerate(tricks, 1):
            winner = trick.winner(trump) if self.incident.contract or _all_followed(trick) else None
            if winner is None and len(trick.cards) == 4 and number < len(tricks):
                winner = tricks[number].leader
            if winner is not None:
                won[number] = winner
        return won

    @staticmethod
    def of(incident: Incident) -> Timeline:
        """The moments of this incident."""
        events = _placed(incident)
        changes: list[Change] = []
        refused: list[Change] = []
        final = at_hand = incident.play
        for placed in events:
            change = _change(placed, incident, final)
            if change is not None and placed.event.refused:
                refused.append(change)
            elif change is not None:
                changes.append(change)
                if final is not None and at_hand is not None and _has_card(final, change):
                    later = _trick_of(change.hand, change.played, placed, incident, final)
                    final = final.with_card(change.trick, change.hand, change.played)
                    if later > change.trick:
                        final = _changed_places(final, change, later, incident.trump)
                    else:
                        at_hand = at_hand.with_card(change.trick, change.hand, change.played)
        return Timeline(events, tuple(changes), tuple(refused), final, at_hand, incident)


def _all_followed(trick: Trick) -> bool:
    """Whether trumps cannot matter, whichever suit they are."""
    return all(card is not None and card.suit == trick.led for card in trick.cards)


def _has_card(play: PlayRecord, change: Change) -> bool:
    """Whether the record has a card of that hand in that trick, known or not."""
    if change.trick > len(play.tricks):
        return False
    trick = play.tricks[change.trick - 1]
    return trick.nth_of(change.hand) <= len(trick.cards)


def _changed_places(final: PlayRecord, change: Change, later: int, trump: Suit | None) -> PlayRecord:
    """The card taken back goes where the other had gone; whoever now wins the trick has led to the next."""
    final = final.with_card(later, change.hand, change.withdrawn)
    leader = final.tricks[change.trick - 1].winner(trump)
    if later != change.trick + 1 or leader is None or len(final.tricks[later - 1].cards) < 4:
        return final
    trick = final.tricks[later - 1]
    led_anew = Trick(leader, tuple(trick.card_of(seat) for seat in CLOCKWISE[leader]))
    return PlayRecord((*final.tricks[: later - 1], led_anew, *final.tricks[later:]))


def moment(trick: int, nth: int) -> int:
    """When the card in that place of that trick was played."""
    return 1000 * trick + 100 * nth


def play_of(number: int, trick: int, hand: Seat, timeline: Timeline) -> int:
    """The moment that names the play of the finding of some number: of the record, if the record has it."""
    recorded = timeline.moments.get((trick, hand))
    return 1000 * trick + 100 + 10 * (number + 1) if recorded is None else recorded


MOMENTS: Final = {trick: tuple(moment(trick, nth) for nth in (1, 2, 3, 4)) for trick in range(1, 14)}
"""Trick -> the moments of its cards."""


def _placed(incident: Incident) -> tuple[PlacedEvent, ...]:
    if not incident.events:
        return ()
    tricks = () if incident.play is None else incident.play.tricks
    last = next(
        ((number, len(tricks[number - 1].cards)) for number in range(len(tricks), 0, -1) if tricks[number - 1].cards),
        (0, 4),
    )
    placed: list[PlacedEvent] = []
    here, latest = last, 0
    unknown = (
        last == (0, 4)
        or (incident.over and last != (13, 4))
        or any((found.trick or 0) > last[0] for found in incident.revokes)
    )
    for number, event in enumerate(incident.events):
        if event.after is not None:
            here, unknown = event.after, incident.play is None
        base = WITHOUT_RECORD + 10 * number if unknown else moment(*here)
        latest = max(base, latest) + 1
        placed.append(PlacedEvent(event, latest, *here))
    return tuple(placed)


def _change(placed: PlacedEvent, incident: Incident, play: PlayRecord | None) -> Change | None:
    change = placed.event.takes_back
    if change is None:
        return None
    card, played = change
    by: Seat = placed.event.said["by"]
    for hand in (by, PARTNER[by]) if by == incident.declarer else (by,):
        trick = _trick_of(hand, card, placed, incident, play)
        if trick:
            return Change(trick, hand, placed.event.name, card, played, placed.at)
    return None


def _trick_of(hand: Seat, card: Card, event: PlacedEvent, incident: Incident, play: PlayRecord | None) -> int:
    """The trick to which the hand had played the card by then; else its last revoke found; 0 for none."""
    if play is not None:
        for number in range(event.trick, 0, -1):
            trick = play.tricks[number - 1]
            if trick.card_of(hand) is card and (number, trick.nth_of(hand)) <= (event.trick, event.nth):
                return number
    stated = [found for found in incident.revokes if not found.shown]
    tricks = [found.trick for found in stated if found.hand == hand and found.card in (None, card)]
    tricks += [found.trick for found in stated if hand in found.said.get("played-after", ())]
    return max(filter(None, tricks), default=0)


Stage: TypeAlias = Literal["revoked", "answered", "trick-over", "went-on", "claimed", "noticed", "finished"]
"""What a finding says, in the order in which it happened."""
STAGES: Final[Sequence[Stage]] = get_args(Stage)


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
    """Trick and hand of a card, or of the finding, as far as they are stated."""


def moments(incident: Incident, table: Table) -> tuple[Moment, ...]:
    """Everything that happened, in its order; then, as the last, whatever has no moment of its own."""
    timeline = Timeline.of(incident)
    found = [*_moments_of_cards(incident), *_moments_of_events(timeline), *_stages(incident, timeline, table)]
    return (*sorted(found, key=lambda one: one.at), Moment(NEVER))


def until(incident: Incident, happened: Sequence[Moment], table: Table) -> Incident:
    """The incident as it was when these moments, the first so many of all, had passed: the rest is not yet."""
    if happened and happened[-1].at == NEVER:
        return incident
    begun = dict.fromkeys(one.finding for one in happened if one.finding is not None)
    found = [_finding_until(number, incident.revokes[number], happened[-1].at, table) for number in begun]
    so_far = replace(
        incident,
        events=tuple(one.event for one in happened if one.event is not None),
        play=_play_until(incident.play, sum(one.event is None and one.finding is None for one in happened)),
        tricks=None,
        equity_tricks=None,
        revokes=tuple(found),
    )
    return so_far if so_far.over or _goes_beyond(so_far) else replace(so_far, rest=NOT_YET)


def _goes_beyond(incident: Incident) -> bool:
    """Whether more tricks have been played than are recorded."""
    recorded = 0 if incident.play is None else len(incident.play.tricks)
    return incident.play is None or any(found.trick is None or found.trick > recorded for found in incident.revokes)


def _moments_of_cards(incident: Incident) -> Iterator[Moment]:
    for trick, nth, hand, card in incident.play.plays() if incident.play is not None else ():
        yield Moment(moment(trick, nth), card, trick=trick, hand=hand)


def _moments_of_events(timeline: Timeline) -> Iterator[Moment]:
    for placed in timeline.events:
        yield Moment(placed.at, event=placed.event)


def _stages(incident: Incident, timeline: Timeline, table: Table) -> Iterator[Moment]:
    for number, found in enumerate(incident.revokes):
        hand, trick = found.hand or "N", found.trick or number + 1
        for stage in STAGES[:-1]:
            if stage == "revoked" or any(_says(found, name, stage, table) for name in found.said):
                at = _at(number, found, stage, table)
                when = play_of(number, trick, hand, timeline) if stage == "revoked" else at
                yield Moment(when, finding=number, stage=stage, trick=found.trick, hand=found.hand)


def _at(number: int, found: Finding, stage: Stage, table: Table) -> int:
    given = {**found.said, "trick": found.trick or number + 1}
    if stage == "noticed":
        return moment_of("noticed", given, table) or NEVER
    return 1000 * int(given["trick"]) + table.of_a_trick.get(stage, 0)


def _says(found: Finding, name: str, stage: Stage, table: Table) -> bool:
    """Whether a finding tells of something that came about at this stage."""
    kind = table.findings[name]
    return kind.known == stage and found.said[name] not in (None, kind.before)


def _finding_until(number: int, found: Finding, at: int, table: Table) -> Finding:
    """The finding without what happened after a moment: of that nothing is to be supposed either."""
    reached = max(
        (nth for nth, stage in enumerate(STAGES[1:-1], 1) if _at(number, found, stage, table) <= at), default=0
    )
    later = {name: kind.before for name, kind in table.findings.items() if STAGES.index(_stage(kind)) > reached}
    return replace(found, said={**found.said, **later})


def _stage(kind: FindingKind) -> Stage:
    return cast(Stage, kind.known)


def _play_until(play: PlayRecord | None, cards: int) -> PlayRecord | None:
    if play is None or cards == 0:
        return None
    full, rest = divmod(cards, 4)
    tricks = play.tricks[:full]
    if rest:
        last = play.tricks[full]
        tricks = (*tricks, replace(last, cards=last.cards[:rest]))
    return PlayRecord(tricks)
