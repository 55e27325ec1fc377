"""Slowing down those who guess the passphrase."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

CLIENTS: Final = 4096
"""How many clients are remembered; the one that was idle longest is forgotten first."""
FREE, LONGEST = 3, 900.0
"""A client's wrong words before it has to wait, and its longest wait in seconds."""
FREE_ALL, LONGEST_ALL = 20, 5.0
"""The same for all clients together: short, so that a stranger cannot keep the directors out."""
FORGIVEN: Final = 3600.0
"""Seconds without an attempt after which everything is forgotten."""


@dataclass
class _Record:
    failed: int = 0
    last: float = 0.0

    def wait(self, now: float, free: int, longest: float) -> float:
        """Seconds until the next attempt; they double with every wrong word beyond the free ones."""
        if now - self.last > FORGIVEN:
            self.failed = 0
        pause = 0.0 if self.failed < free else min(longest, 2.0 ** min(self.failed - free, 30))
        return max(0.0, self.last + pause - now)

    def count(self, now: float) -> None:
        self.failed += 1
        self.last = now


class Attempts:
    """Counts wrong words by client and in all; bounded, and safe from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._all = _Record()
        self._clients: OrderedDict[str, _Record] = OrderedDict()

    def start(self, client: str) -> float:
        """Seconds that this client still has to wait; with 0 the attempt has begun, and counts until it succeeds."""
        key, now = client_key(client), self._clock()
        with self._lock:
            own = self._clients.get(key, _Record())
            wait = max(own.wait(now, FREE, LONGEST), self._all.wait(now, FREE_ALL, LONGEST_ALL))
            if wait > 0:
                return wait
            self._clients[key] = own
            self._clients.move_to_end(key)
            own.count(now)
            self._all.count(now)
            while len(self._clients) > CLIENTS:
                self._clients.popitem(last=False)
            return 0.0

    def succeeded(self, client: str) -> None:
        """The word was right: the client starts anew."""
        with self._lock:
            self._all.failed = max(0, self._all.failed - 1)
            self._clients.pop(client_key(client), None)


def client_key(client: str) -> str:
    """A client's address; of IPv6 the part that a provider gives to one customer."""
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return client[:64]
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
