"""A sentence beside an earlier one, word by word."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Final, Literal, TypeAlias

ALIKE: Final = 0.5
"""Of two sentences less alike the one is told after the other: struck and inserted in turn, nobody could read them."""
MARKS: Final = {"gone": "del", "new": "ins"}
"""How what is struck and inserted is set off in a page."""

RedlinePiece: TypeAlias = tuple[Literal["kept", "gone", "new"], str]
"""Part of a sentence, in whole words; a blank stands between it and the next."""


def redline(old: str, new: str) -> tuple[RedlinePiece, ...]:
    """A sentence with what is struck from the old one and what is new; nothing if they have too little in common."""
    a, b = old.split(), new.split()
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < ALIKE:
        return ()
    pieces: list[RedlinePiece] = []
    for how, start, end, first, last in matcher.get_opcodes():
        if how == "equal":
            pieces.append(("kept", " ".join(b[first:last])))
            continue
        if start < end:
            pieces.append(("gone", " ".join(a[start:end])))
        if first < last:
            pieces.append(("new", " ".join(b[first:last])))
    return tuple(pieces)
