"""How much room a text takes, and how it is broken into lines: reckoned for a wide typeface, so that none runs over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

NARROW: Final = frozenset("iljtfrI.,:;'’|!()[] ")
WIDE: Final = frozenset("mwMW%—✕▸•")
CAPITAL: Final = 0.70
LETTER: Final = 0.62
"""Widths as shares of the size of type."""
BOLD: Final = 1.13
"""How much wider bold type is."""


def width(text: str, bold: bool = False) -> float:
    """The width of a line, in sizes of type."""
    return sum(map(_letter, text)) * (BOLD if bold else 1)


def _letter(letter: str) -> float:
    if letter in NARROW:
        return 0.37
    if letter in WIDE:
        return 0.97
    return CAPITAL if letter.isupper() or letter in "–0123456789" else LETTER


def lines(text: str, room: float, bold: bool = False) -> Iterator[str]:
    """The text in lines of at most that width, in sizes of type; a word too long for any stands alone."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and width(longer, bold) > room:
            yield line
            line = word
        else:
            line = longer
    yield line
