"""A ruling as it is kept, its content one JSON object: read back whatever was done to it, searched for, handed out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime
from functools import cached_property
from types import NoneType
from typing import Any, Final

from facts.cards import SEATS, Seat
from facts.errors import Fault, InputError, Place
from facts.readers.archives import FORMATS, USUAL
from facts.texts import defused

MOST_WORDS: Final = 20
KEYS: Final = (
    *("edition", "sought", "event", "round", "table", "board", "called_by", "elections", "lang", "form", "note"),
    *("judgement", "incident", "ruling_json", "players", "head"),
)
"""Of the content of an entry, each with a text; an order that never changes, since the seals rest on it."""


@dataclass(frozen=True, slots=True)
class Search:
    """Each part that is given must fit; all entries fit where none is."""

    text: str = ""
    """Words, each of which the entry's latest version holds somewhere, whatever the capitals."""
    event: str = ""
    table: str = ""
    day: date | None = None
    """On which it was last changed, by the clock of this computer."""

    def tests(self) -> Iterator[tuple[str, str]]:
        """Conditions, each with its value; what is looked for is never part of the statement."""
        for word in _whole(self.text).casefold().split()[:MOST_WORDS]:
            yield f"instr({said('sought')}, ?) > 0", word
        for key, value in (("event", self.event), ("table", self.table)):
            if value:
                yield f"{said(key)} = ?", _whole(value)
        if self.day is not None:
            yield "date(recorded_at, 'localtime') = ?", self.day.isoformat()


ALL: Final = Search()
"""Every entry."""


def said(key: str) -> str:
    """What the content of an entry says, in SQL; nothing where somebody has made it unreadable."""
    return f"CASE WHEN json_valid(content) THEN json_extract(content, '$.{key}') END"


def _whole(text: str) -> str:
    """The text without half characters, which SQLite does not take."""
    return text.encode(errors="ignore").decode()


NEVER: Final = "1970-01-02T00:00:00+00:00"
"""Stands for a time that cannot be read."""
_SORTS: Final = (("text", (str,)), ("receipt", (str,)), ("transfer", (dict,)), ("cited", (list,)), ("result", (dict,)))
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
    recorded_at: str = ""
    """ISO 8601 with its distance from UTC; set by the register when it keeps the entry."""

    def check(self) -> None:
        """InputError with everything that keeps this entry from being kept."""
        faults = list[Fault]()
        for one in fields(self):
            value = getattr(self, one.name)
            texts = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else (value,)
            if any("\ud800" <= sign <= "\udfff" for text in texts for sign in text):
                faults.append(Fault(Place(one.name, 1), "half a character stands here", "send whole UTF-8 text"))
        if self.form not in FORMATS:
            known = f"one of: {', '.join(FORMATS)}"
            faults.append(Fault(Place("form", 1), f"{self.form} is no form of incident", known))
        if self._object is None:
            faults.append(
                Fault(Place("ruling_json", 1), "this is no JSON object", "give the ruling as revoke rule does")
            )
        if faults:
            raise InputError(faults)

    @property
    def ruling(self) -> dict[str, Any]:
        """The ruling's JSON object; empty where the text is none."""
        return self._object or {}

    @cached_property
    def _object(self) -> Any:
        """The object that the ruling's text holds; None where it is no such object as a ruling."""
        return read_json(self.ruling_json, _is_ruling)

    @property
    def headline(self) -> str:
        """What was ruled, in one line; empty where the ruling's text has none."""
        return self.head or "".join(self._lines[1:2])

    @property
    def result(self) -> str:
        """Contract, tricks and score in one line; empty where there is no result."""
        return "".join(self._lines[2:3]) if self.has_result else ""

    @property
    def short_result(self) -> str:
        """«4♠ by South: 11 (+450)», the score that of North–South; empty where there is no result."""
        found = self.ruling.get("result") or {}
        score = found.get("score-ns")
        told = f"{self.result.partition(':')[0]}: {found.get('tricks-ruled')}" if self.result else ""
        return f"{told} ({score:+d})" if told and isinstance(score, int) else told

    @property
    def _lines(self) -> list[str]:
        return str(self.ruling.get("text") or "").split("\n")

    @property
    def has_result(self) -> bool:
        """Whether declarer's tricks after the ruling are known."""
        return (self.ruling.get("result") or {}).get("tricks-ruled") is not None

    @property
    def kept_at(self) -> datetime:
        """When it was kept, by the clock of this computer; the first moment of all where that cannot be read."""
        return _moment(self.recorded_at) or datetime.fromisoformat(NEVER).astimezone()


@dataclass(frozen=True)
class KeptRuling:
    """An entry in the register, in one of its versions."""

    id: int
    """Counts from 1."""
    version: int
    """Counts from 1; each correction adds one."""
    latest: bool
    """Whether no later version corrects this one."""
    entry: RegisterEntry
    unreadable: tuple[str, ...] = ()
    """The fields that somebody has made unreadable since; they stand empty."""

    @staticmethod
    def of(id: int, version: int, latest: bool, recorded_at: object, content: object) -> KeptRuling:
        """From what the register holds; what in it cannot be read is empty, and ``unreadable`` says."""
        held = read_json(_text(content), lambda found: isinstance(found, dict))
        texts = {key: _text((held or {}).get(key, "")) for key in KEYS if key != "sought"}
        form = texts["form"] if texts["form"] in FORMATS else None
        elections, players = read_json(texts["elections"], _are_texts), read_json(texts["players"], _are_names)
        given: dict[str, Any] = {**texts, "form": form or USUAL.name, "players": players or {}}
        entry = RegisterEntry(**given | {"elections": tuple(elections or ())}, recorded_at=_text(recorded_at))
        fields = {"content": held, "form": form, "elections": elections, "players": players}
        fields |= {"ruling_json": entry._object, "recorded_at": _moment(entry.recorded_at)}
        return KeptRuling(id, version, latest, entry, tuple(key for key, found in fields.items() if found is None))


def content(id: int, entry: RegisterEntry) -> str:
    """What is kept of an entry but for its time, as a JSON object of texts."""
    ruled = entry.ruling
    named = (entry.event, entry.round, entry.table, entry.board, entry.called_by, *entry.players.values())
    heard = (entry.head, ruled.get("text"), ruled.get("receipt"), *(ruled.get("cited") or ()))
    parts = (f"#{id}", entry.edition, *entry.elections, *named, entry.note, entry.judgement, *heard)
    own = {
        "sought": "\n".join(str(part) for part in parts if part).casefold(),
        "elections": json.dumps(entry.elections),
        "players": json.dumps(dict(entry.players), ensure_ascii=False),
    }
    return as_content({key: own[key] if key in own else getattr(entry, key) for key in KEYS})


def as_content(held: Mapping[str, object]) -> str:
    """The JSON of a content: the one way in which it is written."""
    return json.dumps(held, ensure_ascii=False, default=lambda given: {"bytes": given.hex()})


def now() -> str:
    """The time by this computer's clock, as it is kept."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def read_json(text: object, fits: Callable[[Any], bool]) -> Any:
    """What the text is as JSON; None where it is none, or not what it should be."""
    try:
        found = json.loads(str(text))
    except (ValueError, RecursionError):
        return None
    return found if fits(found) else None


def _is_ruling(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(found.get(key), (*sorts, NoneType)) for key, sorts in _SORTS)


def _are_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(one, str) for one in found)


def _are_names(found: Any) -> bool:
    return isinstance(found, dict) and all(seat in SEATS and isinstance(name, str) for seat, name in found.items())


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


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
