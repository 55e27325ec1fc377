"""How far an audit has come, on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from facts.readers.archives import Unit
from kb.audit.labels import AuditLabels
from kb.audit.run import Done


class Watch:
    """A bar over the bytes, the boards and their rate, the time left; nothing at all where there is no terminal.

    It is drawn when a unit is done, without a thread of its own, which forked processes would not survive.
    """

    def __init__(self, units: Sequence[Unit], said: AuditLabels, console: Console) -> None:
        self._said = said
        self._boards = self._boards_now = 0
        self._began = monotonic()
        self._progress = Progress(
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[told]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=sum(map(_size, units)), told="")

    def __enter__(self) -> Watch:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._progress.stop()

    def tell(self, done: Done) -> None:
        """Shows that a unit is done; the rate is that since the start or the interruption."""
        self._boards += done.audited.boards
        self._boards_now += 0 if done.before else done.audited.boards
        rate = self._boards_now / max(monotonic() - self._began, 0.001)
        told = self._said.phrase("progress", boards=f"{self._boards:,}", rate=f"{rate:,.0f}")
        self._progress.update(self._task, advance=_size(done.unit), told=told, refresh=not done.before)


def _size(unit: Unit) -> int:
    """Bytes, or one where they are not known."""
    return max(1, unit.size)
