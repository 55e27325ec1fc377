"""The moments of an incident, and how far it had come at each: every card, every event, every stage of a finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, get_args

from facts.cards import Card, Seat
from facts.incident import NEVER, NOT_YET, Event, Finding, Incident, moment, moment_of_play
from facts.play import PlayRecord
from facts.table import Table
from facts.templates import moment_of

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
    plays = () if incident.play is None else incident.play.plays()
    all_moments = [Moment(moment(trick, nth), card, trick=trick, hand=hand) for trick, nth, hand, card in plays]
    all_moments += [Moment(placed.at, event=placed.event) for placed in incident.timeline.events]
    for number, revoke in enumerate(incident.revokes):
        if revoke.of != table.of:  # of other matters nothing says in what order it came to be known
            continue
        stated = [(table.findings[name], value) for name, value in revoke.said.items()]
        reached = {"revoked", *(kind.known for kind, value in stated if value not in (None, kind.before))}
        for stage in STAGES[:-1]:
            if stage in reached:
                when = _at(number, revoke, stage, table)
                if stage == "revoked":
                    when = moment_of_play(number, revoke.trick or number + 1, revoke.hand or "N", incident)
                all_moments.append(Moment(when, finding=number, stage=stage, trick=revoke.trick, hand=revoke.hand))
    return (*sorted(all_moments, key=lambda moment: moment.at), Moment(NEVER))


def until(incident: Incident, happened: Sequence[Moment], table: Table) -> Incident:
    """The incident as it was when these moments, the first so many of all, had passed: the rest is not yet."""
    if happened and happened[-1].at == NEVER:
        return incident
    begun = dict.fromkeys(moment.finding for moment in happened if moment.finding is not None)
    revokes: list[Finding] = []
    for number in begun:
        revoke = incident.revokes[number]
        passed = [stage for stage in STAGES[1:-1] if _at(number, revoke, stage, table) <= happened[-1].at]
        so_far = STAGES[: max(map(STAGES.index, passed), default=0) + 1]
        # of what happened later nothing is to be supposed either
        later = {name: kind.before for name, kind in table.findings.items() if kind.known not in so_far}
        revokes.append(replace(revoke, said={**revoke.said, **later}))
    full, rest = divmod(sum(moment.event is None and moment.finding is None for moment in happened), 4)
    tricks = () if incident.play is None else incident.play.tricks
    full += 0 if incident.play is None else incident.play.before
    whole, part = tricks[:full], [replace(trick, cards=trick.cards[:rest]) for trick in tricks[full : full + 1] if rest]
    then = replace(
        incident,
        events=tuple(moment.event for moment in happened if moment.event is not None),
        play=PlayRecord((*whole, *part)) if whole or part else None,
        tricks=None,
        equity_tricks=None,
        revokes=(*revokes, *(one for one in incident.revokes if one.of != table.of)),
    )
    recorded = len(whole) + len(part)
    goes_beyond = then.play is None or any(revoke.trick is None or revoke.trick > recorded for revoke in revokes)
    return then if then.over or goes_beyond else replace(then, rest=NOT_YET)


def _at(number: int, revoke: Finding, stage: Stage, table: Table) -> int:
    values = {**revoke.said, "trick": revoke.trick or number + 1}
    if stage == "noticed":
        return moment_of("noticed", values, table) or NEVER
    return 1000 * int(values["trick"]) + table.of_a_trick.get(stage, 0)
