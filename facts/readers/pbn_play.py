"""The play section of a PBN board.

The columns belong to the four seats clockwise from the seat of the Play tag, whoever led. So the order of play is found
from the winners of the tricks, and from ``^L``, which marks a lead out of turn that was accepted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from reprlib import repr
from typing import Final, TypeAlias, cast

from facts.cards import BY_SPELLING, CLOCKWISE, Card, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import Fault
from facts.play import BEATEN_BY, PlayRecord, Trick
from facts.readers.pbn_boards import PbnBoard

_ANNOTATION: Final = re.compile(r"\$\d+|=\s*\d+\s*=|[!?]+")
_TOKEN: Final = re.compile(r"\^\s*[A-Za-z]|[*+]|[^\s^*+]+")
_ENOUGH_FAULTS: Final = 10
_CARDS: Final[dict[str, Card | None]] = {
    **BY_SPELLING,
    **{spelling.lower(): card for spelling, card in BY_SPELLING.items()},
    "-": None,
    "+": None,
}
"""``-`` is a card not recorded or not played, ``+`` the next card to be played."""
_FROM_COLUMN: Final = [itemgetter(*((first + nth) % 4 for nth in range(4))) for first in range(4)]
"""A row in the order of play, by the column that led."""


Cells: TypeAlias = tuple[list[Card | None], list[int], dict[int, int]]
"""The cards of a section, column after column, row after row; the cells marked ``^R``; for each row with a ``^L`` the
column that it marks. All are counted from 0."""


def read_play(
    board: PbnBoard, first: Seat, contract: Contract | None, deal: Deal | None
) -> tuple[PlayRecord | None, tuple[tuple[int, Seat], ...]]:
    """The play of a board whose first column is ``first``, and trick and hand of each card that is marked as a revoke.

    None where no card was played. What cannot be read is added to the faults of the board.
    """
    section = board.play or ""
    words = section.split()
    if words and words[-1] == "*":
        words.pop()
    cells: Cells
    try:
        cells = list(map(_CARDS.__getitem__, words)), [], {}
    except KeyError:
        cells = _annotated(board, section)
    cards, revokes, leads = cells
    if len(cards) > 52:
        mend = "take cards out, or end the section with *"
        board.faults.append(Fault(board.place_of("Play"), "the play section has more than 13 tricks", mend))
        del cards[52:]
    seats = CLOCKWISE[first]
    if deal is not None and not revokes and not leads:
        _straighten(cards, seats, deal)
    tricks = _tricks(board, cards, leads, seats, contract)
    marked = tuple([(cell // 4 + 1, seats[cell % 4]) for cell in revokes])
    return (PlayRecord(tuple(tricks)) if tricks else None), marked


def _annotated(board: PbnBoard, section: str) -> Cells:
    """The cells of a section that holds more than cards."""
    cards: list[Card | None] = []
    revokes: list[int] = []
    leads: dict[int, int] = {}
    mark = ""
    plain = _ANNOTATION.sub(lambda found: " " * len(found[0]), section)
    for token in _TOKEN.finditer(plain):
        word = token[0].upper().replace(" ", "")
        if word in ("*", "{"):  # the end of the section, or of what can be read
            break
        if word in ("^R", "^L") and not mark:
            mark = word
        elif word in _CARDS:
            if mark == "^R":
                revokes.append(len(cards))
            elif mark == "^L":
                leads[len(cards) // 4] = len(cards) % 4
            cards.append(_CARDS[word])
            mark = ""
        else:
            place = board.place_in_play(token.start(), len(token[0]))
            what = f"{repr(token[0])} cannot stand in a play section"
            board.faults.append(Fault(place, what, "write cards such as HT, - + * and the marks ^R ^L before a card"))
            if len(board.faults) >= _ENOUGH_FAULTS:
                break
    return cards, revokes, leads


def _tricks(
    board: PbnBoard,
    cards: list[Card | None],
    leads: Mapping[int, int],
    seats: tuple[Seat, ...],
    contract: Contract | None,
) -> list[Trick]:
    """The rows put in the order of play. A card that is not recorded is taken not to have won the trick."""
    while cards and cards[-1] is None:
        cards.pop()
    cards += [None] * (-len(cards) % 4)
    beaten_by = {} if contract is None else BEATEN_BY[contract.trump]
    tricks: list[Trick] = []
    column: int | None = 0
    for row in zip(*[iter(cards)] * 4, strict=True):
        if leads:
            column = leads.get(len(tricks), column)
        if column is None:
            if not board.faults:
                board.faults.append(_not_in_order(board, len(tricks) + 1, contract))
            return []
        led, second, third, fourth = in_turn = _FROM_COLUMN[column](row) if column else row
        tricks.append(Trick(seats[column], in_turn))
        better = beaten_by.get(led)
        if better is None:
            column = None
            continue
        best = 0  # written out, since this is done for every trick of an archive
        if second in better:
            best, better = 1, beaten_by[second]
        if third in better:
            best, better = 2, beaten_by[third]
        column = (column + (3 if fourth in better else best)) % 4
    if tricks and tricks[-1].cards[-1] is None:
        tricks[-1] = _without_end(tricks[-1])
    return tricks


def _straighten(cards: list[Card | None], seats: tuple[Seat, ...], deal: Deal) -> None:
    """Some programs begin a row with another seat; where all its cards prove it, the row is put into its columns."""
    first = set(deal[seats[0]] or ())
    if first.issuperset(cards[::4]):
        return
    holder = cast(Mapping[Card | None, Seat], deal.holder).get
    for start in range(0, len(cards) - 3, 4):
        if cards[start] not in first:
            led, second, third, fourth = row = cards[start : start + 4]
            holders = holder(led, led), holder(second, second), holder(third, third), holder(fourth, fourth)
            cards[start : start + 4] = _FROM_COLUMN[_misplaced(seats, holders)](row)


@lru_cache(maxsize=5000)
def _misplaced(seats: tuple[Seat, ...], holders: tuple[Seat | Card | None, ...]) -> int:
    """Which cell of a row belongs to the first column, as all its cards agree; 0 where they do not.

    For a card whose holder is not known the card itself is given; a row of only one card proves nothing.
    """
    cells = {(nth - seats.index(seat)) % 4 for nth, seat in enumerate(holders) if isinstance(seat, str)}
    return cells.pop() if len(cells) == 1 and holders.count(None) <= 2 else 0


def _without_end(trick: Trick) -> Trick:
    cards = trick.cards
    while cards and cards[-1] is None:
        cards = cards[:-1]
    return Trick(trick.leader, cards)


def _not_in_order(board: PbnBoard, trick: int, contract: Contract | None) -> Fault:
    if contract is None:
        return Fault(
            board.place_of("Play"), "without a contract the order of play is not known", "give the Contract tag"
        )
    what = f"it is not recorded who led to trick {trick}"
    return Fault(board.place_of("Play"), what, f"record the card led to trick {trick - 1}, or mark this lead with ^L")
