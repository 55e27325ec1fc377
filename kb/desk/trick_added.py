"""The cards of a trick that has been ruled on: they are added to the answers, or one of the two is taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from facts.cards import Seat
from facts.contract import Contract
from kb.desk.addressed import law_of, said_of
from kb.desk.chips import Telling
from kb.desk.laws import DeskLaws
from kb.desk.pages import address
from kb.desk.resulting import Contested
from kb.desk.tapped_trick import UNKNOWN, TappedTrick
from kb.explain.say import Speaker
from kb.interview.said import Said

WON_BY = "won-by"


def added(tapped: TappedTrick, given: Mapping[str, str], laws: DeskLaws, speaker: Speaker) -> str | Contested:
    """The address of the ruling with the cards; ``given``: what its address stated before them."""
    hand, more = cast(Seat, given["revoke"]), _stated(tapped, given)
    if hand not in tapped.strayed:
        others = tapped.strayed
        new = {**given, **_stated(tapped, {**given, "revoke": others[0]}), "revoke": others[0]} if others else {}
        at = address("/ruling", **new) if len(others) == 1 else address("/ask", **given, change="revoke")
        says = speaker.phrase("desk-trick-follows", hand=speaker.value(hand, "seat"))
        return _choice(says, at, given, speaker)
    counsel = laws.counsel(law_of(given))
    with counsel.lock:
        before, after = said_of(counsel, given), said_of(counsel, {**given, **more})
    if WON_BY in more and not after.answers.get(WON_BY, frozenset()) <= before.answers.get(WON_BY, frozenset()):
        winner = speaker.value(more[WON_BY], "seat")
        says = speaker.phrase("desk-trick-against", winner=winner, said=_chip(before, given, speaker))
        return _choice(says, address("/ruling", **{**given, **more}), given, speaker)
    return address("/ruling", **{**given, **more})


def _stated(tapped: TappedTrick, given: Mapping[str, str]) -> dict[str, str]:
    """What the cards say, and the rest that was tapped; who won the trick only where that was asked."""
    trick = tapped.trick
    card = trick.card_of(cast(Seat, given["revoke"]))
    more = {"contract": tapped.said["contract"], "cards": " ".join([trick.leader, *tapped.cards])}
    more |= {} if trick.led is None else {"suit": trick.led}
    if tapped.said["trick"] != UNKNOWN:
        more["trick"] = tapped.said["trick"]
    if not tapped.cut_short and WON_BY in given:
        more[WON_BY] = str(trick.winner(Contract.from_text(tapped.said["contract"]).trump))
    return {**more, **({} if card is None else {"card": str(card)})}


def _chip(said: Said, given: Mapping[str, str], speaker: Speaker) -> str:
    return next((one.says for one in Telling(said, speaker, given).chips() if WON_BY in one.tells), "")


def _choice(says: str, cards: str, given: Mapping[str, str], speaker: Speaker) -> Contested:
    held = (speaker.phrase("desk-trick-cards-hold"), cards)
    return Contested(says, (held, (speaker.phrase("desk-trick-answer-holds"), address("/ruling", **given))))
