"""The ``play`` of an incident file: one row a trick, the leader and then the cards clockwise."""

from __future__ import annotations

import re
from dataclasses import replace
from reprlib import repr
from typing import Final, cast

from facts.cards import SEATS, Card, Seat
from facts.errors import Fault, MisreadError, Place
from facts.play import PlayRecord, Trick
from facts.yaml_reader import Node, Scalar, Sequence

_MEND_ROW: Final = "write the leader and then the cards clockwise, such as S H7 H3 HJ HQ"


def read_rows(node: Node, faults: list[Fault]) -> PlayRecord | None:
    """The tricks of the rows; None, and faults added, when they are not rows or not all of them can be read."""
    if not isinstance(node, Sequence):
        faults.append(Fault(node.place, "the play is not a list of tricks", f"begin each with a dash: {_MEND_ROW}"))
        return None
    before = len(faults)
    tricks = [_row(row, f"trick {number}", faults) for number, row in enumerate(node.items, 1)]
    for number, trick in enumerate(tricks[:-1], 1):
        if trick is not None and len(trick.cards) < 4:
            what = f"trick {number} has {len(trick.cards)} cards and another trick follows"
            faults.append(Fault(node.items[number - 1].place, what, "write - for a card that was not recorded"))
    if len(tricks) > 13:
        faults.append(Fault(node.items[13].place, "there is no trick 14", "take out a row"))
    return PlayRecord(tuple(trick for trick in tricks if trick)) if len(faults) == before else None


def trick_of(given: object) -> Trick:
    """The trick of one row; MisreadError for anything else."""
    faults: list[Fault] = []
    trick = _row(Scalar(given, Place("", 1)), "the trick", faults)  # type: ignore[arg-type]
    if trick is None:
        raise MisreadError(faults[0].what, faults[0].mend)
    return trick


def _row(row: Node, name: str, faults: list[Fault]) -> Trick | None:
    if not isinstance(row, Scalar) or not isinstance(row.value, str) or not row.value.strip():
        faults.append(Fault(row.place, f"{name} is not a row of cards", _MEND_ROW))
        return None
    before = len(faults)
    leader, *words = re.finditer(r"\S+", row.value)
    if leader[0].upper() not in SEATS:
        what = f"{repr(leader[0])} is not the seat that led to {name}"
        faults.append(Fault(_part(row, leader), what, f"begin with N, E, S or W; {_MEND_ROW}"))
    if not 1 <= len(words) <= 4:
        place = _part(row, words[4] if words else leader)
        faults.append(Fault(place, f"{name} has {len(words)} cards", "a trick has one to four; " + _MEND_ROW))
    cards = [_card(row, word, faults) for word in words[:4]]
    return Trick(cast(Seat, leader[0].upper()), tuple(cards)) if len(faults) == before else None


def _card(row: Scalar, word: re.Match[str], faults: list[Fault]) -> Card | None:
    if word[0] == "-":
        return None
    try:
        return Card.from_text(word[0])
    except MisreadError as error:
        faults += [replace(one, mend=f"{one.mend}, or - if it was not recorded") for one in error.at(_part(row, word))]
        return None


def _part(row: Scalar, word: re.Match[str]) -> Place:
    """The place of a word in a row; of the whole row where it is written in a way that moves the words."""
    at, text = row.place, str(row.value)
    if at.width != len(text) + 2 * row.quoted:
        return at
    return Place(at.file, at.line, at.column + row.quoted + word.start(), len(word[0]))
