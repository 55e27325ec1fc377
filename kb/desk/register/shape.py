"""The tables, columns and triggers of a register's file, and where they are not those that there should be."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from typing import TypeAlias

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
