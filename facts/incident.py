"""An incident: what happened at one table on one board, as a file or a director states it.

The names are those of the incident file, with ``_`` for ``-``. A file is checked against these very classes. Which
findings and events there are is declared in ``table.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from facts.auction import Auction
from facts.cards import CLOCKWISE, PARTNER, SIDE, Card, Seat, Suit
from facts.contract import Contract, Vulnerable
from facts.dates import DAY_PATTERN, day
from facts.deal import Deal
from facts.errors import Fault, Faults, Place
from facts.form import TEXT, Described, FromFile, ReadBy, between, in_the_form, plain_text
from facts.play import PlayRecord, Trick
from facts.table import REVOKE, UNKNOWN
from facts.yaml_reader import Node

CardText: TypeAlias = Annotated[
    Card, ReadBy(Card.from_text, in_the_form(r"^\s*([SHDCshdc♠♥♦♣♤♡♢♧]([2-9TJQKAtjqka]|10))\s*$"))
]
_CONTRACT: Final = r"^\s*([1-7]?(NT|nt|[SHDCshdc])|[1-7](NT|nt|[SHDCshdc])[Xx]{1,2}|[Pp]ass|PASS)\s*$"
ContractText: TypeAlias = Annotated[Contract, ReadBy(Contract.from_text, in_the_form(_CONTRACT))]
DealText: TypeAlias = Annotated[Deal, ReadBy(Deal.from_pbn, in_the_form(r"^\s*[NESWnesw]:"))]
TrickNumber: TypeAlias = Annotated[int, between(1, 13)]
Tricks: TypeAlias = Annotated[int, between(0, 13)]


def _in_quotes_or_not(value: object) -> str:
    """Text, a bare number where it looks like one."""
    return str(value) if type(value) is int else plain_text(value)


def _day(value: object) -> date:
    return day(_in_quotes_or_not(value))


def _as_it_stands(node: Node, _: Faults) -> Node:
    """What a reader of its own takes apart."""
    return node


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
    ends_play: int = 0
    """The moment at which it comes, where the play is over by then."""
    refused: bool = False
    """A change of cards that the law does not let stand: found by a ruling, never stated, and nothing has changed."""

    @property
    def takes_back(self) -> tuple[Card, Card] | None:
        """The card taken back and the one played instead, where it is a change of cards."""
        played = self.said.get("played")
        back = self.said.get("withdrawn", self.said.get("card"))
        return None if played is None or back is None else (back, played)

    @property
    def misplaced(self) -> tuple[Card, Card] | None:
        """Dummy's wrong card and the one that was called, where it is found out."""
        return (self.said["card"], self.said["called"]) if "called" in self.said else None


Player: TypeAlias = Literal[
    "declarer", "dummy", "defender", "same-player", "partner", "opponent", "opponent-on-that-trick"
]
"""Whose card it was, where the seat is not said; the last four as seen from the revoke listed first."""
SAME_TRICK: Final = "opponent-on-that-trick"
"""The one whose revoke is on the trick of the first, too."""
FROM_FIRST: Final[Mapping[str | None, int]] = {"same-player": 0, "partner": 2, "opponent": 3, SAME_TRICK: 3}
"""Places clockwise from the hand that made the first revoke."""


def from_first(player: Player, first: Seat, declarer: Seat | None) -> Seat:
    """Whose card it was, as seen from the hand that made the first revoke; the opponent of a defender is declarer."""
    if FROM_FIRST[player] % 2 and declarer is not None and SIDE[first] != SIDE[declarer]:
        return declarer
    return CLOCKWISE[first][FROM_FIRST[player]]


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

    of: str = REVOKE
    """The matter that it is."""
    shown: bool = False
    """Whether it is no statement but what the record itself shows."""

    @cached_property
    def known(self) -> Mapping[str, Any]:
        """What is said and is not ``unknown``."""
        return {name: value for name, value in self.said.items() if value != UNKNOWN}

    def named(self, names: Iterable[str]) -> tuple[Any, ...]:
        """Its matter, and what it has under each of these names."""
        return (self.of, *({"hand": self.hand, "trick": self.trick}.get(name, self.said.get(name)) for name in names))

    @property
    def trick_was_over(self) -> bool:
        """Whether what is said of it was so only once all four had played to its trick."""
        return not {"won-by", "later-tricks"}.isdisjoint(self.known)

    @property
    def by_calls(self) -> bool:
        """Whether the calls of the auction show it, which are before any trick."""
        return self.shown and self.trick is None

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


DEFAULT_EDITION: Final = "duplicate-2017"
"""The edition in force."""


