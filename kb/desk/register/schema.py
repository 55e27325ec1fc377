"""The register's file: how it is made, brought up to date, and refused."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from facts.errors import InputError

PROGRAM: Final = 0x52564B42
"""SQLite's application id of a register (``RVKB``)."""

MIGRATIONS: Final[tuple[str, ...]] = (
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
    "ALTER TABLE version ADD COLUMN head TEXT NOT NULL DEFAULT '';",
)
"""What leads from each schema version to the next; a step that has been released is never changed."""


class RegisterError(InputError):
    """The register's file cannot be used, or could not be written; one fault."""


def prepare(path: Path) -> None:
    """Makes the file if there is none, brings an older one up to date, refuses any other; RegisterError."""
    try:
        _make_file(path)
        with closing(connect(path)) as connection:
            _bring_up_to_date(connection, path)
    except sqlite3.OperationalError as error:
        raise RegisterError.of(path, f"the register cannot be opened for writing ({error})", _MEND_ACCESS) from None
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from None
    except OSError as error:
        raise RegisterError.of(path, f"the register cannot be made ({error.strerror})", _MEND_ACCESS) from None


_MEND_ACCESS: Final = "name a file in a folder that you may write to, with --register"


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose commits survive a loss of power; used by one thread at a time."""
    connection = sqlite3.connect(path, timeout=20, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def schema_of(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version of a register, 0 for an empty file; RegisterError for what is none or is too new."""
    program = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if program != PROGRAM and not (program == version == 0 and empty):
        raise RegisterError.of(path, "this database belongs to another program", "name another file with --register")
    if version > len(MIGRATIONS):
        what = f"this register was written by a later revoke-kb (schema {version}; known here: {len(MIGRATIONS)})"
        raise RegisterError.of(path, what, "upgrade revoke-kb, or restore a backup made before")
    return version


def copy(source: sqlite3.Connection, path: Path) -> None:
    """A whole, checked copy of a database as one file, put in place in one step, readable by its owner only."""
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        os.close(os.open(half, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        with closing(sqlite3.connect(half, isolation_level=None)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
            _check(target, path)
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
    found = schema_of(connection, path)
    _check(connection, path)
    if 0 < found < len(MIGRATIONS):
        copy(connection, path.with_name(f"{path.name}.schema-{found}"))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    for step in MIGRATIONS[schema_of(connection, path) :]:
        for statement in _statements(step):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {PROGRAM}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")


def _statements(script: str) -> list[str]:
    """The statements of a script; ``executescript`` would commit the transaction they belong to."""
    found = [""]
    for piece in script.split(";"):
        found[-1] += f"{piece};"
        if sqlite3.complete_statement(found[-1]):
            found.append("")
    return [statement for statement in found if statement.strip(" \n;")]


def _check(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
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
