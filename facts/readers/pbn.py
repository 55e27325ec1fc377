"""PBN 2.1 as real files have it: each board becomes an Incident, or an InputError that names its faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache, partial
from reprlib import repr
from typing import Final, TypeVar, cast

from facts.cards import OTHER_SIDE, SEATS, SIDE, Seat
from facts.contract import Contract
from facts.days import day
from facts.deal import Deal
from facts.errors import Fault, InputError, MisreadError, Place
from facts.incident import Incident, Vulnerable
from facts.play import PlayRecord
from facts.readers.auction import calls_of, contract_of
from facts.readers.pbn_boards import FILLER, PbnBoard, boards_of
from facts.readers.pbn_play import read_play
from facts.remembered import Remembered

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