@dataclass(frozen=True, kw_only=True)
class Incident(FromFile):
    """What happened at one table on one board; what is None or empty is not stated."""

    unstated: ClassVar[frozenset[str]] = frozenset({"rest", "unsettled", "marked", "remarks"})

    place: Place = field(compare=False)
    """The first line of the board; ``place.file`` is the source."""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, hash=False)
    """Where a part stands: ``deal``, ``play``, ``revokes.1``, ``revokes.1.card``; parts may be missing."""
    edition: str = DEFAULT_EDITION
    elections: tuple[str, ...] = ()
    date: Annotated[date | None, ReadBy(_day, in_the_form(DAY_PATTERN))] = None
    jurisdiction: str = ""
    """Whose elections apply, such as ACBL."""
    board: Annotated[str | None, ReadBy(_in_quotes_or_not, {"anyOf": [TEXT, {"type": "integer"}]})] = None
    dealer: Seat | None = None
    vulnerable: Vulnerable | None = None
    auction: Annotated[Auction | None, Described("auction", _as_it_stands)] = None
    """Every call; contract and declarer are those that it made."""
    contract: ContractText | None = None
    declarer: Seat | None = None
    deal: DealText | None = None
    play: Annotated[PlayRecord | None, Described("play", _as_it_stands)] = None
    """Each card as first played; the events change some later."""
    tricks: Tricks | None = None
    """Tricks declarer's side was agreed to have won in all, before any ruling."""
    equity_tricks: Tricks | None = None
    """Tricks declarer's side would have made without the revokes."""
    weights: tuple[WeightedOutcome, ...] = ()
    """The outcomes of a weighted score that the director assigns; their weights sum to 100."""
    events: Annotated[tuple[Event, ...], Described("events", _as_it_stands)] = ()
    revokes: Annotated[tuple[Finding, ...], Described("revokes", _as_it_stands)] = ()
    """In the order the revokes happened; once a file is read, the irregularities after them."""
    irregularities: Annotated[tuple[Finding, ...], Described("irregularities", _as_it_stands)] = ()
    """In a file alone: what else was found, each ``of`` its matter."""
    rest: int | None = None
    """Tricks of North-South after the last one recorded, where they are supposed, or NOT_YET."""
    unsettled: int = 0
    """The first trick of the record that nobody has won yet, as a card of it has still to be taken back; 0: none."""
    marked: tuple[tuple[int, Seat], ...] = ()
    """Trick and hand of each card that the record itself marks as a revoke."""
    remarks: tuple[Fault, ...] = field(default=(), compare=False, hash=False)
    """What could not be read of the record, and no ruling needs."""

    @property
    def source(self) -> str:
        return self.place.file

    @property
    def over(self) -> bool:
        """Whether something is stated that is known or happens only once the play is over."""
        return self.tricks is not None or any(event.ends_play for event in self.events)

    @property
    def dummy(self) -> Seat | None:
        return None if self.declarer is None else PARTNER[self.declarer]

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None in notrump, and where the contract is not known."""
        return None if self.contract is None else self.contract.trump

    @cached_property
    def timeline(self) -> Timeline:
        """When everything happened, and how the cards finally lie."""
        return _timeline(self)


NEVER: Final = 99_999
"""After everything."""
WITHOUT_RECORD: Final = 19_000
"""The first event where no play is recorded, or where something was found out about tricks after the record."""


@dataclass(frozen=True, slots=True)
class PlacedEvent:
    """An event and its place in time."""

    event: Event
    at: int
    trick: int
    """The trick of the card before it; 0 before the first."""
    nth: int
    """The place of that card in its trick; 4 when there is none."""


@dataclass(frozen=True, slots=True)
class Change:
    """A card taken back and another played to the same trick."""

    trick: int
    hand: Seat
    how: str
    """``corrected`` or ``withdrawn``."""
    withdrawn: Card
    played: Card
    at: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """When everything happened, and how the cards finally lie.

    A moment is an integer that only orders what happened. A card played lies at 1000 x trick + 100 x place in it; an
    event a little after the card it follows; findings without a record are given consistent moments around their trick.
    """

    events: tuple[PlacedEvent, ...]
    changes: tuple[Change, ...]
    refused: tuple[Change, ...]
    """Those that do not stand."""
    final: PlayRecord | None
    """The record as the cards finally lie."""
    at_hand: PlayRecord | None
    """The record as the cards really lay, by which goes what a hand still held: with every replaced card in place, also
    where the law does not let the change stand, but for one that had gone to a later trick by then."""
    moments: Mapping[tuple[int, Seat], int]
    """Trick and hand -> when that hand first played to it, for cards of the record."""
    won: Mapping[int, Seat]
    """Who won each trick: by its cards, or where one is not recorded, whoever led to the next."""


def _timeline(incident: Incident) -> Timeline:
    events = _placed(incident)
    changes: list[Change] = []
    refused: list[Change] = []
    final = at_hand = incident.play
    plays = () if incident.play is None else incident.play.plays()
    moments = {(trick, seat): moment(trick, nth) for trick, nth, seat, _ in plays}
    for placed in events:
        change = _change(placed, incident, final)
        if change is None:
            continue
        (refused if placed.event.refused else changes).append(change)
        if final is None or at_hand is None or (change.trick, change.hand) not in moments:
            continue
        later = _trick_of(change.hand, change.played, placed, incident, final)
        if not placed.event.refused:
            final = final.with_card(change.trick, change.hand, change.played)
            final = _changed_places(final, change, later, incident.trump) if later > change.trick else final
        elif _plays(change.hand, change.played, change.trick, incident):
            continue  # it was undone, as the law wants it
        if later <= change.trick:
            at_hand = at_hand.with_card(change.trick, change.hand, change.played)
    won: dict[int, Seat] = {}
    tricks = () if final is None else final.tricks
    for number, trick in enumerate(tricks[: incident.unsettled - 1] if incident.unsettled else tricks, 1):
        all_followed = all(card is not None and card.suit == trick.led for card in trick.cards)  # trumps cannot matter
        winner = trick.winner(incident.trump) if incident.contract or all_followed else None
        if winner is None and len(trick.cards) == 4 and number < len(tricks):
            winner = tricks[number].leader
        if winner is not None:
            won[number] = winner
    return Timeline(events, tuple(changes), tuple(refused), final, at_hand, moments, won)


def _changed_places(final: PlayRecord, change: Change, later: int, trump: Suit | None) -> PlayRecord:
    """The card taken back goes where the other had gone; whoever now wins the trick has led to the next."""
    final = final.with_card(later, change.hand, change.withdrawn)
    leader = final.tricks[change.trick - 1].winner(trump)
    if later != change.trick + 1 or leader is None or len(final.tricks[later - 1].cards) < 4:
        return final
    trick = final.tricks[later - 1]
    led_anew = Trick(leader, tuple(trick.card_of(seat) for seat in CLOCKWISE[leader]))
    return PlayRecord((*final.tricks[: later - 1], led_anew, *final.tricks[later:]))


def moment(trick: int, nth: int) -> int:
    """When the card in that place of that trick was played."""
    return 1000 * trick + 100 * nth


def moment_of_play(number: int, trick: int, hand: Seat, incident: Incident) -> int:
    """The moment that names the play of the finding of some number: of the record, if the record has it."""
    return incident.timeline.moments.get((trick, hand), 1000 * trick + 100 + 10 * (number + 1))


MOMENTS: Final = {trick: tuple(moment(trick, nth) for nth in (1, 2, 3, 4)) for trick in range(1, 14)}
"""Trick -> the moments of its cards."""


def _placed(incident: Incident) -> tuple[PlacedEvent, ...]:
    if not incident.events:
        return ()
    tricks = () if incident.play is None else incident.play.tricks
    last = next(
        ((number, len(tricks[number - 1].cards)) for number in range(len(tricks), 0, -1) if tricks[number - 1].cards),
        (0, 4),
    )
    placed: list[PlacedEvent] = []
    here, latest = last, 0
    unknown = (
        last == (0, 4)
        or (incident.over and last != (13, 4))
        or any((revoke.trick or 0) > last[0] for revoke in incident.revokes)
    )
    for number, event in enumerate(incident.events):
        if event.after is not None:
            here, unknown = event.after, False
        base = WITHOUT_RECORD + 10 * number if unknown else moment(*here)
        latest = max(event.ends_play or base + 1, latest + 1)
        placed.append(PlacedEvent(event, latest, *here))
    return tuple(placed)


def _change(placed: PlacedEvent, incident: Incident, play: PlayRecord | None) -> Change | None:
    change, how, by = placed.event.takes_back, placed.event.name, placed.event.said.get("by")
    if change is None:
        change, how, by = _put_in_place(placed, incident), "withdrawn", incident.dummy
    if change is None or by is None:
        return None
    card, played = change
    for hand in (by, PARTNER[by]) if by == incident.declarer else (by,):
        trick = _trick_of(hand, card, placed, incident, play)
        if trick:
            return Change(trick, hand, how, card, played, placed.at)
    return None


def _put_in_place(placed: PlacedEvent, incident: Incident) -> tuple[Card, Card] | None:
    """Dummy's wrong card and the one called, where no event tells the change, but the play does: he plays it again."""
    wrong, called = placed.event.misplaced or (None, None)
    taken_back = {event.takes_back[0] for event in incident.events if event.takes_back}
    if wrong is None or called is None or wrong in taken_back or incident.dummy is None:
        return None
    return (wrong, called) if _plays(incident.dummy, wrong, placed.trick, incident) else None


def _plays(hand: Seat, card: Card, number: int, incident: Incident) -> bool:
    """Whether the record has the hand play a card to a trick after that one."""
    return incident.play is not None and any(trick.card_of(hand) is card for trick in incident.play.tricks[number:])


def _trick_of(hand: Seat, card: Card, event: PlacedEvent, incident: Incident, play: PlayRecord | None) -> int:
    """The trick to which the hand had played the card by then; else its last revoke found; 0 for none."""
    if play is not None:
        for number in range(event.trick, 0, -1):
            trick = play.tricks[number - 1]
            if trick.card_of(hand) is card and (number, trick.nth_of(hand)) <= (event.trick, event.nth):
                return number
    stated = [revoke for revoke in incident.revokes if not revoke.shown]
    tricks = [revoke.trick for revoke in stated if revoke.hand == hand and revoke.card in (None, card)]
    tricks += [revoke.trick for revoke in stated if hand in revoke.said.get("played-after", ())]
    return max(filter(None, tricks), default=0)
