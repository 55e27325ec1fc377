"""A whole audit: the units in pieces, handed out, noted when done, put together in order; and how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import chain, islice
from time import monotonic
from types import TracebackType
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from facts.readers.archives import Unit
from kb.audit.auditor import Audited, Auditor, audit_units
from kb.audit.journal import Journal, key_of
from kb.audit.labels import AuditLabels
from kb.audit.workers import Workers

PIECE_BYTES: Final = 400_000
PIECE_UNITS: Final = 100
"""A piece of work ends when it has so many bytes or units: about a tenth of a second of work."""


@dataclass(frozen=True, slots=True)
class Done:
    """A unit that is done."""

    number: int
    unit: Unit
    audited: Audited
    before: bool
    """Whether it was done before an interruption."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Units to be audited together."""

    numbers: tuple[int, ...]
    units: tuple[Unit, ...]


class Audit:
    """An audit of units by one auditor; ``results`` has a place for each of them."""

    def __init__(self, auditor: Auditor, units: Sequence[Unit], journal: Journal | None = None) -> None:
        self.auditor = auditor
        self.units = units
        self.journal = journal
        self.results: list[Audited | None] = [None] * len(units)
        self.unseen = 0
        """Files that the workers could not see, and that were therefore read here."""

    @property
    def pieces(self) -> int:
        """How many pieces of work it is when nothing is done yet."""
        return sum(1 for _ in _pieces(self.units, range(len(self.units))))

    def run(self, on: Workers, tell: Callable[[Done], None]) -> list[Audited]:
        """The audit of every unit, in their order; ``tell`` is called with each as it is done, in any order."""
        keys = [key_of(unit) for unit in self.units]
        for done in chain(self._before(keys), self._here()):
            self._take(done, keys[done.number])
            tell(done)
        left = [number for number, result in enumerate(self.results) if result is None]
        for done in self._spread(on, _pieces(self.units, left)):
            self._take(done, keys[done.number])
            tell(done)
        return [result for result in self.results if result is not None]

    def _take(self, done: Done, key: str) -> None:
        self.results[done.number] = done.audited
        if self.journal is not None and not done.before and done.audited.read:
            self.journal.add(key, done.audited)

    def _before(self, keys: Sequence[str]) -> Iterator[Done]:
        """The units that the journal has."""
        known = {} if self.journal is None else self.journal.done
        for number, (unit, key) in enumerate(zip(self.units, keys, strict=True)):
            if key in known:
                yield Done(number, unit, known[key], before=True)

    def _here(self) -> Iterator[Done]:
        """Standard input and pipes, which no other process can read."""
        for number, unit in enumerate(self.units):
            if unit.once:
                yield Done(number, unit, self.auditor.audit(unit), before=False)

    def _spread(self, on: Workers, pieces: Iterable[Piece]) -> Iterator[Done]:
        """Each unit of the pieces as it is done; never more pieces handed out than the workers should have at hand."""
        waiting = iter(pieces)
        running: dict[Future[list[Audited | None]], Piece] = {}
        while True:
            for piece in islice(waiting, on.at_hand - len(running)):
                work = on.executor.submit(audit_units, self.auditor.job, self.auditor.digest, piece.units)
                running[work] = piece
            if not running:
                return
            for work in wait(running, return_when=FIRST_COMPLETED).done:
                yield from self._finished(running.pop(work), work.result())

    def _finished(self, piece: Piece, results: Sequence[Audited | None]) -> Iterator[Done]:
        for number, unit, audited in zip(piece.numbers, piece.units, results, strict=True):
            if audited is None:
                self.unseen += 1
                audited = self.auditor.audit(unit)  # noqa: PLW2901
            yield Done(number, unit, audited, before=False)


def _pieces(units: Sequence[Unit], numbers: Iterable[int]) -> Iterator[Piece]:
    taken: list[int] = []
    size = 0
    for number in numbers:
        taken.append(number)
        size += units[number].size
        if size >= PIECE_BYTES or len(taken) >= PIECE_UNITS:
            yield Piece(tuple(taken), tuple(units[one] for one in taken))
            taken, size = [], 0
    if taken:
        yield Piece(tuple(taken), tuple(units[one] for one in taken))


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
