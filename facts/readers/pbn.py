"""PBN 2.1 as real files have it: each board becomes an Incident, or an InputError that names its faults.

The columns of a play section belong to the four seats clockwise from the seat of the Play tag, whoever led. So the
order of play is found from the winners of the tricks, and from ``^L``, which marks an accepted lead out of turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial
from io import IncrementalNewlineDecoder
from operator import itemgetter
from reprlib import repr
from typing import Final, TypeAlias, TypeVar, cast

from facts.calendar import day
from facts.cards import BY_SPELLING, CLOCKWISE, OTHER_SIDE, SEATS, SIDE, Card, Seat
from facts.contract import Contract, Vulnerable
from facts.deal import Deal
from facts.errors import Fault, InputError, MisreadError, Place
from facts.incident import Incident
from facts.play import BEATEN_BY, PlayRecord, Trick
from facts.readers.records import calls_of, contract_of
from facts.remembered import Remembered

_VALUE: Final = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_TAG: Final = re.compile(r'\[\s*+([A-Za-z]\w*+)\s*+"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"\s*+\]')
_BETWEEN: Final = re.compile(r"\][^\[]*\[([A-Za-z]\w*) ")
_ESCAPED_LINE: Final = re.compile(r"%(?<![^\n]%).*")
_TEXT_OR_COMMENT: Final = re.compile(rf"{_VALUE}|\{{[^}}]*+(?:\}}|\Z)|;.*")
_BLANKS: Final = re.compile(r"(?<=\n)[ \t]+(?=\n)")
_LIMIT: Final = re.compile(
    r"(?<![ \t\n])\n\n[ \t\n]*+"  # begun once in each run of white space: linear in its length
    rf'(?=\[\s*(?!(?:Auction|Play|Note)\s*")[A-Za-z]\w*\s*{_VALUE}\s*\])'
)
"""Whatever went before, a board ends here: an empty line, then a tag that begins no section."""
FILLER: Final = "\x1f"
"""Stands for each character of a comment: white space between tokens, but no empty line."""

_LONG: Final = 100_000
"""Characters of a board that is looked at more carefully."""
_BEGINS_BOARD: Final = frozenset({"Event", "Board", "Deal", "Play"})
_MAY_FOLLOW_EMPTY_LINE: Final = frozenset({"Auction", "Play", "Note"})
_OF_THE_DEAL: Final = ("Board", "Dealer", "Vulnerable", "Deal")
_NAMES_DEAL: Final = frozenset({"Event", *_OF_THE_DEAL})
_READ: Final = (*_OF_THE_DEAL, "Date", "Contract", "Declarer", "Result", "Auction", "Play")


def _name_after(between: str) -> str:
    """From all that stands between the values of two tags to the name of the second; ValueError if that is more."""
    found = _BETWEEN.fullmatch(between)
    if found is None:
        raise ValueError
    return found[1]


_NAME_AFTER: Final = Remembered(_name_after)


@dataclass(slots=True)
class PbnBoard:
    """A board as it stands in the file."""

    file: str
    text: str
    """The whole file, comments blanked."""
    start: int
    end: int
    line: int
    """Line of the first tag."""
    tags: dict[str, str] = field(default_factory=dict)
    """Name -> value; of a tag given twice the first counts."""
    play: str | None = None
    """What stands between the Play tag and the next."""
    auction: str | None = None
    play_start: int | None = None
    """Where the play section begins in ``text``; None: after the only Play tag."""
    faults: list[Fault] = field(default_factory=list)

    def place(self, position: int, width: int = 1) -> Place:
        """The place of a position in ``text``."""
        if position < self.start:
            return Place(self.file, self.line)
        column = position - self.text.rfind("\n", 0, position)
        return Place(self.file, self.line + self.text.count("\n", self.start, position), column, width)

    def place_in_play(self, position: int, width: int = 1) -> Place:
        """The place of a position in the play section."""
        if self.play_start is None:
            self.play_start = self.text.index("]", self.text.index('[Play "', self.start)) + 1
        return self.place(self.play_start + position, width)

    def place_of(self, tag: str) -> Place:
        """The place of a tag's value; of the board where the value is inherited."""
        found = re.compile(rf'\[\s*{tag}\s*"').search(self.text, self.start, self.end)
        value = self.tags.get(tag, "")
        if found is None or not self.text.startswith(value, found.end()):
            return self.place(self.start)
        return self.place(found.end(), max(1, len(value)))


