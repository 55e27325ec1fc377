"""What cannot have been meant of the findings and of the weighted outcomes in an incident file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from facts.cards import SEATS
from facts.errors import Fault
from facts.incident import FROM_FIRST, Finding
from facts.play import Trick
from facts.score import vulnerable_on
from facts.yaml_reader import Node


def findings_faults(node: Node, stated: Mapping[str, Any]) -> Iterator[Fault]:
    """Findings that contradict themselves, each other, the play or the tricks; ``stated`` by the names of Incident."""
    found: tuple[Finding, ...] = stated.get("revokes", ())
    for number, one in enumerate(found):
        yield from _by_itself(node, number, one)
        yield from _twice(node, number, one, found[:number])
        yield from _not_as_played(node, number, one, stated)


def _by_itself(node: Node, number: int, one: Finding) -> Iterator[Fault]:
    """What says by itself that it cannot be; what cannot be together is found when all that is possible is laid out."""
    if number == 0 and one.player in FROM_FIRST:
        what = f"{one.player} is as seen from an earlier revoke, and there is none"
        yield Fault(node.place_at(("revokes", 0)), what, "write player: declarer, dummy or defender, or the hand")
    after = one.known.get("played-after", ())
    if one.hand is not None and one.hand in after and isinstance(after, tuple):
        mend = "name the hands that played to the trick after it"
        place = node.place_at(("revokes", number, "played-after"))
        yield Fault(place, f"{one.hand} is the hand that revoked", mend)


def _twice(node: Node, number: int, one: Finding, before: tuple[Finding, ...]) -> Iterator[Fault]:
    if (
        one.card
        and one.trick
        and any((one.hand, one.trick, one.card) == (two.hand, two.trick, two.card) for two in before)
    ):
        what = f"{one.hand}'s revoke at trick {one.trick} with {one.card} is already listed"
        yield Fault(node.place_at(("revokes", number)), what, "list each revoke once")


def _as_it_lay(one: Finding, stated: Mapping[str, Any]) -> Iterator[tuple[Trick, str]]:
    """The trick of a finding: by the cards stated with it, and by the play; each with the key that states it."""
    play = stated.get("play")
    if one.cards is not None:
        yield one.cards, "cards"
    if play is not None and one.trick is not None and one.trick <= len(play.tricks):
        yield play.tricks[one.trick - 1], "play"


def _not_as_played(node: Node, number: int, one: Finding, stated: Mapping[str, Any]) -> Iterator[Fault]:
    """A card, suit or winner that a trick does not have, and that did not come there by a later change."""
    changes = [event.takes_back for event in stated.get("events", ()) if event.takes_back]
    contract, at = stated.get("contract"), ("revokes", number)
    if one.hand is None:
        return
    for trick, key in _as_it_lay(one, stated):
        which = f"trick {one.trick}" if one.trick else "the trick"
        played = trick.card_of(one.hand)
        if one.card and played not in (None, one.card) and one.card not in [after for _, after in changes]:
            what = f"{one.hand} played {played} to {which}, not {one.card}"
            yield Fault(node.place_at((*at, "card")), what, f"mend this card, or the {key}")
        if changes:
            return
        suit, won_by = one.known.get("suit"), one.known.get("won-by")
        if suit and one.known.get("failed-to", "follow-suit") == "follow-suit" and trick.led not in (None, suit):
            what = f"{trick.led} was led to {which}, not {suit}"
            yield Fault(node.place_at((*at, "suit")), what, f"mend this suit, or the {key}")
        winner = contract and trick.winner(contract.trump)
        if won_by in SEATS and winner and won_by != winner:
            what = f"by the cards {which} was won by {winner}, not by {won_by}"
            yield Fault(node.place_at((*at, "won-by")), what, f"mend this hand, or the {key}")


def weights_faults(node: Node, stated: Mapping[str, Any]) -> Iterator[Fault]:
    """Weights that are not the whole, and outcomes whose score cannot be known; ``stated`` by the names of Incident."""
    outcomes = stated.get("weights", ())
    if not outcomes:
        return
    total = sum(one.weight for one in outcomes)
    if total != 100:
        mend = "give each outcome its share in per cent, all of them together 100"
        yield Fault(node.place_at(("weights",)), f"the weights sum to {total}", mend)
    known = {**stated, "vulnerable": stated.get("vulnerable") or vulnerable_on(stated.get("board"))}
    for key in ("vulnerable", "declarer"):
        if known.get(key) is None:
            yield Fault(node.place_at(("weights",)), f"the scores depend on {key}, which is not stated", f"add {key}:")
    for number, one in enumerate(outcomes):
        if one.contract is None and stated.get("contract") is None:
            mend = "add contract: to it, or to the board"
            yield Fault(node.place_at(("weights", number)), "the contract of this outcome is not known", mend)
