"""Whatever is slow is done in a few processes, each job with an end to its time and memory, and none twice.

Python cannot break off a thread. A process can be ended, and while it works the desk's own threads go on:
nothing stops the desk.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from multiprocessing import get_context
from threading import Lock, Semaphore
from typing import Any, Final, Generic, ParamSpec, TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from facts.errors import EngineError, InputError, RevokeKbError

P = ParamSpec("P")
T = TypeVar("T")

WORKERS: Final = 3
"""A job of minutes leaves two for the others."""
PLACES: Final = 12
"""So many may be about it, at work or waiting; each holds a thread that rulings could do with."""
MEMORY: Final = 2 * 1024**3
"""Bytes that a process may ask for, Python and its modules included."""
_NO_MEMORY: Final = 70
"""The exit code of a process that asked for more."""
_CLOSING: Final = "the desk is being closed"
_TOO_MUCH: Final = "too much is being worked out at the moment; ask again in a minute"
_LOST: Final = "the process that worked on this was ended; ask again"


class Pool:
    """The processes, started when the first job comes and ended with the desk."""

    def __init__(self) -> None:
        self._places, self._lock = Semaphore(PLACES), Lock()
        self._pool: ProcessPool | None = _processes()
        self._jobs = set[ProcessFuture[Any]]()

    def run(self, seconds: float, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What the job gives, a function of a module, from what can be handed to a process.

        InputError when it takes too long or too much memory; EngineError when the process is lost, when too many wait
        already, or the desk is being closed.
        """
        pool = self._pool
        if pool is None:
            raise EngineError(_CLOSING)
        if not self._places.acquire(blocking=False):
            raise EngineError(_TOO_MUCH)
        try:
            future = pool.schedule(_done, (job, given, named), timeout=seconds)
            self._jobs.add(future)
            try:
                found: T = future.result()
            finally:
                self._jobs.discard(future)
            return found
        except TimeoutError:
            raise _over(f"it takes more than {seconds:g} seconds") from None
        except ProcessExpired as ended:
            if ended.exitcode == _NO_MEMORY:
                raise _over(f"it takes more than {MEMORY // 1024**3} GB of memory") from None
            raise EngineError(_LOST) from None
        except CancelledError:
            raise EngineError(_CLOSING) from None
        except RuntimeError:  # somebody has ended all of them
            with self._lock:
                if self._pool is pool:
                    _stop(pool)
                    self._pool = _processes()
            raise EngineError(_LOST) from None
        finally:
            self._places.release()

    def close(self) -> None:
        """Nothing more is done, and what is being done is broken off."""
        with self._lock:
            pool, self._pool = self._pool, None
        for future in tuple(self._jobs):
            future.cancel()  # type: ignore[no-untyped-call] # as above
        if pool is not None:
            _stop(pool)
            pool.join()


def _processes() -> ProcessPool:
    # started anew: a copy of a process that has threads may hang
    return ProcessPool(WORKERS, initializer=_limited, context=get_context("spawn"))


def _stop(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call] # it says nothing of its types


def _over(what: str) -> InputError:
    return InputError.of("desk", f"this was broken off: {what}", "give less at a time")


def _done(job: Callable[..., Any], given: Any, named: Any) -> Any:
    try:
        return job(*given, **named)
    except MemoryError:
        os._exit(_NO_MEMORY)  # what it holds is given back with it
    except RevokeKbError:
        raise
    except Exception as error:
        raise EngineError(f"the work for this failed ({type(error).__name__})") from None


def _limited() -> None:
    """Limits the memory of this process, and lets the desk itself go first."""
    if hasattr(os, "nice"):
        os.nice(5)
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

WAITING: Final = 8
"""So many wait for values that others are making; each holds a thread that rulings could do with."""


class Recent(Generic[Key, Value]):
    """The values asked for last, none made twice; safe from any number of threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Key, Future[Value]] = OrderedDict()
        self._waiting = 0
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of the key, made if it is not there; what ``make`` raises is raised, and nothing kept.

        EngineError when too many wait already for what is being made.
        """
        with self._lock:
            found = self._values.get(key)
            if found is None:
                mine = self._values[key] = Future[Value]()
            else:
                self._values.move_to_end(key)
                if not found.done():
                    if self._waiting >= WAITING:
                        raise EngineError(_TOO_MUCH)
                    self._waiting += 1
        if found is not None:
            return self._waited(found)
        try:
            mine.set_result(make())
        except BaseException as error:
            with self._lock:
                self._values.pop(key, None)
            mine.set_exception(error)
            raise
        with self._lock:
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return mine.result()

    def _waited(self, found: Future[Value]) -> Value:
        try:
            return found.result()
        finally:
            with self._lock:
                self._waiting -= 1