def boards_of(text: str, file: str) -> Iterator[PbnBoard]:
    """The boards of a file, inherited tag values filled in.

    A board ends at an empty line or where a tag that begins one comes again. ``#`` takes the value of the board before,
    ``##value`` holds for all boards after it that do not say otherwise. A further table at the same board may leave out
    everything about the deal: it is that of the board before.
    """
    nearest: dict[str, str] = {}
    standing: dict[str, str] = {}
    before: PbnBoard | None = None
    inherits = '"#' in text
    for board in _cut(_blanked(text), file):
        own = board.tags.keys()
        if before is not None and "Contract" in own and own.isdisjoint(_NAMES_DEAL):
            board.tags.update({name: before.tags[name] for name in _OF_THE_DEAL if name in before.tags})
        if inherits:
            _inherit(board, nearest, standing)
        yield board
        before = board


def _inherit(board: PbnBoard, nearest: dict[str, str], standing: dict[str, str]) -> None:
    tags = board.tags
    for name in _READ:
        value = tags.get(name)
        if value is None:
            if name in standing:
                tags[name] = standing[name]
            continue
        if value.startswith("##"):
            value = tags[name] = standing[name] = value[2:]
        elif value == "#":
            value = tags[name] = nearest.get(name, "")
        nearest[name] = value


def _cut(text: str, file: str) -> Iterator[PbnBoard]:
    """The boards as they stand. An empty line before a tag that does not belong to the board is their limit."""
    start, line, counted = 0, 1, 0
    while start < len(text):
        empty_line = text.find("\n\n", start)
        limit = _limit(text, empty_line)
        end, after = limit.span() if limit else (len(text), len(text))
        line, counted = line + text.count("\n", counted, start), start
        short = empty_line in (end, -1) and end - start < _LONG
        plain = _plain(text, file, start, end, line) if short else None
        if plain is not None:
            yield plain
        else:
            yield from _cut_slowly(text, file, start, end, line)
        start = after


def _limit(text: str, empty_line: int) -> re.Match[str] | None:
    """The first limit from an empty line on."""
    while empty_line >= 0:
        if limit := _LIMIT.match(text, empty_line):
            return limit
        empty_line = text.find("\n\n", empty_line + 1)
    return None


def _plain(text: str, file: str, start: int, end: int, line: int) -> PbnBoard | None:
    """The one board between two limits, if it is nothing but whole tags, each once, with sections between."""
    block = text[start:end]
    pieces = f'"]{block}'.split('"')
    values = pieces[2::2]
    try:
        names = list(map(_NAME_AFTER.__getitem__, pieces[1:-1:2]))
    except ValueError:
        return None
    tags = dict(zip(names, values))  # noqa: B905 - where they are not as many this is no plain board
    all_values = "".join(values)
    if (
        (len(names) != len(tags) and len(names) - len(tags) != names.count("Note") - 1)
        or len(names) != len(values)
        or pieces[-1][:1] != "]"
        or "[" in pieces[-1]
        or block[:1] != "["
        or "{" in block
        or "\n" in all_values
        or ("\\" in all_values and '\\"' in block)
    ):
        return None
    play = _after(pieces, names.index("Play")) if "Play" in tags else None
    auction = _after(pieces, names.index("Auction")) if "Auction" in tags else None
    return PbnBoard(file, text, start, end, line, tags, play, auction)


def _after(pieces: list[str], tag: int) -> str:
    """What stands between a tag and the next."""
    return pieces[2 * tag + 3][1:].partition("[")[0]


def _cut_slowly(text: str, file: str, begin: int, limit: int, line: int) -> Iterator[PbnBoard]:
    """The boards between two limits, however they stand."""
    board = PbnBoard(file, text, begin, limit, line)
    end, last = begin, ""
    for tag in _TAG.finditer(text, begin, limit):
        start = tag.start()
        name, value = tag.groups()
        if start - end > 1 or name in board.tags:
            _close(board, last, end, start)
            if not board.tags or _is_next(board, name, text[end:start]):
                board.end = start
                if board.tags or board.faults:
                    yield board
                board = PbnBoard(file, text, start, limit, board.line + text.count("\n", board.start, start))
        board.tags.setdefault(name, value)
        end, last = tag.end(), name
    _close(board, last, end, limit)
    if board.tags or board.faults:
        yield board


def _is_next(board: PbnBoard, name: str, gap: str) -> bool:
    if name in board.tags:
        return name in _BEGINS_BOARD or (name != "Note" and "\n\n" in gap)
    return name not in _MAY_FOLLOW_EMPTY_LINE and "\n\n" in gap


