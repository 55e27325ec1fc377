"""BBO's two ways of writing boards: LIN files, which vugraph writes as well, and addresses of the handviewer.

A LIN file holds pairs of a key and a value, ``pc|S2|``, any number of boards. Read are ``md`` (dealer and hands),
``sv`` (vulnerability), ``ah`` and ``qx`` (the board's name), ``mb`` (a call), ``pc`` (a card, in the order of play),
``up`` (cards taken back) and ``mc`` (all of declarer's tricks where play ended with a claim). Names, comments and pages
are left out. An address stands anywhere in a text and has such a file in it, ``?lin=``, or the same in fields:
``?n=S..&e=..&d=n&a=..&p=..``. Nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from reprlib import repr
from typing import Final
from urllib.parse import unquote_plus

from facts.auction import auction_of, calls_of
from facts.cards import Card, Seat
from facts.contract import Vulnerable
from facts.deal import Deal
from facts.endings import of_the_board
from facts.errors import Faults, InputError, MisreadError, Place
from facts.incident import Incident
from facts.printable import whole
from facts.readers.records import RecordText, cards_of, deal_of, play_of, tricks_of, vulnerable_of

_PAIR: Final = re.compile(r"(?<![^\s|])([A-Za-z0-9][A-Za-z0-9?#^]|obm)\|([^|]*)(?:\||\Z)")
_TEXTS: Final = frozenset({"nt", "an", "at", "pn", "pw", "vg", "rs"})
"""Free text and names; someone may have written a ``|`` into them."""
_BEGINS_BOARD: Final = frozenset({"md", "pn", "ah", "sv"})
"""Begins a board where the board has one of it already."""
_ENOUGH_FAULTS: Final = 10
_DEALERS: Final[dict[str, Seat]] = {"1": "S", "2": "W", "3": "N", "4": "E"}
_BOARD_NUMBER: Final = re.compile(r"(?:board|deal)\s+(\S+)", re.IGNORECASE)
_ROOM: Final = re.compile(r"[a-z]?(\d+)", re.IGNORECASE)
_QUERY: Final = re.compile(r"""\?[^\s"<>]+""")
_MORE_LIN: Final = re.compile(r"""(?:[ \t][^\n"<>|?]{0,200}\|[^\s"<>]*)*""")
"""The spaces of a LIN text may stand in an address as they are."""
_NOT_IN_ADDRESS: Final = re.compile(r"""[\s"'<>?|(]""")
_FIELD: Final = re.compile(r"(?:^|[?&])(?:amp;)?([A-Za-z]+)=([^&]*)")
_HANDS: Final = "swne"
"""In the order of a LIN file."""
_KEYS: Final = {"v": "sv", "b": "ah", "a": "mb", "p": "pc"}
_EXPORT: Final = "open it in a browser and copy the address or the LIN text that it exports"
_EXAMPLE: Final = "https://www.bridgebase.com/tools/handviewer.html?lin=..."


@dataclass(slots=True)
class _Board:
    """A board as far as it has been read."""

    source: RecordText
    start: int = 0
    seen: set[str] = field(default_factory=set)
    """The keys it has so far."""
    name: str | None = None
    vulnerable: Vulnerable | None = None
    dealer: Seat | None = None
    deal: Deal | None = None
    calls: list[re.Match[str]] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    play_at: int = 0
    tricks: int | None = None
    faults: Faults = field(default_factory=Faults)

    def begins(self, key: str) -> bool:
        return key == "qx" or (key in _BEGINS_BOARD and key in self.seen and (key == "md" or "md" in self.seen))

    @property
    def is_one(self) -> bool:
        """What holds neither hands nor calls nor cards is no board."""
        return bool(self.faults) or not self.seen.isdisjoint(("md", "mb", "pc"))

    def stray(self, start: int, end: int) -> None:
        text = self.source.text
        stray = text[start:end].strip(" \t\n\x1a|")
        if stray and len(self.faults) < _ENOUGH_FAULTS:
            position = text.index(stray[0], start)
            problem = f"{repr(text[position : position + 20])} is no key with its value"
            self.faults.add(self.source.place(position), problem, "write a key, its value and bars, such as pc|S2|")

    def take(self, key: str, text: str) -> None:
        """Takes over the value of a key; MisreadError for what is wrong with it."""
        text = text.strip()
        match key:
            case "md":
                self._hands(text)
            case "ah":
                number = _BOARD_NUMBER.search(text)
                self.name = (number[1] if number else text) or self.name
            case "qx":  # o12 and c12 are board 12 in the open and the closed room
                number = _ROOM.match(text)
                self.name = (number[1] if number else text) or None
            case "sv":
                self.vulnerable = vulnerable_of(text)
            case "mb":
                self.calls += calls_of(text)
            case "pc":
                self.cards += cards_of(text)
                if len(self.cards) > 52:
                    mend = "take cards out, or begin the next board with qx"
                    raise MisreadError("this is more than the 52 cards of a board", mend)
            case "up":
                self._take_back(text)
            case "mc" if text:
                self.tricks = tricks_of(text, None)

    def _take_back(self, text: str) -> None:
        number = whole(text)
        if not number or number > len(self.cards):
            raise MisreadError(f"{repr(text)} is no number of cards to take back", "write such as up|1|")
        del self.cards[-number:]

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

    def incident(self) -> Incident | InputError:
        """The board, once all of it has been taken."""
        auction = auction_of(self.dealer or "N", self.calls)
        contract, declarer = auction.made(bool(self.cards))
        if self.dealer is None:  # nor is it known who called
            declarer = None
        play = None
        if not self.faults:
            try:
                play = play_of(self.cards, contract, declarer, self.deal)
            except MisreadError as error:
                self.faults += error.at(self.source.place(self.play_at, 2))
        if self.faults:
            return InputError(sorted(self.faults))
        incident = Incident(
            place=self.source.place(self.start),
            board=self.name,
            dealer=self.dealer,
            vulnerable=self.vulnerable,
            auction=auction if self.dealer and auction.calls else None,
            contract=contract,
            declarer=declarer,
            deal=self.deal,
            play=play,
            tricks=self.tricks,
        )
        return of_the_board(incident)


