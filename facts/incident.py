"""An incident: what happened at one table on one board, as a file or a director states it.

The names are those of the incident file, with ``_`` for ``-``. A file is checked against these very classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from facts.cards import SIDE, Seat, Side, Suit
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import Place
from facts.events import CardText, ContractText, Event, TrickNumber, Tricks
from facts.play import PlayRecord
from facts.shapes import Between, FromFile

Vulnerable: TypeAlias = Literal["none", "NS", "EW", "both"]
FailedTo: TypeAlias = Literal["follow-suit", "play-penalty-card", "obey-requirement", "play-to-trick"]
NextTrick: TypeAlias = Literal["no", "led", "played", "designated", "led-out-of-turn"]
ClaimFound: TypeAlias = Literal[
    "none", "by-revokers", "by-opponents-agreed", "by-opponents-open", "conceded-partner-objected"
]
Noticed: TypeAlias = Literal[
    "not-yet",
    "before-next-trick",
    "during-play",
    "after-play",
    "after-hands-returned",
    "after-call-on-next-board",
    "after-round",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(FromFile):
    """A revoke as the director found it, where there is no full record."""

    hand: Seat
    """Whose card it was."""
    trick: TrickNumber
    suit: Suit | None = None
    """The suit that had to be played."""
    card: CardText | None = None
    """The card played instead."""
    failed_to: FailedTo = "follow-suit"
    faced: bool = False
    """The card played in error already lay face up."""
    required_faced: bool = False
    """The card that should have been played lay face up, or its whole hand did."""
    won_by: Seat | None = None
    later_tricks: Tricks | None = None
    """Tricks the revoker's side won after it."""
    later_win_playable: bool = False
    """The revoker later won a trick with a card he could legally have played to the revoke trick."""
    next_trick: NextTrick = "no"
    claim: ClaimFound = "none"
    noticed: Noticed = "during-play"
    next_board_call_by: Side | None = None
    asked_by: Seat | None = None
    dummy_lost_rights: bool = False
    other_side_revoked: Literal["no", "same-trick", "same-board"] = "no"
    played_after: tuple[Seat, ...] = ()
    repeats: Annotated[int, Between(0, 12)] = 0
    equity_tricks: Tricks | None = None

    @property
    def side(self) -> Side:
        """The revoker's."""
        return SIDE[self.hand]

    @property
    def won_by_side(self) -> Side | None:
        """The side that won the trick; None where that was not found out."""
        return None if self.won_by is None else SIDE[self.won_by]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedOutcome(FromFile):
    """A result that the director thinks there might have been, and how likely."""

    tricks: Tricks
    """Declarer's."""
    weight: Annotated[int, Between(1, 100)]
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
    marked: tuple[tuple[int, Seat], ...] = ()
    """Trick and hand of each card that the record itself marks as a revoke."""

    @property
    def source(self) -> str:
        """The file it was read from."""
        return self.place.file

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None in notrump, and where the contract is not known."""
        return None if self.contract is None else self.contract.trump
