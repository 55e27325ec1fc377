"""PBN 2.1 as real files have it: each board becomes an Incident, or an InputError that names its faults.

The columns of a play section belong to the four seats clockwise from the seat of the Play tag, whoever led. So the
order of play is found from the winners of the tricks, and from ``^L``, which marks an accepted lead out of turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from io import IncrementalNewlineDecoder
from reprlib import repr
from typing import Any, Final, TypeVar, cast

from facts.auction import Auction, Made, auction_of, calls_of, denied
from facts.cards import BY_SPELLING, CLOCKWISE, SEATS, Card, Seat
from facts.contract import NO_LEVEL, Contract
from facts.dates import day
from facts.deal import Deal
from facts.endings import of_the_board
from facts.errors import Faults, InputError, MisreadError, Place
from facts.incident import Finding, Incident
from facts.play import PlayRecord, Trick, denies_revoke, failures_to_follow, proved_leader
from facts.readers.records import RecordText, tricks_of, vulnerable_of

_Value = TypeVar("_Value")

_VALUE: Final = r'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"'
_TAG: Final = re.compile(rf"\[\s*+([A-Za-z]\w*+)(?:\s*+{_VALUE}\s*+|[ \t][^][\"\n]*+)\]")
"""Also one without quotes, which says nothing."""
_ESCAPED_LINE: Final = re.compile(r"%(?<![^\n]%).*")
_TEXT_OR_COMMENT: Final = re.compile(rf"{_VALUE}|\{{[^}}]*+(?:\}}|\Z)|;.*")
_BLANKS: Final = re.compile(r"(?<=\n)[ \t]+(?=\n)")
_FILLER: Final = "\x1f"
"""Stands for each character of a comment: white space between tokens, but no empty line."""
_BEGINS_BOARD: Final = frozenset({"Event", "Board", "Deal", "Play"})
_MAY_FOLLOW_EMPTY_LINE: Final = frozenset({"Auction", "Play", "Note"})
_OF_THE_DEAL: Final = ("Board", "Dealer", "Vulnerable", "Deal")
_NAMES_DEAL: Final = frozenset({"Event", *_OF_THE_DEAL})
_READ: Final = (*_OF_THE_DEAL, "Date", "Contract", "Declarer", "Result", "Auction", "Play")

_ANNOTATION: Final = re.compile(r"\$\d+|=\s*\d+\s*=|[!?]+")
_TOKEN: Final = re.compile(r"\^\s*[A-Za-z]|[*+]|[^\s^*+]+")
_ENOUGH_FAULTS: Final = 10
_NOT_WHOLE: Final = ("this is not a whole tag", 'write a tag as [Name "value"]')
_CARDS: Final[dict[str, Card | None]] = {
    **BY_SPELLING,
    **{spelling.lower(): card for spelling, card in BY_SPELLING.items()},
    "-": None,
    "+": None,
}
"""``-`` is a card not recorded or not played, ``+`` the next card to be played."""
_STRAIN: Final = re.compile(r"NT?|[SHDC]", re.IGNORECASE)
_LOOSE_CONTRACT: Final = re.compile(r"([1-7](?:NT?|[SHDC]))\s*(X{0,2}|R)")


@dataclass(slots=True)
class PbnBoard:
    source: RecordText
    """The whole file, comments blanked."""
    start: int
    end: int
    tags: dict[str, str] = field(default_factory=dict)
    """Name -> value; of a tag given twice the first counts."""
    sections: dict[str, tuple[int, str]] = field(default_factory=dict)
    """What stands between an Auction or Play tag and the next, and where in the file."""
    faults: Faults = field(default_factory=Faults)
    remarks: Faults = field(default_factory=Faults)
    """What is wrong with tags that no ruling needs."""

    def place_of(self, tag: str) -> Place:
        """The place of a tag's value; of the board where the value is inherited."""
        text, value = self.source.text, self.tags.get(tag, "")
        match = re.compile(rf'\[\s*{tag}\s*"').search(text, self.start, self.end)
        if match is None or not text.startswith(value, match.end()):
            return self.source.place(self.start)
        return self.source.place(match.end(), len(value))

    def value(self, tag: str, read: Callable[..., _Value | None], *arguments: Any) -> _Value | None:
        """What the value of a tag says; None where it says nothing, and faults noted where it cannot be read."""
        text = self.tags.get(tag, "").strip()
        if text in ("", "?"):
            return None
        try:
            return read(text, *arguments)
        except MisreadError as error:
            self.faults += error.at(self.place_of(tag))
            return None

    @property
    def played(self) -> bool:
        """Whether anything stands in the play section."""
        return bool(self.sections.get("Play", (0, ""))[1].strip(" \n\t*-" + _FILLER))

    def close(self, tag: str, start: int, end: int) -> None:
        text = self.source.text
        if tag in ("Play", "Auction"):
            self.sections.setdefault(tag, (start, text[start:end]))
        for sign, problem, mend in (
            ("[", *_NOT_WHOLE),
            ("{", "this comment is not closed", "end it with }"),
        ):
            if (position := text.find(sign, start, end)) >= 0:
                self.faults.add(self.source.place(position), problem, mend)


