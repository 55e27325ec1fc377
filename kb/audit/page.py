"""The audit as one HTML file: the numbers with their charts, every revoke, and what is wrong with the records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kb.audit.auditor import Audited
from kb.audit.entries import Entry
from kb.audit.labels import AuditLabels, Places
from kb.audit.tally import AuditTotals, entries_of
from kb.explain.html.templates import render

COLUMNS: Final = ("place", "board", "revoker", "trick", "card", "status", "automatic", "ruling")


@dataclass(frozen=True, slots=True)
class AuditPart:
    """A table under its heading, each row's first cell its name."""

    name: str
    title: str
    heads: Sequence[str]
    rows: Iterable[Sequence[str]]


def html_lines(results: Sequence[Audited], said: AuditLabels) -> Iterator[str]:
    """The lines of the file."""
    places = Places(results)
    page = render(
        "audit/page.html",
        lang=said.speaker.lang,
        title=said.phrase("title"),
        said=said,
        totals=AuditTotals.of(results),
        folder=places.folder,
        parts=_parts(results, said, places),
    )
    yield from page.rstrip("\n").split("\n")


def _parts(results: Sequence[Audited], said: AuditLabels, places: Places) -> Iterator[AuditPart]:
    heads = [said.speaker.phrase("html-trick") if one == "trick" else said.phrase(one) for one in COLUMNS]
    yield AuditPart("revokes", said.phrase("revokes"), heads, _rulings(entries_of(results, "ruling"), said, places))
    slips = _slips(entries_of(results, "transcription-fault"), said, places)
    heads = [said.phrase("place"), said.phrase("board"), said.phrase("slip")]
    yield AuditPart("slips", said.phrase("slips"), heads, slips)
    faults = ((places.short(one),) for entry in entries_of(results, "not-ruled") for one in entry["faults"])
    yield AuditPart("not-ruled", said.phrase("not-ruled"), [said.phrase("not-ruled")], faults)


def _rulings(entries: Iterable[Entry], said: AuditLabels, places: Places) -> Iterator[Sequence[str]]:
    for entry in entries:
        for revoke in entry["revokes"]:
            yield (
                places.of(entry),
                said.board(entry),
                said.revoker(revoke),
                str(revoke["trick"]),
                said.card(revoke),
                said.status(revoke),
                said.automatic(revoke),
                entry["text"],
            )


def _slips(entries: Iterable[Entry], said: AuditLabels, places: Places) -> Iterator[Sequence[str]]:
    for entry in entries:
        yield places.of(entry), said.board(entry), "; ".join(map(said.slip, entry["slips"]))