def _close(board: PbnBoard, tag: str, start: int, end: int) -> None:
    """Takes note of the text that stands between a tag and the next."""
    if tag == "Play" and board.play is None:
        board.play, board.play_start = board.text[start:end], start
    if tag == "Auction" and board.auction is None:
        board.auction = board.text[start:end]
    if (bracket := board.text.find("[", start, end)) >= 0:
        mend = 'write a tag as [Name "value"]'
        board.faults.append(Fault(board.place(bracket), "this is not a whole tag", mend))
    if (brace := board.text.find("{", start, end)) >= 0:
        board.faults.append(Fault(board.place(brace), "this comment is not closed", "end it with }"))


def _blanked(text: str) -> str:
    text = IncrementalNewlineDecoder(None, translate=True).decode(text, final=True).replace("\x1a", "")
    if "%" in text:
        text = _ESCAPED_LINE.sub(_fill, text)
    if "{" in text or ";" in text:
        text = _TEXT_OR_COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else _fill(found), text)
    if "\n " in text or "\t" in text:
        text = _BLANKS.sub("", text)
    return text


def _fill(found: re.Match[str]) -> str:
    """The same lines and columns; an open brace stays where the comment has no end."""
    filled = "\n".join(FILLER * max(1, len(part)) for part in found[0].split("\n"))
    return "{" + filled[1:] if found[0][0] == "{" and found[0][-1] != "}" else filled


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
    tricks = _rows_in_order(board, cards, leads, seats, contract)
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


