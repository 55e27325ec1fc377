"""The one-page chart drawn on A4: boxes and arrows, what is not established on the left, what is on the right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

from kb.chart.boxes import OrdinaryChart
from kb.chart.layout import HEIGHT, LEADING, MARGIN, WIDTH
from kb.chart.lettering import lines
from kb.chart.listing import onward
from kb.chart.wording import BoxSpeech, BoxTold

TOP: Final = MARGIN + 30
"""Where the boxes begin, in points from the upper edge."""
MIDDLE: Final = 22
"""Between the columns."""
COLUMN: Final = (WIDTH - 2 * MARGIN - MIDDLE) / 2
BROAD: Final = 400
"""Width of a box above both columns."""
LARGEST: Final = 10.5
SMALLEST: Final = 6.6
"""Sizes of type, in points."""
ARROW: Final = 2.0
"""Room for an arrow, in sizes of type."""
INDENT: Final = 2.4
"""Room for the number, in sizes of type."""
QUESTION, RESULT, INK = "#e9f0ea", "#ffffff", "#173b2d"


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """One line of type."""

    text: str
    strong: bool
    law: bool
    to: int = 0


@dataclass(frozen=True, slots=True)
class SheetBox:
    """A box in its place, in points."""

    told: BoxTold
    rows: tuple[PlacedRow, ...]
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Where arrows come in and go out."""
        return self.x + self.width / 2

    @property
    def foot(self) -> float:
        """The lower edge."""
        return self.y + self.height


def sheet(chart: OrdinaryChart, speech: BoxSpeech) -> str:
    """The page as SVG, in type as large as there is room for."""
    told = speech.told(chart)
    sizes = (size / 10 for size in range(round(LARGEST * 10), round(SMALLEST * 10), -1))
    size = next((size for size in sizes if _lowest(_placed(told, size)) <= HEIGHT - MARGIN), SMALLEST)
    return "\n".join(_page(_placed(told, size), speech, size)) + "\n"


def _lowest(boxes: Iterable[SheetBox]) -> float:
    return max(box.foot for box in boxes)


def _placed(told: list[BoxTold], size: float) -> list[SheetBox]:
    """Every box below the one before it in its column."""
    feet, placed = {"left": float(TOP), "right": float(TOP)}, []
    for one in told:
        column = one.box.column
        last = one.box.name == "always"
        x, width = (WIDTH - BROAD) / 2, float(BROAD)
        if last:
            x, width = float(MARGIN), float(WIDTH - 2 * MARGIN)
        if column != "whole":
            x, width = (MARGIN if column == "left" else WIDTH - MARGIN - COLUMN), COLUMN
        rows = tuple(_rows(one, width / size - INDENT - 0.8))
        y = feet[column] if column != "whole" else max(feet.values())
        box = SheetBox(one, rows, x, y, width, (len(rows) * LEADING + 0.9) * size)
        placed.append(box)
        gone = box.foot + ARROW * size
        feet = {"left": gone, "right": gone} if column == "whole" else {**feet, column: gone}
    return placed


def _rows(told: BoxTold, room: float) -> Iterator[PlacedRow]:
    yield from _lawful(told.title, told.laws, room, strong=bool(told.lines) or told.box.asks or told.box.number == 0)
    for line in told.lines:
        *some, last = _lawful(f"• {line.text}", line.laws, room - (1.8 if line.to else 0), strong=False)
        yield from some
        yield PlacedRow(last.text, last.strong, last.law, line.to)


def _lawful(text: str, laws: tuple[str, ...], room: float, strong: bool) -> Iterator[PlacedRow]:
    said = f"{text} [{', '.join(laws)}]" if laws else text
    yield from (PlacedRow(line, strong, False) for line in lines(said, room, strong))


def _page(boxes: list[SheetBox], speech: BoxSpeech, size: float) -> Iterator[str]:
    title = escape(speech.title())
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-labelledby="title" font-family="DejaVu Sans, Verdana, sans-serif" fill="#111">'
    )
    yield f'<title id="title">{title}</title><rect width="100%" height="100%" fill="#fff"/>'
    yield f'<text x="{MARGIN}" y="{MARGIN + 14}" font-size="17" font-weight="700">{title}</text>'
    yield (
        f'<text x="{WIDTH - MARGIN}" y="{MARGIN + 14}" font-size="7.5" text-anchor="end">'
        f"{escape(speech.subtitle())}</text>"
    )
    for box in boxes:
        yield from _box(box, size)
    yield from _arrows(boxes, speech, size)
    yield "</svg>"


