"""The auction: every call with its seat, and the contract that the calls made.

Calls stand in the order of time, from the dealer on: ``1S P 2S AP``. ``S:2C`` is a call of South's out of turn; one in
square brackets was cancelled: whoever's turn it was calls again. ``AP`` are the passes that end it. As in PBN, ``-``
and ``^S`` are a turn passed over, and ``^I`` marks an insufficient bid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import takewhile
from reprlib import repr
from typing import Final, TypeAlias, cast

from facts.cards import NEXT, SIDE, SUITS, SYMBOLS, Denomination, Seat
from facts.contract import PASSED_OUT, Contract, Doubled
from facts.errors import MisreadError, Place
from facts.fact import Fact
from facts.play import Irregularity, Oddity

_BIDS: Final = [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]
RANKS: Final[Mapping[str, int]] = {bid: rank for rank, bid in enumerate(_BIDS, 1)}
"""1 for 1C to 35 for 7NT."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call."""

    hand: Seat
    text: str
    """``P``, ``X``, ``XX`` or a bid such as ``1NT``."""
    cancelled: bool = False
    mark: str = field(default="", compare=False)
    """How it is marked: ``I`` as insufficient, ``S`` as out of turn."""
    place: Place | None = field(default=None, compare=False)
    """In an incident file."""


@dataclass(frozen=True)
class Auction:
    """The calls in the order of time."""

    dealer: Seat
    calls: tuple[Call, ...]

    @cached_property
    def turns(self) -> tuple[Seat, ...]:
        """Whose turn each call was: that of the next after the last call that stands; then, whose it is now."""
        turns = [self.dealer]
        for call in self.calls:
            turns.append(turns[-1] if call.cancelled else NEXT[call.hand])
        return tuple(turns)

    @cached_property
    def rows(self) -> tuple[Mapping[Seat, Call], ...]:
        """The calls as they are written down below West, North, East and South, in as few rows as keep their order."""
        rows: list[dict[Seat, Call]] = []
        for call in self.calls:
            if not rows or "WNES".index(call.hand) <= max(map("WNES".index, rows[-1])):
                rows.append({})
            rows[-1][call.hand] = call
        return tuple(rows)

    def made(self, played: bool) -> tuple[Contract | None, Seat | None]:
        """The contract and its declarer, the first of the side to name the denomination; None where there is none.

        An auction that did not end in passes made a contract only if cards were ``played`` after it.
        """
        standing = [call for call in self.calls if not call.cancelled]
        bids = [call for call in standing if call.text in RANKS]
        over = not passes_left(standing)
        if not bids or not (over or played):
            return (PASSED_OUT if over and not played else None), None
        last = bids[-1]
        after = {call.text for call in takewhile(lambda call: call.text not in RANKS, reversed(standing))}
        doubled: Doubled = "XX" if "XX" in after else "X" if "X" in after else ""
        named = [call.hand for call in bids if call.text[1:] == last.text[1:] and SIDE[call.hand] == SIDE[last.hand]]
        return Contract(int(last.text[0]), cast(Denomination, last.text[1:]), doubled), named[0]

    def __str__(self) -> str:
        words = []
        for call, turn in zip(self.calls, self.turns, strict=False):
            word = call.text if call.hand == turn else f"{call.hand}:{call.text}"
            words.append(("^I " if "I" in call.mark else "") + (f"[{word}]" if call.cancelled else word))
        return " ".join(words)


Made: TypeAlias = tuple[Contract | None, Seat | None]
"""A contract and its declarer."""


def denied(made: Made, stated: Made) -> Iterator[tuple[str, str]]:
    """What is stated of contract and declarer though the calls made another; and what is wrong."""
    for key, by_calls, one in zip(("contract", "declarer"), made, stated, strict=True):
        if one not in (None, by_calls):
            what = f"by the calls the {key} is {by_calls}, not {one}" if by_calls else f"by the calls there is no {key}"
            yield key, what


def passes_left(standing: Sequence[Call]) -> int:
    """How many passes are wanting to the end of an auction of these calls."""
    passes = sum(1 for _ in takewhile(lambda call: call.text == "P", reversed(standing)))
    return max(0, (3 if any(call.text in RANKS for call in standing) else 4) - passes)


