"""A second opinion on a record: Laws 61-64 of a duplicate code in plain Python, written from the text of the law alone.

It shares nothing with the product, so that each can find the other's mistakes. `rule` hears an incident that has a full
record (or a record with the agreed number of tricks); `compare` sets its answer beside a ruling of the product. What the
codes differ in is in `oracle_codes`.

It takes the choices that the text leaves open thus: 63A1 and 63A2 literally, also after attention, but no claim or
agreement after it (63A3, 63A4); 62C3 looks at cards played to the next trick; 64B7 leaves out a revoke that 62C3 or
62D1 has corrected; a concession by a defender is voided by his partner's objection as the next thing that happens.
What neither text nor choice decides is named in ``unsettled``.
"""

from __future__ import annotations

from typing import Any

from support.oracle_codes import CODES
from support.oracle_hearing import Hearing, Revoke
from support.oracle_table import Table
from support.table import OTHER, SIDE

_ALL = {"61A", "62A", "62D1", "64A1", "64A2", *(f"64B{n}" for n in range(1, 8))}
CITED = {
    "duplicate-2017": _ALL | {"62C3", "64B8", "64C1", "64C2b"},
    "duplicate-2007": _ALL | {"64C"},
    "duplicate-1997": _ALL | {"63B", "64C"},
}
"""The laws whose citation the oracle decides, by edition; a ruling may cite others besides."""
CITED_HERE = CITED["duplicate-2017"]


def rule(incident: dict[str, Any], edition: str = "duplicate-2017") -> dict[str, Any]:
    """What Laws 61-64 of an edition say about a record, in the keys of the JSON ruling.

    A number that the record does not decide is None. ``unsettled`` lists points on which no answer is given.
    """
    hearing = Hearing(incident, CODES[edition])
    revokes = hearing.revokes
    tricks = _Tricks(hearing.table, incident.get("tricks"))
    back = [one.trick for one in revokes if one.status == "must-correct"]
    for revoke in revokes:  # nobody knows who wins a trick with the right card, nor those after it
        revoke.won_by = None if back and revoke.trick >= min(back) else tricks.won_by.get(revoke.trick)
        revoke.won_from = None if back else tricks.won_from(revoke.side, revoke.trick)
        revoke.won_with = tricks.won_with(revoke) if hearing.code.own_later_trick else []
    for revoke in revokes:
        revoke.exempt = _exemptions(revoke, hearing)
    for revoke in revokes:
        _automatic(revoke)
        if revoke.liable and not revoke.exempt and (revoke.won_from is None or revoke.status == "must-correct"):
            hearing.unsettled.append("64A while it is not known who wins what")
    transfer = {side: _largest_transfer(OTHER[side], revokes, tricks) for side in OTHER}
    result, adjusted_by = _result(hearing, tricks, transfer, incident.get("equity-tricks"))
    unfinished = any(revoke.status == "must-correct" for revoke in revokes)
    if hearing.claim and hearing.claim.contested:
        unfinished |= any(revoke.liable for revoke in revokes)
        if not unfinished:
            hearing.unsettled.append(
                "a claim that nobody has settled beside a number of tricks, and no revoke that stands"
            )
    if unfinished:
        result["tricks-ruled"], adjusted_by = None, set()
    return {
        "revokes": [_as_dict(revoke) for revoke in revokes],
        "transfer": transfer,
        "result": result,
        "cited": sorted(_cited(revokes) | adjusted_by),
        "unfinished": unfinished,
        "unsettled": hearing.unsettled,
    }


