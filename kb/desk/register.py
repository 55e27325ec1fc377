"""The register of an event's rulings: one table of one SQLite file, in which nothing is ever overwritten.

Each version is sealed by a digest over its content and the digest before it, in the order of keeping. A version that is
altered no longer fits its seal, and one that is missing or slipped in stands out from the numbers. Who reckons every
later seal anew gets another end of the chain than the one that was shown and printed.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Final

from facts.errors import InputError, RevokeKbError
from facts.yaml_reader import is_folder, is_regular
from kb.desk.entry import CONTENT_KEYS, RegisterEntry, as_content, at_time, content, entry_of

PROGRAM: Final = 0x52564B42
"""SQLite's application id of a register (``RVKB``)."""
SCHEMA: Final = 4
SEALED: Final = 3
"""The first schema that had a chain."""
LOCK_SECONDS: Final = 5.0
"""Seconds for which another program that writes to the file is waited for."""
START: Final = ""
"""What stands before the first version."""
EVENING: Final = timedelta(hours=12)
"""For so long a ruling is listed with what it leaves to do."""
SHORT: Final = 16
"""Signs of a digest that are shown and printed."""
_TABLE: Final = """CREATE TABLE kept (
    number INTEGER PRIMARY KEY, entry INTEGER NOT NULL, version INTEGER NOT NULL, once TEXT UNIQUE,
    recorded_at TEXT NOT NULL, content TEXT NOT NULL, digest TEXT NOT NULL, UNIQUE (entry, version))"""
_GUARDS: Final = (
    "CREATE TRIGGER IF NOT EXISTS stays BEFORE UPDATE ON kept BEGIN SELECT RAISE(ABORT, 'it stays as it is'); END",
    "CREATE TRIGGER IF NOT EXISTS held BEFORE DELETE ON kept BEGIN SELECT RAISE(ABORT, 'it is kept'); END",
    """CREATE TRIGGER IF NOT EXISTS follows BEFORE INSERT ON kept
        WHEN NEW.number IS NOT (SELECT ifnull(max(number), 0) + 1 FROM kept)
        OR NEW.version IS NOT (SELECT ifnull(max(version), 0) + 1 FROM kept WHERE entry = NEW.entry)
        OR EXISTS (SELECT 1 FROM kept WHERE once = NEW.once)
        BEGIN SELECT RAISE(ABORT, 'it follows the one before it'); END""",
)
_LATEST: Final = "version = (SELECT max(version) FROM kept other WHERE other.entry = kept.entry)"
_SOUGHT: Final = """ifnull(date(recorded_at, 'localtime'), '') || ' ' ||
    CASE WHEN json_valid(content) THEN ifnull(json_extract(content, '$.sought'), '') ELSE '' END"""
"""The day on which a version was kept, by the clock of this computer, and all its words, small."""
MOST_SOUGHT: Final = 20
_MEND_ACCESS: Final = "name a file in a folder that you may write to, with --register"


class RegisterError(InputError):
    """The register's file cannot be used, or could not be written; one fault."""


class OvertakenError(RevokeKbError):
    """Somebody else corrected the entry of this number in the meantime."""

    def __init__(self, id: int) -> None:
        self.id = id
        super().__init__(f"entry {id} has been corrected in the meantime")


# --- the chain


@dataclass(frozen=True, slots=True)
class ChainHead:
    """An end of the chain: how many versions there are, and the digest of the last."""

    number: int
    digest: str

    @property
    def short(self) -> str:
        """As it is shown and printed: ``41-3f2a9c0b1d2e4f5a``; ``0`` without any version."""
        return f"{self.number}-{self.digest[:SHORT]}" if self.number else "0"


def _head(connection: sqlite3.Connection) -> ChainHead:
    row = connection.execute("SELECT number, digest FROM kept ORDER BY number DESC LIMIT 1").fetchone()
    return ChainHead(0, START) if row is None else ChainHead(int(row[0]), str(row[1]))


