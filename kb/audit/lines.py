"""An audit for other programs: JSON lines, and CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from kb.audit.auditor import Audited
from kb.audit.entries import Entry
from kb.audit.labels import AuditLabels
from kb.audit.tally import AuditTotals, entries_of

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
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


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
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
