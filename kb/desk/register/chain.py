"""The chain: each version is sealed by a digest over its content and the digest before it, in the order of keeping.

A version that is altered no longer fits its seal, and one that is missing or slipped in stands out from the seals. Who
reckons every later seal anew gets another end of the chain than the one that was shown and printed.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

START: Final = ""
"""What stands before the first version."""
SHORT: Final = 16
"""Signs of a digest that are shown and printed."""
SEALED: Final = (
    *("recorded_at", "edition", "sought", "event", "round", "table", "board", "called_by", "elections", "lang", "form"),
    *("note", "judgement", "incident", "ruling_json", "players", "head"),
)
"""The columns of a version that its seal covers, all of them; an order that never changes."""
_CONTENT: Final = ", ".join(f'v."{name}"' for name in SEALED)
_ROWS: Final = f"""SELECT s.number, s.entry, s.version, s.digest, {_CONTENT}
    FROM seal s LEFT JOIN version v ON v.entry = s.entry AND v.version = s.version ORDER BY s.number"""
_UNSEALED: Final = """SELECT v.entry, v.version FROM version v LEFT JOIN seal s ON v.entry = s.entry
    AND v.version = s.version WHERE s.number IS NULL ORDER BY v.rowid"""
_EMPTY: Final = "SELECT id FROM entry WHERE id NOT IN (SELECT entry FROM version) ORDER BY id"
_UNNUMBERED: Final = "SELECT DISTINCT entry FROM version WHERE entry NOT IN (SELECT id FROM entry) ORDER BY entry"


@dataclass(frozen=True, slots=True)
class Head:
    """An end of the chain: how many versions there are, and the digest of the last."""

    number: int
    digest: str

    @property
    def short(self) -> str:
        """As it is shown and printed: ``41-3f2a9c0b1d2e4f5a``; ``0`` without any version."""
        return f"{self.number}-{self.digest[:SHORT]}" if self.number else "0"


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the register is not what was sealed."""

    entry: int
    """0: the chain itself."""
    version: int
    """0: all of the entry."""
    what: str

    def __str__(self) -> str:
        where = f"ruling {self.entry}" if self.entry else "the chain"
        return f"{where}{f', version {self.version}' if self.version else ''}: {self.what}"


def head(connection: sqlite3.Connection) -> Head:
    """Where the chain ends now."""
    found = connection.execute("SELECT number, digest FROM seal ORDER BY number DESC LIMIT 1").fetchone()
    return Head(0, START) if found is None else Head(int(found[0]), str(found[1]))


def seal(connection: sqlite3.Connection, entry: int, version: int) -> None:
    """Seals a version that was just inserted, in the transaction that inserted it."""
    before = head(connection)
    where = "FROM version v WHERE entry = ? AND version = ?"
    content = connection.execute(f"SELECT {_CONTENT} {where}", (entry, version)).fetchone()
    given = (before.number + 1, entry, version, digest(before.digest, entry, version, content))
    connection.execute("INSERT INTO seal (number, entry, version, digest) VALUES (?, ?, ?, ?)", given)


def seal_all(connection: sqlite3.Connection) -> None:
    """Seals every version of a register that had no chain, in the order in which they were kept."""
    for entry, version in connection.execute("SELECT entry, version FROM version ORDER BY rowid").fetchall():
        seal(connection, entry, version)


def digest(before: str, entry: int, version: int, content: tuple[object, ...]) -> str:
    """The seal of a version as 64 hexadecimal signs; ``content`` in the order of SEALED."""
    said = json.dumps([before, entry, version, *content], ensure_ascii=True, default=_told)
    return hashlib.sha256(said.encode()).hexdigest()


def _told(content: bytes) -> dict[str, str]:
    """What is no text, and was never kept so: told as no text can be."""
    return {"bytes": content.hex()}


def breaks(connection: sqlite3.Connection) -> Iterator[Break]:
    """Every place where the register is not what was sealed, the oldest first; none for a register as it was kept."""
    before, expected = START, 1
    for number, entry, version, sealed, *content in connection.execute(_ROWS):
        if number != expected:
            yield Break(0, 0, f"seal {expected} is missing" if number == expected + 1 else _gap(expected, number))
            before = ""  # what stood there is not known, so the next cannot be checked by it
        found = digest(before, entry, version, tuple(content))
        if content[0] is None:
            yield Break(entry, version, "it is missing: it was sealed, and is no longer there")
        elif found != sealed and number == expected:
            yield Break(entry, version, "it was altered: it is not what was sealed")
        before, expected = sealed, number + 1
    for entry, version in connection.execute(_UNSEALED):
        yield Break(entry, version, "it was inserted: it was never sealed")
    for (entry,) in connection.execute(_EMPTY):
        yield Break(entry, 0, "it has no version")
    for (entry,) in connection.execute(_UNNUMBERED):
        yield Break(entry, 0, "its number was removed from the list of rulings")


def _gap(first: int, after: int) -> str:
    return f"seals {first} to {after - 1} are missing"


def fits(connection: sqlite3.Connection, printed: str) -> bool:
    """Whether the chain once ended as it was printed, in the form of ``Head.short``."""
    number, _, short = printed.strip().partition("-")
    if not number.isdecimal() or len(number) > SHORT:
        return False
    found = connection.execute("SELECT digest FROM seal WHERE number = ?", (int(number),)).fetchone()
    if found is None:
        return int(number) == 0 and not short
    return len(short) >= SHORT and str(found[0]).startswith(short.lower())
