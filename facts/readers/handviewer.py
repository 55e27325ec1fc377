"""Text that holds addresses of BBO's handviewer: ``?n=S..&e=..&d=n&a=..&p=..`` and ``?lin=``. Nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from reprlib import repr
from typing import Final, TypeVar
from urllib.parse import unquote_plus

from facts.cards import CLOCKWISE, Card, Seat
from facts.errors import Fault, InputError, MisreadError, Place
from facts.incident import Incident
from facts.readers.auction import Calls, calls_of, contract_of
from facts.readers.hands import cards_of, deal_of
from facts.readers.lin import read_lin, vulnerable_of
from facts.readers.time_order import play_of

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
            yield _incident(address)
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


def _incident(address: Address) -> Incident | InputError:
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
