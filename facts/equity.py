"""What double dummy can say of a revoke: the tricks there were to be had had it not happened.

It is evidence for a judgement and not the judgement: see ``AGREES_WITH_PLAY``. How a position in the middle of play
came about does not matter, so it may be one that only a failure to follow suit can produce. The solver is the library
that endplay carries; endplay itself is never imported.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias

from facts.cards import CLOCKWISE, OTHER_SIDE, SEATS, SIDE, SUITS, Card, Seat, Side, Suit
from facts.deal import Deal
from facts.incident import Incident
from facts.play import PlayRecord, Trick

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
        cards = self.hand(self.to_play)
        following = [card for card in cards if self.table and card.suit == self.table[0].suit]
        return tuple(sorted(following or cards))

    def after(self, card: Card) -> Position:
        """The position when that card of the hand whose turn it is is played, followed suit or not."""
        hands = tuple(hand - {card} for hand in self.hands)
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


@cache
def double_dummy_library() -> Any:
    """endplay's binding of the library, loaded by itself: endplay would load much more. None where it is missing."""
    endplay = importlib.util.find_spec("endplay")
    if endplay is None or not endplay.submodule_search_locations:
        return None
    file = Path(endplay.submodule_search_locations[0], "_dds", "__init__.py")
    spec = importlib.util.spec_from_file_location("endplay_dds", file)
    assert spec is not None
    assert spec.loader is not None
    binding = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(binding)
    binding.SetMaxThreads(1)
    return binding


def double_dummy(position: Position) -> Mapping[Card, int]:
    """The tricks each legal card leads to, none when no card is left; NotComputed without the library's answer."""
    if not position.tricks_left:
        return {}
    try:
        with _ONE_AT_A_TIME:
            solver = double_dummy_library()
            if solver is None:
                problem = "double dummy needs the extra 'equity' of revoke-kb, which Python 3.14 and later do not have"
                raise NotComputed(WhyNotComputed.NO_LIBRARY, f"{problem}; install revoke-kb[equity]")
            asked = solver.deal(trump=(*SUITS, None).index(position.trump), first=SEATS.index(position.leader))
            for nth, card in enumerate(position.table):
                asked.currentTrickSuit[nth], asked.currentTrickRank[nth] = SUITS.index(card.suit), card.rank
            for seat, hand in enumerate(position.hands):
                asked.remainCards[seat][:] = [
                    sum(1 << card.rank for card in hand if card.suit == suit) for suit in SUITS
                ]
            solution = solver.futureTricks()
            solver.SolveBoard(asked, 0, _EVERY_CARD, 1, solution, 0)
    except (OSError, RuntimeError) as error:
        message = str(error).partition("\n")[0]
        problem = f"the double-dummy library failed ({message})"
        raise NotComputed(WhyNotComputed.SOLVER_FAILED, f"{problem}; reinstall endplay") from None
    tricks: dict[Card, int] = {}
    for nth in range(solution.cards):
        ranks = solution.equals[nth] | 1 << solution.rank[nth]
        for rank in range(2, 15):
            if ranks >> rank & 1:
                tricks[Card.of(SUITS[solution.suit[nth]], rank)] = solution.score[nth]
    return dict(sorted(tricks.items()))


AGREES_WITH_PLAY: Final[Mapping[int, int]] = {1: 55, 2: 62, 5: 73, 8: 85, 10: 92}
"""How much double dummy proves: at the start of which trick it equals the result actually reached, in per cent.

Measured by this project on 2,495 boards of championship records (1996-2002) with at least 24 cards recorded, of which
2,133 went on to trick 8 and 1,366 to trick 10. Some results come from claims, which flatters double dummy. At trick 5
declarer did better than double dummy on 10 boards of a hundred and worse on 17.
"""


@dataclass(frozen=True, slots=True)
class Revoke:
    """A card that should not have been played, and from what the choice should have been."""

    trick: int
    hand: Seat
    card: Card
    instead: tuple[Card, ...] = ()
    """The cards that had to be played where that was not to follow suit; empty for following suit."""


@dataclass(frozen=True, slots=True)
class LegalCard:
    """A card the hand could legally have played instead. Tricks are the other side's, in all."""

    card: Card
    tricks: int
    """Double dummy from this card on."""
    replay: int
    """The cards of the record followed as long as that could be, then double dummy."""
    followed: int
    """Cards of the record so followed, after this one."""
    to_the_end: bool
    """They could be followed to the end of the record."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What double dummy says of one revoke, everything before it being as it was played."""

    side: Side
    """The side that did not revoke here, whose tricks are counted."""
    cards: tuple[LegalCard, ...]
    after_revoke: int
    """The side's tricks in all, double dummy from the position with the revoke card played."""
    out_of: int
    """All tricks of the deal: 13, or fewer where only an ending is given and no earlier tricks are counted."""

    @property
    def low(self) -> int:
        """The side's tricks when the hand picks its best legal card: double dummy before the revoke."""
        return min(card.tricks for card in self.cards)

    @property
    def high(self) -> int:
        """The side's tricks when the hand picks its worst legal card."""
        return max(card.tricks for card in self.cards)

    @property
    def replays(self) -> tuple[int, int]:
        """The side's fewest and most tricks when the record is followed after a legal card as long as it can be."""
        tricks = [card.replay for card in self.cards]
        return min(tricks), max(tricks)

    @property
    def forced(self) -> bool:
        return len(self.cards) == 1


