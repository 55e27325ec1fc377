"""An audit told: tables for the terminal, JSON lines and CSV for other programs, a page with charts."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from facts.contract import Contract
from facts.texts import defused
from kb.audit.auditor import ROLES, SETTLED, Audited, Auditor, AuditTotals, Entry, entries_of
from kb.explain.console import PlainConsole
from kb.explain.html.templates import render
from kb.explain.say import Speaker
from kb.language.texts import fill


class AuditLabels:
    """Says what an audit found."""

    def __init__(self, auditor: Auditor) -> None:
        self.speaker: Speaker = auditor.speaker
        self.title = auditor.title

    def phrase(self, key: str, **places: object) -> str:
        """A phrase of audits with its places filled."""
        return self.speaker.phrase(f"audit-{key}", **places)

    def summary(self, tally: AuditTotals) -> Iterator[str]:
        """What was looked at and what was found, a sentence or two each."""
        yield self.phrase("looked-at", boards=tally.boards, played=tally.played, files=tally.units)
        yield self.phrase(
            "found", ruled=tally.ruled, revokes=tally.revokes, slips=tally.slipped, not_ruled=tally.not_ruled
        )
        yield self.phrase("settled", n=tally.by_settled["automatic"], of=tally.ruled, judge=tally.to_judge)
        yield self.phrase("verified", n=tally.verified) if tally.verified else self.phrase("unverified")

    def charts(self, tally: AuditTotals) -> Iterator[tuple[str, list[tuple[str, int]]]]:
        """Each chart: its title, and its bars with their numbers."""
        tricks = range(1, 14)
        automatic = range(max(tally.by_automatic, default=0) + 1)
        yield self.phrase("by-role"), [(self._role(role), tally.by_role[role]) for role in ROLES if tally.by_role[role]]
        yield self.phrase("by-trick"), [(str(trick), tally.by_trick[trick]) for trick in tricks]
        yield self.phrase("by-automatic"), [(str(number), tally.by_automatic[number]) for number in automatic]
        by = tally.by_settled
        yield self.phrase("by-settled"), [(self._name("settled", one), by[one]) for one in SETTLED if by[one]]

    def board(self, entry: Entry) -> str:
        """«7: 4♠ by North», as far as it is known."""
        contract = self._contract(entry)
        return f"{entry['board'] or '?'}: {contract}" if contract else str(entry["board"] or "?")

    def revoker(self, revoke: Entry) -> str:
        """«West (a defender)»."""
        hand = self.speaker.value(revoke["hand"], "seat")
        return f"{hand} ({self._role(revoke['role'])})" if revoke["role"] else hand

    def card(self, revoke: Entry) -> str:
        """«♠4 (♥)»: the card, and the suit that was asked for."""
        card = "–" if revoke["card"] is None else self.speaker.value(revoke["card"], "card")
        return f"{card} ({self._name('symbol', revoke['suit'])})" if revoke["suit"] else card

    def status(self, revoke: Entry) -> str:
        """The status with the laws it rests on."""
        return self._with_laws(self._name("status-word", revoke["status"]), revoke["status-by"])

    def automatic(self, revoke: Entry) -> str:
        """The automatic tricks with the laws they, or their absence, rest on."""
        return self._with_laws(str(revoke["automatic-tricks"]), revoke["automatic-by"] or revoke["exempt-by"])

    def slip(self, slip: Entry) -> str:
        """One slip of transcription."""
        hands = [self.speaker.value(hand, "seat") for hand in slip["hands"]]
        card = self.speaker.value(slip["card"], "card")
        places = {
            "trick": str(slip["trick"]),
            "hand": hands[0] if hands else "",
            "hands": ", ".join(hands),
            "card": card,
        }
        return fill(self._name("oddity", slip["kind"]), places)

    def kind(self, kind: str) -> str:
        """A kind of slip."""
        return self._name("slip-kind", kind)

    def head(self, column: str) -> str:
        """The head of a column."""
        return self.speaker.phrase("html-trick") if column == "trick" else self.phrase(column)

    def _contract(self, entry: Entry) -> str:
        if entry.get("contract") is None:
            return ""
        told, declarer = self.speaker.contract(Contract.from_text(entry["contract"])), entry["declarer"]
        if declarer is None:
            return told
        return self.speaker.phrase("html-contract", contract=told, declarer=self.speaker.value(declarer, "seat"))

    def _role(self, role: str) -> str:
        return self.phrase("unknown") if role == "unknown" else self.speaker.value(role, "role")

    def _name(self, kind: str, value: str) -> str:
        return self.speaker.words.name(kind, value, self.speaker.lang)

    def _with_laws(self, told: str, laws: list[str]) -> str:
        return f"{told} [{', '.join(laws)}]" if laws else told


class Places:
    """The places of the entries of an audit."""

    def __init__(self, results: Sequence[Audited]) -> None:
        folders = {os.path.dirname(entry["source"]) for entry in entries_of(results)}  # noqa: PTH120 - or a zip's member
        try:
            self.folder = os.path.commonpath(folders) if folders else ""
        except ValueError:
            self.folder = ""
        """The folder that all are in; empty where there is none."""
        self._left_out = os.path.join(self.folder, "") if self.folder else ""  # noqa: PTH118

    def of(self, entry: Entry) -> str:
        """«Final/Open7.pbn:214»."""
        return f"{self.short(entry['source'])}:{entry['line']}"

    def short(self, text: str) -> str:
        """A text that begins with a source, without the folder."""
        return text.removeprefix(self._left_out)


BAR: Final = 30
"""The longest bar, in letters."""


def print_tables(results: Sequence[Audited], said: AuditLabels, console: Console) -> None:
    """Every revoke, the slips file by file, what could not be ruled on, and the numbers."""
    places = Places(results)
    if places.folder:
        console.print(Text(said.phrase("folder", folder=places.folder)))
    revokes = _table(said, *REVOKE_COLUMNS)
    for first, (place, board, *cells, text) in _revoke_rows(results, said, places):
        _add(revokes, *((place, board) if first else ("", "")), *cells, text if first else "")
    slips = _table(said, "place", "slip", "boards", "lines")
    for (source, kind), lines in _slips_by_file(results).items():
        _add(slips, places.short(source), said.kind(kind), str(len(lines)), " ".join(map(str, lines)))
    faults = _table(said, "not-ruled")
    for fault in _faults(results, places):
        _add(faults, fault)
    for title, table in (("revokes", revokes), ("slips", slips), ("not-ruled", faults)):
        if table.row_count:
            console.print(Text(said.phrase(title), style="bold"))
            console.print(table)
    tally = AuditTotals.of(results)
    for title, rows in said.charts(tally) if tally.revokes else ():
        longest = max((number for _, number in rows), default=0) or 1
        bars = Table.grid(padding=(0, 1))
        bars.add_column(justify="right")
        for label, number in rows:
            bars.add_row(Text(label), Text("█" * round(BAR * number / longest), style="blue"), Text(str(number)))
        console.print(Text(f"\n{title}", style="bold"))
        console.print(bars)
    console.print()
    for line in said.summary(tally):
        console.print(Text(line))


def _slips_by_file(results: Sequence[Audited]) -> dict[tuple[str, str], list[int]]:
    """Source and kind of slip -> the lines of the boards with such a slip."""
    lines: dict[tuple[str, str], list[int]] = {}
    for entry in entries_of(results, "transcription-fault"):
        for kind in dict.fromkeys(slip["kind"] for slip in entry["slips"]):
            lines.setdefault((entry["source"], kind), []).append(entry["line"])
    return lines


def _table(said: AuditLabels, *columns: str) -> Table:
    table = Table(show_header=len(columns) > 1)
    for column in columns:
        right = column in ("trick", "boards")
        table.add_column(said.head(column), justify="right" if right else "left", overflow="fold")
    return table


def _add(table: Table, *cells: str) -> None:
    """A row of plain text: what stands in a record is no markup."""
    table.add_row(*map(Text, cells))


def _revoke_rows(
    results: Sequence[Audited], said: AuditLabels, places: Places
) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """A row for each revoke, and whether it is the first of its board."""
    for entry in entries_of(results, "ruling"):
        for nth, revoke in enumerate(entry["revokes"]):
            row = (
                places.of(entry),
                said.board(entry),
                said.revoker(revoke),
                str(revoke["trick"]),
                said.card(revoke),
                said.status(revoke),
                said.automatic(revoke),
                entry["text"],
            )
            yield not nth, row


def _faults(results: Sequence[Audited], places: Places) -> Iterator[str]:
    """What is wrong with each board that could not be ruled on."""
    return (places.short(fault) for entry in entries_of(results, "not-ruled") for fault in entry["faults"])


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
    """The rows, the names of the columns first; a text that a spreadsheet would calculate is quoted for it."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for entry in entries_of(results):
        for row in _rows(entry, said):
            cells = {key: " ".join(map(str, one)) if isinstance(one, list) else one for key, one in row.items()}
            writer.writerow({key: defused(one) if isinstance(one, str) else one for key, one in cells.items()})
        yield stream.getvalue().removesuffix("\n")
        stream.seek(0)
        stream.truncate()
    if stream.tell():
        yield stream.getvalue().removesuffix("\n")


