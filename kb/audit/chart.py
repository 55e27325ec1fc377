"""Bar charts as SVG, to stand in a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

WIDTH: Final = 540
ROW: Final = 24
LABEL: Final = 270
NUMBER: Final = 44
"""In SVG user units: the whole, a row, and the room for labels and for numbers."""


def bars(title: str, rows: Sequence[tuple[str, int]]) -> str:
    """A bar for each label; the picture says the same in words to whoever cannot see it."""
    return "\n".join(_bars(title, rows))


def _bars(title: str, rows: Sequence[tuple[str, int]]) -> Iterator[str]:
    longest = max([number for _, number in rows], default=0) or 1
    told = ", ".join(f"{label}: {number}" for label, number in rows)
    height = ROW * len(rows)
    yield f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(f"{title}. {told}")}">'
    for nth, (label, number) in enumerate(rows):
        middle = nth * ROW + ROW / 2
        length = (WIDTH - LABEL - NUMBER) * number / longest
        yield f'<text x="{LABEL - 8}" y="{middle:g}" class="label">{escape(label)}</text>'
        yield f'<rect x="{LABEL}" y="{nth * ROW + 4}" width="{length:.1f}" height="{ROW - 8}" rx="2"/>'
        yield f'<text x="{LABEL + length + 6:.1f}" y="{middle:g}">{number}</text>'
    yield "</svg>"
