"""The register's file: how it is made, brought up to date, refused, and watched while it is in use."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import chain, count
from pathlib import Path
from typing import Final, TypeAlias

from facts.errors import InputError
from facts.opening import is_folder, is_regular
from kb.desk.register.chain import seal_all

Shape: TypeAlias = Mapping[tuple[str, str], tuple[str, ...]]
"""Sort and name of all that a schema holds -> its statement, for a table its columns and the words of it."""


def differences(found: sqlite3.Connection, meant: sqlite3.Connection) -> Iterator[str]:
    """In what the schema of a file differs from the one that is meant, in words; nothing where they are alike."""
    there, wanted = _shape(found), _shape(meant)
    for (sort, name), parts in wanted.items():
        if (sort, name) not in there:
            yield f"its {sort} {name} is missing"
        elif there[sort, name] != parts:
            yield _changed(sort, name, there[sort, name], parts)
    more = [one for one in there if one not in wanted]
    yield from (f"it has a {sort} {name} that does not belong to it" for sort, name in more)


def run_script(connection: sqlite3.Connection, script: str) -> None:
    """Runs each statement of a script; ``executescript`` would commit the transaction they belong to."""
    for statement in _statements(script):
        connection.execute(statement)


def _statements(script: str) -> list[str]:
    found = [""]
    for piece in script.split(";"):
        found[-1] += f"{piece};"
        if sqlite3.complete_statement(found[-1]):
            found.append("")
    return [statement for statement in found if statement.strip(" \n;")]


def _shape(connection: sqlite3.Connection) -> Shape:
    """The tables and indexes that SQLite made by itself, whose names begin so, are left out."""
    own = "type IN ('table', 'index') AND name LIKE 'sqlite!_%' ESCAPE '!'"
    held = connection.execute(f"SELECT type, name, sql FROM sqlite_schema WHERE NOT ({own})")
    return {(sort, name): _parts(connection, sort, name, sql or "") for sort, name, sql in held.fetchall()}


def _parts(connection: sqlite3.Connection, sort: str, name: str, sql: str) -> tuple[str, ...]:
    if sort != "table":
        return (" ".join(sql.split()),)
    columns = connection.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (name,))
    # only the words of the statement: SQLite writes it anew when a column is added, each release in its own way
    return (*(" ".join(map(str, column)) for column in columns), " ".join(sorted(re.findall(r"\w+", sql))))


def _changed(sort: str, name: str, there: tuple[str, ...], wanted: tuple[str, ...]) -> str:
    if sort != "table":
        return f"its {sort} {name} is another"
    *columns, _ = wanted
    missing = [one.split()[0] for one in columns if one not in there]
    return f"its table {name} lacks {', '.join(missing)}" if missing else f"its table {name} is declared otherwise"


PROGRAM: Final = 0x52564B42
"""SQLite's application id of a register (``RVKB``)."""
PATIENCE: Final = 5.0
"""Seconds for which another program that writes to the file is waited for."""


def _chained(connection: sqlite3.Connection) -> None:
    """Makes the chain, and seals what there is; that no entry lost its first version is known from here on only."""
    run_script(connection, _CHAIN)
    seal_all(connection)


_CHAIN: Final = """
    ALTER TABLE version ADD COLUMN head TEXT NOT NULL DEFAULT '';
    CREATE TABLE seal (
        number INTEGER PRIMARY KEY, entry INTEGER NOT NULL, version INTEGER NOT NULL, digest TEXT NOT NULL,
        UNIQUE (entry, version), FOREIGN KEY (entry, version) REFERENCES version(entry, version)
    );
    CREATE TRIGGER seal_follows BEFORE INSERT ON seal
        WHEN NEW.number IS NOT (SELECT ifnull(max(number), 0) + 1 FROM seal)
        BEGIN SELECT RAISE(ABORT, 'a seal follows the one before it'); END;
    CREATE TRIGGER seal_stays BEFORE UPDATE ON seal BEGIN SELECT RAISE(ABORT, 'a seal stays as it is'); END;
    CREATE TRIGGER seal_kept BEFORE DELETE ON seal BEGIN SELECT RAISE(ABORT, 'a seal is kept'); END;
    """
