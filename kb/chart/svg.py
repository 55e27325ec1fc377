"""One part of a decision chart as A4 pages: boxes with numbers, and answers that lead to a number or an end."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from kb.chart.layout import (
    COLUMN,
    GAP,
    HEIGHT,
    INDENTS,
    LEADING,
    LEGEND,
    MARGIN,
    WIDTH,
    Row,
    RowGroup,
    Sheet,
    legend,
    sheets,
    top,
)
from kb.chart.parts import ChartPart
from kb.chart.telling import Speech

STYLE: Final = (
    "text{fill:#111}.case{font-weight:700;fill:#fff}.heading{font-weight:700;fill:#0b4f8a}.question{font-weight:700}"
    ".end{font-weight:700;fill:#14532d}.law{fill:#6b2d0c;font-style:italic}.note{fill:#444}"
    ".to{fill:#fff;font-weight:700}"
)


def svg(part: ChartPart, speech: Speech) -> tuple[str, ...]:
    """The pages."""
    made = sheets(part, speech)
    return tuple("\n".join(_page(part, speech, sheet, n, len(made))) + "\n" for n, sheet in enumerate(made, 1))


def _page(part: ChartPart, speech: Speech, sheet: Sheet, number: int, of: int) -> Iterator[str]:
    title = escape(speech.title(part))
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-labelledby="title" font-family="DejaVu Sans, Verdana, sans-serif">'
    )
    yield f'<title id="title">{title}</title><rect width="100%" height="100%" fill="#fff"/><style>{STYLE}</style>'
    yield f'<text x="{MARGIN}" y="{MARGIN + 8}" font-size="12" font-weight="700">{title}</text>'
    if of > 1:
        page = escape(speech.page(number, of))
        yield f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - 9}" font-size="{LEGEND}" text-anchor="end">{page}</text>'
    for n, line in enumerate(legend(speech), 1):
        y = MARGIN + 10 + n * LEGEND * LEADING
        yield f'<text x="{MARGIN}" y="{y:.1f}" font-size="{LEGEND}">{escape(line)}</text>'
    for n, blocks in enumerate(sheet.columns):
        at = top(speech)
        for block in blocks:
            yield from _drawn(block, MARGIN + n * (COLUMN + GAP), at, sheet.size)
            at += block.height(sheet.size)
    yield "</svg>"


def _drawn(block: RowGroup, x: float, y: float, size: float) -> Iterator[str]:
    line = size * LEADING
    if block.boxed:
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{COLUMN:.1f}" height="{len(block.rows) * line + size * 0.5:.1f}" '
            f'rx="3" fill="#f7f9fc" stroke="#0b4f8a" stroke-width=".7"/>'
        )
    for n, row in enumerate(block.rows, 1):
        base = y + n * line - size * 0.1
        if row.kind == "case":
            yield (
                f'<rect x="{x:.1f}" y="{base - size:.1f}" width="{COLUMN:.1f}" height="{line + 0.5:.1f}" '
                f'fill="#0b4f8a"/>'
            )
        yield from _written(row, x, base, size)


def _written(row: Row, x: float, base: float, size: float) -> Iterator[str]:
    yield (
        f'<text class="{row.kind}" x="{x + INDENTS.get(row.kind, 0) * size:.1f}" y="{base:.1f}" '
        f'font-size="{size:.1f}">{escape(row.text)}</text>'
    )
    if row.law:
        yield (
            f'<text class="law" x="{x + COLUMN - size * 0.4:.1f}" y="{base:.1f}" font-size="{size:.1f}" '
            f'text-anchor="end">{escape(row.law)}</text>'
        )
    if row.to:
        yield from _arrow(row.to, x + COLUMN - size, base, size)


def _arrow(to: int, x: float, base: float, size: float) -> Iterator[str]:
    """The number of the box to go to, in a disc."""
    yield f'<circle cx="{x:.1f}" cy="{base - size * 0.35:.1f}" r="{size * 0.68:.1f}" fill="#0b4f8a"/>'
    yield (
        f'<text class="to" x="{x:.1f}" y="{base - size * 0.05:.1f}" font-size="{size * 0.85:.1f}" '
        f'text-anchor="middle">{to}</text>'
    )