class _Tricks:
    """Who won what, by the cards as they finally lie and by the agreed number of tricks."""

    def __init__(self, table: Table, agreed: int | str | None) -> None:
        self.table = table
        self.won_by = table.winners()
        declaring = SIDE[table.declarer]
        known = sum(SIDE[hand] == declaring for hand in self.won_by.values())
        total = known if len(self.won_by) == 13 else None
        if agreed not in {None, ""}:
            total = int(str(agreed))
        self.total = {} if total is None else {declaring: total, OTHER[declaring]: 13 - total}

    def won_from(self, side: str, trick: int) -> int | None:
        """How many tricks a side won from this trick on, the trick itself included."""
        if side not in self.total:
            return None
        return self.total[side] - sum(SIDE[hand] == side for number, hand in self.won_by.items() if number < trick)

    def won_with(self, revoke: Revoke) -> list[int] | None:
        """64A2 of 1997: later tricks that the offender won with a card he could have played; None if not recorded."""
        cards = {number: self.table.tricks[number - 1].cards[hand] for number, hand in self.won_by.items()}
        won = [n for n in cards if n > revoke.trick and self.won_by[n] == revoke.hand and cards[n] in revoke.legal]
        left = self.table.held[revoke.hand] | self._pending(revoke.hand)
        unseen = len(left) + len(self.table.tricks) < 13 or revoke.legal & left
        return won if won or not unseen or len(self.won_by) == 13 else None

    def _pending(self, hand: str) -> set[str]:
        """The card of a hand on the trick that the record does not finish."""
        last = self.table.tricks[-1].cards
        return {last[hand]} if 0 < len(last) < 4 and hand in last else set()

    def of(self, side: str) -> list[int]:
        """The tricks a side won; those after the end of the record are numbered from 101."""
        known = [number for number, hand in self.won_by.items() if SIDE[hand] == side]
        return known + [101 + n for n in range(self.total.get(side, len(known)) - len(known))]


def _exemptions(revoke: Revoke, hearing: Hearing) -> list[str]:
    """Law 64B: every reason why nothing is automatic."""
    if not (revoke.established_by or revoke.as_established):
        return []
    code = hearing.code
    others = hearing.revokes[: hearing.revokes.index(revoke)]
    innocent = OTHER[revoke.side]
    found = revoke.found
    reasons = {
        "64B1": revoke.liable and revoke.won_from == 0,
        "64B2": revoke.liable
        and any(
            first.hand == revoke.hand
            and first.suit == revoke.suit is not None
            and (first.established_by or first.as_established or not code.after_established)
            for first in others
        ),
        "64B3": revoke.liable and (revoke.missed_penalty_card or revoke.hand == hearing.table.dummy),
        "64B4": revoke.liable and found is not None and innocent in found.sides_called,
        "64B5": revoke.liable and found is not None and found.round_over,
        "64B6": revoke.trick == 12,
        "64B7": revoke.liable
        and any(other.side == innocent and (other.liable or not code.both_established) for other in hearing.revokes),
        "64B8": revoke.with_other_side and revoke.corrected,
    }
    return [law for law, holds in reasons.items() if holds]


def _automatic(revoke: Revoke) -> None:
    """Law 64A: one entry a trick, named by its clause; a trick won in dummy is not won by declarer.

    The second trick of 64A2 is that of 1997.
    """
    if not revoke.liable or revoke.exempt:
        return
    if revoke.won_by == revoke.hand:
        revoke.automatic = ["64A1"] * (2 if (revoke.won_from or 0) > 1 else 1)
    elif revoke.won_from:
        revoke.automatic = ["64A2"] * (2 if revoke.won_with and revoke.won_from > 1 else 1)


def _unsure(revoke: Revoke) -> bool:
    """Whether the record does not show if there is a second trick under 64A2 of 1997."""
    return bool(revoke.won_with is None and revoke.automatic == ["64A2"] and (revoke.won_from or 0) > 1)


def _largest_transfer(side: str, revokes: list[Revoke], tricks: _Tricks) -> int | None:
    """The most distinct tricks that a side can hand over, each trick due matched to a trick that it won.

    None where it matters whether the second trick of 64A2 of 1997 has to be one that the offender won himself.
    """
    own = [revoke for revoke in revokes if revoke.side == side and revoke.automatic]
    won = tricks.of(side)
    numbers = {_most_distinct(_due(own, won, any_later=any_later)) for any_later in (False, True)}
    return None if any(map(_unsure, own)) or len(numbers) > 1 else numbers.pop()


def _due(revokes: list[Revoke], won: list[int], *, any_later: bool) -> list[list[int]]:
    """For each trick to be handed over, the tricks that it may be."""
    due: list[list[int]] = []
    for revoke in revokes:
        later = [number for number in won if number > revoke.trick]
        if revoke.automatic[0] == "64A1":
            both = [[revoke.trick], later]
        else:
            both = [[n for n in won if n >= revoke.trick], later if any_later else revoke.won_with or []]
        due += both[: len(revoke.automatic)]
    return due


