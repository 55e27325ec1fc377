"""From the calls of an auction to the contract and its declarer. Calls are taken in rotation, whatever they are."""

from __future__ import annotations

import re
from reprlib import repr
from typing import Final, TypeAlias, cast

from facts.cards import CLOCKWISE, SIDE, SUITS, SYMBOLS, Denomination, Seat, Side
from facts.contract import PASSED_OUT, Contract, Doubled
from facts.errors import MisreadError

Calls: TypeAlias = list[str]
"""``P``, ``X``, ``XX``, a bid such as ``1NT``, or ``-`` for a turn without a call."""

_CALL: Final = re.compile(
    r"(?P<bid>[1-7]\s?(?:NT?|[SHDC♠♥♦♣♤♡♢♧]))"
    r"|(?P<passed>PASS|P)|(?P<all>AP)"
    r"|(?P<redoubled>XX|REDBL|RDBL|R)|(?P<doubled>X|DBL|D)"
    r"|(?P<turn>-)"
    r"|[\s,!?*+]+|\([^)]*\)|\{[^}]*\}"
    r"|(?P<unknown>.)",
    re.DOTALL,
)
_DENOMINATION: Final[dict[str, Denomination]] = {
    **{symbol: suit for suit in SUITS for symbol in SYMBOLS[suit]},
    "N": "NT",
    "NT": "NT",
}


def calls_of(text: str) -> Calls:
    """The calls, apart or run together: ``1N``, ``PP1C!(could be two)1SAP``; MisreadError for anything else."""
    calls: Calls = []
    for found in _CALL.finditer(text.upper()):
        match found.lastgroup:
            case "bid":
                calls.append(found[0][0] + _DENOMINATION[found[0][1:].strip()])
            case "passed":
                calls.append("P")
            case "all":
                calls += ["P"] * (3 if any(call[0].isdigit() for call in calls) else 4)
            case "redoubled":
                calls.append("XX")
            case "doubled":
                calls.append("X")
            case "turn":
                calls.append("-")
            case "unknown":
                shown = repr(text[found.start() : found.start() + 6])
                raise MisreadError(f"{shown} is no call", "write such as 1N, 4S, p, d or r")
    return calls


def contract_of(calls: Calls, dealer: Seat | None, played: bool) -> tuple[Contract | None, Seat | None]:
    """The contract and its declarer, the first of the side to name the denomination; None where not known.

    An auction that did not end in three passes made a contract only if cards were ``played`` after it.
    """
    bids = [turn for turn, call in enumerate(calls) if call[0].isdigit()]
    ended = len(calls) > 3 and calls[-3:] == ["P"] * 3
    if not bids:
        return (PASSED_OUT, None) if ended and not played else (None, None)
    if not ended and not played:
        return None, None
    last = calls[bids[-1]]
    doubled = next((call for call in reversed(calls[bids[-1] :]) if call in ("X", "XX")), "")
    denomination = cast(Denomination, last[1:])
    contract = Contract(int(last[0]), denomination, cast(Doubled, doubled))
    if dealer is None:
        return contract, None
    caller = CLOCKWISE[dealer]
    side: Side = SIDE[caller[bids[-1] % 4]]
    named = (caller[turn % 4] for turn in bids if calls[turn][1:] == denomination)
    return contract, next(seat for seat in named if SIDE[seat] == side)
