"""The play section of a PBN board.

The columns belong to the four seats clockwise from the seat of the Play tag, whoever led. So the order of play is found
from the winners of the tricks, and from ``^L``, which marks a lead out of turn that was accepted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from reprlib import repr
from typing import Final

from facts.cards import BY_SPELLING, CLOCKWISE, Card, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import Fault
from facts.play import STRENGTH, PlayRecord, Trick
from facts.readers.pbn_boards import RawBoard

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


@dataclass(slots=True)
class Cells:
    """The cards of a section, column after column, row after row."""

    cards: list[Card | None] = field(default_factory=list)
    revokes: list[int] = field(default_factory=list)
    """The cells marked ``^R``."""
    leads: dict[int, int] = field(default_factory=dict)
    """Row -> the column marked ``^L``; both from 0."""


def read_play(
    board: RawBoard, first: Seat, contract: Contract | None, deal: Deal | None
) -> tuple[PlayRecord, tuple[tuple[int, Seat], ...]]:
    """The play of a board whose first column is ``first``, and trick and hand of each card that is marked as a revoke.

    What cannot be read is added to the faults of the board.
    """
    start, end = board.play or (0, 0)
    words = board.text[start:end].split()
    if words and words[-1] == "*":
        words.pop()
    try:
        cells = Cells([_CARDS[word] for word in words])
    except KeyError:
        cells = _annotated(board, start, end)
    if len(cells.cards) > 52:
        mend = "take cards out, or end the section with *"
        board.faults.append(Fault(board.place_of("Play"), "the play section has more than 13 tricks", mend))
        del cells.cards[52:]
    seats = CLOCKWISE[first]
    marked = tuple((cell // 4 + 1, seats[cell % 4]) for cell in cells.revokes)
    if deal is not None and not cells.revokes and not cells.leads:
        _straighten(cells.cards, seats, deal)
    return PlayRecord(_tricks(board, cells, seats, contract)), marked


def _annotated(board: RawBoard, start: int, end: int) -> Cells:
    """The cells of a section that holds more than cards."""
    cells = Cells()
    mark = ""
    plain = _ANNOTATION.sub(lambda found: " " * len(found[0]), board.text[start:end])
    for token in _TOKEN.finditer(plain):
        word = token[0].upper().replace(" ", "")
        if word in ("*", "{"):  # the end of the section, or of what can be read
            break
        if word in ("^R", "^L") and not mark:
            mark = word
        elif word in _CARDS:
            _place_mark(mark, cells)
            cells.cards.append(_CARDS[word])
            mark = ""
        else:
            place = board.place(start + token.start(), len(token[0]))
            what = f"{repr(token[0])} cannot stand in a play section"
            board.faults.append(Fault(place, what, "write cards such as HT, - + * and the marks ^R ^L before a card"))
            if len(board.faults) >= _ENOUGH_FAULTS:
                break
    return cells


def _place_mark(mark: str, cells: Cells) -> None:
    cell = len(cells.cards)
    if mark == "^R":
        cells.revokes.append(cell)
    elif mark == "^L":
        cells.leads[cell // 4] = cell % 4


def _tricks(board: RawBoard, cells: Cells, seats: tuple[Seat, ...], contract: Contract | None) -> tuple[Trick, ...]:
    """The rows put in the order of play. A card that is not recorded is taken not to have won the trick."""
    cards = cells.cards
    while cards and cards[-1] is None:
        cards.pop()
    cards += [None] * (-len(cards) % 4)
    strength = None if contract is None else STRENGTH[contract.trump]
    leads = cells.leads
    tricks: list[Trick] = []
    column: int | None = 0
    for number, cells_of_row in enumerate(zip(*[iter(cards)] * 4, strict=True)):
        if number in leads:
            column = leads[number]
        if column is None:
            if not board.faults:
                board.faults.append(_not_in_order(board, number + 1, contract))
            return ()
        row = cells_of_row[column:] + cells_of_row[:column]
        tricks.append(Trick(seats[column], row))
        led = row[0]
        column = None if led is None or strength is None else (column + _strongest(strength[led.suit], row)) % 4
    return (*tricks[:-1], _without_end(tricks[-1])) if tricks else ()


def _strongest(strength: Mapping[Card | None, int], row: tuple[Card | None, ...]) -> int:
    """Which of four cards is the strongest; as short as can be, since this is done for every trick of an archive."""
    first, second, third, fourth = row
    best, top = 0, strength[first]
    if strength[second] > top:
        best, top = 1, strength[second]
    if strength[third] > top:
        best, top = 2, strength[third]
    return 3 if strength[fourth] > top else best


def _straighten(cards: list[Card | None], seats: tuple[Seat, ...], deal: Deal) -> None:
    """Some programs begin a row with another seat; where all its cards prove it, the row is put into its columns."""
    first = set(deal[seats[0]] or ())
    for start in range(0, len(cards) - 3, 4):
        row = cards[start : start + 4]
        if row[0] in first or row.count(None) > 2:
            continue
        holder = deal.holder
        begins = {(seats.index(holder[card]) - nth) % 4 for nth, card in enumerate(row) if card and card in holder}
        if len(begins) == 1 and 0 not in begins:
            shift = begins.pop()
            cards[start : start + 4] = row[-shift:] + row[:-shift]


def _without_end(trick: Trick) -> Trick:
    cards = trick.cards
    while cards and cards[-1] is None:
        cards = cards[:-1]
    return Trick(trick.leader, cards)


def _not_in_order(board: RawBoard, trick: int, contract: Contract | None) -> Fault:
    if contract is None:
        return Fault(
            board.place_of("Play"), "without a contract the order of play is not known", "give the Contract tag"
        )
    what = f"it is not recorded who led to trick {trick}"
    return Fault(board.place_of("Play"), what, f"record the card led to trick {trick - 1}, or mark this lead with ^L")
