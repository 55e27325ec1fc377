"""A second opinion on findings: Laws 61-64 of a duplicate code on what a director found out, from the text of the law alone.

It reads an incident that states `revokes` and no play, as the interview makes them, and shares nothing with the product.
Every answer is a word, a number or a truth, or None where something not stated, or left open by the law, would change it.

The choices of `oracle` and `oracle_codes` hold here too, and these. A finding tells what had become of its own revoke when
attention was drawn to that one, but of tricks what is final. `next-board-call-by` names the sides that had called. A card
that was named has not been played for 62C3; whether one that was led out of turn and taken back has been, is open. A
later trick of the offender's own (64A2 of 1997) is known only where it was asked for, or where there was no later trick.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from support.oracle_codes import CODES, Code
from support.table import OTHER, PARTNER, SEATS, SIDE

Truth = bool | None
"""None: not known."""
HANDS_BACK = {"after-hands-returned", "after-call-on-next-board", "after-round"}
NOW = {"play-ended": "after-play", "hands-returned": "after-hands-returned", "round-ended": "after-round"}
"""When attention comes to what nobody has noticed before the last thing that happened: whoever asks draws it."""
LATE = ["after-play", "after-hands-returned", "after-call-on-next-board", "after-round"]
GONE_ON: dict[str, Truth] = {"no": False, "designated": False, "led-out-of-turn": None}
"""For 62C3: what is not for certain a card on the next trick."""


def _any(*truths: Truth) -> Truth:
    return True if True in truths else None if None in truths else False


def _all(*truths: Truth) -> Truth:
    return False if False in truths else None if None in truths else True


def _equal(one: str | int | None, other: str | int | None) -> Truth:
    return None if one is None or other is None else one == other


class _Revoke:
    """One revoke as it was found; the rest is filled in by `rule`."""

    status: str | None
    liable: Truth
    exempt: dict[str, Truth]
    tricks: int | None

    def __init__(self, found: dict[str, Any], declarer: str, code: Code) -> None:
        self.found, self.code = found, code
        self.hand: str = found["hand"]
        self.side = SIDE[self.hand]
        self.of_dummy = self.hand == PARTNER[declarer]
        self.defends = self.side != SIDE[declarer]
        self.noticed: str = found.get("noticed", "during-play")
        self.repeats: int = found.get("repeats", 0)
        self.other_side: bool = found.get("other-side-revoked", "no") != "no" and (
            not code.both_established or found.get("other-revoke-stands", True)
        )
        self.won_by, self.later = found.get("won-by"), found.get("later-tricks")
        self.next_trick: str = found.get("next-trick", "no")
        self.callers: str | None = found.get("next-board-call-by") if self.noticed == "after-call-on-next-board" else ""
        self.established = self._established()
        asked_by = found.get("asked-by")
        self.dummy_erred = asked_by == PARTNER[declarer] and found.get("dummy-lost-rights", False)
        forbidden = self.defends and asked_by == PARTNER[self.hand] and not code.partner_may_ask
        self.as_established = forbidden or (self.dummy_erred and self.hand == declarer)

    def called(self, side: str) -> Truth:
        return None if self.callers is None else side in self.callers

    def _established(self) -> Truth:
        """Law 63A; a defender's concession is stopped by his partner (68B2), assent may have to be final (69A)."""
        claim = self.found.get("claim", "none")
        if self._accepted():
            return True
        if self.next_trick != "no" or claim == "by-revokers":
            return True
        if claim == "by-opponents-agreed" and not self.code.assent_establishes:
            return _any(self.noticed == "after-round", self.called(self.side))
        return claim == "by-opponents-agreed" or (claim == "conceded-partner-objected" and not self.defends)

    def _accepted(self) -> Truth:
        """Law 52B1b: declarer has played since, from either hand, and the card stands; once his own side has gone on it is
        a revoke established like any other."""
        told = self.noticed != "not-yet" and self.defends and self.next_trick == "no"
        since = self.found.get("played-after")
        known = None if since is None else OTHER[self.side] in map(SIDE.get, since)
        return _all(told and self.found.get("failed-to") == "play-penalty-card", known)

    def settle(self, both_corrected: Truth) -> None:
        """Laws 62 and 63B, and so whether Law 64 applies."""
        self.status = self._status(both_corrected)
        self.liable = self.as_established or (None if self.status is None else self.status == "established")

    def _status(self, both_corrected: Truth) -> str | None:
        if self.noticed == "not-yet":
            return self._unnoticed(both_corrected)
        if (self.dummy_erred and self.defends) or (self.as_established and self.established):
            # 43B3: is the question attention? 43B2b, 63B of 1997: which came first?
            return None
        accepted = self._accepted()
        if accepted is not False:
            return "established" if accepted else None
        if (self.found["trick"] == 12 and self.noticed not in HANDS_BACK) or self.established is False:
            late = self.found["over"] and self.noticed not in LATE and self.found["trick"] != 12
            return None if late else "must-correct"  # whether it was corrected before the play ended is not said
        corrected = _any(self.as_established, both_corrected)
        if corrected is None or self.established is None:
            return None
        return "must-correct" if corrected else "established"

    def _unnoticed(self, both_corrected: Truth) -> str | None:
        """Whoever asks draws attention now: that changes nothing but where a revoke is corrected although established."""
        if both_corrected or (self.found["trick"] == 12 and self.established):
            return "must-correct"
        return {True: "established", False: "none-yet", None: None}[
            None if both_corrected is None else self.established
        ]


