"""A console of ``rich`` on which nothing is printed but what it makes itself: colours, tables, bars."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from facts.printable import printable


class PlainConsole(Console):
    """Shows the control characters of what it is given instead of sending them to the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The pieces to be printed, their text made printable."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(printable(piece.text), piece.style)
