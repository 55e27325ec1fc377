"""What the director found out, where no record shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from facts.cards import CLOCKWISE, OTHER_SIDE, PARTNER, SIDE
from facts.events import Attention
from facts.ground import Fact
from facts.incident import Finding, Incident
from facts.observe.record import play_facts
from facts.observe.timeline import Timeline

HANDS_RETURNED, CALLED, ROUND_ENDED = 20_100, 20_200, 20_300
NOTICED: Final = {
    "after-play": 20_050,
    "after-hands-returned": 20_150,
    "after-call-on-next-board": 20_250,
    "after-round": 20_350,
}
"""When attention was drawn after the play: before or after what else happened then, whichever finding says it."""


Stage: TypeAlias = Callable[[Incident, int, Timeline], Iterator[Fact]]
"""What an incident and the finding of some number in it say; a stage reads only what its own facts depend on."""


def beyond_record(incident: Incident, timeline: Timeline) -> Iterator[Fact]:
    """Who must have played to the trick after the last one recorded, as something was found out about a later card.

    Nothing for a side whose own finding says whether it has gone on.
    """
    if incident.play is None or not incident.play.tricks:
        return
    tricks = incident.play.tricks
    following = len(tricks) + (len(tricks[-1].cards) == 4)
    told = {(found.trick + 1, SIDE[found.hand]) for found in incident.revokes}
    later = any(found.trick > following for found in incident.revokes)
    sides = SIDE.values() if later else [SIDE[found.hand] for found in incident.revokes if found.trick == following]
    for side in dict.fromkeys(sides):
        if (following, side) not in told:
            yield "took-part", following, side, "played", 1000 * following + 450


def play_of(number: int, found: Finding, timeline: Timeline) -> int:
    """The moment that names the play: of the record, if the record has it."""
    recorded = timeline.moments.get((found.trick, found.hand))
    return 1000 * found.trick + 100 + 10 * (number + 1) if recorded is None else recorded


def _failure(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    found = incident.revokes[number]
    play = play_of(number, found, timeline)
    if (found.trick, found.hand) not in timeline.moments:
        yield from play_facts(found.trick, found.hand, found.card, play)
    yield "failed", play, found.trick, found.hand, found.failed_to, play


def _suit(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    found = incident.revokes[number]
    if found.suit is not None:
        play = play_of(number, found, timeline)
        yield "failed-in", play, found.trick, found.hand, found.suit, play


def _played_after(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    found = incident.revokes[number]
    play, later = play_of(number, found, timeline), 0
    for hand in CLOCKWISE[found.hand]:
        if hand in found.played_after and (found.trick, hand) not in timeline.moments:
            later += 1
            yield from play_facts(found.trick, hand, None, play + later)


def _faced(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    found = incident.revokes[number]
    if found.faced:
        yield "faced", play_of(number, found, timeline), found.trick, found.hand


def _circumstances(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    found = incident.revokes[number]
    trick, hand = found.trick, found.hand
    if found.required_faced:
        yield "required-faced", trick, hand
    if found.later_win_playable:
        yield "later-win", trick, hand
    if found.repeats:
        yield "repeated", trick, hand, found.repeats
    if found.other_side_revoked != "no":
        yield "other-revoked", trick, hand, found.other_side_revoked


def _going_on(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    found = incident.revokes[number]
    if found.next_trick != "no" and not any(trick == found.trick + 1 for trick, _ in timeline.moments):
        yield "took-part", found.trick + 1, SIDE[found.hand], found.next_trick, 1000 * found.trick + 800


def _claim(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    found = incident.revokes[number]
    side, claimed = SIDE[found.hand], 1000 * found.trick + 850 + 2 * number
    if found.claim == "by-revokers":
        yield "claim", side, "claim", claimed
    elif found.claim == "conceded-partner-objected":
        yield "claim", side, "concession", claimed
        yield "objection", claimed, side, claimed + 1
    elif found.claim != "none":
        yield "claim", OTHER_SIDE[side], "claim", claimed
        if found.claim == "by-opponents-agreed":
            yield "assent", claimed, side, claimed + 1


def told_by_event(found: Finding, incident: Incident) -> bool:
    """Whether an event says when it was noticed, and the finding does not say otherwise."""
    if found.noticed != "during-play":
        return False
    named = (found.trick, found.hand)
    return any(
        isinstance(event.what, Attention)
        and (event.what.to is None or (event.what.to.trick, event.what.to.hand) == named)
        for event in incident.events
    )


def _noticed(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    found = incident.revokes[number]
    at = noticed_at(found)
    if at is None or told_by_event(found, incident):
        return
    if found.noticed in ("after-hands-returned", "after-call-on-next-board", "after-round"):
        yield "hands-returned", HANDS_RETURNED
    if found.noticed == "after-call-on-next-board":
        caller = found.next_board_call_by
        yield ("someone-called", CALLED) if caller is None else ("called-next", caller, CALLED)
    if found.noticed == "after-round":
        yield "round-ended", ROUND_ENDED
    yield "attention-to", found.trick, found.hand, at


def noticed_at(found: Finding) -> int | None:
    """When attention was drawn to it; None: not yet."""
    if found.noticed in NOTICED:
        return NOTICED[found.noticed]
    if found.noticed == "not-yet":
        return None
    return 1000 * found.trick + (900 if found.noticed == "before-next-trick" else 1500)


def _rights(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    found = incident.revokes[number]
    if found.dummy_lost_rights and incident.declarer is not None:
        yield "lost-rights", PARTNER[incident.declarer], 1000 * found.trick + 1


def _question(incident: Incident, number: int, timeline: Timeline) -> Iterator[Fact]:
    """The question comes just before the attention it leads to."""
    found = incident.revokes[number]
    if found.asked_by is not None:
        at = noticed_at(found) or 1000 * found.trick + 900
        yield "asked", found.asked_by, found.hand, found.trick, "unknown", at - 1


OF_A_FINDING: Final[tuple[Stage, ...]] = (
    _failure,
    _suit,
    _played_after,
    _faced,
    _circumstances,
    _going_on,
    _claim,
    _noticed,
    _rights,
    _question,
)
"""Everything that a finding says, each stage by itself."""
