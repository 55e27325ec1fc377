"""A whole audit: its units handed out to workers, noted when done, put together in order; and how far it has come."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain, islice
from multiprocessing import active_children, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from time import monotonic
from types import TracebackType
from typing import Any, BinaryIO, Final, ParamSpec, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from facts.errors import EngineError, InputError
from facts.opening import is_regular
from facts.readers.archives import Unit
from facts.suggestions import brief
from kb.audit.auditor import Audited, Auditor, audit_units
from kb.audit.telling import AuditLabels

P = ParamSpec("P")
T = TypeVar("T")

AHEAD: Final = 4
"""Pieces of work handed out for each worker, so that none has to wait."""
CONNECT_SECONDS: Final = 10


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor, and how many pieces of work it should have at hand."""

    executor: Executor
    at_hand: int


@contextmanager
def workers(number: int, cluster: str | None = None) -> Iterator[Workers]:
    """So many processes of this machine, or the workers of the dask cluster whose scheduler has that address.

    InputError when there is no such cluster, EngineError when workers were lost so often that it cannot go on.
    """
    if cluster is not None:
        with _cluster(cluster) as found:
            yield found
    elif number <= 1:
        yield Workers(Here(), 1)
    else:
        others = active_children()
        pool = ProcessPoolExecutor(number, initializer=_be_a_worker)
        try:
            yield Workers(pool, AHEAD * number)
        except BrokenExecutor:
            raise _lost("a worker was ended from outside, perhaps for want of memory") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():  # whatever they are working on, nobody waits for it any more
                if worker not in others:
                    worker.kill()


class Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """A future that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # as other executors hand it on
            future.set_exception(error)
        return future


@contextmanager
def _cluster(address: str) -> Iterator[Workers]:
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 - an extra, and slow to import
        from distributed.comm import CommClosedError  # noqa: PLC0415
    except ImportError as error:
        raise _refused(address, f"dask.distributed is missing ({error})", "install the extra 'cluster'") from None
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise _refused(address, f"there is no scheduler ({error})", "start one with: dask scheduler") from None
    with client:
        try:
            threads = sum(client.nthreads().values())
            yield Workers(client.get_executor(pure=False), AHEAD * max(1, threads))
        except (KilledWorker, CommClosedError, CancelledError) as error:
            raise _lost(f"the cluster lost its workers ({error})") from None


def _be_a_worker() -> None:
    """An interruption is for the main process to deal with; when that is gone, so is this one, whatever it is at."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with(parent: BaseProcess) -> None:
        parent.join()
        os._exit(1)

    if (parent := parent_process()) is not None:
        Thread(target=end_with, args=(parent,), daemon=True).start()


def _lost(what: str) -> EngineError:
    return EngineError(f"{what}; start it again, and it goes on where it stopped")


def _refused(address: str, what: str, mend: str) -> InputError:
    return InputError.of(f"--cluster {address}", what, mend)


FORM: Final = "revoke-audit 2"
"""The first word of every state file; another number where the lines mean something else."""
MOST_HEADER: Final = 1_000


class Journal:
    """The units done so far, by their keys."""

    def __init__(self, path: Path, digest: str) -> None:
        """Opens the file, or begins it; InputError when it is no such file, or one of an audit by other rules."""
        self.path = path
        self.done: dict[str, Audited] = {}
        self._header = header = json.dumps({"state": FORM, "audit": digest}).encode() + b"\n"
        if not is_regular(path):
            raise InputError.of(path, "this is no regular file", "name another with --resume")
        try:
            kept = self._read() if path.is_file() and path.stat().st_size else 0
            self._file: BinaryIO = path.open("r+b" if kept else "wb", buffering=0)
            self._file.truncate(kept)
            self._file.seek(kept)
        except (OSError, ValueError) as error:
            what = f"the state file cannot be used ({error})"
            raise InputError.of(brief(str(path)), what, "name another with --resume") from None
        if not kept:
            self._write(header)

    def add(self, key: str, audited: Audited) -> None:
        """Notes that a unit is done, if it has a key; InputError when there is no room for it."""
        if key:
            line = json.dumps({"unit": key, **asdict(audited)}, ensure_ascii=False, separators=(",", ":"))
            body = line.encode("utf-8", "replace")
            self._write(self._digest(body) + b" " + body + b"\n")

    def close(self) -> None:
        """Leaves the file as it is."""
        self._file.close()

    def _write(self, line: bytes) -> None:
        try:
            written = self._file.write(line)
        except OSError as error:
            raise self._full(error.strerror) from None
        if written != len(line):
            raise self._full("there is no room for a line")

    def _full(self, why: str | None) -> InputError:
        what = f"the state file cannot be written ({why})"
        return InputError.of(self.path, what, "make room, and start again: it goes on where it stopped")

    def _digest(self, body: bytes) -> bytes:
        """Of a line of this audit."""
        return sha256(self._header + body).hexdigest()[:16].encode()

    def _read(self) -> int:
        """Takes in the lines that are as they were written, and gives how many bytes they are."""
        with self.path.open("rb") as stream:
            first = stream.readline(MOST_HEADER)
            if first != self._header:
                raise _wrong_header(self.path, first)
            kept = len(first)
            for line in stream:
                digest, _, body = line.rstrip(b"\n").partition(b" ")
                if not line.endswith(b"\n") or digest != self._digest(body):
                    break
                data = json.loads(body)
                unit = data.pop("unit")
                self.done[unit] = Audited(**{**data, "entries": tuple(data["entries"])})
                kept += len(line)
        return kept


def key_of(unit: Unit) -> str:
    """Names a unit and the state it is in; empty where that cannot be known."""
    if unit.once or unit.refused is not None:
        return ""
    try:
        path = Path(unit.path).absolute()
        status = path.stat()
    except OSError:
        return ""
    return f"{path}|{unit.member}|{status.st_size}|{status.st_mtime_ns}"


def _wrong_header(path: Path, first: bytes) -> InputError:
    try:
        found: Any = json.loads(first)
        ours = found["state"] == FORM
    except (ValueError, KeyError, TypeError, RecursionError):
        ours = False
    if ours:
        what = "this is the state of an audit by other rules or options"
        return InputError.of(path, what, "delete it, or give the audit another with --resume")
    return InputError.of(path, "this is no state file of an audit", "name another with --resume")


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