def read_pbn(text: str, file: str) -> Iterator[Incident | InputError]:
    """Each board of a PBN file in turn; one that cannot be read is an InputError and loses no other.

    A board without cards in its play section has no play. The marks ``^R`` are in ``marked``, and those that the cards
    neither show nor deny are findings; notes and comments are left out, and calls that deny the tags. ``#`` takes the
    value of the board before, ``##value`` holds for all boards after it that do not say otherwise. A further table at
    the same board may leave out everything about the deal: it is that of the board before.
    """
    nearest: dict[str, str] = {}
    standing: dict[str, str] = {}
    previous: PbnBoard | None = None
    inherits = '"#' in text
    for board in _boards(RecordText(file, _blanked(text))):
        own_tags = board.tags.keys()
        if previous is not None and "Contract" in own_tags and own_tags.isdisjoint(_NAMES_DEAL):
            board.tags.update({name: previous.tags[name] for name in _OF_THE_DEAL if name in previous.tags})
        if inherits:
            _inherit(board.tags, nearest, standing)
        yield _incident(board)
        previous = board
    if previous is None:
        yield InputError.of(file, "there is no board in this PBN file", 'write such as [Board "1"]')


def _blanked(text: str) -> str:
    """The text with the same lines and columns, comments and escaped lines blanked."""

    def fill(match: re.Match[str]) -> str:
        """An open brace stays where the comment has no end."""
        if match[0][0] == '"':
            return match[0]
        filled = "\n".join(_FILLER * max(1, len(part)) for part in match[0].split("\n"))
        return "{" + filled[1:] if match[0][0] == "{" and match[0][-1] != "}" else filled

    text = IncrementalNewlineDecoder(None, translate=True).decode(text, final=True).replace("\x1a", "")
    if "%" in text:
        text = _ESCAPED_LINE.sub(fill, text)
    if "{" in text or ";" in text:
        text = _TEXT_OR_COMMENT.sub(fill, text)
    if "\n " in text or "\t" in text:
        text = _BLANKS.sub("", text)
    return text


def _boards(source: RecordText) -> Iterator[PbnBoard]:
    """The boards as they stand. One ends at an empty line, or where a tag that begins one comes again."""
    text = source.text
    board = PbnBoard(source, 0, len(text))
    end, last = 0, ""
    for tag in _TAG.finditer(text):
        start = tag.start()
        name, value = tag.groups()
        if value is None and name in _READ:
            continue  # the board needs it, and ``close`` finds it
        if start - end > 1 or name in board.tags:
            board.close(last, end, start)
            empty_line = "\n\n" in text[end:start]
            if name in board.tags:
                is_next = name in _BEGINS_BOARD or (name != "Note" and empty_line)
            else:
                is_next = not board.tags or (name not in _MAY_FOLLOW_EMPTY_LINE and empty_line)
            if is_next:
                board.end = start
                if board.tags or board.faults:
                    yield board
                board = PbnBoard(source, start, len(text))
        board.tags.setdefault(name, value or "")
        if value is None:
            board.remarks.add(source.place(start, tag.end() - start), *_NOT_WHOLE)
        end, last = tag.end(), name
    board.close(last, end, len(text))
    if board.tags or board.faults:
        yield board


