"""An entry as a row of the table of versions, and read back from one, whatever has been done to it meanwhile."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Final

from facts.cards import SEATS
from facts.readers.archives import FORMATS, USUAL
from kb.desk.register.entry import KeptRuling, RegisterEntry
from kb.desk.register.search import LATEST

_FIELDS: Final = ("event", "round", "table", "board", "called_by", "elections", "lang", "form", "note", "judgement")
_GIVEN: Final = ("edition", *_FIELDS, "incident", "ruling_json", "players", "head")
_COLUMNS: Final = ("recorded_at", *_GIVEN)
SELECT: Final = f"""SELECT v.entry, v.version, {LATEST}, {", ".join(f'v."{one}"' for one in _COLUMNS)} FROM version v"""
INSERT: Final = f"""INSERT INTO version (entry, version, sought, {", ".join(f'"{one}"' for one in _COLUMNS)})
    VALUES ({", ".join("?" * (3 + len(_COLUMNS)))})"""
SAME: Final = f"""SELECT 1 FROM version v
    WHERE v.entry = ? AND {LATEST} AND {" AND ".join(f'v."{one}" = ?' for one in _GIVEN)}"""
"""Whether the latest version of an entry says just this."""


def content(entry: RegisterEntry) -> tuple[object, ...]:
    """The columns that the one who keeps the entry fills, in the order of ``SAME``."""
    given = {name: getattr(entry, name) for name in _GIVEN}
    given |= {"elections": json.dumps(entry.elections)}
    given |= {"players": json.dumps(dict(entry.players), ensure_ascii=False)}
    return tuple(given.values())


def row(id: int, version: int, entry: RegisterEntry) -> tuple[object, ...]:
    """What ``INSERT`` takes, with the time by this computer's clock."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return (id, version, _seekable(id, entry), now, *content(entry))


def _seekable(id: int, entry: RegisterEntry) -> str:
    """All that a search looks at, folded so that capitals do not matter."""
    ruled = entry.ruling
    said = (entry.event, entry.round, entry.table, entry.board, entry.called_by, *entry.players.values())
    heard = (entry.head, ruled.get("text"), ruled.get("receipt"), *(ruled.get("cited") or ()))
    parts = (f"#{id}", entry.edition, *entry.elections, *said, entry.note, entry.judgement, *heard)
    return "\n".join(str(part) for part in parts if part).casefold()


def kept(row: tuple[object, ...]) -> KeptRuling:
    """The version that a row of ``SELECT`` holds; what in it cannot be read is empty, and ``unreadable`` says."""
    id, version, latest, *values = row
    given: dict[str, Any] = dict(zip(_COLUMNS, map(_text, values), strict=True))
    unreadable = [] if given["form"] in FORMATS else ["form"]
    given["form"] = USUAL.name if unreadable else given["form"]
    for name, read, empty in (("elections", _elections, ()), ("players", _players, {})):
        try:
            given[name] = read(given[name])
        except (ValueError, RecursionError):
            given[name] = empty
            unreadable.append(name)
    entry = RegisterEntry(**given)
    unreadable += entry.unreadable
    return KeptRuling(int(str(id)), int(str(version)), bool(latest), entry, tuple(unreadable))


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _elections(text: str) -> tuple[str, ...]:
    found = json.loads(text)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError("no list of texts")
    return tuple(found)


def _players(text: str) -> dict[str, str]:
    found = json.loads(text)
    if not isinstance(found, dict) or not all(seat in SEATS and isinstance(name, str) for seat, name in found.items()):
        raise ValueError("no names by seat")
    return found