def rule(incident: dict[str, Any], edition: str) -> tuple[list[_Revoke], dict[str, int | None]]:
    """The revokes, each with its status, exemptions and tricks, and what goes to each side."""
    code = CODES[edition]
    revokes = [_Revoke(_noticed_now(found, incident), incident["declarer"], code) for found in incident["revokes"]]
    both_corrected = _both_corrected(revokes) if code.both_on_one_trick else False
    for revoke in revokes:
        revoke.settle(both_corrected)
    for revoke in revokes:
        if revoke.status == "must-correct" and (gone_on := _gone_on_since(revoke, revokes)) is not False:
            revoke.status = "corrected" if gone_on else None
    for revoke in revokes:
        revoke.exempt = _exempt(revoke, revokes)
        revoke.tricks = _tricks(revoke)
    return revokes, {side: _transfer(OTHER[side], revokes) for side in OTHER}


def _noticed_now(found: dict[str, Any], incident: dict[str, Any]) -> dict[str, Any]:
    """Whoever asks draws attention after all that is stated, if nobody has done so before."""
    happened = [next(iter(event)) if isinstance(event, dict) else event for event in incident.get("events", ())]
    late = {NOW[name] for name in happened if name in NOW}
    late |= {other["noticed"] for other in incident["revokes"] if other.get("noticed") in LATE}
    now = {"over": bool(late) or "tricks" in incident}
    if late and found.get("noticed") == "not-yet":
        now["noticed"] = max(late, key=LATE.index)
    return {**found, **now}


def _gone_on_since(revoke: _Revoke, revokes: list[_Revoke]) -> Truth:
    """Law 62A: whether a revoke that stands was made after attention to one that nothing had established."""
    if revoke.established is not False or revoke.as_established or revoke.noticed in LATE:
        return False
    since = revoke.found["trick"] + (revoke.noticed != "before-next-trick")
    return _any(*(other.liable for other in revokes if other.found["trick"] > since))


def _both_corrected(revokes: list[_Revoke]) -> Truth:
    """Law 62C3."""
    first, second = revokes[0], revokes[-1]
    if first.found.get("other-side-revoked") == "same-trick":
        return None
    if first.side == second.side or first.found["trick"] != second.found["trick"]:
        return False
    one, other = (GONE_ON.get(revoke.next_trick, True) for revoke in (first, second))
    if one == other:
        return False
    # 62C3 at the end of the play: whoever says that a side had not gone on leaves out a claim or that it had.
    over = first.noticed in HANDS_BACK or first.noticed == "after-play"
    return None if over or one is None or other is None else True


