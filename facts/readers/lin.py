"""BBO's two ways of writing boards: LIN files, as vugraph writes them as well, and handviewer addresses, in a browser's
address line or in the midst of a text, with fields of their own (``n=``, ``s=`` ..., ``d=``, ``v=``, ``b=``, ``a=``
calls, ``p=`` cards) or with a LIN text (``lin=``).

A LIN file holds pairs of a key and a value, ``pc|S2|``, any number of boards. Read are ``md`` (dealer and hands),
``sv`` (vulnerable), ``ah`` and ``qx`` (the board's name), ``mb`` (a call), ``pc`` (a card, in the order of play) and
``mc`` (all of declarer's tricks where play ended with a claim). Names, comments and pages are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from reprlib import repr
from typing import Final, TypeVar
from urllib.parse import unquote_plus

from facts.cards import CLOCKWISE, Card, Seat
from facts.contract import Vulnerable
from facts.deal import Deal
from facts.errors import Fault, InputError, MisreadError, Place
from facts.incident import Incident
from facts.readers.records import Calls, calls_of, cards_of, contract_of, deal_of, play_of

_PAIR: Final = re.compile(r"(?<![^\s|])([A-Za-z0-9][A-Za-z0-9?#^]|obm)\|([^|]*)(?:\||\Z)")
_TEXTS: Final = frozenset({"nt", "an", "at", "pn", "pw", "vg", "rs"})
"""Free text and names; someone may have written a ``|`` into them."""
_BEGINS_BOARD: Final = frozenset({"md", "pn", "ah", "sv"})
"""Begins a board where the board has one of it already."""
_ENOUGH_FAULTS: Final = 10
_DEALERS: Final[dict[str, Seat]] = {"1": "S", "2": "W", "3": "N", "4": "E"}
_BOARD_NUMBER: Final = re.compile(r"(?:board|deal)\s+(\S+)", re.IGNORECASE)
_ROOM: Final = re.compile(r"[a-z]?(\d+)", re.IGNORECASE)
VULNERABLE: Final[dict[str, Vulnerable]] = {
    "": "none",
    "-": "none",
    "0": "none",
    "O": "none",
    "N": "NS",
    "E": "EW",
    "B": "both",
}


@dataclass(slots=True)
class LinBoard:
    """A board as it stands in the file."""

    file: str
    text: str
    start: int
    line: int
    seen: set[str] = field(default_factory=set)
    """The keys it has so far."""
    board: str | None = None
    vulnerable: Vulnerable | None = None
    dealer: Seat | None = None
    deal: Deal | None = None
    calls: Calls = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    tricks: int | None = None
    first_card: int = 0
    """Where the play begins in ``text``."""
    faults: list[Fault] = field(default_factory=list)

    def place(self, position: int, width: int = 1) -> Place:
        """The place of a position in ``text``."""
        column = position - self.text.rfind("\n", 0, position)
        return Place(self.file, self.line + self.text.count("\n", self.start, position), column, max(1, width))

    def begins(self, key: str) -> bool:
        """Whether this key begins another board."""
        return key == "qx" or (key in _BEGINS_BOARD and key in self.seen and (key == "md" or "md" in self.seen))


def read_lin(text: str, file: str) -> Iterator[Incident | InputError]:
    """Each board of a LIN file in turn; one that cannot be read is an InputError and loses no other."""
    none = True
    for board in boards_of(text.replace("\r\n", "\n").replace("\r", "\n"), file):
        none = False
        yield _incident(board)
    if none:
        yield InputError.of(file, "there is no board in this LIN file", "write such as md|1S...,H...|")


def boards_of(text: str, file: str) -> Iterator[LinBoard]:
    """The boards of a file; what holds neither hands nor calls nor cards is none."""
    board = LinBoard(file, text, 0, 1)
    end, last = 0, ""
    for pair in _PAIR.finditer(text):
        key, value = pair[1].lower(), pair[2]
        if board.begins(key):
            if _is_board(board):
                yield board
            board = LinBoard(file, text, pair.start(), board.line + text.count("\n", board.start, pair.start()))
        if last not in _TEXTS and not _is_blank(text, end, pair.start()):
            _stray(board, end)
        _take(board, key, value, pair.start(2))
        board.seen.add(key)
        end, last = pair.end(), key
    if last not in _TEXTS and not _is_blank(text, end, len(text)):
        _stray(board, end)
    if _is_board(board):
        yield board


def _is_board(board: LinBoard) -> bool:
    return bool(board.faults) or not board.seen.isdisjoint(("md", "mb", "pc"))


def _is_blank(text: str, start: int, end: int) -> bool:
    return start == end or not text[start:end].strip(" \t\n\x1a|")


def _stray(board: LinBoard, start: int) -> None:
    while board.text[start] in " \t\n|":
        start += 1
    if len(board.faults) < _ENOUGH_FAULTS:
        what = f"{repr(board.text[start : start + 20])} is no key with its value"
        board.faults.append(Fault(board.place(start), what, "write a key, its value and bars, such as pc|S2|"))


def _take(board: LinBoard, key: str, value: str, at: int) -> None:
    """Takes over the value of a key, or notes what is wrong with it."""
    if key in _KEYS and len(board.faults) < _ENOUGH_FAULTS:
        try:
            _KEYS[key](board, value.strip())
        except MisreadError as error:
            width = len(value) if "\n" not in value else 1
            board.faults += error.at(board.place(at, width))
    if key == "pc" and "pc" not in board.seen:
        board.first_card = at


def _hands(board: LinBoard, text: str) -> None:
    """``3S..,S..,S..,``: the dealer's number, then South, West, North and East; one hand may be left out."""
    board.dealer = _DEALERS.get(text[:1])
    if text[:1].isdigit():
        if board.dealer is None and text[0] != "0":
            raise MisreadError(f"{text[0]} is no dealer", "write 1 for South, 2 West, 3 North, 4 East")
        text = text[1:]
    hands = text.split(",")
    if len(hands) > 4 and not any(hand.strip() for hand in hands[4:]):
        hands = hands[:4]
    if len(hands) > 4:
        raise MisreadError(
            f"there are {len(hands)} hands", "write those of South, West, North and East with commas between"
        )
    board.deal = deal_of("S", [*hands, "", "", ""][:4])