Step: TypeAlias = str | Callable[[sqlite3.Connection], None]
MIGRATIONS: Final[tuple[Step, ...]] = (
    """
    CREATE TABLE entry (id INTEGER PRIMARY KEY AUTOINCREMENT, once TEXT UNIQUE);
    CREATE TABLE version (
        entry INTEGER NOT NULL REFERENCES entry(id), version INTEGER NOT NULL,
        recorded_at TEXT NOT NULL, edition TEXT NOT NULL, sought TEXT NOT NULL,
        event TEXT NOT NULL, round TEXT NOT NULL, "table" TEXT NOT NULL, board TEXT NOT NULL, called_by TEXT NOT NULL,
        elections TEXT NOT NULL, lang TEXT NOT NULL, form TEXT NOT NULL,
        note TEXT NOT NULL, judgement TEXT NOT NULL, incident TEXT NOT NULL, ruling_json TEXT NOT NULL,
        PRIMARY KEY (entry, version)
    );
    CREATE TRIGGER version_follows BEFORE INSERT ON version
        WHEN NEW.version IS NOT (SELECT ifnull(max(version), 0) + 1 FROM version WHERE entry = NEW.entry)
        BEGIN SELECT RAISE(ABORT, 'a version follows the one before it'); END;
    CREATE TRIGGER version_stays BEFORE UPDATE ON version BEGIN SELECT RAISE(ABORT, 'a version stays as it is'); END;
    CREATE TRIGGER version_kept BEFORE DELETE ON version BEGIN SELECT RAISE(ABORT, 'a version is kept'); END;
    CREATE TRIGGER entry_new BEFORE INSERT ON entry WHEN EXISTS (SELECT 1 FROM entry WHERE id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'an entry is kept'); END;
    CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'an entry stays as it is'); END;
    CREATE TRIGGER entry_kept BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'an entry is kept'); END;
    """,
    "ALTER TABLE version ADD COLUMN players TEXT NOT NULL DEFAULT '{}';",
    _chained,
)
"""What leads from each schema version to the next, as a script or a function; a step that has been released is never
changed."""


class RegisterError(InputError):
    """The register's file cannot be used, or could not be written; one fault."""


def prepare(path: Path) -> None:
    """Makes the file if there is none, brings an older one up to date, refuses any other; RegisterError."""
    if not is_regular(path) and not is_folder(path):
        raise RegisterError.of(path, "this is no file, but a device or a pipe", "name a file with --register")
    try:
        _make_file(path)
        with closing(connect(path)) as connection:
            _bring_up_to_date(connection, path)
    except sqlite3.OperationalError as error:
        if is_held(error):
            raise held(path, "the register cannot be opened") from None
        raise RegisterError.of(path, f"the register cannot be opened for writing ({error})", _MEND_ACCESS) from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes its schema, whatever became of it
        raise _damaged(path, str(error)) from None
    except OSError as error:
        raise RegisterError.of(path, f"the register cannot be made ({error.strerror})", _MEND_ACCESS) from None


def is_held(error: sqlite3.Error) -> bool:
    """Whether another program was writing all the time."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def held(path: Path, what: str) -> RegisterError:
    """What could not be done because another program writes to the file."""
    why = f"{what}: another program has been writing to this file for {PATIENCE:.0f} seconds"
    return RegisterError.of(path, why, "end that program, such as a database browser or another desk, and try again")


_MEND_ACCESS: Final = "name a file in a folder that you may write to, with --register"


_MEND_ALTERED: Final = "restore a backup of the register"


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose commits survive a loss of power; used by one thread at a time."""
    connection = _tolerant(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False))
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, to a file that is there; used by one thread at a time.

    Where no log lies beside it nobody uses the file: it is read as it is, or SQLite would leave an empty log there.
    """
    path = path.resolve()
    resting = "" if any(log.exists() for log in logs_of(path)) else "&immutable=1"
    address = f"{path.as_uri()}?mode=ro{resting}"
    return _tolerant(sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None))


def logs_of(path: Path) -> tuple[Path, Path]:
    """Where SQLite notes changes to a file that are not in it yet; ``path`` is no link."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-journal")


def _tolerant(connection: sqlite3.Connection) -> sqlite3.Connection:
    """A text that is no UTF-8 was written by somebody else: it must not hide the entries beside it."""
    connection.text_factory = lambda text: text.decode(errors="replace")
    return connection


