"""Faults for people, with the line of the file underlined, and for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from facts.errors import Fault, InputError, Place
from facts.yaml_reader import read_text

_WIDTH = 100
_BEFORE = 40


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
    return f"{_file(place)}:{place.line}:{place.column}"


def faults_as_json(faults: Iterable[Fault]) -> list[dict[str, Any]]:
    """Each fault with its place, the id of its check (empty where none has found it), and other places."""
    return [
        {
            **_place(fault.place),
            "check": fault.check,
            "what": fault.what,
            "mend": fault.mend,
            "others": [{**_place(place), "why": why} for place, why in fault.others],
        }
        for fault in faults
    ]


def _place(place: Place) -> dict[str, Any]:
    return {"file": _file(place), "line": place.line, "column": place.column, "width": place.width}


def as_remark(fault: Fault) -> str:
    """What GitHub shows at the line of a file when a step of a workflow prints it."""
    place, message = fault.place, _escaped(f"{fault.what}; {fault.mend}")
    file = _escaped(_file(place)).replace(":", "%3A").replace(",", "%2C")
    return f"::error file={file},line={place.line},col={place.column},title={fault.check or 'rules'}::{message}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _file(place: Place) -> str:
    """The file from the present folder, where it lies below it."""
    path = Path(place.file)
    below = path.is_absolute() and path.is_relative_to(Path.cwd())
    return (path.relative_to(Path.cwd()) if below else path).as_posix()
