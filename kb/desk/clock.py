"""When something was kept, as a person says it: by the clock of this computer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from kb.explain.words import Words


@dataclass(frozen=True)
class Clock:
    """Says moments in one language."""

    words: Words
    lang: str

    def day(self, moment: datetime, year: bool = True) -> str:
        """«22 November 2026»; without its year where that goes without saying."""
        month = self.words.name("month", str(moment.month), self.lang)
        named = self.words.phrase("day", self.lang, day=moment.day, month=month)
        return f"{named} {moment.year}" if year else named

    def time(self, moment: datetime) -> str:
        """«19:42»."""
        return f"{moment:%H:%M}"