def schema_of(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version of a register, 0 for an empty file; RegisterError for what is none or is too new."""
    program = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == program == version == 0:
        return 0
    if program != PROGRAM:
        raise RegisterError.of(path, "this database belongs to another program", "name another file with --register")
    if version < 1:
        what = f"this register was altered: it says that its schema is {version}, and they count from 1"
        raise RegisterError.of(path, what, _MEND_ALTERED)
    if version > len(MIGRATIONS):
        what = f"this register was written by a later revoke-kb (schema {version}; known here: {len(MIGRATIONS)})"
        raise RegisterError.of(path, what, "upgrade revoke-kb, or restore a backup made before")
    return version


def copy(source: sqlite3.Connection, path: Path) -> None:
    """A whole, checked copy of a database as one file, put in place in one step, readable by its owner only."""
    for log in logs_of(path):
        if log.exists() and log.stat().st_size:
            what = "changes to a file of that name lie here, and would be made to the copy as well"
            raise RegisterError.of(log, what, "end the program that uses that file, or name another")
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        os.close(os.open(half, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        with closing(sqlite3.connect(half, isolation_level=None)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
            demand_whole(target, path)
        _settle(half)
        half.replace(path)
        _settle(path.parent)
    finally:
        half.unlink(missing_ok=True)


def _make_file(path: Path) -> None:
    """An empty file that only its owner may read, if there is none."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _settle(path.parent)
    except FileExistsError:
        return


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    found = sound(connection, path)
    if 0 < found < len(MIGRATIONS):
        copy(connection, _unused(path.with_name(f"{path.name}.schema-{found}")))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    migrate(connection, schema_of(connection, path))
    connection.execute(f"PRAGMA application_id = {PROGRAM}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")


def _unused(path: Path) -> Path:
    """A name that no file has: this one, or else with a number."""
    numbered = (path.with_name(f"{path.name}.{number}") for number in count(2))
    return next(one for one in chain([path], numbered) if not os.path.lexists(one))


def sound(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version, 0 for an empty file; RegisterError for a file that is damaged, lacks a table, a column or a
    trigger, or has one more. Changes nothing.
    """
    found = schema_of(connection, path)
    demand_whole(connection, path)
    if altered := schema_altered(connection, found):
        raise RegisterError.of(path, f"this register was altered: {'; '.join(altered)}", _MEND_ALTERED)
    return found


def schema_altered(connection: sqlite3.Connection, version: int) -> list[str]:
    """In what the tables and triggers of a register are not those of its schema version, in words."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as meant:
        migrate(meant, 0, version)
        return list(differences(connection, meant))


def migrate(connection: sqlite3.Connection, found: int, wanted: int | None = None) -> None:
    """Takes the steps from one schema version to another, the newest for None; within the caller's transaction."""
    for step in MIGRATIONS[found:wanted]:
        if isinstance(step, str):
            run_script(connection, step)
        else:
            step(connection)


def demand_whole(connection: sqlite3.Connection, path: Path) -> None:
    """RegisterError for a file that is damaged."""
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise _damaged(path, found)


def _damaged(path: Path, how: str) -> RegisterError:
    return RegisterError.of(path, f"this is no register, or it is damaged ({how})", "restore a backup of the register")


def _settle(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_MAGIC: Final = b"SQLite format 3\0"


class FilesInUse:
    """The register's file, and SQLite's log beside it once there is one; used by one thread at a time.

    The file is opened here before SQLite opens it, and not closed while SQLite uses it: a process that closes a file
    loses all its locks on it, and then the next program that looks into the register takes the log away.
    """

    def __init__(self, path: Path) -> None:
        self._paths = (path, logs_of(path.resolve())[0])
        self._stream = path.open("rb", buffering=0)
        self._size = os.fstat(self._stream.fileno()).st_size
        self._log: tuple[int, int] | None = None

    def close(self) -> None:
        """To be called when no connection is in use any more."""
        self._stream.close()

    def gone(self) -> Path | None:
        """The file that was removed, replaced, cut short or overwritten since; None if there is none."""
        path, log = self._paths
        found = os.fstat(self._stream.fileno())
        self._stream.seek(0)
        if (
            _which(path) != (found.st_dev, found.st_ino)
            or found.st_size < self._size
            or self._stream.read(len(_MAGIC)) != _MAGIC
        ):
            return path
        if self._log is not None and _which(log) != self._log:
            return log
        self._log = _which(log)
        return None


def _which(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino)