def _digest(previous: str, entry: int, version: int, recorded_at: str, content: object) -> str:
    """The seal of a version as 64 hexadecimal signs; none for a content that the desk would not have written so."""
    try:
        fields = json.loads(str(content))
    except (ValueError, RecursionError):
        return ""
    if not isinstance(fields, dict) or tuple(fields) != CONTENT_KEYS or as_content(fields) != content:
        return ""
    sealed = json.dumps([previous, entry, version, recorded_at, *fields.values()], ensure_ascii=True, default=repr)
    return hashlib.sha256(sealed.encode()).hexdigest()


def _breaks(connection: sqlite3.Connection) -> Iterator[str]:
    """Every place where the register is not what was sealed, the oldest first; none for a register as it was kept."""
    previous, expected = START, 1
    rows = connection.execute("SELECT number, entry, version, recorded_at, content, digest FROM kept ORDER BY number")
    for number, entry, version, recorded_at, kept, sealed in rows:
        if number < expected:
            yield f"the chain: there is no seal {number}, and a version has it"
        elif number > expected:
            last = number - 1
            gap = f"seal {expected} is missing" if last == expected else f"seals {expected} to {last} are missing"
            yield f"the chain: {gap}"
        elif not sealed or sealed != _digest(previous, entry, version, recorded_at, kept):
            yield f"ruling {entry}, version {version}: it was altered: it is not what was sealed"
        previous, expected = str(sealed), number + 1


def _foreign(connection: sqlite3.Connection) -> str:
    """The names of what in a register is not as the desk makes it, or was not made by it."""
    asked = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"  # which only SQLite makes
    with closing(sqlite3.connect(":memory:")) as fresh:
        for made in (_TABLE, *_GUARDS):
            fresh.execute(made)
        differing = {*connection.execute(asked)} ^ {*fresh.execute(asked)}
    return ", ".join(sorted({str(name) for name, _ in differing}))


def _fits(connection: sqlite3.Connection, printed: str) -> bool:
    """Whether the chain once ended as it was printed, in the form of ``Head.short``."""
    number, _, short = printed.strip().partition("-")
    if not number.isdecimal() or len(number) > SHORT:
        return False
    row = connection.execute("SELECT digest FROM kept WHERE number = ?", (int(number),)).fetchone()
    if row is None:
        return int(number) == 0 and not short
    return len(short) >= SHORT and str(row[0]).startswith(short.lower())


def _keep(connection: sqlite3.Connection, id: int, version: int, entry: RegisterEntry, once: str | None = None) -> None:
    head, now, kept = _head(connection), at_time(datetime.now(UTC)), content(id, entry)
    values = (head.number + 1, id, version, once, now, kept, _digest(head.digest, id, version, now, kept))
    connection.execute("INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?, ?)", values)


# --- the file


def _connect(path: Path | str, **options: bool) -> sqlite3.Connection:
    """A connection for one thread at a time. A text that is no UTF-8 was written by somebody else: it must not hide
    the entries beside it.
    """
    connection = sqlite3.connect(path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False, **options)
    connection.text_factory = lambda text: text.decode(errors="replace")
    connection.execute("PRAGMA trusted_schema = OFF")
    # what is committed survives a loss of power
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _logs(path: Path) -> list[Path]:
    """Where SQLite notes changes to a file that are not in it yet, and what belongs to them; ``path`` is no link."""
    return [path.with_name(f"{path.name}-{log}") for log in ("wal", "journal", "shm")]


