"""The audit as tables in the terminal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kb.audit.auditor import Audited
from kb.audit.labels import AuditLabels
from kb.audit.places import Places
from kb.audit.tally import AuditTotals, entries_of

BAR: Final = 30
"""The longest bar, in letters."""


def print_tables(results: Sequence[Audited], said: AuditLabels, console: Console) -> None:
    """Every revoke, the slips file by file, what could not be ruled on, and the numbers."""
    places = Places(results)
    if places.folder:
        console.print(Text(said.phrase("folder", folder=places.folder)))
    for title, table in (
        ("revokes", _revokes(results, said, places)),
        ("slips", _slips(results, said, places)),
        ("not-ruled", _not_ruled(results, said, places)),
    ):
        if table.row_count:
            console.print(Text(said.phrase(title), style="bold"))
            console.print(table)
    tally = AuditTotals.of(results)
    if tally.revokes:
        for title, rows in said.charts(tally):
            console.print(Text(f"\n{title}", style="bold"))
            console.print(_bars(rows))
    console.print()
    for line in said.summary(tally):
        console.print(Text(line))


def _revokes(results: Sequence[Audited], said: AuditLabels, places: Places) -> Table:
    table = _table(said, "place", "board", "revoker", "trick", "card", "status", "automatic", "ruling")
    for entry in entries_of(results, "ruling"):
        first = (places.of(entry), said.board(entry))
        for nth, revoke in enumerate(entry["revokes"]):
            _add(
                table,
                *(("", "") if nth else first),
                said.revoker(revoke),
                str(revoke["trick"]),
                said.card(revoke),
                said.status(revoke),
                said.automatic(revoke),
                "" if nth else entry["text"],
            )
    return table


def _slips(results: Sequence[Audited], said: AuditLabels, places: Places) -> Table:
    """One row for each kind in each file, with the lines of the boards."""
    lines: dict[tuple[str, str], list[int]] = {}
    for entry in entries_of(results, "transcription-fault"):
        for kind in dict.fromkeys(slip["kind"] for slip in entry["slips"]):
            lines.setdefault((entry["source"], kind), []).append(entry["line"])
    table = _table(said, "place", "slip", "boards", "lines")
    for (source, kind), found in lines.items():
        _add(table, places.short(source), said.kind(kind), str(len(found)), " ".join(map(str, found)))
    return table


def _not_ruled(results: Sequence[Audited], said: AuditLabels, places: Places) -> Table:
    table = _table(said, "not-ruled")
    for entry in entries_of(results, "not-ruled"):
        for fault in entry["faults"]:
            _add(table, places.short(fault))
    return table


def _table(said: AuditLabels, *columns: str) -> Table:
    table = Table(show_header=len(columns) > 1)
    for column in columns:
        head = said.speaker.phrase("html-trick") if column == "trick" else said.phrase(column)
        right = column in ("trick", "boards")
        table.add_column(head, justify="right" if right else "left", overflow="fold")
    return table


def _add(table: Table, *cells: str) -> None:
    """A row of plain text: what stands in a record is no markup."""
    table.add_row(*map(Text, cells))


def _bars(rows: Sequence[tuple[str, int]]) -> Table:
    longest = max((number for _, number in rows), default=0) or 1
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right")
    for label, number in rows:
        table.add_row(Text(label), Text("█" * round(BAR * number / longest), style="blue"), Text(str(number)))
    return table


def plain_lines(results: Sequence[Audited], said: AuditLabels, width: int = 160) -> Iterator[str]:
    """The same as plain text, for a file."""
    stream = io.StringIO()
    print_tables(results, said, Console(file=stream, width=width, color_system=None, force_terminal=False))
    yield from stream.getvalue().splitlines()
