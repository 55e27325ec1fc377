"""An audit told: text, JSON lines for other programs, a page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from facts.contract import Contract
from facts.texts import printable
from kb.audit.auditor import Audited, Auditor, Entry, entries_of, totals
from kb.explain.html import render
from kb.explain.page import Line, Page, Part, as_text, part

REVOKE_COLUMNS: Final = ("place", "board", "revoker", "trick", "card", "status", "automatic", "ruling")
NUMBERS: Final = ("trick", "automatic", "boards", "lines")
"""Columns whose cells say nothing without their head."""


class AuditReport:
    """Tells what an audit found."""

    def __init__(self, auditor: Auditor, results: Sequence[Audited]) -> None:
        self.speaker, self.title, self.results = auditor.speaker, auditor.title, results
        self.totals = totals(results)

    def phrase(self, key: str, **places: object) -> str:
        return self.speaker.phrase(f"audit-{key}", **places)

    def head(self, column: str) -> str:
        return self.speaker.phrase("html-trick") if column == "trick" else self.phrase(column)

    def summary(self) -> Iterator[str]:
        """What was looked at and what was found, and how often what, a line each."""
        n = self.totals
        ruled, automatic = n["with-revoke"], n["settled-by"].get("automatic", 0)
        yield self.phrase("looked-at", boards=n["boards"], played=n["played"], files=n["files"])
        slips, not_ruled = n["transcription-faults"], n["not-ruled"]
        yield self.phrase("found", ruled=ruled, revokes=n["revokes"], slips=slips, not_ruled=not_ruled)
        yield self.phrase("settled", n=automatic, of=ruled, judge=n["left-to-judge"])
        for key, counted, told in (
            ("by-role", n["by-role"], self._role),
            ("by-trick", n["by-trick"], str),
            ("by-automatic", n["by-automatic-tricks"], str),
            ("by-settled", n["settled-by"], lambda one: self._name("settled", one)),
        ):
            if counted:
                yield f"{self.phrase(key)}: {', '.join(f'{told(one)} ({times})' for one, times in counted.items())}."

    def tables(self) -> Iterator[tuple[str, tuple[str, ...], Iterable[tuple[str, ...]]]]:
        """Every revoke, the slips file by file, what could not be ruled on: name, columns, rows."""
        yield "revokes", REVOKE_COLUMNS, self._revokes()
        yield "slips", ("place", "slip", "boards", "lines"), self._slips()
        not_ruled = entries_of(self.results, "not-ruled")
        yield "not-ruled", ("not-ruled",), ((fault,) for entry in not_ruled for fault in entry["faults"])

    def text(self) -> str:
        """The numbers, then a line for each row of the tables."""
        parts: list[Part] = []
        for name, columns, rows in self.tables():
            heads = [f"{self.head(column)} " if column in NUMBERS else "" for column in columns]
            lines = (Line(", ".join(map(str.__add__, heads, row))) for row in rows)
            parts += part(self.phrase(name), lines)
        return printable(as_text(Page(self.title, tuple(map(Line, self.summary())), tuple(parts)), self.speaker))

    def jsonl(self) -> Iterator[str]:
        """A line for each entry and, as the last, one for the numbers."""
        for entry in (*entries_of(self.results), self.totals):
            yield f"{json.dumps(entry, ensure_ascii=False)}\n"

    def html(self) -> str:
        """A page with the numbers and the tables, each under its heading."""
        return render("audit/page.html", lang=self.speaker.lang, title=self.phrase("title"), said=self)

    def _revokes(self) -> Iterator[tuple[str, ...]]:
        """A row for each revoke."""

        def with_laws(told: str, laws: list[str]) -> str:
            return f"{told} [{', '.join(laws)}]" if laws else told

        for entry in entries_of(self.results, "ruling"):
            for one in entry["revokes"]:
                hand = self.speaker.value(one["hand"], "seat")
                card = "–" if one["card"] is None else self.speaker.value(one["card"], "card")
                yield (
                    f"{entry['source']}:{entry['line']}",
                    self._board(entry),
                    f"{hand} ({self._role(one['role'])})" if one["role"] else hand,
                    str(one["trick"]),
                    f"{card} ({self._name('symbol', one['suit'])})" if one["suit"] else card,
                    with_laws(self._name("status-word", one["status"]), one["status-by"]),
                    with_laws(str(one["automatic-tricks"]), one["automatic-by"] or one["exempt-by"]),
                    entry["text"],
                )

    def _slips(self) -> Iterator[tuple[str, ...]]:
        """A row for each kind of slip in each file, with the lines of the boards."""
        lines: dict[tuple[str, str], list[int]] = {}
        for entry in entries_of(self.results, "transcription-fault"):
            for kind in dict.fromkeys(slip["kind"] for slip in entry["slips"]):
                lines.setdefault((entry["source"], kind), []).append(entry["line"])
        for (source, kind), found in lines.items():
            yield source, self._name("slip-kind", kind), str(len(found)), " ".join(map(str, found))

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
