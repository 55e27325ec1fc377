"""Everything that can happen at a table and is not a card played.

The names are those of the incident file, with ``_`` for ``-``. A file is checked against these very classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, TypeAlias

from facts.cards import Card, Seat, Suit
from facts.contract import Contract
from facts.errors import Place
from facts.shapes import Between, FromFile, ReadBy

CardText: TypeAlias = Annotated[Card, ReadBy(Card.from_text)]
ContractText: TypeAlias = Annotated[Contract, ReadBy(Contract.from_text)]
TrickNumber: TypeAlias = Annotated[int, Between(1, 13)]
Tricks: TypeAlias = Annotated[int, Between(0, 13)]
"""A number of tricks."""


@dataclass(frozen=True, slots=True)
class RevokeNamed(FromFile):
    """The revoke that is meant."""

    hand: Seat
    trick: TrickNumber


@dataclass(frozen=True, slots=True)
class Attention(FromFile):
    """Attention is drawn to a revoke; without ``to``, to every revoke before it."""

    by: Seat
    to: RevokeNamed | None = None


@dataclass(frozen=True, slots=True)
class Asked(FromFile):
    """'Having none?'"""

    by: Seat
    of: Seat
    answer: Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class Corrected(FromFile):
    """The revoker takes back a card and plays another to that trick."""

    by: Seat
    withdrawn: CardText
    played: CardText


@dataclass(frozen=True, slots=True)
class Withdrawn(FromFile):
    """Another player changes a card played after the revoke."""

    by: Seat
    card: CardText
    played: CardText


@dataclass(frozen=True, slots=True)
class Designated(FromFile):
    """A card for the next trick is named or otherwise designated, not yet played."""

    by: Seat
    card: CardText


@dataclass(frozen=True, slots=True)
class LedOutOfTurn(FromFile):
    """A lead or play to the next trick that was then taken back; ``trick`` where it is not the next one."""

    by: Seat
    card: CardText
    trick: TrickNumber | None = None


@dataclass(frozen=True, slots=True)
class Claimed(FromFile):
    """A claim; ``tricks``: how many of those still to be played the speaker's side claims."""

    by: Seat
    tricks: Tricks | None = None


@dataclass(frozen=True, slots=True)
class Conceded(FromFile):
    """A concession; ``tricks``: how many of those still to be played the speaker's side concedes."""

    by: Seat
    tricks: Tricks | None = None


@dataclass(frozen=True, slots=True)
class Agreed(FromFile):
    """Agreement to the claim or concession before it."""

    by: Seat


@dataclass(frozen=True, slots=True)
class Objected(FromFile):
    """Objection to the claim or concession before it."""

    by: Seat


@dataclass(frozen=True, slots=True)
class Exposed(FromFile):
    """A defender's card becomes a penalty card."""

    by: Seat
    card: CardText
    kind: Literal["major", "minor"]


@dataclass(frozen=True, slots=True)
class Required(FromFile):
    """An option exercised in rectification; of ``suit`` and ``card`` one is given."""

    by: Seat
    of: Seat
    how: Literal["lead", "not-lead", "play", "highest", "lowest"]
    suit: Suit | None = None
    card: CardText | None = None


@dataclass(frozen=True, slots=True)
class DummyLostRights(FromFile):
    """Dummy has done what costs him his rights."""


@dataclass(frozen=True, slots=True)
class PlayEnded(FromFile):
    """The play is over."""


@dataclass(frozen=True, slots=True)
class HandsReturned(FromFile):
    """The hands are back in the board."""


@dataclass(frozen=True, slots=True)
class RoundEnded(FromFile):
    """The round is over."""


@dataclass(frozen=True, slots=True)
class CorrectionPeriodEnded(FromFile):
    """Scores can no longer be corrected."""


@dataclass(frozen=True, slots=True)
class CalledOnNextBoard(FromFile):
    """A player has made a call on the next board."""

    by: Seat


@dataclass(frozen=True, slots=True)
class CardsMixed(FromFile):
    """A player has mixed the cards, so that the facts can no longer be ascertained."""

    by: Seat


@dataclass(frozen=True, slots=True)
class Quitted(FromFile):
    """The trick is turned and quitted."""

    by: Seat


@dataclass(frozen=True, slots=True)
class CutForNextDeal(FromFile):
    """The cards have been cut for the next deal."""


Happening: TypeAlias = (
    Attention
    | Asked
    | Corrected
    | Withdrawn
    | Designated
    | LedOutOfTurn
    | Claimed
    | Conceded
    | Agreed
    | Objected
    | Exposed
    | Required
    | DummyLostRights
    | PlayEnded
    | HandsReturned
    | RoundEnded
    | CorrectionPeriodEnded
    | CalledOnNextBoard
    | CardsMixed
    | Quitted
    | CutForNextDeal
)

HAPPENINGS: Final[Mapping[str, type[Happening]]] = {
    "attention": Attention,
    "asked": Asked,
    "corrected": Corrected,
    "withdrawn": Withdrawn,
    "designated": Designated,
    "led-out-of-turn": LedOutOfTurn,
    "claimed": Claimed,
    "conceded": Conceded,
    "agreed": Agreed,
    "objected": Objected,
    "exposed": Exposed,
    "required": Required,
    "dummy-lost-rights": DummyLostRights,
    "play-ended": PlayEnded,
    "hands-returned": HandsReturned,
    "round-ended": RoundEnded,
    "correction-period-ended": CorrectionPeriodEnded,
    "called-on-next-board": CalledOnNextBoard,
    "cards-mixed": CardsMixed,
    "quitted": Quitted,
    "cut-for-next-deal": CutForNextDeal,
}
"""Each event under the name it has in a file."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened and is not a card played. Events stand in time order."""

    name: str
    """The key of HAPPENINGS."""
    what: Happening
    after: tuple[int, int] | None = None
    """Trick and place in it of the card before it; None: after the event before it, or else after the last card."""
    place: Place | None = field(default=None, compare=False)
    refused: bool = False
    """A change of cards that the law does not let stand: found by a ruling, never stated, and nothing has changed."""
