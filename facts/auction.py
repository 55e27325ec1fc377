"""The auction: every call with its seat, and the contract that the calls made.

Calls stand in the order of time, from the dealer on: ``1S P 2S AP``. ``S:2C`` is a call of South's out of turn; one in
square brackets was cancelled: whoever's turn it was calls again. ``AP`` are the passes that end it. As in PBN, ``-``
and ``^S`` are a turn passed over, and ``^I`` marks an insufficient bid.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from reprlib import repr
from typing import Final, TypeAlias, cast

from facts.cards import NEXT, SIDE, SUITS, SYMBOLS, Denomination, Seat
from facts.contract import PASSED_OUT, Contract, Doubled
from facts.errors import MisreadError, Place
from facts.play import Irregularity, Oddity

STRAINS: Final[tuple[Denomination, ...]] = ("C", "D", "H", "S", "NT")
"""From the lowest up."""


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

    @property
    def rank(self) -> int:
        """1 for 1C to 35 for 7NT; 0 for a call that is no bid."""
        return 5 * int(self.text[0]) + STRAINS.index(self.denomination) - 4 if self.text[0].isdigit() else 0

    @property
    def denomination(self) -> Denomination:
        """Of a bid."""
        return cast(Denomination, self.text[1:])


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

    @property
    def standing(self) -> tuple[Call, ...]:
        """The calls that were not cancelled."""
        return tuple(call for call in self.calls if not call.cancelled)

    def made(self, played: bool) -> tuple[Contract | None, Seat | None]:
        """The contract and its declarer, the first of the side to name the denomination; None where there is none.

        An auction that did not end in passes made a contract only if cards were ``played`` after it.
        """
        standing = self.standing
        bids = [nth for nth, call in enumerate(standing) if call.rank]
        if not bids or (passes_left(standing) and not played):
            return (None if played or passes_left(standing) else PASSED_OUT), None
        last = standing[bids[-1]]
        doubles = [call.text for call in standing[bids[-1] :] if call.text in ("X", "XX")]
        contract = Contract(int(last.text[0]), last.denomination, cast(Doubled, doubles[-1] if doubles else ""))
        named = [call.hand for call in standing if call.rank and call.denomination == last.denomination]
        return contract, [hand for hand in named if SIDE[hand] == SIDE[last.hand]][0]

    def denies(self, contract: Contract | None, declarer: Seat | None, played: bool) -> Iterator[tuple[str, str]]:
        """What is stated, of contract and declarer, though the calls made another; and what is wrong."""
        made, by = self.made(played)
        if contract not in (None, made):
            yield "contract", _denied("contract", made, contract)
        if declarer not in (None, by):
            yield "declarer", _denied("declarer", by, declarer)

    def __str__(self) -> str:
        words = []
        for call, turn in zip(self.calls, self.turns, strict=False):
            word = call.text if call.hand == turn else f"{call.hand}:{call.text}"
            words.append(("^I " if "I" in call.mark else "") + (f"[{word}]" if call.cancelled else word))
        return " ".join(words)


def _denied(key: str, made: object, stated: object) -> str:
    return f"by the calls the {key} is {made}, not {stated}" if made else f"by the calls there is no {key}"


def passes_left(calls: Sequence[Call]) -> int:
    """How many passes are wanting to the end of an auction of these calls."""
    standing = [call for call in calls if not call.cancelled]
    passes = [*takewhile(lambda call: call.text == "P", reversed(standing))]
    return max(0, (3 if any(call.rank for call in standing) else 4) - len(passes))


_DENOMINATIONS: Final[dict[str, Denomination]] = {
    **{symbol: suit for suit in SUITS for symbol in SYMBOLS[suit]},
    "N": "NT",
    "NT": "NT",
}
_SPELT: Final = {"PASS": "P", "D": "X", "DBL": "X", "R": "XX", "RDBL": "XX", "REDBL": "XX"}
_WORD: Final = re.compile(
    r"(?P<open>\[\s*)?(?:(?P<seat>[NESW])\s*:\s*)?"
    r"(?P<call>[1-7]\s?(?:NT?|[SHDC♠♥♦♣♤♡♢♧])|PASS|P|XX|REDBL|RDBL|R|X|DBL|D)(?P<close>\s*\])?"
    r"|(?P<all>AP)|(?P<over>\^\s*S|-)|(?P<insufficient>\^\s*I)"
    r"|[\s,!?*+]+|\([^)]*\)|\{[^}]*\}|\$\d+|=\s*\d+\s*="
    r"|(?P<unknown>\S+)",
    re.IGNORECASE,
)
Word: TypeAlias = tuple[re.Match[str], Place | None]
"""A call or a mark, and where it stands."""


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


def auction_of(dealer: Seat, words: Iterable[Word]) -> Auction:
    """The auction that these calls and marks make."""
    calls: list[Call] = []
    turn = seat = dealer
    mark = ""
    for word, place in words:
        if word["over"]:
            seat = NEXT[seat]
            mark += "" if word[0] == "-" else "S"
            continue
        if word["insufficient"]:
            mark += "I"
            continue
        if word["seat"]:
            seat = cast(Seat, word["seat"].upper())
            mark += "" if seat == turn else "S"
        cancelled = bool(word["open"])
        for text in ["P"] * passes_left(calls) if word["all"] else [_spelt(word["call"].upper())]:
            calls.append(Call(seat, text, cancelled, mark, place))
            turn = seat = turn if cancelled else NEXT[seat]
            mark = ""
    return Auction(dealer, tuple(calls))


def _spelt(call: str) -> str:
    return call[0] + _DENOMINATIONS[call[1:].strip()] if call[0].isdigit() else _SPELT.get(call, call)


def slips_of_calls(auction: Auction) -> Iterator[Irregularity]:
    """Bids not higher than the last, and calls out of turn, where nothing says that they were so at the table: no mark,
    and none was cancelled."""
    last = 0
    for call, turn in zip(auction.calls, auction.turns, strict=False):
        if call.cancelled:
            continue
        odd = {Oddity.BID_NOT_HIGHER: 0 < call.rank <= last, Oddity.CALL_OUT_OF_TURN: call.hand != turn}
        for kind in (kind for kind, is_so in odd.items() if is_so and not call.mark):
            yield Irregularity(kind, 0, (call.hand,), call=call.text)
        last = call.rank or last
