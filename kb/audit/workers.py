"""Where the work is done: in this process, in others of this machine, or on a cluster; the same code everywhere."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, Final, ParamSpec, TypeVar

from facts.errors import EngineError, InputError

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