def _most_distinct(due: list[list[int]]) -> int:
    """How many of the tricks due can be handed over, no trick twice."""
    taken: dict[int, int] = {}

    def give(item: int, tried: set[int]) -> bool:
        for number in due[item]:
            if number not in tried:
                tried.add(number)
                if number not in taken or give(taken[number], tried):
                    taken[number] = item
                    return True
        return False

    return sum(give(item, set()) for item in range(len(due)))


def _result(
    hearing: Hearing, tricks: _Tricks, transfer: dict[str, int | None], equity: int | str | None
) -> tuple[dict[str, int | None], set[str]]:
    """Declarer's tricks at the table and as ruled, and the law under which the score is adjusted, if it is."""
    declaring = SIDE[hearing.table.declarer]
    table, lost, won = tricks.total.get(declaring), transfer[OTHER[declaring]], transfer[declaring]
    if table is None or lost is None or won is None:
        if equity is not None:
            hearing.unsettled.append("equity beside tricks that the record does not decide")
        return {"tricks-at-table": table, "tricks-ruled": None}, set()
    ruled = table + won - lost
    liable = [revoke for revoke in hearing.revokes if revoke.liable]
    law: set[str] = set()
    if equity is not None and liable:
        gain = {declaring: int(equity) - ruled, OTHER[declaring]: ruled - int(equity)}
        both = any("64B7" in revoke.exempt for revoke in liable)
        if any(gain[OTHER[revoke.side]] > 0 for revoke in liable):
            law = {hearing.code.equity_of_both if both else hearing.code.equity}
    if equity is not None and any(revoke.established_by and not revoke.liable for revoke in hearing.revokes):
        hearing.unsettled.append("equity beside an established revoke that is to be corrected")
    return {"tricks-at-table": table, "tricks-ruled": int(str(equity)) if law else ruled}, law


def _cited(revokes: list[Revoke]) -> set[str]:
    laws = {"61A"} if revokes else set()
    for revoke in revokes:
        laws |= {*revoke.exempt, *revoke.automatic}
        laws |= {"62A"} if revoke.in_time else set()
        laws |= {"62C3"} if revoke.with_other_side else set()
        laws |= {"62D1"} if revoke.at_twelve else set()
        laws |= {"63B"} if revoke.as_established else set()
    return laws


def _as_dict(revoke: Revoke) -> dict[str, Any]:
    unknown = revoke.liable and not revoke.exempt and (revoke.won_from is None or _unsure(revoke))
    return {
        "hand": revoke.hand,
        "trick": revoke.trick,
        "suit": revoke.suit,
        "card": revoke.card,
        "status": revoke.status,
        "status-by": [revoke.established_by] if revoke.status == "established" else None,
        "won-by": revoke.won_by,
        "automatic-tricks": None if unknown else len(revoke.automatic),
        "automatic-by": None if unknown else sorted(set(revoke.automatic)),
        "exempt-by": revoke.exempt,
    }


def compare(expected: dict[str, Any], ruling: dict[str, Any], edition: str = "duplicate-2017") -> list[str]:
    """The differences between an answer of `rule` and a ruling of the product (its JSON), in words; none when equal.

    What the oracle answers with None is not compared, nor are laws outside `CITED`, nor anything that is unsettled.
    """
    if expected["unsettled"]:
        return []
    if expected["unfinished"] and (ruling.get("result") or {}).get("tricks-ruled") is not None:
        return ["a result while something is still to be done"]
    ours = {(r["hand"], r["trick"], r["card"]): r for r in expected["revokes"]}
    theirs = {(r["hand"], r["trick"], r.get("card")): r for r in ruling["revokes"]}
    found = [f"revoke {key}: only the oracle has it" for key in ours if key not in theirs]
    found += [f"revoke {key}: only the ruling has it" for key in theirs if key not in ours]
    for key in ours.keys() & theirs.keys():
        found += _differences(f"revoke {key}", ours[key], theirs[key])
    found += _differences("transfer", expected["transfer"], ruling["transfer"])
    found += _differences("result", expected["result"], ruling.get("result") or {})
    cited = {law for law in ruling["cited"] if law in CITED[edition]}
    found += [f"cited: {law} is missing" for law in expected["cited"] if law not in cited]
    return found + [f"cited: {law} is not expected" for law in sorted(cited - set(expected["cited"]))]


def _differences(what: str, ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    return [
        f"{what}: {key} is {theirs.get(key)!r}, the oracle says {value!r}"
        for key, value in ours.items()
        if value is not None and theirs.get(key) != value
    ]
