"""What entries are looked for by: words, the event, the day, the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

LATEST: Final = "v.version = (SELECT max(version) FROM version WHERE entry = v.entry)"
MOST_WORDS: Final = 20


@dataclass(frozen=True, slots=True)
class Search:
    """Each part that is given must fit; all entries fit where none is."""

    text: str = ""
    """Words, each of which the entry's latest version holds somewhere, whatever the capitals."""
    event: str = ""
    table: str = ""
    day: date | None = None
    """On which it was last changed, by the clock of this computer."""

    @property
    def where(self) -> tuple[str, tuple[str, ...]]:
        """The condition with its values; what is looked for is never part of the statement."""
        tests = list(self._tests())
        given = tuple(value for _, values in tests for value in values)
        return f"WHERE {' AND '.join([LATEST, *(test for test, _ in tests)])}", given

    def _tests(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for word in _whole(self.text).casefold().split()[:MOST_WORDS]:
            yield "instr(v.sought, ?) > 0", (word,)
        for column, value in (("event", self.event), ("table", self.table)):
            if value:
                yield f'v."{column}" = ?', (_whole(value),)
        if self.day is not None:
            yield "date(v.recorded_at, 'localtime') = ?", (self.day.isoformat(),)


ALL: Final = Search()
"""Every entry."""


def _whole(text: str) -> str:
    """The text without half characters, which SQLite does not take."""
    return text.encode(errors="ignore").decode()
