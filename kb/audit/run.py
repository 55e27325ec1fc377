"""A whole audit: its units handed out to workers."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
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
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, Final, TypeAlias

from facts.errors import EngineError, InputError
from facts.readers.archives import Unit
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
    return EngineError(f"{what}; start it again")


PIECE_BYTES: Final = 400_000
PIECE_UNITS: Final = 100
"""A piece of work ends when it has so many bytes or units: about a tenth of a second of work."""


def pieces(units: Sequence[Unit]) -> Iterator[list[int]]:
    """The numbers of the units that workers can do, in pieces of work."""
    taken: list[int] = []
    size = 0
    for number, unit in enumerate(units):
        if unit.once:
            continue
        taken.append(number)
        size += unit.size
        if size >= PIECE_BYTES or len(taken) >= PIECE_UNITS:
            yield taken
            taken, size = [], 0
    if taken:
        yield taken


def audited(auditor: Auditor, units: Sequence[Unit], on: Workers) -> Iterator[tuple[int, Audited]]:
    """The number of each unit and its audit, as it is done.

    Standard input and pipes, which no other process can read, are audited here. The workers never have more pieces than
    they should have at hand.
    """
    for number, unit in enumerate(units):
        if unit.once:
            yield number, auditor.audit(unit)
    waiting, (executor, at_hand) = pieces(units), on
    running: dict[Future[list[Audited]], list[int]] = {}
    while True:
        for piece in islice(waiting, at_hand - len(running)):
            work = executor.submit(audit_units, auditor.job, auditor.digest, [units[number] for number in piece])
            running[work] = piece
        if not running:
            return
        for work in wait(running, return_when=FIRST_COMPLETED).done:
            yield from zip(running.pop(work), work.result(), strict=True)
