"""Who has come in: secrets given out by the server, kept in memory only, as hashes."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final, Literal

Use = Literal["cookie", "bearer"]
LASTING: Final = 24 * 3600
"""Seconds after which the passphrase is asked for again."""
IDLE: Final = 12 * 3600
MOST: Final = 2000
"""The one that was idle longest is ended when more come in."""


@dataclass
class _Session:
    begun: float
    seen: float


class Sessions:
    """Sessions by secret and use; after a restart everybody logs in again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._open: OrderedDict[str, _Session] = OrderedDict()

    def begin(self, use: Use) -> str:
        """A new session's secret; one that a visitor brings along is never made valid."""
        secret, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._open[_key(secret, use)] = _Session(now, now)
            while len(self._open) > MOST:
                self._open.popitem(last=False)
        return secret

    def holds(self, secret: str, use: Use) -> bool:
        """Whether the secret belongs to an open session of this use."""
        key, now = _key(secret, use), self._clock()
        with self._lock:
            found = self._open.get(key)
            if found is None:
                return False
            if now - found.begun > LASTING or now - found.seen > IDLE:
                del self._open[key]
                return False
            found.seen = now
            self._open.move_to_end(key)
            return True

    def end(self, secret: str, use: Use) -> None:
        """Ends a session, if there is one."""
        with self._lock:
            self._open.pop(_key(secret, use), None)


def _key(secret: str, use: Use) -> str:
    return hashlib.sha256(f"{use}:{secret}".encode(errors="replace")).hexdigest()
