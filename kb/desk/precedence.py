"""Rulings go first: somebody stands at a table and waits. Whatever else is asked for is done a little at a time.

One process has one processor for Python. Shared by fifty pages at once, each takes fifty times as long; so of the pages
that nobody stands waiting for one is at work, and the others wait without a thread.
"""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

FIRST: Final = ("/", "/ask", "/ruling", "/api/rule", "/record", "/trick")
"""Addresses on the way from a table to its ruling; what lies under ``/static/`` costs nothing."""
AT_WORK: Final = 1
"""Other requests at work at the same time; whoever waits for one holds no thread."""
LEASH: Final = 0.25
"""Seconds after which one of them makes room, as it waits for something itself: it is not to hold up the others."""


class Precedence:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._room = asyncio.Semaphore(AT_WORK)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a ruling at once, and any other request in its turn."""
        if scope["type"] != "http" or scope["path"] in FIRST or scope["path"].startswith("/static/"):
            await self.app(scope, receive, send)
            return
        await self._room.acquire()
        gone: list[None] = []

        def make_room() -> None:
            if not gone:
                gone.append(None)
                self._room.release()

        leash = asyncio.get_running_loop().call_later(LEASH, make_room)
        try:
            await self.app(scope, receive, send)
        finally:
            leash.cancel()
            make_room()