_DENOMINATIONS: Final[dict[str, Denomination]] = {
    **{symbol: suit for suit in SUITS for symbol in SYMBOLS[suit]},
    "N": "NT",
    "NT": "NT",
}
_SPELT: Final = {"PASS": "P", "D": "X", "DBL": "X", "R": "XX", "RDBL": "XX", "REDBL": "XX"}
_WORD: Final = re.compile(
    r"[\s,!?*+]+|(?P<open>\[\s*)?(?:(?P<seat>[NESW])\s*:\s*)?"
    r"(?P<call>[1-7]\s?(?:NT?|[SHDC♠♥♦♣♤♡♢♧])|PASS|P|XX|REDBL|RDBL|R|X|DBL|D)(?P<close>\s*\])?"
    r"|(?P<all>AP)|(?P<over>\^\s*S|-)|(?P<insufficient>\^\s*I)"
    r"|\([^)]*\)|\{[^}]*\}|\$\d+|=\s*\d+\s*="
    r"|(?P<unknown>\S+)",
    re.IGNORECASE,
)


def words_in(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """What a text has to say, apart or run together: each call or mark, and whether it is one."""
    for word in _WORD.finditer(text):
        if word.lastgroup is not None:
            yield word, word["unknown"] is None and (word["open"] is None) == (word["close"] is None)


def calls_of(text: str) -> list[re.Match[str]]:
    """The calls and marks: ``1N``, ``PP1C!(could be two)1SAP``; MisreadError for anything else."""
    words = []
    for word, known in words_in(text):
        if not known:
            shown = repr(text[word.start() : word.start() + 6])
            raise MisreadError(f"{shown} is no call", "write such as 1N, 4S, p, d or r")
        words.append(word)
    return words


def auction_of(
    dealer: Seat, words: Iterable[re.Match[str]], place_of: Callable[[re.Match[str]], Place] | None = None
) -> Auction:
    """The auction that these calls and marks make."""
    calls: list[Call] = []
    turn = seat = dealer
    mark = ""
    for word in words:
        open_, named, call, _, all_, over, *_ = word.groups()
        if call is None and all_ is None:
            seat = NEXT[seat] if over else seat
            mark += "" if over == "-" else "S" if over else "I"
            continue
        if named:
            seat = cast(Seat, named.upper())
            mark += "" if seat == turn else "S"
        standing = [one for one in calls if not one.cancelled] if all_ else []
        for text in ["P"] * passes_left(standing) if all_ else [_spelt(call)]:
            calls.append(_call(seat, text, open_ is not None, mark, place_of and place_of(word)))
            turn = seat = turn if open_ else NEXT[seat]
            mark = ""
    return Auction(dealer, tuple(calls))


_call = lru_cache(2_000)(Call)
"""Most calls have been made before."""


@lru_cache(500)
def _spelt(call: str) -> str:
    call = call.upper()
    return call[0] + _DENOMINATIONS[call[1:].strip()] if call[0].isdigit() else _SPELT.get(call, call)


def slips_of_calls(auction: Auction) -> Iterator[Irregularity]:
    """Bids not higher than the last, and calls out of turn, where nothing says that they were so at the table: no mark,
    and none was cancelled."""
    last, turn = 0, auction.dealer
    for call in auction.calls:
        if call.cancelled:
            continue
        rank = RANKS.get(call.text, 0)
        if 0 < rank <= last and not call.mark:
            yield Irregularity(Oddity.BID_NOT_HIGHER, 0, (call.hand,), call=call.text)
        if call.hand != turn and not call.mark:
            yield Irregularity(Oddity.CALL_OUT_OF_TURN, 0, (call.hand,), call=call.text)
        last, turn = rank or last, NEXT[call.hand]


_OTHERS: Final = {"P": "pass", "X": "double", "XX": "redouble"}


def facts_of_calls(auction: Auction) -> Iterator[Fact]:
    """Each call and bid, whose turn it was, and the bid that stood before it; then whose turn it is, or that it ended.

    ``call-made {call, nth, hand, is, cancelled}``, ``turn {call, due}``, ``standing {call, rank, by, is}`` (whose
    bid it is, and whether it was doubled), ``bid {call, hand, rank, strain}``, ``auction-ended {calls}``. The number
    of a call stands twice in the first, as a rule cannot bind it and compare it in one field.
    """
    last: tuple[int, Seat, str] | None = None
    number = len(auction.calls)
    for nth, (call, turn) in enumerate(zip(auction.calls, auction.turns, strict=False), 1):
        rank, is_ = RANKS.get(call.text, 0), _OTHERS.get(call.text, "bid")
        yield "call-made", nth, nth, call.hand, is_, call.cancelled
        yield "turn", nth, turn
        if last is not None:
            yield "standing", nth, *last
        if rank:
            yield "bid", nth, call.hand, rank, call.text[1:]
        if rank and not call.cancelled:
            last = rank, call.hand, is_
        elif last is not None and is_ != "pass" and not call.cancelled:
            last = *last[:2], is_
    if passes_left([call for call in auction.calls if not call.cancelled]):
        yield "turn", number + 1, auction.turns[-1]
    else:
        yield "auction-ended", number
