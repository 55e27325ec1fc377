"""A ruling as it is kept, its content one JSON object: read back whatever was done to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from facts.cards import SEATS, Seat
from facts.readers.archives import FORMATS, USUAL

CONTENT_KEYS: Final = (
    *("edition", "sought", "event", "round", "table", "board", "called_by", "elections", "lang", "form", "note"),
    *("judgement", "incident", "ruling_json", "players", "head"),
)
"""Of the content of an entry, each with a text; an order that never changes, since the seals rest on it."""
NO_TIME: Final = "1970-01-02T00:00:00+00:00"
"""Stands for a time that cannot be read."""
_SORTS: Final[Mapping[str, type]] = dict(  # noqa: C408
    text=str, receipt=str, version=str, transfer=dict, result=dict, cited=list, director=list
)
"""What of a ruling is shown, and of which sort it is."""


@dataclass(frozen=True)
class RegisterEntry:
    """What the director was told, what was ruled, and what was noted; texts as given, empty where nothing was said."""

    ruling_json: str
    """The JSON object that ``revoke rule --format json`` gives, receipt and all, as text; ``ruling`` reads it."""
    incident: str = ""
    form: str = USUAL.name
    """Which of FORMATS ``incident`` is."""
    edition: str = ""
    elections: tuple[str, ...] = ()
    lang: str = "en"
    event: str = ""
    round: str = ""
    table: str = ""
    board: str = ""
    called_by: str = ""
    players: Mapping[Seat, str] = field(default_factory=dict)
    """Who sat where, as far as it was given."""
    note: str = ""
    judgement: str = ""
    """What the director decided where the law leaves it to him."""
    head: str = ""
    """The ruling in a few words, as they stood above it."""

    id: int = 0
    """Counts from 1; this and what follows is set by the register."""
    version: int = 0
    """Counts from 1; each correction adds one."""
    recorded_at: str = ""
    """When it was kept: ISO 8601 with its distance from UTC."""
    unreadable: bool = False
    """Whether somebody has made its content unreadable since: ``ruling_json`` is then all of it, and the rest empty."""

    @cached_property
    def ruling(self) -> dict[str, Any]:
        """The ruling's JSON object; empty where the entry is unreadable."""
        return {} if self.unreadable else dict(json.loads(self.ruling_json))

    @property
    def headline(self) -> str:
        """What was ruled, in one line; empty where the ruling's text has none."""
        return self.head or "".join(self._lines[1:2])

    @property
    def short_result(self) -> str:
        """«4♠ by South: 11 (+450)», the score that of North–South; empty where there is no result."""
        if not self.has_result:
            return ""
        result, line = self.ruling["result"], "".join(self._lines[2:3])
        score, text = result.get("score-ns"), f"{line.partition(':')[0]}: {result['tricks-ruled']}"
        return f"{text} ({score:+d})" if isinstance(score, int) else text

    @property
    def _lines(self) -> list[str]:
        return str(self.ruling.get("text") or "").split("\n")

    @property
    def has_result(self) -> bool:
        return (self.ruling.get("result") or {}).get("tricks-ruled") is not None

    @cached_property
    def left(self) -> tuple[str, ...]:
        """What it left to the director, as it was told; nothing once he has written what he decided."""
        to_judge = () if self.judgement else self.ruling.get("director") or ()
        return tuple(str(entry.get("text") or "") for entry in to_judge if isinstance(entry, dict))

    @property
    def is_settled(self) -> bool:
        """Whether it leaves nothing: no result that is missing, no question on which it hinges, nothing to judge."""
        return self.has_result and not self.left and not self.ruling.get("branches")

    @property
    def kept_at(self) -> datetime:
        return datetime.fromisoformat(self.recorded_at).astimezone()


def entry_of(id: int, version: int, recorded_at: object, content: object) -> RegisterEntry:
    try:
        texts: dict[str, Any] = json.loads(_text(content))
        datetime.fromisoformat(_text(recorded_at)).astimezone()
        kept = {key: texts[key] for key in CONTENT_KEYS}
        if not all(isinstance(text, str) for text in kept.values()):
            raise ValueError("not a text each")
        elections, players, ruling = (json.loads(kept[key]) for key in ("elections", "players", "ruling_json"))
        sound = (
            kept["form"] in FORMATS
            and all(isinstance(text, str) for text in (*list(elections), *players.values()))
            and {*players} <= {*SEATS}
            and all(ruling.get(key) is None or isinstance(ruling[key], sort) for key, sort in _SORTS.items())
        )
        if not sound:
            raise ValueError("not what was kept")
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError, OSError):
        return RegisterEntry(_text(content), id=id, version=version, recorded_at=NO_TIME, unreadable=True)
    fields: dict[str, Any] = {key: text for key, text in kept.items() if key not in ("sought", "elections", "players")}
    fields |= {"elections": tuple(elections), "players": players, "recorded_at": _text(recorded_at)}
    entry = RegisterEntry(**fields, id=id, version=version)
    vars(entry)["ruling"] = ruling  # which takes longest to read
    return entry


def content(id: int, entry: RegisterEntry) -> str:
    """What is kept of an entry but for its time, as a JSON object of texts."""
    ruled = entry.ruling
    names = (entry.event, entry.round, entry.table, entry.board, entry.called_by, *entry.players.values())
    heard = (entry.head, ruled.get("text"), ruled.get("receipt"), *(ruled.get("cited") or ()))
    parts = (f"#{id}", entry.edition, *entry.elections, *names, entry.note, entry.judgement, *heard)
    derived = {
        "sought": "\n".join(str(part) for part in parts if part).casefold(),
        "elections": json.dumps(entry.elections),
        "players": json.dumps(dict(entry.players), ensure_ascii=False),
    }
    return as_content({key: derived[key] if key in derived else getattr(entry, key) for key in CONTENT_KEYS})


def as_content(fields: Mapping[str, object]) -> str:
    """The JSON of a content: the one way in which it is written."""
    return json.dumps(fields, ensure_ascii=False, default=lambda value: {"bytes": value.hex()})


def at_time(moment: datetime) -> str:
    """A moment of UTC as it is kept."""
    return moment.isoformat(timespec="milliseconds")


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
