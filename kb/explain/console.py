"""What is drawn on the terminal with ``rich``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import track
from rich.segment import Segment
from rich.status import Status

from facts.printable import printable

T = TypeVar("T")


class PlainConsole(Console):
    """Shows the control characters of what it is given instead of sending them to the terminal."""

    @property
    def file(self) -> IO[str]:
        """What it writes to: the stream itself, whatever else prints into it while something is drawn."""
        stream = super().file
        while (within := getattr(stream, "rich_proxied_file", stream)) is not stream:
            stream = within
        return stream

    @file.setter
    def file(self, new: IO[str]) -> None:
        self._file = new

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The pieces to be printed, their text made printable."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(printable(piece.text), piece.style)


def tracked(work: Iterable[T], says: str, total: float | None = None) -> Iterable[T]:
    """Draws on a terminal how far the work has come: without a thread, which forked processes would not survive."""
    errors = PlainConsole(stderr=True)
    return track(work, says, total, auto_refresh=False, console=errors, transient=True, disable=not errors.is_terminal)


def at_work() -> Status:
    """Shows on a terminal, as long as it is entered, that something is being worked out."""
    return PlainConsole(stderr=True).status("")
