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
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import islice
from multiprocessing import active_children, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, Final, TypeAlias

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

from facts.errors import EngineError, InputError
from facts.opening import is_regular
from facts.readers.archives import Unit
from facts.suggestions import brief
from kb.audit.auditor import Audited, Auditor, audit_units

AHEAD: Final = 4
"""Pieces of work handed out for each worker, so that none has to wait."""
CONNECT_SECONDS: Final = 10


Workers: TypeAlias = tuple[Executor, int]
"""An executor, and how many pieces of work it should have at hand."""


@contextmanager
def workers(number: int, cluster: str | None = None) -> Iterator[Workers]:
    """So many processes of this machine, or the workers of the dask cluster whose scheduler has that address.

    InputError when there is no such cluster, EngineError when workers were lost so often that it cannot go on.
    """
    if cluster is not None:
        with _cluster(cluster) as found:
            yield found
        return
    others = active_children()
    alone = number <= 1
    pool = ThreadPoolExecutor(1) if alone else ProcessPoolExecutor(number, initializer=_be_a_worker)
    try:
        yield pool, 1 if alone else AHEAD * number
    except BrokenExecutor:
        raise _lost("a worker was ended from outside, perhaps for want of memory") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in active_children():  # whatever they are working on, nobody waits for it any more
            if worker not in others:
                worker.kill()


@contextmanager
def _cluster(address: str) -> Iterator[Workers]:
    def refused(what: str, mend: str) -> InputError:
        return InputError.of(f"--cluster {address}", what, mend)

    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 - an extra, and slow to import
        from distributed.comm import CommClosedError  # noqa: PLC0415
    except ImportError as error:
        raise refused(f"dask.distributed is missing ({error})", "install the extra 'cluster'") from None
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise refused(f"there is no scheduler ({error})", "start one with: dask scheduler") from None
    with client:
        try:
            threads = sum(client.nthreads().values())
            yield client.get_executor(pure=False), AHEAD * max(1, threads)
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


UNFINISHED: Final = '{"unfinished": "revoke-audit 4"'
"""Begins the output of an audit that is not at its end; another number where its lines mean something else."""
MOST_HEADER: Final = 1_000


class Journal:
    """The output while the audit goes on: a line of JSON for each unit that is done, by its key. What is printed takes
    its place at the end."""

    @staticmethod
    def fits(path: Path) -> bool:
        """Whether it may stand there: in a new file or an unfinished output. What else there is stays until the end."""
        if not path.is_file():
            return is_regular(path)
        with suppress(OSError), path.open("rb") as stream:
            return not (first := stream.readline(MOST_HEADER)) or first.startswith(UNFINISHED.encode())
        return True

    def __init__(self, path: Path, digest: str) -> None:
        """Goes on with the file, or begins it; InputError where it is of an audit by other rules, or cannot be used."""
        self.path = path
        self.done: dict[str, Audited] = {}
        header = f'{UNFINISHED}, "audit": {json.dumps(digest)}}}\n'.encode()
        try:
            kept = self._read(header) if path.is_file() else 0
            self._file: BinaryIO = path.open("r+b" if kept else "wb", buffering=0)
            self._file.truncate(kept)
            self._file.seek(kept)
        except (OSError, ValueError) as error:
            raise self._unusable(str(error)) from None
        if not kept:
            self._write(header)

    def add(self, key: str, audited: Audited) -> None:
        """Notes that a unit is done, if it has a key; InputError when there is no room for it."""
        if key:
            line = json.dumps({"unit": key, **asdict(audited)}, ensure_ascii=False, separators=(",", ":"))
            self._write(line.encode("utf-8", "replace") + b"\n")

    def close(self) -> None:
        """Leaves the file as it is."""
        self._file.close()

    def _write(self, line: bytes) -> None:
        try:
            written = self._file.write(line)
        except OSError as error:
            raise self._unusable(error.strerror) from None
        if written != len(line):
            raise self._unusable("there is no room for a line")

    def _unusable(self, why: str | None) -> InputError:
        mend = "make room, or name another, and start again: what is done in it is not done again"
        return InputError.of(brief(str(self.path)), f"the output cannot be written ({why})", mend)

    def _read(self, header: bytes) -> int:
        """Takes in the whole lines of an unfinished output, and gives how many bytes they are."""
        with self.path.open("rb") as stream:
            first = stream.readline(MOST_HEADER)
            if first not in (b"", header):
                what = "this is the unfinished output of an audit by other rules or options"
                raise InputError.of(self.path, what, "delete it, or name another with --output")
            kept = len(first)
            for line in stream:
                try:
                    data = json.loads(line)
                    unit = data.pop("unit")
                    audited = Audited(**{**data, "entries": tuple(data["entries"])})
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    break
                if not line.endswith(b"\n"):
                    break
                self.done[unit] = audited
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