def _box(box: SheetBox, size: float) -> Iterator[str]:
    fill = QUESTION if box.told.box.asks else RESULT
    yield (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6" '
        f'fill="{fill}" stroke="{INK}"/>'
    )
    yield from _disc(box.told.box.number, box.x + 1.2 * size, box.y + 1.25 * size, size)
    for n, row in enumerate(box.rows, 1):
        y = box.y + (n * LEADING + 0.15) * size
        weight = ' font-weight="700"' if row.strong else ""
        yield (
            f'<text class="row" x="{box.x + INDENT * size:.1f}" y="{y:.1f}" font-size="{size:.1f}"{weight}>'
            f"{_lettered(row.text, size)}</text>"
        )
        if row.to:
            yield from _disc(row.to, box.x + box.width - 1.2 * size, y - 0.35 * size, size * 0.68)


def _lettered(text: str, size: float) -> str:
    """A line with the laws at its end in small type."""
    before, bracket, laws = text.rpartition("[")
    if not bracket:
        return escape(text)
    return f'{escape(before)}<tspan font-size="{size * 0.8:.1f}" font-weight="400">[{escape(laws)}</tspan>'


def _disc(number: int, x: float, y: float, size: float) -> Iterator[str]:
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size * 0.85:.1f}" fill="{INK}"/>'
    yield (
        f'<text class="number" x="{x:.1f}" y="{y + size * 0.33:.1f}" font-size="{size * 0.9:.1f}" fill="#fff" '
        f'font-weight="700" text-anchor="middle">{number}</text>'
    )


def _arrows(boxes: list[SheetBox], speech: BoxSpeech, size: float) -> Iterator[str]:
    at = {box.told.box.number: box for box in boxes}
    for box in boxes:
        told = box.told
        for word, to in onward(told, speech):
            if to != told.box.then:
                yield from _arrow(box, at[to], word if told.box.asks else "", size)
        if any(line.to == told.box.number + 1 != told.box.then for line in told.lines):
            yield from _arrow(box, at[told.box.number + 1], "", size)
    right = [box for box in boxes if box.told.box.column == "right"]
    yield from (line for box in right[:-1] if box.told.box.then for line in _rail(box, boxes[-1], speech, size))
    if right and boxes[-1].told.box.name == "always":
        yield from _line(right[-1].middle, right[-1].foot, right[-1].middle, boxes[-1].y, "", size)
    left = [box for box in boxes if box.told.box.column == "left"]
    if left:
        box = left[-1]
        yield from _line(box.middle, box.foot, box.middle, box.foot + ARROW * size, "", size)
        y = box.foot + (ARROW + 1.2) * size
        yield (
            f'<text class="ends" x="{box.middle:.1f}" y="{y:.1f}" font-size="{size:.1f}" font-weight="700" '
            f'text-anchor="middle">{escape(speech.ends())}</text>'
        )


def _rail(box: SheetBox, to: SheetBox, speech: BoxSpeech, size: float) -> Iterator[str]:
    """Past the boxes below, along the edge of the paper: from a box in which the cost is known to what always holds."""
    x, y, rail = box.x + box.width - 4 * size, to.y + to.height / 2, WIDTH - MARGIN + 2 * size
    tip, end = size * 0.45, to.x + to.width
    yield (
        f'<path class="rail" d="M{x:.1f} {box.foot:.1f}v{size:.1f}H{rail:.1f}V{y:.1f}H{end + tip:.1f}" '
        f'stroke="#222" fill="none"/>'
    )
    yield f'<path d="M{end + 2 * tip:.1f} {y - tip:.1f}v{2 * tip:.1f}l{-2 * tip:.1f} {-tip:.1f}z" fill="#222"/>'
    if box.told.yes == box.told.box.then:
        says = escape(speech.speaker.phrase("chart-yes"))
        foot = box.foot + 1.35 * size
        yield f'<text x="{x - 0.5 * size:.1f}" y="{foot:.1f}" font-size="{size:.1f}" text-anchor="end">{says}</text>'


def _arrow(box: SheetBox, to: SheetBox, word: str, size: float) -> Iterator[str]:
    """Straight down, or from a broad box to a column below it."""
    x = box.middle
    if to.told.box.column != "whole" and box.told.box.column == "whole":
        x = min(max(to.middle, box.x + 2 * size), box.x + box.width - 2 * size)
    yield from _line(x, box.foot, x, to.y, word, size)


def _line(x: float, y: float, to_x: float, to_y: float, word: str, size: float) -> Iterator[str]:
    tip = size * 0.45
    yield f'<path class="arrow" d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y - tip:.1f}" stroke="#222" fill="none"/>'
    yield f'<path d="M{to_x - tip:.1f} {to_y - 2 * tip:.1f}h{2 * tip:.1f}l{-tip:.1f} {2 * tip:.1f}z" fill="#222"/>'
    if word:
        yield f'<text x="{x + size * 0.6:.1f}" y="{y + 1.3 * size:.1f}" font-size="{size:.1f}">{escape(word)}</text>'
