"""Solving double dummy: what is asked, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

from facts.cards import Card
from facts.equity.position import Position


class WhyNotComputed(StrEnum):
    """Why something was not computed."""

    NO_LIBRARY = "no-library"
    """The position is too early for the solver in Python, and the library is not installed."""
    TOO_HARD = "too-hard"
    """The solver gave up."""
    SOLVER_FAILED = "solver-failed"
    """The library refused, crashed or ran out of time."""
    NOT_KNOWN = "not-known"
    """The incident does not say enough: a hand, the contract or a card before the revoke."""
    NOT_IN_ORDER = "not-in-order"
    """The record cannot be followed to the revoke, or what is called a revoke is none by the cards."""


@dataclass(frozen=True, slots=True)
class NotComputed:
    """No number, and why."""

    why: WhyNotComputed
    detail: str
    """In English: what is missing, a semicolon, and how to mend it."""

    def __str__(self) -> str:
        return f"not computed: {self.detail}"


Answer: TypeAlias = Mapping[Card, int] | NotComputed
"""For each legal card, how many tricks the side to play wins with best play by all from it on, this one included."""


class Solver(Protocol):
    """Whatever can solve a position."""

    def tricks(self, position: Position) -> Answer:
        """The tricks each legal card leads to; an empty mapping when no card is left."""
        ...
