"""Work that takes longer than anybody waits for a page: done in a process of its own, asked for again by key."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any, Final

from facts.errors import EngineError

MOST_KEPT: Final = 40
MOST_WAITING: Final = 6


class BusyError(EngineError):
    """More is asked for than can be done for now."""


class Jobs:
    """One process at work, so that the others of a small machine stay free for rulings."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lifeline: Connection | None = None
        """The process lives as long as this is open; it closes with the desk, even if that is killed."""
        self._known: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._lock = Lock()

    def ask(self, key: Hashable, work: Callable[..., Any], *given: Any) -> Future[Any]:
        """The work of that key, begun if nobody has asked for it before. BusyError when too much waits."""
        with self._lock:
            known = self._known.get(key)
            if known is not None and not _broken(known):
                self._known.move_to_end(key)
                return known
            if sum(not one.done() for one in self._known.values()) >= MOST_WAITING:
                raise BusyError("too much is being worked out at the moment; ask again in some minutes")
            self._known[key] = future = self._submit(work, *given)
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
            return future

    def close(self) -> None:
        """Ends the process in the midst of its work; what waits is not done any more."""
        with self._lock:
            if self._pool is not None and self._lifeline is not None:
                self._lifeline.close()
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = None

    def _submit(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        for fresh in (False, True):
            if self._pool is None or fresh:
                context = multiprocessing.get_context("spawn")
                far, self._lifeline = context.Pipe(duplex=False)
                self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_hold, initargs=(far,))
            try:
                return self._pool.submit(work, *given)
            except BrokenProcessPool:
                continue
        raise EngineError("no process can be started")


def _broken(future: Future[Any]) -> bool:
    """Whether the process ended under the work, or the work was called off."""
    return future.done() and (future.cancelled() or isinstance(future.exception(), BrokenProcessPool))


def _hold(lifeline: Connection) -> None:
    """Ends this process as soon as the other end is let go; Ctrl+C is for the desk, and rulings go first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)

    def wait() -> None:
        with suppress(EOFError, OSError):
            lifeline.recv()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