def _inherit(tags: dict[str, str], nearest: dict[str, str], standing: dict[str, str]) -> None:
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


def _incident(board: PbnBoard) -> Incident | InputError:
    contract = board.value("Contract", _contract)
    declarer: Seat | None = board.value("Declarer", _seat)
    dealer: Seat | None = board.value("Dealer", _seat)
    deal = board.value("Deal", Deal.from_pbn)
    auction = _auction(board)
    if auction is not None:
        dealer = dealer or auction.dealer
        called, bidder = made = auction.made(board.played)
        if contract is None or contract.level == NO_LEVEL:  # of an ending only the strain may be given
            contract = called or contract
        declarer = declarer or (bidder if contract == called else None)
        auction = _agreeing(board, auction, made, dealer, (contract, declarer))
    play, marked = _play(board, contract, deal)
    shown = failures_to_follow(play, deal) if marked and play else ()
    marks = (mark for mark in marked if mark not in shown and play and not denies_revoke(play, deal, *mark))
    name = board.tags.get("Board", "")
    incident = Incident(
        place=board.source.place(board.start),
        board=(re.sub(r"\\(.)", r"\1", name) if "\\" in name else name) or None,
        dealer=dealer,
        vulnerable=board.value("Vulnerable", vulnerable_of),
        date=board.value("Date", _date),
        auction=auction,
        contract=contract,
        declarer=declarer,
        deal=deal,
        play=play,
        tricks=board.value("Result", tricks_of, declarer),
        marked=marked,
        remarks=tuple(board.remarks),
        revokes=tuple(Finding(hand, trick, said={"failed-to": "follow-suit"}) for trick, hand in marks),
    )
    return InputError(sorted(board.faults)) if board.faults else of_the_board(incident)


def _auction(board: PbnBoard) -> Auction | None:
    """The calls of the auction section, if there are any; what cannot be read is a remark."""
    dealer = board.tags.get("Auction", "").strip().upper()
    if "Auction" not in board.sections or dealer not in SEATS:
        return None
    try:
        words = calls_of(board.sections["Auction"][1].partition("*")[0])
    except MisreadError as error:
        board.remarks += error.at(board.place_of("Auction"))
        return None
    first = next((nth for nth, word in enumerate(words) if word[0] != "-"), len(words))  # the columns before the dealer
    auction = auction_of(CLOCKWISE[dealer][first % 4], words[first:])
    return auction if auction.calls else None


def _agreeing(board: PbnBoard, auction: Auction, made: Made, dealer: Seat, tags: Made) -> Auction | None:
    """The calls, unless the tags deny them: then the tags stand, and that is a remark."""
    wrong = [*denied(made, tags)]
    if dealer != auction.dealer:
        wrong.append(("dealer", f"by the calls the dealer is {auction.dealer}, not {dealer}"))
    for key, what in wrong[:1]:
        board.remarks.add(board.place_of(key.capitalize()), what, "mend the tag or the calls, which are left out")
    return None if wrong else auction


