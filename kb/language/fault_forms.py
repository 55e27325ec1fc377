"""Faults for other programs: JSON, or SARIF as review tools read it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def as_sarif(faults: Sequence[Fault]) -> dict[str, Any]:
    """SARIF 2.1.0, which code review of several hosts shows at the line."""
    rules = sorted({fault.check or "rules" for fault in faults})
    driver = {"name": "revoke check", "rules": [{"id": one} for one in rules]}
    results = [
        {
            "ruleId": fault.check or "rules",
            "level": "error",
            "message": {"text": f"{fault.what}; {fault.mend}"},
            "locations": [_location(fault.place)],
            "relatedLocations": [{**_location(place), "message": {"text": why}} for place, why in fault.others],
        }
        for fault in faults
    ]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _location(place: Place) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": place.column, "endColumn": place.column + max(1, place.width)}
    return {"physicalLocation": {"artifactLocation": {"uri": _file(place)}, "region": region}}


def _file(place: Place) -> str:
    """The file from the present folder, where it lies below it."""
    path = Path(place.file)
    below = path.is_absolute() and path.is_relative_to(Path.cwd())
    return (path.relative_to(Path.cwd()) if below else path).as_posix()
