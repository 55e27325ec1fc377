"""What can happen at a table and is not a card played; which events there are is declared in ``table.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

from facts.cards import Card, Seat
from facts.contract import Contract
from facts.errors import Place
from facts.form import FromFile, ReadBy, between, in_the_form

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