def line_to(deal: Deal, record: PlayRecord, trump: Suit | None, place: tuple[int, int]) -> Position:
    """The record followed up to a place (trick, place in it), without that card; NotComputed if that cannot be done.

    Each trick is led by whoever led it in the record.
    """
    if None in deal.hands:
        raise NotComputed(WhyNotComputed.NOT_KNOWN, "a hand is not known; give all four")
    line = Position(tuple(frozenset(hand or ()) for hand in deal.hands), record.tricks[0].leader, (), trump)
    for number, nth, seat, card in record.plays():
        if nth == 1 and not line.table:
            line = replace(line, leader=seat)
        if seat != line.to_play:
            raise NotComputed(WhyNotComputed.NOT_IN_ORDER, f"trick {number - 1} is not complete; record its cards")
        if (number, nth) == place:
            return line
        if card is None:
            raise NotComputed(WhyNotComputed.NOT_KNOWN, f"{seat}'s card in trick {number} is not recorded; record it")
        if card not in line.hand(seat):
            problem = f"trick {number}: {seat} does not hold {card}"
            raise NotComputed(WhyNotComputed.NOT_IN_ORDER, f"{problem}; play a card of that hand")
        line = line.after(card)
    raise NotComputed(WhyNotComputed.NOT_KNOWN, f"the record ends before trick {place[0]}; record the play up to there")


def total(line: Position, side: Side, out_of: int, solver: Solver) -> int:
    """Of so many tricks of the deal those of a side, double dummy from here on."""
    best = max(solver(line).values(), default=0)
    ns = line.won + (best if SIDE[line.to_play] == "NS" else line.tricks_left - best)
    return ns if side == "NS" else out_of - ns


def evidence(incident: Incident, revoke: Revoke, solver: Solver = double_dummy) -> Evidence:
    """The evidence on a revoke from the position just before it; NotComputed where there is none.

    Earlier revokes stand as they were played, or as corrected. So that on the first is also the evidence for what would
    have been with none of them. Unknown cards after a revoke do not matter: double dummy needs none of them.
    """
    record = incident.timeline.final
    if incident.contract is None or incident.contract.passed_out:
        raise NotComputed(WhyNotComputed.NOT_KNOWN, "the contract is not known; state it")
    if incident.deal is None or record is None or revoke.trick > len(record.tricks):
        problem = f"all four hands and the play up to trick {revoke.trick} are needed"
        raise NotComputed(WhyNotComputed.NOT_KNOWN, f"{problem}; give both")
    place = revoke.trick, record.tricks[revoke.trick - 1].nth_of(revoke.hand)
    position = line_to(incident.deal, record, incident.trump, place)
    legal = revoke.instead or position.legal()
    if revoke.card in legal or not position.hand(revoke.hand).issuperset({revoke.card, *legal}):
        problem = f"by the cards {revoke.hand}'s {revoke.card} in trick {revoke.trick} is no revoke"
        raise NotComputed(WhyNotComputed.NOT_IN_ORDER, f"{problem}; check the record and the revoke")
    side = OTHER_SIDE[SIDE[revoke.hand]]
    tricks = partial(total, side=side, out_of=incident.deal.size, solver=solver)
    cards: list[LegalCard] = []
    for card in legal:
        line, followed, to_the_end = replay(position, card, record, place)
        cards.append(LegalCard(card, tricks(position.after(card)), tricks(line), followed, to_the_end))
    return Evidence(side, tuple(cards), tricks(position.after(revoke.card)), incident.deal.size)


def replay(position: Position, card: Card, record: PlayRecord, place: tuple[int, int]) -> tuple[Position, int, bool]:
    """Another card in one place of a record, then the record's own cards while all are legal and win the same tricks.

    When the record later asks the hand for that other card, the card it replaced comes instead. Returns the line so
    far, how many cards were followed, and whether the record was followed to its end.
    """
    line, followed = position.after(card), 0
    played = record.tricks[place[0] - 1].card_of(position.to_play)
    for number, nth, seat, recorded in record.plays():
        if (number, nth) <= place:
            continue
        if nth == 1:
            if line.leader != record.tricks[number - 2].winner(line.trump):
                return line, followed, False
            line = replace(line, leader=seat)
        following = played if recorded is card else recorded
        if following not in line.legal():
            return line, followed, False
        line, followed = line.after(following), followed + 1
    return line, followed, True
