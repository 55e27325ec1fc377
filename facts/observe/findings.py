"""What the director found out, where no record shows it."""

from __future__ import annotations

from collections.abc import Iterator

from facts.cards import CLOCKWISE, OTHER_SIDE, PARTNER, SIDE
from facts.events import Attention
from facts.ground import Fact
from facts.incident import Finding, Incident
from facts.observe.record import play_facts
from facts.observe.timeline import Timeline

HANDS_RETURNED, CALLED, ROUND_ENDED, NOTICED_AFTER_PLAY = 20_100, 20_200, 20_300, 30_000


def findings(incident: Incident, timeline: Timeline) -> Iterator[Fact]:
    """The facts of the findings, in their order."""
    for number, found in enumerate(incident.revokes):
        play = play_of(number, found, timeline)
        yield from _failure(found, play, timeline)
        yield from _circumstances(found, play)
        yield from _going_on(found, number, timeline)
        if not told_by_event(found, incident):
            yield from _noticed(found)
        yield from _question(found, incident)
    yield from _beyond_record(incident)


def _beyond_record(incident: Incident) -> Iterator[Fact]:
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


def _failure(found: Finding, play: int, timeline: Timeline) -> Iterator[Fact]:
    if (found.trick, found.hand) not in timeline.moments:
        yield from play_facts(found.trick, found.hand, found.card, play)
    yield "failed", play, found.trick, found.hand, found.failed_to, play
    if found.suit is not None:
        yield "failed-in", play, found.trick, found.hand, found.suit, play
    later = 0
    for hand in CLOCKWISE[found.hand]:
        if hand in found.played_after and (found.trick, hand) not in timeline.moments:
            later += 1
            yield from play_facts(found.trick, hand, None, play + later)


def _circumstances(found: Finding, play: int) -> Iterator[Fact]:
    trick, hand = found.trick, found.hand
    if found.faced:
        yield "faced", play, trick, hand
    if found.required_faced:
        yield "required-faced", trick, hand
    if found.later_win_playable:
        yield "later-win", trick, hand
    if found.repeats:
        yield "repeated", trick, hand, found.repeats
    if found.other_side_revoked != "no":
        yield "other-revoked", trick, hand, found.other_side_revoked


def _going_on(found: Finding, number: int, timeline: Timeline) -> Iterator[Fact]:
    side, at = SIDE[found.hand], 1000 * found.trick + 800
    if found.next_trick != "no" and not any(trick == found.trick + 1 for trick, _ in timeline.moments):
        yield "took-part", found.trick + 1, side, found.next_trick, at
    claimed = at + 50 + 2 * number
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


def _noticed(found: Finding) -> Iterator[Fact]:
    at = noticed_at(found)
    if at is None:
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
    times = {"not-yet": None, "before-next-trick": 1000 * found.trick + 900, "during-play": 1000 * found.trick + 1500}
    return times.get(found.noticed, NOTICED_AFTER_PLAY)


def _question(found: Finding, incident: Incident) -> Iterator[Fact]:
    """The question comes just before the attention it leads to."""
    if found.dummy_lost_rights and incident.declarer is not None:
        yield "lost-rights", PARTNER[incident.declarer], 1000 * found.trick + 1
    if found.asked_by is not None:
        at = noticed_at(found) or 1000 * found.trick + 900
        yield "asked", found.asked_by, found.hand, found.trick, "unknown", at - 1