def _rows_in_order(
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


Value = TypeVar("Value")
Reader = TypeVar("Reader", bound=Callable[[str], object])

_RESULT: Final = re.compile(r"\^?\s*(1[0-3]|\d)")
_RESULT_OF_SIDE: Final = re.compile(r"\b(NS|EW)\s+(1[0-3]|\d)\b")
_NOT_A_CALL: Final = re.compile(r"\^\s*[SI]|\$\d+|=\s*\d+\s*=|" + FILLER)
"""``^S`` stands in the place of a player whose turn to call was passed over."""
_STRAIN: Final = re.compile(r"NT?|[SHDC]", re.IGNORECASE)
_LOOSE_CONTRACT: Final = re.compile(r"([1-7](?:NT?|[SHDC]))\s*(X{0,2}|R)")
_SEATS: Final[Mapping[str, Seat | None]] = {
    **{form: seat for seat in SEATS for form in (seat, seat.lower(), f"^{seat}", f"^{seat.lower()}")},
    "-": None,
}
_VULNERABLE: Final[Mapping[str, Vulnerable]] = {
    "NONE": "none",
    "LOVE": "none",
    "-": "none",
    "NS": "NS",
    "EW": "EW",
    "ALL": "both",
    "BOTH": "both",
}


def _known(read: Reader) -> Reader:
    """What the value of a tag says, remembered; nothing where it is empty or ``?``."""
    return cast(Reader, Remembered(lambda text: _stated(text, read)).__getitem__)


def _stated(text: str, read: Callable[[str], Value | None]) -> Value | None:
    text = text.strip()
    return None if text in ("", "?") else read(text)


def read_pbn(text: str, file: str) -> Iterator[Incident | InputError]:
    """Each board of a PBN file in turn; one that cannot be read is an InputError and loses no other.

    A board without cards in its play section has no play. The marks ``^R`` are in ``marked``; notes, comments and the
    auction are left out.
    """
    board = None
    for board in boards_of(text, file):
        yield _incident(board)
    if board is None:
        yield InputError.of(file, "there is no board in this PBN file", 'write such as [Board "1"]')


def _incident(board: PbnBoard) -> Incident | InputError:
    contract = _value(board, "Contract", _contract)
    declarer: Seat | None = _value(board, "Declarer", _seat)
    deal = _value(board, "Deal", _deal)
    ordered_by = contract
    if contract is None:
        contract, declarer = _from_auction(board, declarer)
        ordered_by = contract or _value(board, "Contract", _strain)
    play, marked = _play(board, ordered_by, deal)
    if contract is None and ordered_by is not None and play is not None:
        _check_ruffs(board, play, ordered_by)
    name = board.tags.get("Board", "")
    incident = Incident(
        place=Place(board.file, board.line),
        board=(re.sub(r"\\(.)", r"\1", name) if "\\" in name else name) or None,
        dealer=_value(board, "Dealer", _seat),
        vulnerable=_value(board, "Vulnerable", _vulnerable),
        date=_value(board, "Date", _date),
        contract=contract,
        declarer=declarer,
        deal=deal,
        play=play,
        tricks=_value(board, "Result", _tricks_of[declarer]),
        marked=marked,
    )
    return InputError(sorted(board.faults)) if board.faults else incident


def _from_auction(board: PbnBoard, declarer: Seat | None) -> tuple[Contract | None, Seat | None]:
    """The contract that the auction section made, where no tag gives it; calls that cannot be read make none."""
    dealer = board.tags.get("Auction", "").strip().upper()
    if board.auction is None or dealer not in SEATS:
        return None, declarer
    section = board.auction.partition("*")[0]
    try:
        calls = calls_of(_NOT_A_CALL.sub(lambda found: "-" if found[0][:2] == "^S" else " ", section))
    except MisreadError:
        return None, declarer
    contract, bidder = contract_of(calls, _SEATS[dealer], played=False)
    return contract, declarer or bidder


def _check_ruffs(board: PbnBoard, play: PlayRecord, ordered_by: Contract) -> None:
    """Of an ending only the strain may be given. Without the contract nobody after us can know of the trumps."""
    if any(trick.best(None) != trick.best(ordered_by.trump) for trick in play.tricks):
        what = "the contract is only a strain, and a trick was ruffed"
        board.faults.append(Fault(board.place_of("Contract"), what, "give the whole contract, such as 4S"))


def _value(board: PbnBoard, tag: str, read: Callable[[str], Value | None]) -> Value | None:
    try:
        return read(board.tags.get(tag, ""))
    except MisreadError as error:
        board.faults += error.at(board.place_of(tag))
        return None


def _play(
    board: PbnBoard, contract: Contract | None, deal: Deal | None
) -> tuple[PlayRecord | None, tuple[tuple[int, Seat], ...]]:
    first: Seat | None = _value(board, "Play", _seat)
    if first is None:
        if board.play is not None and board.play.strip(" \n\t*-" + FILLER):
            mend = 'write the seat of the first column, such as [Play "W"]'
            board.faults.append(Fault(board.place_of("Play"), "the play section does not say who led", mend))
        return None, ()
    return read_play(board, first, contract, deal)


@lru_cache(maxsize=256)
def _deal(text: str) -> Deal | None:
    return _stated(text, Deal.from_pbn)


@_known
def _contract(text: str) -> Contract | None:
    """``3N``, ``4S X``, ``2HR`` and ``PAS`` are found beside the standard's 3NT, 4SX, 2HXX and Pass."""
    if text == "-" or _STRAIN.fullmatch(text):
        return None
    if loose := _LOOSE_CONTRACT.fullmatch(text.upper()):
        bid, doubled = loose.groups()
        return Contract.from_text(bid + ("T" if bid.endswith("N") else "") + doubled.replace("R", "XX"))
    return Contract.from_text("Pass" if text.upper() in ("AP", "PAS") else text)


@_known
def _strain(text: str) -> Contract | None:
    """Some contract in the strain that alone is given for an ending; it tells the order of play and nothing more."""
    return (
        Contract.from_text("1" + text.upper().replace("NT", "N").replace("N", "NT"))
        if _STRAIN.fullmatch(text)
        else None
    )


@_known
def _date(text: str) -> date | None:
    """``2009.05.01``; what is known of a day only in part, or is none, is left out: the record is of the play."""
    try:
        return day(text.replace(".", "-"))
    except MisreadError:
        return None


@_known
def _seat(text: str) -> Seat | None:
    """``^S`` is a declarer who changed places with dummy."""
    try:
        return _SEATS[text]
    except KeyError:
        raise MisreadError(f"{repr(text)} is no seat", "write N, E, S or W") from None


@_known
def _vulnerable(text: str) -> Vulnerable:
    found = _VULNERABLE.get(text.upper())
    if found is None:
        raise MisreadError(f"{repr(text)} does not say who is vulnerable", "write None, NS, EW or All")
    return found


def _tricks(declarer: Seat | None, text: str) -> int | None:
    """Declarer's tricks from ``9``, ``^9``, ``NS 9`` or ``EW 4 NS 9``."""
    if plain := _RESULT.fullmatch(text):
        return int(plain[1])
    sides = {side: int(tricks) for side, tricks in _RESULT_OF_SIDE.findall(text.upper())}
    if not sides:
        raise MisreadError(f"{repr(text)} is no number of tricks", "write such as 9, ^9 or NS 9")
    if declarer is None:
        return None
    own = SIDE[declarer]
    return sides[own] if own in sides else 13 - sides[OTHER_SIDE[own]]


_tricks_of: Final = {declarer: _known(partial(_tricks, declarer)) for declarer in (None, *SEATS)}
