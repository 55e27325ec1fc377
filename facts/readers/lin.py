"""BBO's two ways of writing boards: LIN files, which vugraph writes as well, and addresses of the handviewer.

A LIN file holds pairs of a key and a value, ``pc|S2|``, any number of boards. Read are ``md`` (dealer and hands),
``sv`` (vulnerable), ``ah`` and ``qx`` (the board's name), ``mb`` (a call), ``pc`` (a card, in the order of play) and
``mc`` (all of declarer's tricks where play ended with a claim). Names, comments and pages are left out. An address
stands anywhere in a text and has such a file in it, ``?lin=``, or the same in fields: ``?n=S..&e=..&d=n&a=..&p=..``.
Nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from reprlib import repr
from typing import Final, NamedTuple
from urllib.parse import unquote_plus

from facts.cards import Card, Seat
from facts.contract import Vulnerable
from facts.deal import Deal
from facts.errors import Faults, InputError, MisreadError, Place
from facts.incident import Incident
from facts.readers.records import Calls, calls_of, cards_of, contract_of, deal_of, play_of, tricks_of

_PAIR: Final = re.compile(r"(?<![^\s|])([A-Za-z0-9][A-Za-z0-9?#^]|obm)\|([^|]*)(?:\||\Z)")
_TEXTS: Final = frozenset({"nt", "an", "at", "pn", "pw", "vg", "rs"})
"""Free text and names; someone may have written a ``|`` into them."""
_BEGINS_BOARD: Final = frozenset({"md", "pn", "ah", "sv"})
"""Begins a board where the board has one of it already."""
_ENOUGH_FAULTS: Final = 10
_DEALERS: Final[dict[str, Seat]] = {"1": "S", "2": "W", "3": "N", "4": "E"}
_BOARD_NUMBER: Final = re.compile(r"(?:board|deal)\s+(\S+)", re.IGNORECASE)
_ROOM: Final = re.compile(r"[a-z]?(\d+)", re.IGNORECASE)
_VULNERABLE: Final[dict[str, Vulnerable]] = {
    **dict.fromkeys(("", "-", "0", "O"), "none"),
    "N": "NS",
    "E": "EW",
    "B": "both",
}

_QUERY: Final = re.compile(r"""\?[^\s"<>]+""")
_MORE_LIN: Final = re.compile(r"""(?:[ \t][^\n"<>|?]{0,200}\|[^\s"<>]*)*""")
"""The spaces of a LIN text may stand in an address as they are."""
_NOT_IN_ADDRESS: Final = re.compile(r"""[\s"'<>?|(]""")
_FIELD: Final = re.compile(r"(?:^|[?&])(?:amp;)?([A-Za-z]+)=([^&]*)")
_HANDS: Final = "swne"
"""In the order of a LIN file."""
_KEYS: Final = {"v": "sv", "b": "ah", "a": "mb", "p": "pc"}
"""The cards last: where they stand is where the play does."""
_EXPORT: Final = "open it in a browser and copy the address or the LIN text that it exports"
_EXAMPLE: Final = "https://www.bridgebase.com/tools/handviewer.html?lin=..."


@dataclass(slots=True)
class _Board:
    """A board as far as it has been read."""

    file: str
    text: str
    start: int = 0
    line: int = 1
    within: Place | None = None
    """Where the whole text stands, if not in a file of its own."""
    seen: set[str] = field(default_factory=set)
    """The keys it has so far."""
    name: str | None = None
    vulnerable: Vulnerable | None = None
    dealer: Seat | None = None
    deal: Deal | None = None
    calls: Calls = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    play_at: Place | None = None
    tricks: int | None = None
    faults: Faults = field(default_factory=Faults)

    def place(self, position: int, width: int = 1) -> Place:
        if self.within is not None:
            return self.within
        column = position - self.text.rfind("\n", 0, position)
        return Place(self.file, self.line + self.text.count("\n", self.start, position), column, max(1, width))

    def begins(self, key: str) -> bool:
        return key == "qx" or (key in _BEGINS_BOARD and key in self.seen and (key == "md" or "md" in self.seen))

    @property
    def is_one(self) -> bool:
        """What holds neither hands nor calls nor cards is no board."""
        return bool(self.faults) or not self.seen.isdisjoint(("md", "mb", "pc"))

    def stray(self, start: int, end: int) -> None:
        stray = self.text[start:end].strip(" \t\n\x1a|")
        if stray and len(self.faults) < _ENOUGH_FAULTS:
            at = self.text.index(stray[0], start)
            what = f"{repr(self.text[at : at + 20])} is no key with its value"
            self.faults.add(self.place(at), what, "write a key, its value and bars, such as pc|S2|")

    def take(self, key: str, text: str) -> None:
        """Takes over the value of a key; MisreadError for what is wrong with it."""
        text = text.strip()
        match key:
            case "md":
                self._hands(text)
            case "ah":
                named = _BOARD_NUMBER.search(text)
                self.name = (named[1] if named else text) or self.name
            case "qx":  # o12 and c12 are board 12 in the open and the closed room
                named = _ROOM.match(text)
                self.name = (named[1] if named else text) or None
            case "sv":
                if text.upper() not in _VULNERABLE:
                    raise MisreadError(f"{repr(text)} does not say who is vulnerable", "write o, n, e or b")
                self.vulnerable = _VULNERABLE[text.upper()]
            case "mb":
                self.calls += calls_of(text)
            case "pc":
                self.cards += cards_of(text)
                if len(self.cards) > 52:
                    mend = "take cards out, or begin the next board with qx"
                    raise MisreadError("this is more than the 52 cards of a board", mend)
            case "mc" if text:
                self.tricks = tricks_of(text, None)

    def _hands(self, text: str) -> None:
        """``3S..,S..,S..,``: the dealer's number, then South, West, North and East; one hand may be left out."""
        self.dealer = _DEALERS.get(text[:1])
        if text[:1].isdigit():
            if self.dealer is None and text[0] != "0":
                raise MisreadError(f"{text[0]} is no dealer", "write 1 for South, 2 West, 3 North, 4 East")
            text = text[1:]
        hands = [hand.strip() for hand in text.split(",")]
        if any(hands[4:]):
            mend = "write those of South, West, North and East with commas between"
            raise MisreadError(f"there are {len(hands)} hands", mend)
        self.deal = deal_of([*hands, "", "", ""][:4])

    def incident(self, place: Place) -> Incident | InputError:
        """The board, once all of it has been taken."""
        contract, declarer = contract_of(self.calls, self.dealer, bool(self.cards))
        play = None
        if not self.faults:
            try:
                play = play_of(self.cards, contract, declarer, self.deal)
            except MisreadError as error:
                self.faults += error.at(self.play_at or place)
        if self.faults:
            return InputError(sorted(self.faults))
        return Incident(
            place=place,
            board=self.name,
            dealer=self.dealer,
            vulnerable=self.vulnerable,
            contract=contract,
            declarer=declarer,
            deal=self.deal,
            play=play,
            tricks=self.tricks,
        )


