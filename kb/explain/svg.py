"""The proof as a picture for slides: each conclusion on the left, what it rests on to its right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Final

from kb.explain.headline import headline
from kb.explain.say import Speaker
from kb.explain.text import title
from kb.ruling.reasons import Branch
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling

WIDTH: Final = 250
"""Of a box; everything is in SVG user units."""
LINE: Final = 15
PAD: Final = 8
GAP_ACROSS: Final = 46
GAP_DOWN: Final = 10
LETTERS: Final = 38
"""In a line of a box."""
TOP: Final = 60
COLOURS: Final = {
    "law": ("#e4eefb", "#0b4f8a"),
    "machinery": ("#f1f1f1", "#767676"),
    "observed": ("#fdf6e3", "#8a6d1b"),
}
"""Fill and border of a box: a step of the law, a step of a definition, an observed fact."""


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """A placed box."""

    x: float
    y: float
    height: float
    lines: tuple[str, ...]
    law: str
    kind: str
    under: tuple[PlacedBox, ...]

    @property
    def middle(self) -> float:
        """Where lines begin and end."""
        return self.y + self.height / 2


def svg(ruling: Ruling, speaker: Speaker) -> str:
    """The picture; each fact once, from the conclusion that needs it first."""
    speaker = speaker.of(ruling)
    layout = _Layout(speaker)
    boxes = [layout.place(one, 0) for one in Report(ruling).trees]
    width, height = layout.right + 20, max(layout.bottom, TOP) + 20
    name, told = escape(title(ruling, speaker)), escape(headline(ruling, speaker))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" aria-labelledby="t d" '
        f'font-family="system-ui, sans-serif" font-size="12"><title id="t">{name}</title><desc id="d">{told}</desc>'
        '<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="20" y="24" font-size="17" font-weight="600">{told}</text>'
        f'<text x="20" y="44" fill="#555">{name}</text>'
    )
    return "\n".join([head, *(line for box in boxes for line in _drawn(box)), "</svg>"]) + "\n"


class _Layout:
    """Places boxes from the top down: those without anything under them one below the other."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker
        self.bottom: float = TOP
        self.right: float = 0

    def place(self, node: Branch, depth: int) -> PlacedBox:
        """The box of a node, with those under it."""
        lines, law, kind = self._words(node)
        if node.again:
            lines = (*lines, "…")
        height = PAD * 2 + LINE * (len(lines) + bool(law))
        x = 20 + depth * (WIDTH + GAP_ACROSS)
        self.right = max(self.right, x + WIDTH)
        top = self.bottom
        under = tuple(self.place(child, depth + 1) for child in node.under)
        self.bottom = max(self.bottom, top + height + GAP_DOWN)
        y = top if not under else max(top, (under[0].middle + under[-1].middle - height) / 2)
        self.bottom = max(self.bottom, y + height + GAP_DOWN)
        return PlacedBox(x, y, height, lines, law, kind, under)

    def _words(self, node: Branch) -> tuple[tuple[str, ...], str, str]:
        law, kind = "", "machinery"
        if node.firing is not None:
            said = self.speaker.reason(node.firing.reason)
            if node.firing.law is not None:
                law, kind = self.speaker.laws([node.firing.law]), "law"
        elif node.counted is not None:
            said = self.speaker.phrase("counted", n=node.counted)
        else:
            said, kind = self.speaker.fact(node.fact), "observed"
        return tuple(wrap(said, LETTERS)), law, kind


def _drawn(box: PlacedBox) -> Iterator[str]:
    fill, line = COLOURS[box.kind]
    for child in box.under:
        start, end, y, to = box.x + WIDTH, child.x, box.middle, child.middle
        half = (start + end) / 2
        yield f'<path d="M{start:g} {y:g}C{half:g} {y:g} {half:g} {to:g} {end:g} {to:g}" fill="none" stroke="#888"/>'
    at, size = f'x="{box.x:g}" y="{box.y:g}"', f'width="{WIDTH}" height="{box.height:g}"'
    yield f'<rect {at} {size} rx="5" fill="{fill}" stroke="{line}"/>'
    first = box.y + PAD + LINE * 0.8
    for nth, words in enumerate(box.lines):
        yield f'<text x="{box.x + PAD:g}" y="{first + nth * LINE:g}" fill="#1b1b1b">{escape(words)}</text>'
    if box.law:
        y = first + len(box.lines) * LINE
        yield f'<text x="{box.x + PAD:g}" y="{y:g}" font-weight="600" fill="{line}">{escape(box.law)}</text>'
    for child in box.under:
        yield from _drawn(child)
