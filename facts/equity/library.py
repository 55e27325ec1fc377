"""The double-dummy library that endplay carries, asked in a process of its own.

endplay itself is never imported. Its library writes a file into its working directory on every error, and does not
stand two threads: so the process works in a scratch directory, and a lock lets one question through at a time.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import weakref
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from typing import Any, Final

from facts.cards import SEATS, SUITS, Card
from facts.equity.position import Position
from facts.equity.solver import Answer, NotComputed, WhyNotComputed

WORKER: Final = Path(__file__).with_name("worker.py")
TIME_LIMIT: Final = 20.0
"""Seconds for one position; the hardest of 600 deals took half a second."""
OUT_OF_TIME: Final = 1
"""How the process ends when its watchdog ends it."""
_STRAINS: Final = (*SUITS, None)


def library() -> Path | None:
    """The library's file, looked for without importing endplay; None when it is not installed."""
    spec = importlib.util.find_spec("endplay")
    for folder in (spec and spec.submodule_search_locations) or ():
        for name in ("libdds.so", "libdds.dylib", "dds.dll", "libdds.dll"):
            path = Path(folder) / "_dds" / name
            if path.is_file():
                return path.resolve()
    return None


class LibrarySolver:
    """Solver A: any position. Its process starts with the first question, and again after a crash."""

    def __init__(self, path: Path, seconds: float = TIME_LIMIT) -> None:
        """``path`` is that of the library, ``seconds`` the limit for one position."""
        self._path, self._seconds = path, seconds
        self._pid, self._lock = os.getpid(), Lock()
        self._worker: _Worker | None = None

    def tricks(self, position: Position) -> Answer:
        """See ``Solver``; when the library crashes, refuses or takes too long, NotComputed."""
        if not position.tricks_left:
            return {}
        if self._pid != os.getpid():
            # A fork of the caller would share the pipes with it, and each could read the other's answer.
            self._pid, self._lock, self._worker = os.getpid(), Lock(), None
        with self._lock:
            return self._ask(json.dumps(_question(position)))

    def close(self) -> None:
        """End the process; a later question starts another."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _ask(self, question: str) -> Answer:
        try:
            if self._worker is None or self._worker.process.poll() is not None:
                self.close()
                self._worker = _Worker(self._path, self._seconds)
            line = self._worker.ask(question)
        except OSError as error:
            return NotComputed(
                WhyNotComputed.SOLVER_FAILED, f"the solver's process cannot be started ({error}); try again"
            )
        except BaseException:
            self.close()  # else the next question would be given the answer to this one
            raise
        if line.endswith("\n"):
            answer = json.loads(line)
            if "tricks" in answer:
                return dict(sorted((Card.of(SUITS[suit], rank), tricks) for suit, rank, tricks in answer["tricks"]))
            self.close()
            return NotComputed(
                WhyNotComputed.SOLVER_FAILED, f"the double-dummy library refused: {answer['error']}; reinstall it"
            )
        return self._ended()

    def _ended(self) -> NotComputed:
        assert self._worker is not None
        code = self._worker.process.wait()
        self.close()
        if code == OUT_OF_TIME:
            return NotComputed(
                WhyNotComputed.SOLVER_FAILED, f"it took longer than {self._seconds:g} seconds; allow more"
            )
        return NotComputed(
            WhyNotComputed.SOLVER_FAILED, f"the double-dummy library crashed (exit status {code}); try again"
        )


class _Worker:
    """The process, its pipes and its scratch directory."""

    def __init__(self, path: Path, seconds: float) -> None:
        scratch = mkdtemp(prefix="revoke-kb-")
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(WORKER), str(path), str(seconds)],
            cwd=scratch,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.end = weakref.finalize(self, _end, self.process, scratch, os.getpid())

    def ask(self, question: str) -> str:
        """The line it answers; shorter than a line when it has died."""
        process: Any = self.process
        with contextlib.suppress(BrokenPipeError):
            print(question, file=process.stdin, flush=True)
        return str(process.stdout.readline())


def _end(process: subprocess.Popen[str], scratch: str, owner: int) -> None:
    if os.getpid() != owner:
        return
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            assert pipe is not None
            pipe.close()
    shutil.rmtree(scratch, ignore_errors=True)


def _question(position: Position) -> dict[str, Any]:
    return {
        "trump": _STRAINS.index(position.trump),
        "first": SEATS.index(position.leader),
        "table": [(SUITS.index(card.suit), card.rank) for card in position.table],
        "hands": [
            [sum(1 << card.rank for card in hand if card.suit == suit) for suit in SUITS] for hand in position.hands
        ],
    }
