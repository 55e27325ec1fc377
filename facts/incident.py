"""An incident: what happened at one table on one board, as a file or a director states it.

The names are those of the incident file, with ``_`` for ``-``. A file is checked against these very classes. Which
findings and events there are is declared in ``table.yaml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Annotated, Any, Final, Literal, TypeAlias

from facts.cards import Card, Seat, Suit
from facts.contract import Contract, Vulnerable
from facts.deal import Deal
from facts.errors import Place
from facts.form import FromFile, ReadBy, between, in_the_form
from facts.play import PlayRecord, Trick
from facts.table import UNKNOWN

CardText: TypeAlias = Annotated[
    Card, ReadBy(Card.from_text, in_the_form(r"^\s*([SHDCshdc♠♥♦♣♤♡♢♧]([2-9TJQKAtjqka]|10))\s*$"))
]
ContractText: TypeAlias = Annotated[
    Contract, ReadBy(Contract.from_text, in_the_form(r"^\s*([1-7](NT|nt|[SHDCshdc])[Xx]{0,2}|[Pp]ass|PASS)\s*$"))
]
TrickNumber: TypeAlias = Annotated[int, between(1, 13)]
Tricks: TypeAlias = Annotated[int, between(0, 13)]
"""A number of tricks."""


@dataclass(frozen=True, slots=True)
class RevokeNamed(FromFile):
    """The revoke that is meant."""

    hand: Seat
    trick: TrickNumber


@dataclass(frozen=True)
class Event:
    """Something that happened and is not a card played. Events stand in time order."""

    name: str
    """As it is declared."""
    said: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Its fields, as far as they are stated."""
    after: tuple[int, int] | None = None
    """Trick and place in it of the card before it; None: after the event before it, or else after the last card."""
    place: Place | None = field(default=None, compare=False)
    ends_play: bool = False
    """Whether the play is over by then."""
    refused: bool = False
    """A change of cards that the law does not let stand: found by a ruling, never stated, and nothing has changed."""

    @property
    def takes_back(self) -> tuple[Card, Card] | None:
        """The card taken back and the one played instead, where it is a change of cards."""
        played = self.said.get("played")
        back = self.said.get("withdrawn", self.said.get("card"))
        return None if played is None or back is None else (back, played)


Player: TypeAlias = Literal[
    "declarer", "dummy", "defender", "same-player", "partner", "opponent", "opponent-on-that-trick"
]
"""Whose card it was, where the seat is not said; the last four as seen from the revoke listed first."""
SAME_TRICK: Final = "opponent-on-that-trick"
"""The one whose revoke is on the trick of the first, too."""
FROM_FIRST: Final[Mapping[str | None, int]] = {"same-player": 0, "partner": 2, "opponent": 3, SAME_TRICK: 3}
"""Places clockwise from the hand that made the first revoke."""

NOT_YET: Final = -1
"""Of tricks after the last one recorded: neither side has won any."""


@dataclass(frozen=True)
class Finding:
    """A revoke as the director found it, where there is no full record."""

    hand: Seat | None = None
    """Whose card it was."""
    trick: int | None = None
    """1 to 13; None: any before the twelfth."""
    player: Player | None = None
    cards: Trick | None = None
    """The trick as it lay, as far as it is known; it proves what is said of it and states nothing else."""
    said: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Finding -> its value, or the name of an answer, which may leave several; what is missing is not stated. None
    stands for what has not happened yet, ``unknown`` for what nobody can say: then nothing is presumed of it."""

    shown: bool = False
    """Whether it is no statement but what the record itself shows."""

    @cached_property
    def known(self) -> Mapping[str, Any]:
        """What is said and is not ``unknown``."""
        return {name: value for name, value in self.said.items() if value != UNKNOWN}

    @property
    def card(self) -> Card | None:
        """The card played in error, if it is stated."""
        return self.said.get("card")


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedOutcome(FromFile):
    """A result that the director thinks there might have been, and how likely."""

    tricks: Tricks
    """Declarer's."""
    weight: Annotated[int, between(1, 100)]
    """In per cent."""
    contract: ContractText | None = None
    """None: that of the board; so with ``declarer``."""
    declarer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """What happened at one table on one board; what is None or empty is not stated."""

    place: Place = field(compare=False)
    """The first line of the board; ``place.file`` is the source."""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, hash=False)
    """Where a part stands: ``deal``, ``play``, ``play.3`` (the third trick), ``revokes.1``; parts may be missing."""
    edition: str = "duplicate-2017"
    elections: tuple[str, ...] = ()
    date: date | None = None
    """The day on which it was played."""
    jurisdiction: str = ""
    """Whose elections apply, such as ACBL."""
    board: str | None = None
    dealer: Seat | None = None
    vulnerable: Vulnerable | None = None
    contract: Contract | None = None
    declarer: Seat | None = None
    deal: Deal | None = None
    play: PlayRecord | None = None
    """Each card as first played; the events change some later."""
    tricks: int | None = None
    """Tricks declarer's side was agreed to have won in all, before any ruling."""
    equity_tricks: int | None = None
    """Tricks declarer's side would have made without the revokes."""
    weights: tuple[WeightedOutcome, ...] = ()
    """The outcomes of a weighted score that the director assigns; their weights sum to 100."""
    events: tuple[Event, ...] = ()
    revokes: tuple[Finding, ...] = ()
    """In the order the revokes happened."""
    rest: int | None = None
    """Tricks of North-South after the last one recorded, where they are supposed, or NOT_YET; no file states it."""
    marked: tuple[tuple[int, Seat], ...] = ()
    """Trick and hand of each card that the record itself marks as a revoke."""

    @property
    def source(self) -> str:
        """The file it was read from."""
        return self.place.file

    @property
    def over(self) -> bool:
        """Whether something is stated that is known or happens only once the play is over."""
        return self.tricks is not None or any(event.ends_play for event in self.events)

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None in notrump, and where the contract is not known."""
        return None if self.contract is None else self.contract.trump