def read_lin(text: str, file: str, within: Place | None = None) -> Iterator[Incident | InputError]:
    """Each board of a LIN file in turn; one that cannot be read is an InputError and loses no other."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    none = True
    for board in _boards(text, file, within):
        none = False
        yield board.incident(within or Place(file, board.line))
    if none:
        yield InputError.of(within or file, "there is no board in this LIN file", "write such as md|1S...,H...|")


def _boards(text: str, file: str, within: Place | None) -> Iterator[_Board]:
    board = _Board(file, text, within=within)
    end, last = 0, ""
    for pair in _PAIR.finditer(text):
        key, value = pair[1].lower(), pair[2]
        if board.begins(key):
            if board.is_one:
                yield board
            line = board.line + text.count("\n", board.start, pair.start())
            board = _Board(file, text, pair.start(), line, within)
        if end != pair.start() and last not in _TEXTS:
            board.stray(end, pair.start())
        if key == "pc" and key not in board.seen:
            board.play_at = board.place(pair.start(2), 2)
        try:
            board.take(key, value)
        except MisreadError as error:
            if len(board.faults) < _ENOUGH_FAULTS:
                board.faults += error.at(board.place(pair.start(2), 1 if "\n" in value else len(value)))
        board.seen.add(key)
        end, last = pair.end(), key
    if last not in _TEXTS:
        board.stray(end, len(text))
    if board.is_one:
        yield board


class Address(NamedTuple):
    place: Place
    text: str
    fields: dict[str, tuple[str, Place]]
    """Name -> value, not encoded, and its place; of a name given twice the first counts."""


def read_handviewer(text: str, file: str) -> Iterator[Incident | InputError]:
    """Each address in a text in turn; one that cannot be read is an InputError and loses no other."""
    none = True
    for address in addresses_in(text.replace("\r\n", "\n").replace("\r", "\n"), file):
        none = False
        if "lin" in address.fields:
            for board in read_lin(address.fields["lin"][0], file, within=address.fields["lin"][1]):
                yield replace(board, place=address.place) if isinstance(board, Incident) else board
        else:
            yield _of_fields(address)
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
            whole = line[start:end].rstrip(".,;'*")  # of the sentence around it
            if whole.endswith(")") and whole.count("(") < whole.count(")"):
                whole = whole[:-1]
            fields: dict[str, tuple[str, Place]] = {}
            for part in _FIELD.finditer(whole, whole.index("?")):
                place = Place(file, number, start + 1 + part.start(2))
                fields.setdefault(part[1].lower(), (unquote_plus(part[2]), place))
            if "handviewer" in before.lower() or "lin" in fields or len(fields.keys() & {*_HANDS}) > 1:
                yield Address(Place(file, number, start + 1), whole, fields)


def _of_fields(address: Address) -> Incident | InputError:
    fields = address.fields
    if fields.keys().isdisjoint({*_HANDS, "p", "a"}):
        for name in ("myhand", "linurl"):
            if name in fields:
                what = f"the address holds no cards: {name} only says where they are kept, and nothing is fetched"
                return InputError.of(fields[name][1], what, _EXPORT)
        return InputError.of(address.place, f"the address {repr(address.text)} holds no cards", _EXPORT)
    board = _Board(address.place.file, address.text)
    dealer, dealer_at = fields.get("d", ("", address.place))
    if dealer.strip() and dealer.strip().lower() not in {*_HANDS}:
        board.faults.add(dealer_at, f"{repr(dealer)} is no dealer", "write n, e, s or w")
    number = _HANDS.find(dealer.strip().lower() or " ") + 1
    hands = [fields.get(name, ("", address.place)) for name in _HANDS]
    hands_at = next((at for hand, at in hands if hand), address.place)
    given = [("md", f"{number}{','.join(hand for hand, _ in hands)}", hands_at)]
    given += [(key, *fields[name]) for name, key in _KEYS.items() if name in fields and fields[name][0].strip()]
    for key, value, at in given:
        board.play_at = at
        try:
            board.take(key, value)
        except MisreadError as error:
            board.faults += error.at(at)
    return board.incident(address.place)
