"""Many rulings told line by line, to be read aloud: ``python -m support.told de appeal`` in the folder tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from facts.errors import InputError
from kb.explain.page import Line, Page
from kb.ruling.ruling import Ruling
from kb.voices import Voice, told
from support.cases import rulings
from support.ruling import ruled, speaker_of

VOICES = (None, *Voice)
HOW: tuple[dict[str, Any], ...] = (
    {"next-trick": "no"},
    {"next-trick": "no", "played-after": ["N", "E"]},
    {"next-trick": "no", "asked-by": "E"},
    {"next-trick": "played", "won-by": "revoker", "later-tricks": 2},
    {"next-trick": "played", "won-by": "partner", "later-tricks": 0},
    {"next-trick": "played", "won-by": "opponent", "later-tricks": 0},
    {"next-trick": "played", "won-by": "opponent", "later-tricks": 1, "repeats": 1},
    {"next-trick": "played", "won-by": "opponent", "later-tricks": 1, "repeats": 2},
    {"next-trick": "designated", "noticed": "after-round"},
    {"claim": "by-revokers", "won-by": "revoker"},
    {"noticed": "after-call-on-next-board", "won-by": "revoker", "later-tricks": 1},
    {"failed-to": "play-penalty-card", "next-trick": "no"},
    {},
)
WHO: tuple[dict[str, Any], ...] = (
    {"hand": "W"},
    {"hand": "W", "trick": 5, "suit": "H", "card": "S4"},
    {"player": "defender"},
    {"player": "dummy"},
    {"hand": "S", "trick": 12},
)


@cache
def found() -> tuple[tuple[str, Ruling], ...]:
    """Rulings on findings of which a card, a seat or a trick is not known, as far as they can be."""
    return tuple(_found())


def _found() -> Iterator[tuple[str, Ruling]]:
    for who, how in product(WHO, HOW):
        board = {"contract": "4S", "declarer": "S"} if "hand" in who else {}
        try:
            yield f"{who} {how}", ruled({**board, "revokes": [{**who, **how}]})
        except InputError:
            continue


def lines(page: Page) -> Iterator[str]:
    """Each line of a page without its law, from its title to its receipt."""
    yield page.title
    for one in page.lead:
        yield from _lines(one)
    for part in page.parts:
        yield part.title
        for one in part.lines:
            yield from _lines(one)


def _lines(line: Line) -> Iterator[str]:
    yield line.text
    for one in line.under:
        yield from _lines(one)


def pages(lang: str, voice: Voice | None, some: tuple[tuple[str, Ruling], ...]) -> Iterator[tuple[str, Page]]:
    """Each ruling with what is told of it."""
    return ((name, told(ruling, speaker_of(lang), voice)) for name, ruling in some)


if __name__ == "__main__":
    lang, voice = sys.argv[1], Voice(sys.argv[2]) if len(sys.argv) > 2 else None
    known: set[str] = set()
    for name, page in pages(lang, voice, (*found(), *rulings())):
        new = [line for line in lines(page) if line and line not in known]
        print(f"== {name}", *new, sep="\n")
        known.update(new)