def read_lin(text: str, file: str, within: Place | None = None) -> Iterator[Incident | InputError]:
    """Each board of a LIN file in turn; one that cannot be read is an InputError and loses no other."""
    none = True
    for board in _boards(RecordText(file, text.replace("\r\n", "\n").replace("\r", "\n"), within)):
        none = False
        yield board.incident()
    if none:
        yield InputError.of(within or file, "there is no board in this LIN file", "write such as md|1S...,H...|")


def _boards(source: RecordText) -> Iterator[_Board]:
    board = _Board(source)
    end, last = 0, ""
    for pair in _PAIR.finditer(source.text):
        key, value = pair[1].lower(), pair[2]
        if board.begins(key):
            if board.is_one:
                yield board
            board = _Board(source, pair.start())
        if end != pair.start() and last not in _TEXTS:
            board.stray(end, pair.start())
        if key == "pc" and key not in board.seen:
            board.play_at = pair.start(2)
        try:
            board.take(key, value)
        except MisreadError as error:
            if len(board.faults) < _ENOUGH_FAULTS:
                board.faults += error.at(source.place(pair.start(2), 1 if "\n" in value else len(value)))
        board.seen.add(key)
        end, last = pair.end(), key
    if last not in _TEXTS:
        board.stray(end, len(source.text))
    if board.is_one:
        yield board


def read_handviewer(text: str, file: str) -> Iterator[Incident | InputError]:
    """Each address in a text in turn; one that cannot be read is an InputError and loses no other."""
    none = True
    for place, fields in addresses_in(text.replace("\r\n", "\n").replace("\r", "\n"), file):
        none = False
        try:
            lin = _lin_of(fields, place)
        except InputError as error:
            yield error
        else:
            yield from read_lin(lin, file, within=place)
    if none:
        mend = f"give a file in PBN, LIN or YAML, or one with an address such as {_EXAMPLE}"
        yield InputError.of(file, "this is neither a record nor an incident", mend)


def addresses_in(text: str, file: str) -> Iterator[tuple[Place, dict[str, str]]]:
    """The handviewer addresses in a text, each with its place and its fields; addresses of anything else are left out.

    Of a field given twice the first counts.
    """
    source = RecordText(file, text)
    end = 0
    while match := _QUERY.search(text, end):
        text_before = _NOT_IN_ADDRESS.split(text[max(end, match.start() - 300) : match.start()])[-1]
        end = match.end()
        more = _MORE_LIN.match(text, end) if "lin=" in match[0] and "|" in match[0] else None
        end = more.end() if more else end
        query = text[match.start() : end].rstrip(".,;'*")  # of the sentence around it
        if query.endswith(")") and query.count("(") < query.count(")"):
            query = query[:-1]
        fields = {part[1].lower(): unquote_plus(part[2]) for part in reversed([*_FIELD.finditer(query)])}
        if "handviewer" in text_before.lower() or "lin" in fields or len(fields.keys() & {*_HANDS}) > 1:
            yield source.place(match.start() - len(text_before)), fields


def _lin_of(fields: Mapping[str, str], place: Place) -> str:
    """The LIN text in an address, or the same from its fields; InputError where they hold no cards."""
    if "lin" in fields:
        return fields["lin"]
    if fields.keys().isdisjoint({*_HANDS, "p", "a"}):
        kept = next((name for name in ("myhand", "linurl") if name in fields), "")
        why = f": {kept} only says where they are kept, and nothing is fetched" if kept else ""
        raise InputError.of(place, f"the address holds no cards{why}", _EXPORT)
    dealer = fields.get("d", "").strip().lower()
    if dealer not in ("", *_HANDS):
        raise InputError.of(place, f"{repr(dealer)} is no dealer", "write n, e, s or w")
    hands = ",".join(fields.get(name, "") for name in _HANDS)
    lin_fields = {"md": f"{_HANDS.find(dealer or ' ') + 1}{hands}"}
    lin_fields |= {key: fields[name] for name, key in _KEYS.items() if fields.get(name, "").strip()}
    return "".join(f"{key}|{value.replace('|', ' ')}|" for key, value in lin_fields.items())
