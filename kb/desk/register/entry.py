"""A ruling as it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from facts.errors import Fault, InputError, Place
from facts.readers.formats import FORMATS, USUAL


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
    note: str = ""
    judgement: str = ""
    """What the director decided where the law leaves it to him."""
    recorded_at: str = ""
    """ISO 8601, local time with its distance from UTC; set by the register when it keeps the entry."""

    def check(self) -> None:
        """InputError with everything that keeps this entry from being kept."""
        faults = list(self._faults())
        if faults:
            raise InputError(faults)

    @property
    def ruling(self) -> Mapping[str, Any]:
        """The ruling's JSON object, read anew."""
        made: Mapping[str, Any] = json.loads(self.ruling_json)
        return made

    def _faults(self) -> Iterator[Fault]:
        for field in fields(self):
            value = getattr(self, field.name)
            for text in value if isinstance(value, tuple) else (value,):
                if not text.isprintable() and any("\ud800" <= sign <= "\udfff" for sign in text):
                    yield Fault(Place(field.name, 1), "half a character stands here", "send whole UTF-8 text")
        if self.form not in FORMATS:
            yield Fault(Place("form", 1), f"{self.form} is no form of incident", f"one of: {', '.join(FORMATS)}")
        try:
            ruled = json.loads(self.ruling_json)
        except ValueError:
            ruled = None
        if not isinstance(ruled, dict):
            yield Fault(Place("ruling_json", 1), "this is no JSON object", "give the ruling as revoke rule does")


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
