"""The audit as one HTML file: the numbers with their charts, every revoke, and what is wrong with the records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Final

from kb.audit.auditor import Audited
from kb.audit.chart import bars
from kb.audit.entries import Entry
from kb.audit.labels import AuditLabels
from kb.audit.places import Places
from kb.audit.tally import AuditTotals, entries_of

_STYLE: Final = """
main { max-width: 90rem; }
.charts { display: grid; gap: 1rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); }
figure { margin: 0; break-inside: avoid; }
figcaption { font-weight: 600; margin-bottom: .3rem; }
figure svg { width: 100%; height: auto; }
figure rect { fill: var(--link); }
figure text { fill: var(--ink); font-size: 13px; dominant-baseline: middle; }
figure .label { text-anchor: end; }
.scroll { overflow-x: auto; }
.list { border-collapse: collapse; width: 100%; }
.list th, .list td { text-align: left; vertical-align: top; padding: .25rem .5rem;
  border-bottom: 1px solid var(--line); }
.list th { font-weight: 600; }
.list td:first-child { overflow-wrap: anywhere; min-width: 8rem; }
.list td:last-child { min-width: 10rem; }
"""


def html_lines(results: Sequence[Audited], said: AuditLabels) -> Iterator[str]:
    """The lines of the file."""
    tally = AuditTotals.of(results)
    title = escape(said.phrase("title"))
    yield "<!doctype html>"
    yield f'<html lang="{escape(said.speaker.lang)}"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
    yield f"<title>{title}</title><style>{_style()}</style></head><body><main>"
    yield f"<header><h1>{title}</h1><p>{escape(said.title)}</p></header>"
    yield from (f"<p>{escape(line)}</p>" for line in said.summary(tally))
    if tally.revokes:
        yield '<div class="charts">'
        for name, rows in said.charts(tally):
            yield f"<figure><figcaption>{escape(name)}</figcaption>{bars(name, rows)}</figure>"
        yield "</div>"
    places = Places(results)
    if places.folder:
        yield f"<p>{escape(said.phrase('folder', folder=places.folder))}</p>"
    columns = ["place", "board", "revoker", "trick", "card", "status", "automatic", "ruling"]
    yield from _part("revokes", columns, _rulings(entries_of(results, "ruling"), said, places), said)
    slips = _slips(entries_of(results, "transcription-fault"), said, places)
    yield from _part("slips", ["place", "board", "slip"], slips, said)
    faults = ((places.short(one),) for entry in entries_of(results, "not-ruled") for one in entry["faults"])
    yield from _part("not-ruled", ["not-ruled"], faults, said)
    yield "</main></body></html>"


def _style() -> str:
    """That of a ruling's page, and what the charts and lists need besides."""
    return files("kb.explain.html").joinpath("page.css").read_text("utf-8") + _STYLE


def _part(name: str, columns: Sequence[str], rows: Iterable[Sequence[str]], said: AuditLabels) -> Iterator[str]:
    """A table under its heading, each row's first cell its name; a word where there is nothing."""
    yield f'<section class="part" aria-labelledby="{name}"><h2 id="{name}">{escape(said.phrase(name))}</h2>'
    heads = [said.speaker.phrase("html-trick") if one == "trick" else said.phrase(one) for one in columns]
    empty = True
    for row in rows:
        if empty:
            yield '<div class="scroll"><table class="list"><thead><tr>'
            yield "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
            yield "</tr></thead><tbody>"
            empty = False
        yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
    yield f"<p>{escape(said.phrase('none'))}</p>" if empty else "</tbody></table></div>"
    yield "</section>"


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