def _exempt(revoke: _Revoke, revokes: list[_Revoke]) -> dict[str, Truth]:
    """Law 64B: what holds, what does not and what nobody knows; 64B8 is in the status."""
    found, code = revoke.found, revoke.code
    earlier = [other for other in revokes[: revokes.index(revoke)] if other.hand == revoke.hand]
    others = [other.liable if code.both_established else True for other in revokes if other.side != revoke.side]
    if revoke.other_side:
        others.append(None if code.both_established else True)
    again = [_all(_equal(one.found.get("suit"), found.get("suit")), _frees_the_next(one)) for one in earlier]
    return {
        "64B1": _all(_equal(SIDE.get(revoke.won_by or ""), OTHER[revoke.side]), _equal(revoke.later, 0)),
        "64B2": _any(*again),
        "64B3": revoke.of_dummy
        or found.get("failed-to") == "play-penalty-card"
        or (not code.penalty_cards_only and found.get("required-faced", False)),
        "64B4": None if revoke.noticed == "after-round" else revoke.called(OTHER[revoke.side]),
        "64B5": revoke.noticed == "after-round",
        "64B6": found["trick"] == 12,
        "64B7": _any(*others),
    }


def _frees_the_next(revoke: _Revoke) -> Truth:
    """Law 64B2: whether the next in the suit is free."""
    return not revoke.code.after_established or _any(revoke.established, revoke.as_established)


def _tricks(revoke: _Revoke) -> int | None:
    """Law 64A, tried with every number and winner that what was stated leaves possible."""
    applies = _all(revoke.liable, *(None if law is None else not law for law in revoke.exempt.values()))
    if applies is False:
        return 0
    won_later = revoke.found.get("later-win-playable", False if revoke.later == 0 else None)
    own: Truth = revoke.code.own_later_trick and won_later
    if own and revoke.won_by is None:
        # 64A2 of 1997: whoever won the trick, the number is the same.
        return None
    winners = SEATS if revoke.won_by is None else revoke.won_by
    counts = range(3) if revoke.later is None else [revoke.later]
    owns = [False, True] if own is None else [own]
    numbers = {_number(revoke, *world) for world in product(winners, counts, owns)}
    if applies is None:
        numbers.add(0)
    return numbers.pop() if len(numbers) == 1 else None


def _number(revoke: _Revoke, won_by: str, later: int, own_later: bool) -> int:
    """Laws 64A1, 64A2 and 64B1; a trick won in dummy is not won by declarer."""
    if won_by == revoke.hand:
        return 1 + (later > 0)
    return min(later + (SIDE[won_by] == revoke.side), 1 + own_later)


def _transfer(offenders: str, revokes: list[_Revoke]) -> int | None:
    """What goes from a side: never more than it won from each revoke on, and no trick twice."""
    first = revokes[0]
    if first.repeats and first.side == offenders and not (first.of_dummy or _frees_the_next(first)):
        # 64B2 of 2017: nobody knows what those not listed cost.
        return None
    if first.other_side and first.side != offenders:
        # 64B7: where this one stands nothing goes for the other, which is not listed; else nobody knows.
        return 0 if first.liable or not first.code.both_established else None
    due = [revoke for revoke in revokes if revoke.side == offenders and revoke.tricks != 0]
    if len(due) == 1:
        return due[0].tricks
    total, most = 0, 13
    for revoke in due:
        if revoke.tricks is None or revoke.won_by is None or revoke.later is None:
            return None
        most = min(most, total + revoke.later + (SIDE[revoke.won_by] == offenders))
        total += revoke.tricks
    return min(total, most)


def disagreements(edition: str, incident: dict[str, Any], verdict: dict[str, Any]) -> list[str]:
    """The differences between `rule` and a ruling of the product (its JSON), in words; what is None is not compared."""
    revokes, transfer = rule(incident, edition)
    found = [] if len(revokes) == len(verdict["revokes"]) else ["not the same revokes"]
    for ours, theirs in zip(revokes, verdict["revokes"], strict=False):
        what = f"{ours.hand}{ours.found['trick']}"
        if ours.status not in {None, theirs["status"]}:
            found.append(f"{what}: {theirs['status']}, the oracle says {ours.status}")
        if ours.tricks not in {None, theirs["automatic-tricks"]}:
            found.append(f"{what}: {theirs['automatic-tricks']} tricks, the oracle says {ours.tricks}")
        if ours.liable and ours.status:
            wrong = [law for law, holds in ours.exempt.items() if holds not in {None, law in theirs["exempt-by"]}]
            found += [f"{what}: {law}, the oracle says {ours.exempt[law]}" for law in wrong]
    for side, number in transfer.items():
        if number not in {None, verdict["transfer"][side]}:
            found.append(f"{verdict['transfer'][side]} tricks to {side}, the oracle says {number}")
    return found
