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
BUSY: Final = 4
"""So many times longer is waited for a job than it may take, as the computer may do other work."""
ENDING: Final = 0.2
"""Seconds in which a process that nobody talks to any more ends by itself."""
OVERTIME: Final = -getattr(signal, "SIGPROF", 0)
"""The exit code of a process whose time is over."""
_SPAWN: Final = get_context("spawn")
"""Started anew: a copy of a process that has threads may hang."""


class Apart:
    """One process for one job at a time, started when it is first needed and ended with the desk."""

    def __init__(self, seconds: float, places: int) -> None:
        """``seconds``: of the processor, for one job; ``places``: as of ``Turns``."""
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
            pipe.send((self.seconds, *work))
            if not pipe.poll(self.seconds * BUSY):
                raise self._too_long()
            told, value = pipe.recv()
        except (EOFError, OSError):
            if self._end() == OVERTIME:
                raise self._too_long() from None
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

    def _too_long(self) -> InputError:
        return _over(f"it takes more than {self.seconds:g} seconds")

    def _start(self) -> Connection:
        here, there = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(there,), daemon=True)
        self._process.start()
        there.close()
        if not here.poll(STARTING):
            raise OSError
        here.recv()
        self._pipe = here
        return here

    def _end(self) -> int | None:
        """Ends the process; its exit code, should it have ended by itself."""
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if pipe is not None:
            pipe.close()
        if process is None:
            return None
        process.join(ENDING)
        process.kill()
        process.join()
        return process.exitcode


def _over(what: str) -> InputError:
    mend = "look for conditions of a rule that share no variable, and for what has very many values or answers"
    return InputError.of("draft", f"working by this draft was broken off: {what}", mend)


def _work(pipe: Connection) -> None:
    """What the process does: one job after another, until the desk is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    if hasattr(os, "nice"):
        os.nice(5)  # the desk itself goes first
    with suppress(EOFError, OSError):
        pipe.send("ready")
        while True:
            seconds, job, given, named = pipe.recv()
            _alarm(seconds)
            outcome = _outcome(job, given, named)
            _alarm(0)
            pipe.send(outcome)


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
    """Ends this process after so much of the processor's time, also where the desk is gone by then; 0 for never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory() -> None:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
