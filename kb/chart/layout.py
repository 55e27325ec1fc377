"""Sets one part of a decision chart in columns: which lines stand where, and how large the type can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from kb.chart.lettering import lines, width
from kb.chart.parts import ChartPart, Figure, FigureBox
from kb.chart.telling import Speech

WIDTH: Final = 595
HEIGHT: Final = 842
"""Of A4, in points."""
MARGIN: Final = 24
GAP: Final = 10
"""Between columns."""
COLUMNS: Final = 3
COLUMN: Final = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
"""Width of a column."""
LARGEST: Final = 8.5
SMALLEST: Final = 6.6
"""Sizes of type, in points; what does not fit on a page at the smallest takes one page more."""
LEADING: Final = 1.25
LEGEND: Final = 7.5
"""Size of the type of the legend."""
INDENTS: Final = {"case": 0.5, "question": 0.5, "law": 1.6, "answer": 0.7, "more": 1.4, "end": 1.6, "note": 0.0}
"""Of each kind of line, in sizes of type."""
BOLD: Final = frozenset({"case", "heading", "question", "end"})
DISC: Final = 2.0
"""Room for the number of a box, in sizes of type."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a column."""

    text: str
    kind: str
    """case | heading | question | law | answer | more (of an answer) | end | note"""
    law: str = ""
    """Laws that stand at the end of the line."""
    to: int = 0
    """The box that an answer leads to."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that stay together."""

    rows: tuple[Row, ...]
    boxed: bool

    def height(self, size: float) -> float:
        """With the room below it, in points."""
        return len(self.rows) * size * LEADING + size * (0.9 if self.boxed else 0.3)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: its columns, and the size of their type in points."""

    columns: tuple[tuple[RowGroup, ...], ...]
    size: float


def legend(speech: Speech) -> list[str]:
    """What the letters mean, in lines as wide as the page."""
    return list(lines(speech.legend(), (WIDTH - 2 * MARGIN) / LEGEND))


def top(speech: Speech) -> float:
    """Where the columns begin, in points from the upper edge."""
    return MARGIN + 14 + len(legend(speech)) * LEGEND * LEADING + 4


def sheets(part: ChartPart, speech: Speech) -> tuple[Sheet, ...]:
    """As few pages as can be, and then type as large as can be."""
    room = HEIGHT - MARGIN - top(speech)
    fewest = -(-len(_columns(part, speech, SMALLEST, room)) // COLUMNS)
    sizes = [size / 10 for size in range(round(LARGEST * 10), round(SMALLEST * 10), -1)]
    fitting = ((size, _columns(part, speech, size, room)) for size in sizes)
    size, columns = next(
        ((size, columns) for size, columns in fitting if len(columns) <= fewest * COLUMNS),
        (SMALLEST, _columns(part, speech, SMALLEST, room)),
    )
    return tuple(Sheet(tuple(columns[at : at + COLUMNS]), size) for at in range(0, len(columns), COLUMNS))


def _columns(part: ChartPart, speech: Speech, size: float, room: float) -> list[tuple[RowGroup, ...]]:
    """Every block in its column; a heading stays with the box below it."""
    columns: list[tuple[RowGroup, ...]] = [()]
    used = 0.0
    blocks = list(_Setting(speech, COLUMN / size).blocks(part))
    for number, block in enumerate(blocks):
        following = blocks[number + 1].height(size) if not block.boxed and number + 1 < len(blocks) else 0
        if columns[-1] and used + block.height(size) + following > room:
            columns.append(())
            used = 0.0
        columns[-1] += (block,)
        used += block.height(size)
    return columns


class _Setting:
    """Sets texts in a column of some width, in sizes of type."""

    def __init__(self, speech: Speech, column: float) -> None:
        self.speech = speech
        self.column = column

    def blocks(self, part: ChartPart) -> Iterator[RowGroup]:
        if part.first is not None:
            yield from self.figure(part.first, ())
        for case in part.cases:
            heading = tuple(self.rows(self.speech.case(case), "case")) if case.told else ()
            for figure in case.figures:
                yield from self.figure(figure, heading)
                heading = ()
            notes = [row for note in self.speech.notes(case) for row in self.rows(note, "note")]
            if heading or notes:
                yield RowGroup((*heading, *notes), boxed=False)

    def figure(self, figure: Figure, before: tuple[Row, ...]) -> Iterator[RowGroup]:
        title = (*before, *self.rows(self.speech.heading(figure), "heading"))
        ending = () if figure.root.question else tuple(self.end(figure.root))
        yield RowGroup((*title, *ending), boxed=False)
        for box in figure.boxes():
            yield RowGroup(tuple(self.box(box)), boxed=True)

    def box(self, box: FigureBox) -> Iterator[Row]:
        yield from self.lawful(f"{box.number}  {self.speech.question(box)}", "question", box.laws)
        for answers, below in box.ways:
            *some, last = self.rows(f"• {self.speech.answers(box, answers)}", "answer", DISC)
            yield from some
            yield replace(last, to=below.number)
            if not below.question:
                yield from self.end(below)

    def end(self, box: FigureBox) -> Iterator[Row]:
        """What an end says, and its laws."""
        *some, last = self.speech.end(box)
        for text in some:
            yield from self.rows(f"▸ {text}", "end")
        yield from self.lawful(f"▸ {last}", "end", box.laws)

    def rows(self, text: str, kind: str, less: float = 0.5) -> Iterator[Row]:
        room = self.column - INDENTS.get(kind, 0) - less
        for number, line in enumerate(lines(text, room, kind in BOLD)):
            yield Row(line, "more" if number and kind == "answer" else kind)

    def lawful(self, text: str, kind: str, laws: tuple[str, ...]) -> Iterator[Row]:
        """A text with its laws at the end of the last line, or else on lines of their own."""
        *some, last = self.rows(text, kind)
        law = ", ".join(laws)
        yield from some
        if INDENTS[kind] + width(last.text, bold=True) + 1 + width(law) < self.column - 0.5:
            yield replace(last, law=law)
        else:
            yield last
            yield from self.rows(law, "law")