def _schema(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version of a whole register, 0 for an empty file; RegisterError for what is damaged, none, or too
    new.
    """
    program = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == program == version == 0
    if not empty and (program != PROGRAM or version < 1):
        problem = "this database belongs to another program, or was altered"
        raise RegisterError.of(path, problem, "name another file with --register, or restore a backup")
    if version > SCHEMA:
        problem = f"this register was written by a later revoke-kb (schema {version}; known here: {SCHEMA})"
        raise RegisterError.of(path, problem, "upgrade revoke-kb, or restore a backup made before")
    _demand_whole(connection, path)
    return version


def _demand_whole(connection: sqlite3.Connection, path: Path) -> None:
    integrity = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if integrity != "ok":
        raise _damaged(path, integrity)


def _damaged(path: Path, how: str) -> RegisterError:
    return RegisterError.of(path, f"this is no register, or it is damaged ({how})", "restore a backup of the register")


@contextmanager
def _told(path: Path, problem: str, mend: str) -> Iterator[None]:
    """RegisterError in place of what SQLite, or the system, says of the file."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError, OSError) as error:  # SQLite quotes its schema, as it is now
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            why = f"{problem}: another program has been writing to this file for {LOCK_SECONDS:.0f} seconds"
            mend = "end that program, such as a database browser or another desk, and try again"
            raise RegisterError.of(path, why, mend) from None
        is_told = isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR
        if not (is_told or isinstance(error, OSError)):
            raise _damaged(path, str(error)) from error
        why = str(error.strerror if isinstance(error, OSError) else error)
        raise RegisterError.of(path, f"{problem} ({why})", mend) from error


def _migrate(connection: sqlite3.Connection, prior: int) -> None:
    """The table, with what registers of schema 1 to 3 hold; their chain goes on, and what it did not fit it does not
    fit now. Those before 3 had none: all is sealed as it is.
    """
    connection.execute(_TABLE)
    if not prior:
        return
    once = dict(connection.execute("SELECT id, once FROM entry"))
    columns = [column for _, column, *_ in connection.execute("PRAGMA table_info(version)")]
    rows = [dict(zip(columns, row, strict=True)) for row in connection.execute("SELECT * FROM version ORDER BY rowid")]
    versions = {(row["entry"], row["version"]): {"players": "{}", "head": "", **row} for row in rows}
    seals = (
        connection.execute("SELECT number, entry, version, digest FROM seal ORDER BY number") if prior >= SEALED else []
    )
    numbered = [(number, (entry, version), digest) for number, entry, version, digest in seals]
    last, present = max((number for number, _, _ in numbered), default=0), {key for _, key, _ in numbered}
    numbered += [(last + n, key, "") for n, key in enumerate((key for key in versions if key not in present), 1)]
    previous = START
    for number, (entry, version), sealed in numbered:
        row = versions.get((entry, version), {})
        text = as_content({key: row.get(key, "") for key in CONTENT_KEYS}) if row else ""
        recorded_at = row.get("recorded_at", "")
        previous = sealed if prior >= SEALED else _digest(previous, entry, version, recorded_at, text)
        values = (number, entry, version, once.get(entry) if version == 1 else None, recorded_at, text, previous)
        connection.execute("INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    for table in ("seal", "version", "entry"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")


def _prepare(path: Path) -> None:
    """Makes the file if there is none, brings an older one up to date, refuses any other; RegisterError."""
    if not is_regular(path) and not is_folder(path):
        raise RegisterError.of(path, "this is no file, but a device or a pipe", "name a file with --register")
    with _told(path, "the register cannot be made or opened", _MEND_ACCESS):
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            _settle(path.parent)
        with closing(_connect(path)) as connection:
            if 0 < (schema := _schema(connection, path)) < SCHEMA:
                names = (f".{number}" for number in count(2))
                copies = (path.with_name(f"{path.name}.schema-{schema}{name}") for name in chain([""], names))
                _copy(connection, next((copy for copy in copies if not os.path.lexists(copy)), path))
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            schema = connection.execute("PRAGMA user_version").fetchone()[0]  # another desk may have been quicker
            if schema < SCHEMA:
                _migrate(connection, schema)
            for guard in _GUARDS:
                connection.execute(guard)
            if foreign := _foreign(connection):
                problem = f"another program has put into this register, or changed in it: {foreign}"
                raise RegisterError.of(path, problem, "restore a backup of the register")
            connection.execute(f"PRAGMA application_id = {PROGRAM}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
            connection.execute("COMMIT")


def _copy(source: sqlite3.Connection, path: Path) -> None:
    """A whole, checked copy of a database as a new file, put in place in one step, readable by its owner only."""
    for there in (path, *_logs(path)):  # what a log holds would be made to the copy as well
        if os.path.lexists(there):
            raise RegisterError.of(there, "something of this name is here", "move it away, or name another file")
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        os.close(os.open(half, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        with closing(sqlite3.connect(half, isolation_level=None)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
            _demand_whole(target, path)
        _settle(half)
        half.replace(path)
        _settle(path.parent)
    finally:
        half.unlink(missing_ok=True)


def _settle(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def examine(path: Path, printed: Sequence[str] = ()) -> tuple[ChainHead, list[str]]:
    """The end of a register's chain, and where it is not what was kept, the oldest first; RegisterError for a file that
    is none, or has no chain yet. It is looked at in memory, and nothing is changed.

    ``printed``: ends of the chain as they were shown or printed, each of which must once have been its end.
    Where no log lies beside the file nobody uses it: it is read as it is, or SQLite would leave an empty log there.
    """
    real = path.resolve()
    resting = "" if any(log.exists() for log in _logs(real)[:2]) else "&immutable=1"
    mend = "copy it to a disk that can be written to and examine the copy, or restore a backup"
    with (
        _told(path, "the register cannot be read", mend),
        closing(_connect(f"{real.as_uri()}?mode=ro{resting}", uri=True)) as there,
        closing(_connect(":memory:")) as copied,
    ):
        there.backup(copied)
        if (schema := _schema(copied, path)) < SEALED:
            problem = f"this register is of an earlier revoke-kb (schema {schema}), and was not sealed yet"
            raise RegisterError.of(path, problem, "start the desk with it once: what is kept is then sealed as it is")
        if schema < SCHEMA:
            _migrate(copied, schema)
        unknown = (end[:80] for end in printed if not _fits(copied, end))
        never = "the chain: it never ended at {}: what was kept up to then was removed or written anew"
        foreign = _foreign(copied) if schema == SCHEMA else ""
        others = [f"the file: not as the desk makes it, or not of its making: {foreign}"] if foreign else []
        return _head(copied), [*others, *_breaks(copied), *map(never.format, unknown)]


# --- in use


class Register:
    """A register file in use; safe from any number of threads, and beside other processes that use the file."""

    def __init__(self, path: Path) -> None:
        """Opens a register, and makes it if there is none; RegisterError if the file cannot be used."""
        _prepare(path)
        self.path = path
        self._idle: LifoQueue[sqlite3.Connection] = LifoQueue()

        @lru_cache(1)
        def unsettled(_: ChainHead, since: str) -> list[RegisterEntry]:
            entries = self._select(f"WHERE {_LATEST} AND recorded_at >= ? ORDER BY entry DESC", since)
            return [entry for entry in entries if not entry.is_settled]

        self._unsettled = unsettled

    def close(self) -> None:
        """Closes every connection that is not at work."""
        while not self._idle.empty():
            self._idle.get_nowait().close()

    def add(self, entry: RegisterEntry, once: str | None = None) -> int:
        """Keeps a ruling and gives its id: when this returns, the ruling is on the disk.

        ``once`` makes a repeated sending harmless: with a word used before, the id given then is given again;
        OvertakenError if what was kept then, or corrected since, says something else.
        """
        with self._write() as connection:
            row = connection.execute("SELECT entry FROM kept WHERE once = ?", (once,)).fetchone()
            if row is not None:
                id, last = int(row[0]), f"SELECT content FROM kept WHERE entry = ? AND {_LATEST}"
                if connection.execute(last, (id,)).fetchone()[0] != content(id, entry):
                    raise OvertakenError(id)
                return id
            id = int(connection.execute("SELECT ifnull(max(entry), 0) + 1 FROM kept").fetchone()[0])
            _keep(connection, id, 1, entry, once)
            return id

    def correct(self, id: int, entry: RegisterEntry, seen: int | None = None) -> int:
        """Adds a version to an entry and gives its number; every earlier version stays.

        ``seen`` is the version that the correction was made from: OvertakenError if it is no longer the latest.
        LookupError if there is no such entry.
        """
        with self._write() as connection:
            latest = connection.execute("SELECT max(version) FROM kept WHERE entry = ?", (id,)).fetchone()[0]
            if latest is None:
                raise LookupError(f"the register has no entry {id}")
            if seen not in (None, latest):
                raise OvertakenError(id)
            _keep(connection, id, latest + 1, entry)
            return int(latest) + 1

    def get(self, id: int, version: int | None = None) -> RegisterEntry | None:
        """An entry in its latest version, or in the one named; None if there is none."""
        return next((entry for entry in reversed(self.history(id)) if version in (None, entry.version)), None)

    def history(self, id: int) -> list[RegisterEntry]:
        """Every version of an entry, the first one first; empty if there is no such entry."""
        return self._select("WHERE entry = ? ORDER BY version", id)

    def search(self, text: str = "", limit: int = 50, before: int | None = None) -> list[RegisterEntry]:
        """Entries whose latest version holds each of these words somewhere, or was kept on that day (2026-11-28); the
        newest first. ``before``: only those kept before that one.
        """
        where, words = _holding(text)
        return self._select(f"{where} AND entry < ? ORDER BY entry DESC LIMIT ?", *words, before or 2**60, limit)

    def of_the_evening(self) -> list[RegisterEntry]:
        """The entries of the last hours that leave something to do, the newest first."""
        since = (datetime.now(UTC) - EVENING).replace(minute=0, second=0, microsecond=0)
        return self._unsettled(self.head(), at_time(since))

    def count(self, text: str = "") -> int:
        """How many entries ``search`` would find without a limit."""
        where, words = _holding(text)
        with self._read() as connection:
            return int(connection.execute(f"SELECT count(*) FROM kept {where}", words).fetchone()[0])

    def head(self) -> ChainHead:
        """The end of the chain: what is shown and printed, so that a later change of anything kept can be found."""
        with self._read() as connection:
            return _head(connection)

    def backup(self, path: Path) -> None:
        """A whole copy in a new file while the register is in use; RegisterError if it cannot be written."""
        with (
            self._read() as connection,
            _told(path, "the backup cannot be written", "make room there, or name another"),
        ):
            _copy(connection, path)

    def _select(self, tail: str, *values: object) -> list[RegisterEntry]:
        with self._read() as connection:
            rows = connection.execute(f"SELECT entry, version, recorded_at, content FROM kept {tail}", values)
            return [entry_of(*row) for row in rows]

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for as long as it is used; RegisterError when the file can no longer be used."""
        mend = "look after the disk and the file, then start the desk again"
        with _told(self.path, "the register cannot be read", mend):
            try:
                connection = self._idle.get_nowait()
            except Empty:
                connection = _connect(self.path)
            try:
                yield connection
            finally:
                self._idle.put(connection)

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        """One transaction; RegisterError if it could not be brought to the disk."""
        mend = "look after the disk and the file, then send it again"
        with self._read() as connection, _told(self.path, "the ruling was not kept", mend):
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


def _holding(text: str) -> tuple[str, list[str]]:
    """The condition that a version is the latest and holds each word, and the words, which are never part of it."""
    words = text.encode(errors="ignore").decode().casefold().split()[:MOST_SOUGHT]  # SQLite takes no half characters
    return f"WHERE {' AND '.join([_LATEST, *(f'instr({_SOUGHT}, ?) > 0' for _ in words)])}", words
