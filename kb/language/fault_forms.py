"""Faults for other programs: JSON, or the remarks of GitHub."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from facts.errors import Fault, Place


def as_json(faults: Iterable[Fault]) -> list[dict[str, Any]]:
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
    place, told = fault.place, f"{fault.what}; {fault.mend}"
    told = told.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::error file={_file(place)},line={place.line},col={place.column},title={fault.check or 'rules'}::{told}"


def _file(place: Place) -> str:
    """The file from the present folder, where it lies below it."""
    path = Path(place.file)
    below = path.is_absolute() and path.is_relative_to(Path.cwd())
    return (path.relative_to(Path.cwd()) if below else path).as_posix()
