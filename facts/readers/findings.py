"""What cannot have been meant of the findings in an incident file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from facts.cards import SIDE
from facts.errors import Fault
from facts.events import Corrected, Withdrawn
from facts.incident import Finding
from facts.source import Node


def findings_faults(node: Node, stated: Mapping[str, Any]) -> Iterator[Fault]:
    """Findings that contradict themselves, each other, the play or the tricks; ``stated`` by the names of Incident."""
    found: tuple[Finding, ...] = stated.get("revokes", ())
    for number, one in enumerate(found):
        yield from _by_itself(node, number, one)
        yield from _twice(node, number, one, found[:number])
        yield from _not_as_played(node, number, one, stated)
        yield from _too_many_tricks(node, number, one, stated)


def _by_itself(node: Node, number: int, one: Finding) -> Iterator[Fault]:
    at = ("revokes", number)
    if one.card and one.card.suit == one.suit and one.failed_to == "follow-suit":
        what, mend = f"{one.card} is of the suit that had to be played", "give the card that was played instead"
        yield Fault(node.place_at((*at, "card")), what, f"{mend}, or the right suit")
    if one.trick == 13 and one.next_trick != "no":
        yield Fault(
            node.place_at((*at, "next-trick")), "no trick comes after trick 13", "leave it out, or mend the trick"
        )
    if one.hand in one.played_after:
        mend = "name the hands that played to the trick after it"
        yield Fault(node.place_at((*at, "played-after")), f"{one.hand} is the hand that revoked", mend)


def _twice(node: Node, number: int, one: Finding, before: tuple[Finding, ...]) -> Iterator[Fault]:
    if one.card and any((one.hand, one.trick, one.card) == (two.hand, two.trick, two.card) for two in before):
        what = f"{one.hand}'s revoke at trick {one.trick} with {one.card} is already listed"
        yield Fault(node.place_at(("revokes", number)), what, "list each revoke once")


def _not_as_played(node: Node, number: int, one: Finding, stated: Mapping[str, Any]) -> Iterator[Fault]:
    """A card, suit or winner that the play does not have there, and that did not come there by a later change."""
    play = stated.get("play")
    if play is None or one.trick > len(play.tricks):
        return
    trick, at = play.tricks[one.trick - 1], ("revokes", number)
    changes = [event.what for event in stated.get("events", ()) if isinstance(event.what, Corrected | Withdrawn)]
    played = trick.card_of(one.hand)
    if one.card and played not in (None, one.card) and one.card not in [change.played for change in changes]:
        what = f"{one.hand} played {played} to trick {one.trick}, not {one.card}"
        yield Fault(node.place_at((*at, "card")), what, "mend this card, or the play")
    if changes:
        return
    if one.suit and one.failed_to == "follow-suit" and trick.led not in (None, one.suit):
        what = f"{trick.led} was led to trick {one.trick}, not {one.suit}"
        yield Fault(node.place_at((*at, "suit")), what, "mend this suit, or the play")
    contract = stated.get("contract")
    winner = contract and trick.winner(contract.trump)
    if one.won_by and winner and one.won_by != winner:
        what = f"by the cards trick {one.trick} was won by {winner}, not by {one.won_by}"
        yield Fault(node.place_at((*at, "won-by")), what, "mend this hand, or the play")


def _too_many_tricks(node: Node, number: int, one: Finding, stated: Mapping[str, Any]) -> Iterator[Fault]:
    """More tricks than are left, or than the side was agreed to have won in all."""
    declarer, tricks = stated.get("declarer"), stated.get("tricks")
    if one.later_tricks is None:
        return
    place = node.place_at(("revokes", number, "later-tricks"))
    if one.later_tricks > 13 - one.trick:
        what = f"{one.later_tricks} tricks are more than come after trick {one.trick}"
        yield Fault(place, what, "give the tricks that the revoker's side won after it")
    elif declarer is not None and tricks is not None:
        side = SIDE[one.hand]
        in_all = tricks if side == SIDE[declarer] else 13 - tricks
        won = one.later_tricks + (one.won_by is not None and SIDE[one.won_by] == side)
        if won > in_all:
            what = f"{side} cannot have won {won} tricks from trick {one.trick} on, with {in_all} in all"
            yield Fault(place, what, "mend this number, or tricks")
