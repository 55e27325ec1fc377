"""The whole register for other programs: a table for a spreadsheet, and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, Final

from facts.cards import SEATS
from facts.texts import defused
from kb.desk.register.entry import KeptRuling

_ABOUT: Final = ("recorded_at", "event", "round", "table", "board", "called_by", "edition")
_SAID: Final = ("judgement", "note")
_SIDES: Final = ("NS", "EW", "declaring", "defending")
"""Which tricks go to; by the part it plays where nobody has named its seats."""
HEAD: Final = (
    *("id", "version", *_ABOUT, "elections"),
    *(f"to-{side}" for side in _SIDES),
    *(f"player-{seat}" for seat in SEATS),
    *("cited", "text", *_SAID, "receipt"),
)
"""The columns of the table."""


def as_csv(entries: Iterable[KeptRuling]) -> Iterator[str]:
    """The table, a line each, for a spreadsheet: UTF-8 with a byte order mark, and no cell is a formula."""
    yield "\ufeff" + _line(HEAD)
    for kept in entries:
        yield _line(_cells(kept))


def as_json(histories: Iterable[list[KeptRuling]]) -> Iterator[str]:
    """A list of entries, each with its versions, in pieces."""
    yield "["
    for n, history in enumerate(histories):
        entry = {"id": history[0].id, "versions": [version_json(kept) for kept in history]}
        yield f"{',' if n else ''}\n{json.dumps(entry, ensure_ascii=False)}"
    yield "\n]\n"


def version_json(kept: KeptRuling) -> dict[str, Any]:
    """One version as a JSON object: the entry's fields, with the ruling as an object, and as text if it is none."""
    made = asdict(kept.entry)
    del made["ruling_json"]
    told = {"id": kept.id, "version": kept.version, **made, "ruling": kept.entry.ruling}
    return told | ({"unreadable": kept.unreadable, "ruling-text": kept.entry.ruling_json} if kept.unreadable else {})


def _cells(kept: KeptRuling) -> Iterator[str]:
    entry, ruled = kept.entry, kept.entry.ruling
    transfer = ruled.get("transfer") or {}
    yield from (str(kept.id), str(kept.version), *(getattr(entry, name) for name in _ABOUT))
    yield from (" ".join(entry.elections), *(str(transfer.get(side, "")) for side in _SIDES))
    yield from (entry.players.get(seat, "") for seat in SEATS)
    text = entry.ruling_json if "ruling_json" in kept.unreadable else str(ruled.get("text") or "")
    yield from (" ".join(map(str, ruled.get("cited") or ())), text)
    yield from (*(getattr(entry, name) for name in _SAID), str(ruled.get("receipt") or ""))


def _line(cells: Iterable[str]) -> str:
    made = io.StringIO()
    csv.writer(made, quoting=csv.QUOTE_ALL).writerow([defused(cell) for cell in cells])
    return made.getvalue()
