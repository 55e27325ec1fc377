"""A ruling as it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cached_property
from types import NoneType
from typing import Any, Final

from facts.cards import Seat
from facts.errors import Fault, InputError, Place
from facts.readers.archives import FORMATS, USUAL

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
        faults = list(self._faults())
        if faults:
            raise InputError(faults)

    @property
    def ruling(self) -> Mapping[str, Any]:
        """The ruling's JSON object; empty where the text is none, as ``unreadable`` then tells."""
        return self._object or {}

    @cached_property
    def _object(self) -> Mapping[str, Any] | None:
        """The object that the ruling's text holds; None where it is no such object as a ruling."""
        try:
            found = json.loads(self.ruling_json)
        except (ValueError, RecursionError):
            return None
        fits = isinstance(found, dict) and all(isinstance(found.get(key), (*sorts, NoneType)) for key, sorts in _SORTS)
        return found if fits else None

    @property
    def unreadable(self) -> Iterator[str]:
        """The names of the fields that somebody has made unreadable since they were kept."""
        if self._object is None:
            yield "ruling_json"
        if _moment(self.recorded_at) is None:
            yield "recorded_at"

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

    def _faults(self) -> Iterator[Fault]:
        for one in fields(self):
            for text in _texts(getattr(self, one.name)):
                if not text.isprintable() and any("\ud800" <= sign <= "\udfff" for sign in text):
                    yield Fault(Place(one.name, 1), "half a character stands here", "send whole UTF-8 text")
        if self.form not in FORMATS:
            yield Fault(Place("form", 1), f"{self.form} is no form of incident", f"one of: {', '.join(FORMATS)}")
        if self._object is None:
            yield Fault(Place("ruling_json", 1), "this is no JSON object", "give the ruling as revoke rule does")


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, tuple) else (value,)


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