def _rows(entry: Entry, said: AuditLabels) -> Iterator[Entry]:
    if entry["entry"] == "not-ruled":
        yield from ({**entry, "text": fault} for fault in entry["faults"])
    elif entry["entry"] == "transcription-fault":
        yield from ({**entry, **slip, "hand": slip["hands"], "text": said.slip(slip)} for slip in entry["slips"])
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


REVOKE_COLUMNS: Final = ("place", "board", "revoker", "trick", "card", "status", "automatic", "ruling")


def html_lines(results: Sequence[Audited], said: AuditLabels) -> Iterator[str]:
    """The lines of a page with charts and three tables, each under its heading."""
    places = Places(results)
    slips = (
        (places.of(entry), said.board(entry), "; ".join(map(said.slip, entry["slips"])))
        for entry in entries_of(results, "transcription-fault")
    )
    tables: tuple[tuple[str, Sequence[str], Iterable[Sequence[str]]], ...] = (
        ("revokes", REVOKE_COLUMNS, (row for _, row in _revoke_rows(results, said, places))),
        ("slips", ("place", "board", "slip"), slips),
        ("not-ruled", ("not-ruled",), ((fault,) for fault in _faults(results, places))),
    )
    page = render(
        "audit/page.html",
        lang=said.speaker.lang,
        title=said.phrase("title"),
        said=said,
        totals=AuditTotals.of(results),
        folder=places.folder,
        tables=tables,
    )
    yield from page.rstrip("\n").split("\n")
