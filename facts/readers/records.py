"""What records of any format hold: hands, calls, cards, and the tricks that they make."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from reprlib import repr
from typing import Final, cast

from facts.auction import Auction, auction_of, words_in
from facts.cards import CLOCKWISE, NEXT, OTHER_SIDE, SEATS, SIDE, SUITS, SYMBOLS, Card, Seat
from facts.contract import Contract, Vulnerable
from facts.deal import Deal
from facts.errors import Faults, MisreadError, Place
from facts.play import PlayRecord, Trick, proved_leader
from facts.yaml_reader import Node, Scalar
from facts.yaml_reader import Sequence as SequenceNode

_SUIT_OF: Final = {symbol: suit for suit in SUITS for symbol in SYMBOLS[suit]}
_CARD: Final = re.compile(r"([SHDC♠♥♦♣♤♡♢♧])(10|[2-9TJQKA])|([\s,]+)|.", re.DOTALL)
_RESULT: Final = re.compile(r"\^?\s*(1[0-3]|[0-9])")
_RESULT_OF_SIDE: Final = re.compile(r"\b(NS|EW)\s+(1[0-3]|[0-9])\b")
_VULNERABLE: Final[dict[str, Vulnerable]] = {
    **dict.fromkeys(("NONE", "LOVE", "O", "0", "-", ""), "none"),
    **dict.fromkeys(("NS", "N"), "NS"),
    **dict.fromkeys(("EW", "E"), "EW"),
    **dict.fromkeys(("ALL", "BOTH", "B"), "both"),
}
_MEND_ROW: Final = "write the leader and then the cards clockwise, such as S H7 H3 HJ HQ"
_MEND_CALLS: Final = "write the calls from the dealer on, such as 1S P S:2H [1S] X AP"


@dataclass(frozen=True)
class RecordText:
    """A text of records, and where in its file something in it stands."""

    file: str
    text: str
    within: Place | None = None
    """Where the whole text stands, if not in a file of its own."""

    @cached_property
    def ends(self) -> list[int]:
        """The position of the end of each line."""
        return [match.start() for match in re.finditer("\n", self.text)]

    def place(self, position: int, width: int = 1) -> Place:
        """The place of a position."""
        line = bisect_left(self.ends, position)
        begins = self.ends[line - 1] + 1 if line else 0
        return self.within or Place(self.file, line + 1, position - begins + 1, max(1, width))


def vulnerable_of(text: str) -> Vulnerable:
    """Who is vulnerable, as PBN or LIN write it; MisreadError for anything else."""
    vulnerable = _VULNERABLE.get(text.upper())
    if vulnerable is None:
        mend = "write None, NS, EW or All, in LIN o, n, e or b"
        raise MisreadError(f"{repr(text)} does not say who is vulnerable", mend)
    return vulnerable


def tricks_of(text: str, declarer: Seat | None) -> int | None:
    """Declarer's tricks from ``9``, ``^9``, ``NS 9`` or ``EW 4 NS 9``; MisreadError for anything else."""
    if plain := _RESULT.fullmatch(text):
        return int(plain[1])
    sides = {side: int(tricks) for side, tricks in _RESULT_OF_SIDE.findall(text.upper())}
    if not sides:
        mend = "write all of declarer's tricks, such as 9, ^9 or NS 9"
        raise MisreadError(f"{repr(text)} is no number of tricks", mend)
    if declarer is None:
        return None
    declaring = SIDE[declarer]
    return sides[declaring] if declaring in sides else 13 - sides[OTHER_SIDE[declaring]]


def deal_of(hands: Sequence[str]) -> Deal | None:
    """The deal of the hands of South, West, North and East, such as ``SK74HJ6DT543CQ432``; empty for one not known.

    None when no hand is known; MisreadError names what is wrong.
    """
    dotted = []
    for seat, hand in zip(CLOCKWISE["S"], hands, strict=True):
        ranks: dict[str, str] = dict.fromkeys(SUITS, "")
        suit = ""
        for letter in hand.upper().replace("10", "T"):
            if letter in _SUIT_OF:
                suit = _SUIT_OF[letter]
            elif not suit or not letter.isalnum():
                mend = "write each suit and its ranks, as in SK74HJ6DT54CQ4"
                raise MisreadError(f"{seat}'s hand {repr(hand)} is no hand", mend)
            else:
                ranks[suit] += letter
        dotted.append(".".join(ranks.values()) if hand else "-")
    return Deal.from_pbn("S:" + " ".join(dotted)) if any(hands) else None