class Audit:
    """An audit of units by one auditor."""

    def __init__(self, auditor: Auditor, units: Sequence[Unit], journal: Journal | None = None) -> None:
        self.auditor = auditor
        self.units = units
        self.journal = journal

    @property
    def pieces(self) -> int:
        """How many pieces of work it is when nothing is done yet."""
        return sum(1 for _ in self._pieces(range(len(self.units))))

    def run(self, on: Workers, tell: Callable[[Done], None]) -> list[Audited]:
        """The audit of every unit, in their order; ``tell`` is called with each as it is done, in any order."""
        keys, results = [key_of(unit) for unit in self.units], dict[int, Audited]()
        for done in self._each(on, keys):
            results[done.number] = done.audited
            if self.journal is not None and not done.before and done.audited.read:
                self.journal.add(keys[done.number], done.audited)
            tell(done)
        return [results[number] for number in sorted(results)]

    def _each(self, on: Workers, keys: Sequence[str]) -> Iterator[Done]:
        """Each unit as it is done: those that the journal has; here, standard input and pipes, which no other process
        can read; and the others by the workers, who never have more pieces than they should have at hand."""
        known, left = {} if self.journal is None else self.journal.done, list[int]()
        for number, (unit, key) in enumerate(zip(self.units, keys, strict=True)):
            if key in known:
                yield Done(number, unit, known[key], before=True)
            elif unit.once:
                yield Done(number, unit, self.auditor.audit(unit), before=False)
            else:
                left.append(number)
        waiting, (executor, at_hand) = self._pieces(left), on
        running: dict[Future[list[Audited]], list[int]] = {}
        while True:
            for piece in islice(waiting, at_hand - len(running)):
                units = [self.units[number] for number in piece]
                work = executor.submit(audit_units, self.auditor.job, self.auditor.digest, units)
                running[work] = piece
            if not running:
                return
            for work in wait(running, return_when=FIRST_COMPLETED).done:
                for number, audited in zip(running.pop(work), work.result(), strict=True):
                    yield Done(number, self.units[number], audited, before=False)

    def _pieces(self, numbers: Iterable[int]) -> Iterator[list[int]]:
        """The units of these numbers, in pieces of work."""
        taken: list[int] = []
        size = 0
        for number in numbers:
            taken.append(number)
            size += self.units[number].size
            if size >= PIECE_BYTES or len(taken) >= PIECE_UNITS:
                yield taken
                taken, size = [], 0
        if taken:
            yield taken


@contextmanager
def watching(units: Sequence[Unit], console: Console) -> Iterator[Callable[[Done], None]]:
    """A bar over the bytes, and the time left; nothing at all where there is no terminal. What it gives is called with
    each unit that is done.

    It is drawn then, without a thread of its own, which forked processes would not survive.
    """

    def size(unit: Unit) -> int:
        """Bytes, or one where they are not known."""
        return max(1, unit.size)

    columns = BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, auto_refresh=False, disable=hidden) as progress:
        task = progress.add_task("", total=sum(map(size, units)))
        yield lambda done: progress.update(task, advance=size(done.unit), refresh=not done.before)
