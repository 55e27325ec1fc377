"""An audit told: tables for the terminal; JSON lines and CSV for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from facts.texts import defused
from kb.audit.auditor import Audited
from kb.audit.entries import Entry
from kb.audit.labels import AuditLabels, Places
from kb.audit.tally import AuditTotals, entries_of
from kb.explain.console import PlainConsole

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
    print_tables(results, said, PlainConsole(file=stream, width=width, color_system=None, force_terminal=False))
    yield from stream.getvalue().splitlines()


COLUMNS: Final = (
    "entry",
    "source",
    "line",
    "board",
    "contract",
    "declarer",
    "trick",
    "hand",
    "player",
    "side",
    "role",
    "suit",
    "card",
    "status",
    "status-by",
    "won-by",
    "automatic-tricks",
    "automatic-by",
    "exempt-by",
    "marked",
    "transfer-ns",
    "transfer-ew",
    "tricks-at-table",
    "tricks-ruled",
    "score-ns-at-table",
    "score-ns",
    "director",
    "open",
    "cited",
    "text",
    "receipt",
)
"""One row for each revoke, each slip of transcription, and each fault of a board that could not be ruled on."""


def json_lines(results: Sequence[Audited]) -> Iterator[str]:
    """A line for each entry and, as the last, one for the numbers."""
    for entry in entries_of(results):
        yield json.dumps(entry, ensure_ascii=False)
    yield json.dumps(AuditTotals.of(results).as_json(), ensure_ascii=False)


def csv_lines(results: Sequence[Audited], said: AuditLabels) -> Iterator[str]:
    """The rows, the names of the columns first."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for entry in entries_of(results):
        for row in _rows(entry, said):
            writer.writerow({name: _cell(value) for name, value in (entry | row).items()})
        yield stream.getvalue().removesuffix("\n")
        stream.seek(0)
        stream.truncate()
    if stream.tell():
        yield stream.getvalue().removesuffix("\n")


def _rows(entry: Entry, said: AuditLabels) -> Iterator[Entry]:
    if entry["entry"] == "not-ruled":
        yield from ({"text": fault} for fault in entry["faults"])
    elif entry["entry"] == "transcription-fault":
        yield from ({**slip, "hand": slip["hands"], "text": said.slip(slip)} for slip in entry["slips"])
    else:
        board = {
            "transfer-ns": entry["transfer"]["NS"],
            "transfer-ew": entry["transfer"]["EW"],
            "director": [item["kind"] for item in entry["director"]],
            "open": [item["what"] for item in entry["open"]],
            **entry["result"],
        }
        marked = {(one["trick"], one["hand"]) for one in entry["marked"]}
        for revoke in entry["revokes"]:
            yield {**board, **revoke, "marked": "yes" if (revoke["trick"], revoke["hand"]) in marked else ""}


def _cell(value: Any) -> Any:
    """Lists in one cell; a text that a spreadsheet would calculate is quoted for it."""
    cell = " ".join(map(str, value)) if isinstance(value, list) else value
    return defused(cell) if isinstance(cell, str) else cell