def _board_name(board: LinBoard, text: str) -> None:
    named = _BOARD_NUMBER.search(text)
    board.board = (named[1] if named else text) or board.board


def _room(board: LinBoard, text: str) -> None:
    """``o12`` and ``c12`` are board 12 in the open and the closed room."""
    named = _ROOM.match(text)
    board.board = (named[1] if named else text) or None


def _vulnerable(board: LinBoard, text: str) -> None:
    board.vulnerable = vulnerable_of(text)


def _calls(board: LinBoard, text: str) -> None:
    board.calls += calls_of(text)


def _cards(board: LinBoard, text: str) -> None:
    board.cards += cards_of(text)
    if len(board.cards) > 52:
        del board.cards[52:]
        raise MisreadError(
            "this is more than the 52 cards of a board", "take cards out, or begin the next board with qx"
        )


def _tricks(board: LinBoard, text: str) -> None:
    if text:
        board.tricks = tricks_of(text)


_KEYS: Final[dict[str, Callable[[LinBoard, str], None]]] = {
    "md": _hands,
    "ah": _board_name,
    "qx": _room,
    "sv": _vulnerable,
    "mb": _calls,
    "pc": _cards,
    "mc": _tricks,
}


def vulnerable_of(text: str) -> Vulnerable:
    """Who is vulnerable, from ``o``, ``n``, ``e`` or ``b``; MisreadError for anything else."""
    found = VULNERABLE.get(text.upper())
    if found is None:
        raise MisreadError(f"{repr(text)} does not say who is vulnerable", "write o, n, e or b")
    return found


def tricks_of(text: str) -> int:
    """A number of tricks; MisreadError for anything else."""
    if not re.fullmatch(r"1[0-3]|\d", text, re.ASCII):
        raise MisreadError(f"{repr(text)} is no number of tricks", "write all the tricks of declarer's side, 0 to 13")
    return int(text)


def _incident(board: LinBoard) -> Incident | InputError:
    contract, declarer = contract_of(board.calls, board.dealer, bool(board.cards))
    play = None
    if not board.faults:
        try:
            play = play_of(board.cards, contract, declarer, board.deal)
        except MisreadError as error:
            board.faults += error.at(board.place(board.first_card, 2))
    if board.faults:
        return InputError(sorted(board.faults))
    return Incident(
        place=Place(board.file, board.line),
        board=board.board,
        dealer=board.dealer,
        vulnerable=board.vulnerable,
        contract=contract,
        declarer=declarer,
        deal=board.deal,
        play=play,
        tricks=board.tricks,
    )


Value = TypeVar("Value")

_QUERY: Final = re.compile(r"""\?[^\s"<>]+""")
_MORE_LIN: Final = re.compile(r"""(?:[ \t][^\n"<>|?]{0,200}\|[^\s"<>]*)*""")
"""The spaces of a LIN text may stand in an address as they are."""
_NOT_IN_ADDRESS: Final = re.compile(r"""[\s"'<>?|(]""")
_FIELD: Final = re.compile(r"(?:^|[?&])(?:amp;)?([A-Za-z]+)=([^&]*)")
_HANDS: Final[dict[str, Seat]] = {"s": "S", "w": "W", "n": "N", "e": "E"}
_ELSEWHERE: Final = ("myhand", "linurl")
_EXPORT: Final = "open it in a browser and copy the address or the LIN text that it exports"