def _play(
    board: PbnBoard, contract: Contract | None, deal: Deal | None
) -> tuple[PlayRecord | None, tuple[tuple[int, Seat], ...]]:
    """The play, and trick and hand of each card that is marked as a revoke; what cannot be read is noted."""
    first: Seat | None = board.value("Play", _seat)
    start, section = board.sections.get("Play", (0, ""))
    if first is None:
        if board.played:
            mend = 'write the seat of the first column, such as [Play "W"]'
            board.faults.add(board.place_of("Play"), "the play section does not say who led", mend)
        return None, ()
    cards, marks = _cards(board, start, section)
    if len(cards) > 52:
        mend = "take cards out, or end the section with *"
        board.faults.add(board.place_of("Play"), "the play section has more than 13 tricks", mend)
        del cards[52:]
    seats = CLOCKWISE[first]
    if deal is not None and not marks:
        # Some programs begin a row with another seat; where its cards prove it, the row is put into its columns.
        for first_cell in range(0, len(cards) - 3, 4):
            in_column = cards[first_cell] in (deal[seats[0]] or ())
            if not in_column and (leader := proved_leader(cards[first_cell : first_cell + 4], deal)):
                begins = first_cell + (-seats.index(leader)) % 4
                cards[first_cell : first_cell + 4] = cards[begins : first_cell + 4] + cards[first_cell:begins]
    while cards and cards[-1] is None:
        cards.pop()
    cards += [None] * (-len(cards) % 4)
    tricks = _tricks(board, cards, marks, seats, contract)
    marked = tuple((cell // 4 + 1, seats[cell % 4]) for cell, mark in marks.items() if mark == "^R")
    return (PlayRecord(tuple(tricks)) if tricks else None), marked


def _tricks(
    board: PbnBoard,
    cards: list[Card | None],
    marks: Mapping[int, str],
    seats: tuple[Seat, ...],
    contract: Contract | None,
) -> list[Trick]:
    """The rows put in the order of play. A card that is not recorded is taken not to have won the trick."""
    tricks: list[Trick] = []
    leader: Seat | None = seats[0]
    for first_cell in range(0, len(cards), 4):
        leader = next((seats[nth] for nth in range(4) if marks.get(first_cell + nth) == "^L"), leader)
        if leader is None:
            if not board.faults:
                problem = f"it is not known who led to trick {len(tricks) + 1}"
                mend = "give the Contract tag and the card led to the trick before it, or mark this lead with ^L"
                board.faults.add(board.place_of("Play"), problem, mend)
            return []
        column = first_cell + seats.index(leader)
        tricks.append(Trick(leader, tuple(cards[column : first_cell + 4] + cards[first_cell:column])))
        leader = None if contract is None else tricks[-1].best(contract.trump)
    if tricks and tricks[-1].cards[-1] is None:
        *whole, last = tricks
        played = max((nth for nth, card in enumerate(last.cards, 1) if card is not None), default=0)
        return [*whole, Trick(last.leader, last.cards[:played])]
    return tricks


def _cards(board: PbnBoard, start: int, section: str) -> tuple[list[Card | None], dict[int, str]]:
    """The cards of a section, column after column, row after row; and the marks ``^R`` and ``^L`` by number of card."""
    cards: list[Card | None] = []
    marks: dict[int, str] = {}
    mark = ""
    plain = _ANNOTATION.sub(lambda match: " " * len(match[0]), section)
    for token in _TOKEN.finditer(plain):
        word = token[0].upper().replace(" ", "")
        if word in ("*", "{"):  # the end of the section, or of what can be read
            break
        if word in ("^R", "^L") and not mark:
            mark = word
        elif word in _CARDS:
            if mark:
                marks[len(cards)] = mark
            cards.append(_CARDS[word])
            mark = ""
        else:
            place = board.source.place(start + token.start(), len(token[0]))
            problem = f"{repr(token[0])} cannot stand in a play section"
            board.faults.add(place, problem, "write cards such as HT, - + * and the marks ^R ^L before a card")
            if len(board.faults) >= _ENOUGH_FAULTS:
                break
    return cards, marks


def _contract(text: str) -> Contract | None:
    """``3N``, ``4S X``, ``2HR`` and ``PAS`` are found beside the standard's 3NT, 4SX, 2HXX and Pass."""
    if text == "-":
        return None
    if _STRAIN.fullmatch(text):
        return Contract.from_text("NT" if text.upper() == "N" else text)
    if loose := _LOOSE_CONTRACT.fullmatch(text.upper()):
        bid, doubled = loose.groups()
        return Contract.from_text(bid + ("T" if bid.endswith("N") else "") + doubled.replace("R", "XX"))
    return Contract.from_text("Pass" if text.upper() in ("AP", "PAS") else text)


def _date(text: str) -> date | None:
    """``2009.05.01``; what is known of a day only in part, or is none, is left out: the record is of the play."""
    try:
        return day(text.replace(".", "-"))
    except MisreadError:
        return None


def _seat(text: str) -> Seat | None:
    """``^S`` is a declarer who changed places with dummy."""
    seat = text.upper().removeprefix("^")
    if seat not in (*SEATS, "-"):
        raise MisreadError(f"{repr(text)} is no seat", "write N, E, S or W")
    return None if seat == "-" else cast(Seat, seat)
