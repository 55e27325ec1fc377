"""Faults for people: one line each, or with the line of the file underlined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from facts.errors import Fault, InputError, Place
from facts.yaml_reader import read_text

_WIDTH = 100
_BEFORE = 40


def one_line(fault: Fault) -> str:
    """``file:line:column: what, and how to mend it``, for editors and other programs."""
    return f"{_short(fault.place)}: {fault.what}; {fault.mend}"


def report(faults: Iterable[Fault], console: Console) -> None:
    """Print each fault with its line underlined, then the other places that belong to it."""
    source = lru_cache(_lines)
    for fault in faults:
        heading = Text.assemble((_short(fault.place), "bold"), ": ", (fault.what, "bold red"), "; ", fault.mend)
        console.print(heading, soft_wrap=True)
        for line in _underlined(fault.place, source(fault.place.file), "red"):
            console.print(line, soft_wrap=True)
        for place, why in fault.others:
            console.print(Text.assemble("  ", (_short(place), "bold"), ": ", why), soft_wrap=True)
            for line in _underlined(place, source(place.file), "cyan"):
                console.print(line, soft_wrap=True)


def _underlined(place: Place, lines: list[str], colour: str) -> Iterator[Text]:
    """The line of a place and marks beneath; nothing when the line cannot be shown."""
    if not 0 < place.line <= len(lines):
        return
    line, start = lines[place.line - 1], place.column - 1
    cut = max(0, start - _BEFORE) if len(line) > _WIDTH else 0
    shown = ("…" if cut else "") + line[cut : cut + _WIDTH] + ("…" if cut + _WIDTH < len(line) else "")
    start += (1 if cut else 0) - cut
    width = max(1, cell_len(shown[start : start + place.width]))
    margin = f"{place.line:>6} │ "
    yield Text.assemble((margin, "dim"), shown)
    marks = " " * cell_len(shown[:start]) + "^" * width
    yield Text.assemble((" " * (len(margin) - 2) + "│ ", "dim"), (marks, colour))


def _lines(file: str) -> list[str]:
    try:
        return read_text(Path(file)).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    except InputError:
        return []


def _short(place: Place) -> str:
    """The place, its file named from the present folder where it lies below it."""
    path = Path(place.file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        return f"{path.relative_to(Path.cwd())}:{place.line}:{place.column}"
    return str(place)