@dataclass(slots=True)
class Address:
    """An address and where it stands."""

    file: str
    line: int
    column: int
    text: str
    fields: dict[str, str] = field(default_factory=dict)
    """Name -> value, not encoded; of a name given twice the first counts."""
    at: dict[str, int] = field(default_factory=dict)
    """Name -> where the value begins in the address."""
    faults: list[Fault] = field(default_factory=list)

    def place_of(self, name: str | None = None) -> Place:
        """The place of a field's value, or of the address."""
        return Place(self.file, self.line, self.column + (0 if name is None else self.at.get(name, 0)))

    def value(self, name: str, read: Callable[[str], Value]) -> Value | None:
        """The value of a field; None, and faults noted, where it is not given or cannot be read."""
        text = self.fields.get(name, "").strip()
        if not text:
            return None
        try:
            return read(text)
        except MisreadError as error:
            self.faults += error.at(self.place_of(name))
            return None


_EXAMPLE = "https://www.bridgebase.com/tools/handviewer.html?lin=..."


def read_handviewer(text: str, file: str) -> Iterator[Incident | InputError]:
    """Each address in a text in turn; one that cannot be read is an InputError and loses no other."""
    none = True
    for address in addresses_in(text.replace("\r\n", "\n").replace("\r", "\n"), file):
        none = False
        if "lin" in address.fields:
            yield from _lin(address)
        else:
            yield _incident_of_address(address)
    if none:
        mend = f"give a file in PBN, LIN or YAML, or one with an address such as {_EXAMPLE}"
        yield InputError.of(file, "this is neither a record nor an incident", mend)


def addresses_in(text: str, file: str) -> Iterator[Address]:
    """The handviewer addresses in a text; addresses of anything else are left out."""
    for number, line in enumerate(text.split("\n"), 1):
        end = 0
        while found := _QUERY.search(line, end):
            before = _NOT_IN_ADDRESS.split(line[max(end, found.start() - 300) : found.start()])[-1]
            end = found.end()
            more = _MORE_LIN.match(line, end) if "lin=" in found[0] and "|" in found[0] else None
            end = more.end() if more else end
            start = found.start() - len(before)
            address = Address(file, number, start + 1, _without_sentence(line[start:end]))
            _fill(address)
            hands = address.fields.keys() & _HANDS.keys()
            if "handviewer" in before.lower() or "lin" in address.fields or len(hands) > 1:
                yield address


def _fill(address: Address) -> None:
    for part in _FIELD.finditer(address.text, address.text.index("?")):
        name = part[1].lower()
        if name not in address.fields:
            address.fields[name] = unquote_plus(part[2])
            address.at[name] = part.start(2)


def _without_sentence(text: str) -> str:
    """Without what belongs to the sentence around the address."""
    text = text.rstrip(".,;'*")
    return text[:-1] if text.endswith(")") and text.count("(") < text.count(")") else text


def _lin(address: Address) -> Iterator[Incident | InputError]:
    """The boards of a LIN text in an address; their place is that of the text."""
    place = address.place_of("lin")
    for board in read_lin(address.fields["lin"], address.file):
        if isinstance(board, Incident):
            yield replace(board, place=address.place_of())
        else:
            yield InputError([replace(fault, place=place) for fault in board.faults])


def _incident_of_address(address: Address) -> Incident | InputError:
    if not address.fields.keys() & {*_HANDS, "p", "a"}:
        return InputError([_no_cards(address)])
    hands = [address.fields.get(letter, "") for letter in _HANDS]
    deal = None
    try:
        deal = deal_of("S", hands)
    except MisreadError as error:
        name = next((name for name in _HANDS if name in address.fields), None)
        address.faults += error.at(address.place_of(name))
    dealer = address.value("d", _seat)
    calls: Calls = address.value("a", calls_of) or []
    cards: list[Card] = address.value("p", cards_of) or []
    contract, declarer = contract_of(calls, dealer, bool(cards))
    vulnerable = address.value("v", vulnerable_of)
    play = None
    if not address.faults:
        play = address.value("p", lambda _: play_of(cards, contract, declarer, deal))
    if address.faults:
        return InputError(sorted(address.faults))
    return Incident(
        place=address.place_of(),
        board=address.fields.get("b", "").strip() or None,
        dealer=dealer,
        vulnerable=vulnerable,
        contract=contract,
        declarer=declarer,
        deal=deal,
        play=play,
    )


def _no_cards(address: Address) -> Fault:
    elsewhere = next((name for name in _ELSEWHERE if name in address.fields), None)
    if elsewhere is not None:
        what = f"the address holds no cards: {elsewhere} only says where they are kept, and nothing is fetched"
        return Fault(address.place_of(elsewhere), what, _EXPORT)
    return Fault(address.place_of(), f"the address {repr(address.text)} holds no cards", _EXPORT)


def _seat(text: str) -> Seat:
    for seat in CLOCKWISE["N"]:
        if seat == text.upper():
            return seat
    raise MisreadError(f"{repr(text)} is no dealer", "write n, e, s or w")
