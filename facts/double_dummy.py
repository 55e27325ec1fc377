"""Double dummy: a position in the middle of play, and the tricks that each card in it leads to.

How a position came about does not matter, so it may be one that only a failure to follow suit can produce. The solver
is the library that endplay carries; endplay itself is never imported.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable, Mapping
from ctypes import Structure, c_int, c_uint
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias

from facts.cards import CLOCKWISE, SEATS, SIDE, SUITS, Card, Seat, Suit
from facts.deal import Deal
from facts.errors import MisreadError
from facts.play import Trick

_FILES: Final = ("libdds.so", "libdds.dylib", "dds.dll", "libdds.dll")
_SOLVED: Final = 1
_EVERY_CARD: Final = 3
_ONE_AT_A_TIME: Final = Lock()
"""The library does not stand two threads, not even while it is loaded."""


@dataclass(frozen=True, slots=True)
class Position:
    """Four hands and the trick in progress. What begins with a deal fits together: the library would not stand less."""

    hands: tuple[frozenset[Card], ...]
    """In the order N E S W, without the cards of the trick in progress."""
    leader: Seat
    """Who led to the trick in progress, or leads next."""
    table: tuple[Card, ...] = ()
    """The cards of the trick in progress, none to three, clockwise from the leader."""
    trump: Suit | None = None
    won: int = 0
    """Tricks that North and South have won until then."""

    @staticmethod
    def of(deal: Deal, leader: Seat, trump: Suit | None) -> Position:
        """The position before the first card; MisreadError when a hand is not known."""
        if None in deal.hands:
            raise MisreadError("a hand is not known", "give all four")
        return Position(tuple(frozenset(hand or ()) for hand in deal.hands), leader, (), trump)

    @property
    def to_play(self) -> Seat:
        return CLOCKWISE[self.leader][len(self.table)]

    @property
    def tricks_left(self) -> int:
        """Tricks not yet quitted, the one in progress included."""
        return max(map(len, self.hands))

    def hand(self, seat: Seat) -> frozenset[Card]:
        return self.hands[SEATS.index(seat)]

    def legal(self) -> tuple[Card, ...]:
        """The cards that the hand whose turn it is may play, following suit if able, in the order of the deck."""
        held = self.hand(self.to_play)
        following = [card for card in held if self.table and card.suit == self.table[0].suit]
        return tuple(sorted(following or held))

    def after(self, card: Card) -> Position:
        """The position when that card is played, followed suit or not; MisreadError if the hand does not hold it."""
        seat = self.to_play
        if card not in self.hand(seat):
            raise MisreadError(f"{seat} does not hold {card}", "play a card of that hand")
        hands = tuple(hand - {card} if one == seat else hand for one, hand in zip(SEATS, self.hands, strict=True))
        table = (*self.table, card)
        winner = Trick(self.leader, table).winner(self.trump)
        if winner is None:
            return replace(self, hands=hands, table=table)
        return Position(hands, winner, (), self.trump, self.won + (SIDE[winner] == "NS"))


class WhyNotComputed(StrEnum):
    NO_LIBRARY = "no-library"
    SOLVER_FAILED = "solver-failed"
    """The library refused, or could not be loaded."""
    NOT_KNOWN = "not-known"
    """The incident does not say enough: a hand, the contract or a card before the revoke."""
    NOT_IN_ORDER = "not-in-order"
    """The record cannot be followed to the revoke, or what is called a revoke is none by the cards."""


class NotComputed(Exception):  # noqa: N818 - it is told like an answer
    """There is no number: why, and in English what is missing, a semicolon, and how to mend it."""

    def __init__(self, why: WhyNotComputed, detail: str) -> None:
        super().__init__(why, detail)
        self.why, self.detail = why, detail


Solver: TypeAlias = Callable[[Position], Mapping[Card, int]]
"""For each legal card, how many tricks the side to play wins with best play by all from it on, this one included;
NotComputed where there is no answer."""


class _Deal(Structure):
    """``struct deal`` of the library: suits are numbered S H D C NT, seats N E S W, a deuce is bit 2."""

    _fields_ = (
        ("trump", c_int),
        ("first", c_int),
        ("table_suit", c_int * 3),
        ("table_rank", c_int * 3),
        ("remaining", (c_uint * 4) * 4),
    )


class _FutureTricks(Structure):
    """``struct futureTricks`` of the library: per card its suit, rank, lower equal ranks and tricks."""

    _fields_ = (
        ("nodes", c_int),
        ("cards", c_int),
        ("suit", c_int * 13),
        ("rank", c_int * 13),
        ("equals", c_int * 13),
        ("score", c_int * 13),
    )


@cache
def library() -> Any:
    """The library; None where it is not installed, OSError where it cannot be loaded."""
    spec = importlib.util.find_spec("endplay")
    folders = (spec and spec.submodule_search_locations) or ()
    paths = [path for folder in folders for name in _FILES if (path := Path(folder) / "_dds" / name).is_file()]
    if not paths:
        return None
    loaded = ctypes.CDLL(str(paths[0].resolve()))
    loaded.SolveBoard.argtypes = [_Deal, c_int, c_int, c_int, ctypes.POINTER(_FutureTricks), c_int]
    loaded.SetMaxThreads(1)
    return loaded


def double_dummy(position: Position) -> Mapping[Card, int]:
    """The tricks each legal card leads to, none when no card is left; NotComputed without the library's answer."""
    if not position.tricks_left:
        return {}
    try:
        with _ONE_AT_A_TIME:
            solver = library()
    except OSError as error:
        what = f"the double-dummy library cannot be loaded ({error})"
        raise NotComputed(WhyNotComputed.SOLVER_FAILED, f"{what}; reinstall endplay") from None
    if solver is None:
        what = "double dummy needs the extra 'equity' of revoke-kb, which Python 3.14 and later do not have"
        raise NotComputed(WhyNotComputed.NO_LIBRARY, f"{what}; install revoke-kb[equity]")
    asked = _Deal(trump=(*SUITS, None).index(position.trump), first=SEATS.index(position.leader))
    for nth, card in enumerate(position.table):
        asked.table_suit[nth], asked.table_rank[nth] = SUITS.index(card.suit), card.rank
    for seat, hand in enumerate(position.hands):
        asked.remaining[seat][:] = [sum(1 << card.rank for card in hand if card.suit == suit) for suit in SUITS]
    found = _FutureTricks()
    with _ONE_AT_A_TIME:
        code = solver.SolveBoard(asked, 0, _EVERY_CARD, 1, ctypes.byref(found), 0)
    if code != _SOLVED:
        what = f"the double-dummy library refused (code {code})"
        raise NotComputed(WhyNotComputed.SOLVER_FAILED, f"{what}; reinstall endplay")
    tricks: dict[Card, int] = {}
    for nth in range(found.cards):
        ranks = found.equals[nth] | 1 << found.rank[nth]
        for rank in range(2, 15):
            if ranks >> rank & 1:
                tricks[Card.of(SUITS[found.suit[nth]], rank)] = found.score[nth]
    return dict(sorted(tricks.items()))
