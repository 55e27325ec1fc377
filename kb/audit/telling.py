"""An audit told: tables for the terminal, JSON lines and CSV for other programs, a page with charts."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from facts.contract import Contract
from facts.texts import defused
from kb.audit.auditor import Audited, Auditor, Entry, entries_of, totals
from kb.explain.console import PlainConsole
from kb.explain.html.templates import render
from kb.language.texts import fill

BAR: Final = 30
"""The longest bar, in letters."""
REVOKE_COLUMNS: Final = ("place", "board", "revoker", "trick", "card", "status", "automatic", "ruling")
CSV_COLUMNS: Final = (
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


class AuditReport:
    """Tells what an audit found."""

    def __init__(self, auditor: Auditor, results: Sequence[Audited]) -> None:
        self.speaker, self.title, self.results = auditor.speaker, auditor.title, results
        self.totals = totals(results)
        folders = {os.path.dirname(entry["source"]) for entry in entries_of(results)}  # noqa: PTH120 - or a zip's member
        try:
            self.folder = os.path.commonpath(folders) if folders else ""
        except ValueError:
            self.folder = ""
        """The folder that all entries are in; empty where there is none."""

    def phrase(self, key: str, **places: object) -> str:
        return self.speaker.phrase(f"audit-{key}", **places)

    def head(self, column: str) -> str:
        return self.speaker.phrase("html-trick") if column == "trick" else self.phrase(column)

    def summary(self) -> Iterator[str]:
        """What was looked at and what was found, a sentence or two each."""
        n = self.totals
        ruled, automatic = n["with-revoke"], n["settled-by"].get("automatic", 0)
        yield self.phrase("looked-at", boards=n["boards"], played=n["played"], files=n["files"])
        slips, not_ruled = n["transcription-faults"], n["not-ruled"]
        yield self.phrase("found", ruled=ruled, revokes=n["revokes"], slips=slips, not_ruled=not_ruled)
        yield self.phrase("settled", n=automatic, of=ruled, judge=n["left-to-judge"])
        yield self.phrase("verified", n=n["verified"]) if n["verified"] else self.phrase("unverified")

    def charts(self) -> Iterator[tuple[str, list[tuple[str, int]]]]:
        """Each chart: its title, and its bars with their numbers."""
        tricks, automatic = self.totals["by-trick"], self.totals["by-automatic-tricks"]
        costs = range(max(map(int, automatic), default=0) + 1)
        settled = self.totals["settled-by"].items()
        yield self.phrase("by-role"), [(self._role(role), n) for role, n in self.totals["by-role"].items()]
        yield self.phrase("by-trick"), [(str(trick), tricks.get(str(trick), 0)) for trick in range(1, 14)]
        yield self.phrase("by-automatic"), [(str(number), automatic.get(str(number), 0)) for number in costs]
        yield self.phrase("by-settled"), [(self._name("settled", one), n) for one, n in settled]

    def print_tables(self, console: Console) -> None:
        """Every revoke, the slips file by file, what could not be ruled on, and the numbers."""
        if self.folder:
            console.print(Text(self.phrase("folder", folder=self.folder)))
        revokes = (
            row if first else ("", "", *row[2:-1], "")  # what holds of the board is told of its first revoke
            for first, row in self._revokes()
        )
        faults = ((fault,) for fault in self._faults())
        for name, columns, rows in (
            ("revokes", REVOKE_COLUMNS, revokes),
            ("slips", ("place", "slip", "boards", "lines"), self._slips_by_file()),
            ("not-ruled", ("not-ruled",), faults),
        ):
            table = Table(show_header=len(columns) > 1)
            for column in columns:
                right = column in ("trick", "boards")
                table.add_column(self.head(column), justify="right" if right else "left", overflow="fold")
            for row in rows:
                table.add_row(*map(Text, row))  # what stands in a record is no markup
            if table.row_count:
                console.print(Text(self.phrase(name), style="bold"))
                console.print(table)
        for title, bars in self.charts() if self.totals["revokes"] else ():
            longest = max((number for _, number in bars), default=0) or 1
            drawn = Table.grid(padding=(0, 1))
            drawn.add_column(justify="right")
            for label, number in bars:
                drawn.add_row(Text(label), Text("█" * round(BAR * number / longest), style="blue"), Text(str(number)))
            console.print(Text(f"\n{title}", style="bold"))
            console.print(drawn)
        console.print()
        for line in self.summary():
            console.print(Text(line))

    def table_lines(self) -> Iterator[str]:
        """The tables as plain text, for a file."""
        stream = io.StringIO()
        self.print_tables(PlainConsole(file=stream, width=160, color_system=None, force_terminal=False))
        yield from stream.getvalue().splitlines()

    def jsonl_lines(self) -> Iterator[str]:
        """A line for each entry and, as the last, one for the numbers."""
        for entry in entries_of(self.results):
            yield json.dumps(entry, ensure_ascii=False)
        yield json.dumps(self.totals, ensure_ascii=False)

    def csv_lines(self) -> Iterator[str]:
        """The rows, the names of the columns first; a text that a spreadsheet would calculate is quoted for it."""
        stream = io.StringIO()
        writer = csv.DictWriter(stream, CSV_COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for entry in entries_of(self.results):
            for row in self._cells(entry):
                cells = {key: " ".join(map(str, one)) if isinstance(one, list) else one for key, one in row.items()}
                writer.writerow({key: defused(one) if isinstance(one, str) else one for key, one in cells.items()})
            yield stream.getvalue().removesuffix("\n")
            stream.seek(0)
            stream.truncate()
        if stream.tell():
            yield stream.getvalue().removesuffix("\n")

    def html_lines(self) -> Iterator[str]:
        """The lines of a page with charts and three tables, each under its heading."""
        slips = (
            (self._place(entry), self._board(entry), "; ".join(map(self._slip, entry["slips"])))
            for entry in entries_of(self.results, "transcription-fault")
        )
        tables = (
            ("revokes", REVOKE_COLUMNS, (row for _, row in self._revokes())),
            ("slips", ("place", "board", "slip"), slips),
            ("not-ruled", ("not-ruled",), ((fault,) for fault in self._faults())),
        )
        lang, title = self.speaker.lang, self.phrase("title")
        page = render("audit/page.html", lang=lang, title=title, said=self, tables=tables)
        yield from page.rstrip("\n").split("\n")

    def _revokes(self) -> Iterator[tuple[bool, tuple[str, ...]]]:
        """A row for each revoke, and whether it is the first of its board."""

        def with_laws(told: str, laws: list[str]) -> str:
            return f"{told} [{', '.join(laws)}]" if laws else told

        for entry in entries_of(self.results, "ruling"):
            for nth, one in enumerate(entry["revokes"]):
                hand = self.speaker.value(one["hand"], "seat")
                card = "–" if one["card"] is None else self.speaker.value(one["card"], "card")
                row = (
                    self._place(entry),
                    self._board(entry),
                    f"{hand} ({self._role(one['role'])})" if one["role"] else hand,
                    str(one["trick"]),
                    f"{card} ({self._name('symbol', one['suit'])})" if one["suit"] else card,
                    with_laws(self._name("status-word", one["status"]), one["status-by"]),
                    with_laws(str(one["automatic-tricks"]), one["automatic-by"] or one["exempt-by"]),
                    entry["text"],
                )
                yield not nth, row

    def _slips_by_file(self) -> Iterator[tuple[str, ...]]:
        """A row for each kind of slip in each file, with the lines of the boards."""
        lines: dict[tuple[str, str], list[int]] = {}
        for entry in entries_of(self.results, "transcription-fault"):
            for kind in dict.fromkeys(slip["kind"] for slip in entry["slips"]):
                lines.setdefault((entry["source"], kind), []).append(entry["line"])
        for (source, kind), found in lines.items():
            yield self._short(source), self._name("slip-kind", kind), str(len(found)), " ".join(map(str, found))

    def _faults(self) -> Iterator[str]:
        """What is wrong with each board that could not be ruled on."""
        return (self._short(fault) for entry in entries_of(self.results, "not-ruled") for fault in entry["faults"])

    def _cells(self, entry: Entry) -> Iterator[Entry]:
        """The rows of an entry for CSV."""
        if entry["entry"] == "not-ruled":
            yield from ({**entry, "text": fault} for fault in entry["faults"])
        elif entry["entry"] == "transcription-fault":
            yield from ({**entry, **slip, "hand": slip["hands"], "text": self._slip(slip)} for slip in entry["slips"])
        else:
            board = {
                **entry,
                "transfer-ns": entry["transfer"]["NS"],
                "transfer-ew": entry["transfer"]["EW"],
                "director": [item["kind"] for item in entry["director"]],
                "open": [item["what"] for item in entry["open"]],
                **entry["result"],
            }
            marked = {(one["trick"], one["hand"]) for one in entry["marked"]}
            for revoke in entry["revokes"]:
                yield {**board, **revoke, "marked": "yes" if (revoke["trick"], revoke["hand"]) in marked else ""}

    def _slip(self, slip: Entry) -> str:
        hands = [self.speaker.value(hand, "seat") for hand in slip["hands"]]
        places = {
            "trick": str(slip["trick"]),
            "hand": hands[0] if hands else "",
            "hands": ", ".join(hands),
            "card": self.speaker.value(slip["card"], "card"),
        }
        return fill(self._name("oddity", slip["kind"]), places)

    def _place(self, entry: Entry) -> str:
        """«Final/Open7.pbn:214»."""
        return f"{self._short(entry['source'])}:{entry['line']}"

    def _short(self, text: str) -> str:
        """A text that begins with a source, without the folder that all are in."""
        return text.removeprefix(os.path.join(self.folder, "")) if self.folder else text  # noqa: PTH118

    def _board(self, entry: Entry) -> str:
        """«7: 4♠ by North», as far as it is known."""
        board, declarer = str(entry["board"] or "?"), entry["declarer"]
        if entry["contract"] is None:
            return board
        told = self.speaker.contract(Contract.from_text(entry["contract"]))
        if declarer is not None:
            named = {"contract": told, "declarer": self.speaker.value(declarer, "seat")}
            told = self.speaker.phrase("html-contract", **named)
        return f"{board}: {told}" if told else board

    def _role(self, role: str) -> str:
        return self.phrase("unknown") if role == "unknown" else self.speaker.value(role, "role")

    def _name(self, kind: str, value: str) -> str:
        return self.speaker.words.name(kind, value, self.speaker.lang)
