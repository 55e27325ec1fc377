"""Work in a process of its own, with an end to its time and memory: whatever drafts ask for cannot stop the desk.

Python cannot break off a thread. A process can be ended, and while it works the desk's own threads go on.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, ParamSpec, TypeVar, cast

from facts.errors import EngineError, InputError, RevokeKbError
from kb.desk.recent import Turns

P = ParamSpec("P")
T = TypeVar("T")

MEMORY: Final = 2 * 1024**3
"""Bytes that such a process may ask for, Python and its modules included."""
STARTING: Final = 60.0
"""Seconds in which it must be there."""
_SPAWN: Final = get_context("spawn")
"""Started anew: a copy of a process that has threads may hang."""


class Apart:
    """One process for one job at a time, started when it is first needed and ended with the desk."""

    def __init__(self, seconds: float, places: int) -> None:
        """``seconds``: for one job; ``places``: as of ``Turns``."""
        self.seconds = seconds
        self._turns = Turns(places)
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def run(self, job: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What the job gives, a function of a module, from what can be handed to a process.

        InputError when it takes too long or too much memory; EngineError as of ``Turns``, or when the process is lost.
        """
        return self._turns.take(lambda: cast(T, self._done((job, given, named))))

    def close(self) -> None:
        """Nothing more is done, and what is being done is broken off."""
        self._turns.close()
        self._end()

    def _done(self, work: tuple[Callable[..., Any], Any, Any]) -> object:
        try:
            pipe = self._pipe or self._start()
            pipe.send(work)
            if not pipe.poll(self.seconds):
                raise _over(f"it takes more than {self.seconds:g} seconds")
            told, value = pipe.recv()
        except (EOFError, OSError):
            self._end()
            raise EngineError("the process that works for drafts was ended; ask again") from None
        except InputError:
            self._end()
            raise
        if told == "memory":
            self._end()
            raise _over(f"it takes more than {MEMORY // 1024**3} GB of memory")
        if told == "failed":
            raise value
        return value

    def _start(self) -> Connection:
        here, there = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(there, self.seconds), daemon=True)
        self._process.start()
        there.close()
        if not here.poll(STARTING):
            raise OSError
        here.recv()
        self._pipe = here
        return here

    def _end(self) -> None:
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()


def _over(what: str) -> InputError:
    mend = "look for conditions of a rule that share no variable"
    return InputError.of("draft", f"working by this draft was broken off: {what}", mend)


def _work(pipe: Connection, seconds: float) -> None:
    """What the process does: one job after another, until the desk is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    if hasattr(os, "nice"):
        os.nice(10)  # the desk itself goes first
    with suppress(EOFError, OSError):
        pipe.send("ready")
        while True:
            job, given, named = pipe.recv()
            _alarm(2 * seconds)
            pipe.send(_outcome(job, given, named))
            _alarm(0)


def _outcome(job: Callable[..., object], given: Any, named: Any) -> tuple[str, object]:
    try:
        return "done", job(*given, **named)
    except MemoryError:
        return "memory", None
    except RevokeKbError as error:
        return "failed", error
    except Exception as error:
        return "failed", EngineError(f"the work for this draft failed ({type(error).__name__})")


def _alarm(seconds: float) -> None:
    """Ends this process by itself after that time, should the desk be gone by then and unable to; 0 for never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory() -> None:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