def cards_of(text: str) -> list[Card]:
    """Cards one after the other, such as ``CQC6c8D10``; MisreadError for anything else."""
    cards = []
    for part in _CARD.finditer(text.upper()):
        suit, rank, space = part.groups()
        if suit is not None:
            cards.append(Card.from_text(suit + rank))
        elif space is None:
            shown = repr(text[part.start() : part.start() + 4])
            raise MisreadError(f"{shown} is no card", "write a card as its suit and then its rank, such as ST or H9")
    return cards


def play_of(
    cards: Sequence[Card], contract: Contract | None, declarer: Seat | None, deal: Deal | None
) -> PlayRecord | None:
    """The play of cards in the order of time; MisreadError when nothing tells who led.

    Declarer's left-hand opponent leads, then the winner of each trick, unless the deal proves another.
    """
    expected = None if declarer is None else NEXT[declarer]
    tricks: list[Trick] = []
    for start in range(0, len(cards), 4):
        row = tuple(cards[start : start + 4])
        holder = None if deal is None else deal.holder.get(row[0])
        leader = proved_leader(row, deal) or expected or holder
        if leader is None:
            number = start // 4 + 1
            raise MisreadError(f"it is not known who led to trick {number}", "give the hands or the auction")
        tricks.append(Trick(leader, row))
        expected = None if contract is None else tricks[-1].best(contract.trump)
    return PlayRecord(tuple(tricks)) if tricks else None


def read_rows(node: Node, faults: Faults) -> PlayRecord | None:
    """The tricks of the rows; None, and faults added, when they are not rows or not all of them can be read."""
    if not isinstance(node, SequenceNode):
        faults.add(node.place, "the play is not a list of tricks", f"begin each with a dash: {_MEND_ROW}")
        return None
    faults_before = len(faults)
    tricks = [_row(row, f"trick {number}", faults) for number, row in enumerate(node.items, 1)]
    for number, trick in enumerate(tricks[:-1], 1):
        if trick is not None and len(trick.cards) < 4:
            problem = f"trick {number} has {len(trick.cards)} cards and another trick follows"
            faults.add(node.items[number - 1].place, problem, "write - for a card that was not recorded")
    if len(tricks) > 13:
        faults.add(node.items[13].place, "there is no trick 14", "take out a row")
    return PlayRecord(tuple(trick for trick in tricks if trick)) if len(faults) == faults_before else None


def read_trick(value: object) -> Trick:
    faults: Faults = Faults()
    trick = _row(Scalar(value, Place("", 1)), "the trick", faults)  # type: ignore[arg-type]
    if trick is None:
        raise MisreadError(faults[0].what, faults[0].mend)
    return trick


def _row(row: Node, name: str, faults: Faults) -> Trick | None:
    if not isinstance(row, Scalar) or not isinstance(row.value, str) or not row.value.strip():
        faults.add(row.place, f"{name} is not a row of cards", _MEND_ROW)
        return None
    faults_before = len(faults)
    leader, *words = re.finditer(r"\S+", row.value)
    if leader[0].upper() not in SEATS:
        problem = f"{repr(leader[0])} is not the seat that led to {name}"
        faults.add(_part(row, leader), problem, f"begin with N, E, S or W; {_MEND_ROW}")
    if not 1 <= len(words) <= 4:
        place = _part(row, words[4] if words else leader)
        faults.add(place, f"{name} has {len(words)} cards", "a trick has one to four; " + _MEND_ROW)
    cards: list[Card | None] = []
    for word in words[:4]:
        try:
            cards.append(None if word[0] == "-" else Card.from_text(word[0]))
        except MisreadError as error:
            wrong = error.at(_part(row, word))
            faults += [replace(fault, mend=f"{fault.mend}, or - if it was not recorded") for fault in wrong]
    return Trick(cast(Seat, leader[0].upper()), tuple(cards)) if len(faults) == faults_before else None


def read_calls(row: Node, dealer: Seat | None, faults: Faults) -> Auction | None:
    """The auction of a row of calls; None, and faults added, where it is none or nobody says who dealt."""
    if not isinstance(row, Scalar) or not isinstance(row.value, str) or not row.value.strip():
        faults.add(row.place, "the auction is not a row of calls", _MEND_CALLS)
        return None
    before = len(faults)
    if dealer is None:
        faults.add(row.place, "nobody says who dealt", "add dealer:")
    words = [*words_in(row.value)]
    for word in (word for word, known in words if not known):
        faults.add(_part(row, word), f"{repr(word[0])} is no call", _MEND_CALLS)
    if dealer is None or len(faults) > before:
        return None
    return auction_of(dealer, [word for word, _ in words], partial(_part, row))


def _part(row: Scalar, word: re.Match[str]) -> Place:
    """The place of a word in a row; of the whole row where it is written in a way that moves the words."""
    place, text = row.place, str(row.value)
    if place.width != len(text) + 2 * row.quoted:
        return place
    return Place(place.file, place.line, place.column + row.quoted + word.start(), len(word[0]))
