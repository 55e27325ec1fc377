"""A whole audit: the units in pieces of work, handed out, noted when done, and put together in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from facts.readers.archives import STANDARD_INPUT, Unit
from kb.audit.auditor import Audited, Auditor, audit_units
from kb.audit.journal import Journal, key_of
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
        if self.journal is not None and not done.before:
            self.journal.add(key, done.audited)

    def _before(self, keys: Sequence[str]) -> Iterator[Done]:
        """The units that the journal has."""
        known = {} if self.journal is None else self.journal.done
        for number, (unit, key) in enumerate(zip(self.units, keys, strict=True)):
            if key in known:
                yield Done(number, unit, known[key], before=True)

    def _here(self) -> Iterator[Done]:
        """Standard input, which no other process can read."""
        for number, unit in enumerate(self.units):
            if unit.path == STANDARD_INPUT:
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
