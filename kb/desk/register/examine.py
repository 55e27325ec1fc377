"""A register's file examined as it lies there, without changing it: whether it is what was kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from kb.desk.register.chain import Break, Head, breaks, fits, head
from kb.desk.register.schema import (
    MIGRATIONS,
    RegisterError,
    connect_to_read,
    demand_whole,
    schema_altered,
    schema_of,
)


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found in a register."""

    head: Head
    """The end of its chain."""
    breaks: tuple[Break, ...]
    """Where it is not what was kept, the oldest first; none for a sound register."""


def examine(path: Path, printed: Sequence[str] = ()) -> Examined:
    """Examines a register, in use or not; RegisterError for a file that is none, or has no chain yet.

    ``printed``: ends of the chain as they were shown or printed, each of which must once have been its end.
    """
    with _open(path) as connection:
        schema = schema_of(connection, path)
        if schema < len(MIGRATIONS):
            what = f"this register is of an earlier revoke-kb (schema {schema}), and was not sealed yet"
            raise RegisterError.of(path, what, "start the desk with it once: what is kept is then sealed as it is")
        demand_whole(connection, path)
        altered = [Break(0, 0, what) for what in schema_altered(connection, schema)]
        if any(one.what.startswith("its table") for one in altered):  # what is kept may not be there to be read
            return Examined(Head(0, ""), tuple(altered))
        found = [*altered, *breaks(connection), *_unknown(connection, printed)]
        return Examined(head(connection), tuple(found))


def _unknown(connection: sqlite3.Connection, printed: Sequence[str]) -> Iterator[Break]:
    for one in printed:
        if not fits(connection, one):
            yield Break(0, 0, f"it never ended at {one[:80]}: what was kept up to then was removed or written anew")


@contextmanager
def _open(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that can only read, and sees the file as it is at one moment."""
    try:
        with closing(connect_to_read(path)) as connection:
            connection.execute("BEGIN")
            yield connection
    except sqlite3.DatabaseError as error:
        mend = "copy it to a disk that can be written to and examine the copy, or restore a backup"
        raise RegisterError.of(path, f"the register cannot be read ({error})", mend) from None
