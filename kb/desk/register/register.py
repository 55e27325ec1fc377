"""Keeping rulings: adding, correcting, finding, examining; an acknowledged one survives crash and loss of power."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, LifoQueue
from threading import Lock
from time import monotonic
from typing import Final, Self

from facts.errors import RevokeKbError
from facts.opening import is_regular
from kb.desk.register.chain import Break, Head, breaks, fits, head, seal
from kb.desk.register.entry import (
    ALL,
    INSERT,
    LATEST,
    SAME,
    SELECT,
    KeptRuling,
    RegisterEntry,
    Search,
    as_csv,
    as_json,
    content,
    kept,
    row,
)
from kb.desk.register.schema import (
    MIGRATIONS,
    PATIENCE,
    FilesInUse,
    RegisterError,
    connect,
    connect_to_read,
    copy,
    demand_whole,
    held,
    is_held,
    prepare,
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
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes its schema, whatever became of it
        mend = "copy it to a disk that can be written to and examine the copy, or restore a backup"
        raise RegisterError.of(path, f"the register cannot be read ({error})", mend) from None


_CHUNK: Final = 100
_NOT_KEPT: Final = "the ruling was not kept"


class OvertakenError(RevokeKbError):
    """Somebody else corrected the entry in the meantime."""

    def __init__(self, id: int, latest: int) -> None:
        self.id = id
        self.latest = latest
        """The version that was added in the meantime."""
        super().__init__(f"entry {id} has been corrected in the meantime (version {latest})")


class Register:
    """A register file in use; safe from any number of threads, and beside other processes that use the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._files = FilesInUse(path)
        self._writing = Lock()
        self._idle: LifoQueue[sqlite3.Connection] = LifoQueue()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens a register, and makes it if there is none; RegisterError if the file cannot be used."""
        prepare(path)
        return cls(path)

    def close(self) -> None:
        """Closes every connection that is not at work."""
        while not self._idle.empty():
            self._idle.get_nowait().close()
        self._files.close()

    def add(self, entry: RegisterEntry, once: str | None = None) -> int:
        """Keeps a ruling and gives its id: when this returns, the ruling is on the disk.

        ``once`` makes a repeated sending harmless: with a word used before, the id given then is given again. What was
        not sent before with that word is kept as the second version; OvertakenError if the entry has one already that
        says something else.
        InputError if the entry cannot be kept.
        """
        entry.check()
        with self._write() as connection:
            found = connection.execute("SELECT id FROM entry WHERE once = ?", (once,)).fetchone()
            if found is not None:
                return _again(connection, int(found[0]), entry)
            id = int(connection.execute("INSERT INTO entry (once) VALUES (?)", (once,)).lastrowid or 0)
            _insert(connection, id, 1, entry)
            return id

    def correct(self, id: int, entry: RegisterEntry, seen: int | None = None) -> int:
        """Adds a version to an entry and gives its number; every earlier version stays.

        ``seen`` is the version that the correction was made from: OvertakenError if it is no longer the latest.
        LookupError if there is no such entry, InputError if this one cannot be kept.
        """
        entry.check()
        with self._write() as connection:
            return _add_version(connection, id, entry, seen)

    def get(self, id: int, version: int | None = None) -> KeptRuling | None:
        """An entry in its latest version, or in the one named; None if there is none."""
        wanted = (LATEST, (id,)) if version is None else ("v.version = ?", (id, version))
        found = self._select(f"WHERE v.entry = ? AND {wanted[0]}", wanted[1])
        return found[0] if found else None

    def history(self, id: int) -> list[KeptRuling]:
        """Every version of an entry, the first one first; empty if there is no such entry."""
        return self._select("WHERE v.entry = ? ORDER BY v.version", (id,))

    def search(self, sought: Search = ALL, limit: int = 50, offset: int = 0) -> list[KeptRuling]:
        """Entries whose latest version fits, the newest first."""
        where, given = sought.where
        return self._select(f"{where} ORDER BY v.entry DESC LIMIT ? OFFSET ?", (*given, _whole(limit), _whole(offset)))

    def count(self, sought: Search = ALL) -> int:
        """How many entries ``search`` would find without a limit."""
        where, given = sought.where
        with self._read() as connection:
            return int(connection.execute(f"SELECT count(*) FROM version v {where}", given).fetchone()[0])

    def events(self) -> list[str]:
        """Every event that has an entry, the one of the newest entry first."""
        named = f"SELECT v.event FROM version v WHERE {LATEST} AND v.event <> ''"
        with self._read() as connection:
            found = connection.execute(f"{named} GROUP BY v.event ORDER BY max(v.entry) DESC")
            return [str(event) for (event,) in found]

    def all(self) -> Iterator[KeptRuling]:
        """Every entry in its latest version, the oldest first; read piece by piece."""
        last = 0
        while found := self._select(f"WHERE v.entry > ? AND {LATEST} ORDER BY v.entry LIMIT {_CHUNK}", (last,)):
            yield from found
            last = found[-1].id

    def export_csv(self) -> Iterator[str]:
        """Every entry as a line of a table; cells that a spreadsheet would take for a formula are defused."""
        return as_csv(self.all())

    def export_json(self) -> Iterator[str]:
        """A JSON list of every entry with all its versions."""
        return as_json(self.history(kept.id) for kept in self.all())

    def head(self) -> Head:
        """The end of the chain: what is shown and printed, so that a later change of anything kept can be found."""
        with self._read() as connection:
            return head(connection)

    def backup(self, path: Path) -> None:
        """A whole copy in one file while the register is in use; RegisterError if it cannot be written.

        An earlier backup of that name is replaced; any other file is not.
        """
        path = Path(os.path.realpath(path))  # a link stays
        if not is_regular(path):
            raise RegisterError.of(path, "this is no file", "name a file for the backup")
        with self._writing:
            self._demand_file("there is no backup")
        try:
            with self._read() as connection:
                self._may_replace(path, connection)
                self._copy(connection, path)
        except OSError as error:
            raise RegisterError.of(path, f"the backup cannot be written ({error.strerror})", "name another") from None

    def _copy(self, connection: sqlite3.Connection, path: Path) -> None:
        try:
            copy(connection, path)
        except sqlite3.DatabaseError as error:
            raise RegisterError.of(path, f"the backup failed ({error})", "make room there, or name another") from None

    def _may_replace(self, path: Path, connection: sqlite3.Connection) -> None:
        """RegisterError if what stands there is no earlier backup of this register."""
        if path in {Path(f"{os.path.realpath(self.path)}-{log}") for log in ("wal", "shm", "journal")}:
            raise RegisterError.of(path, "this name is for what belongs to the register", "name another file")
        if not path.exists():
            return
        if path.samefile(self.path):
            raise RegisterError.of(path, "this is the register itself", "name another file for the backup")
        try:
            with closing(connect_to_read(path)) as there:
                last = head(there) if schema_of(there, path) == len(MIGRATIONS) else None
        except (RegisterError, sqlite3.DatabaseError):
            raise RegisterError.of(path, "a file that is no register stands here", "name another file") from None
        if last is not None and not fits(connection, last.short):
            what = f"the register that stands here holds what this one does not: its chain ends at {last.short}"
            raise RegisterError.of(path, what, "name another file, and find out what became of the register")

    def _select(self, tail: str, given: tuple[object, ...]) -> list[KeptRuling]:
        if any(isinstance(one, int) and _whole(one) != one for one in given):
            return []
        with self._read() as connection:
            return [kept(one) for one in connection.execute(f"{SELECT} {tail}", given)]

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for as long as it is used; RegisterError when the file can no longer be used."""
        try:
            try:
                connection = self._idle.get_nowait()
            except Empty:
                connection = connect(self.path)
            try:
                yield connection
            finally:
                self._idle.put(connection)
        except sqlite3.DatabaseError as error:
            mend = "look after the disk and the file, then start the desk again"
            raise RegisterError.of(self.path, f"the register cannot be read ({error})", mend) from error

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        """One transaction, the only one of this process; RegisterError if it could not be brought to the disk.

        However many wait for another program to be done, each waits ``PATIENCE`` in all.
        """
        until = monotonic() + PATIENCE
        if not self._writing.acquire(timeout=PATIENCE):
            raise held(self.path, _NOT_KEPT)
        try:
            with self._read() as connection:
                yield from self._transaction(connection, max(0.0, until - monotonic()))
        finally:
            self._writing.release()

    def _demand_file(self, undone: str) -> None:
        """RegisterError where the files are no longer those in use: nothing written would be found again."""
        if gone := self._files.gone():
            what = f"{undone}: this file was removed, replaced or cut short while it was in use"
            mend = "put the file or a backup of it back" if gone == self.path else "so that it writes what it has kept"
            raise RegisterError.of(gone, what, f"end the desk, {mend}, and start again")

    def _transaction(self, connection: sqlite3.Connection, patience: float) -> Iterator[sqlite3.Connection]:
        try:
            connection.execute(f"PRAGMA busy_timeout = {patience * 1000:.0f}")
            self._demand_file(_NOT_KEPT)
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
            self._demand_file(_NOT_KEPT)
        except sqlite3.DatabaseError as error:
            if is_held(error):
                raise held(self.path, _NOT_KEPT) from error
            mend = "look after the disk and the file, then send it again"
            raise RegisterError.of(self.path, f"{_NOT_KEPT} ({error})", mend) from error
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")


def _whole(number: int) -> int:
    """The number, as near as SQLite can hold it."""
    return max(0, min(number, 2**63 - 1))


def _insert(connection: sqlite3.Connection, id: int, version: int, entry: RegisterEntry) -> None:
    connection.execute(INSERT, row(id, version, entry))
    seal(connection, id, version)


def _add_version(connection: sqlite3.Connection, id: int, entry: RegisterEntry, seen: int | None) -> int:
    """The number of the version added; errors as of ``Register.correct``."""
    query = "SELECT max(version) FROM version WHERE entry = ?"
    latest = connection.execute(query, (_whole(id),)).fetchone()[0]
    if latest is None:
        raise LookupError(f"the register has no entry {id}")
    if seen not in (None, latest):
        raise OvertakenError(id, latest)
    _insert(connection, id, latest + 1, entry)
    return int(latest) + 1


def _again(connection: sqlite3.Connection, id: int, entry: RegisterEntry) -> int:
    """The entry's id, once its latest version holds what was sent with the same word another time."""
    if connection.execute(SAME, (id, *content(entry))).fetchone() is None:
        _add_version(connection, id, entry, seen=1)
    return id
