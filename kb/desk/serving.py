"""How connections are held: each has so long to say what it wants and to take its answer, and a client has so many.

uvicorn alone waits for ever for the head of a request, and for a client that does not read.
"""

from __future__ import annotations

import asyncio
import socket
from typing import ClassVar, Final

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from kb.desk.guard.attempts import client_key
from kb.desk.settings import Settings

ALL: Final = 1000
"""Connections at a time; whoever comes then is told that the desk is busy."""


class Held:
    """The connections of each client."""

    MOST: ClassVar[int] = 100
    """Of one client: a browser has six, and a club's phones may share an address."""

    def __init__(self, proxies: tuple[str, ...] = ()) -> None:
        """``proxies``: addresses that may have any number, as they speak for many clients."""
        self._proxies = frozenset(map(client_key, proxies))
        self._of: dict[str, dict[PatientProtocol, None]] = {}

    def take(self, one: PatientProtocol) -> bool:
        """Whether a new connection may stay: one of its client's that nobody works for makes room for it."""
        held = self._of.setdefault(one.whose, {})
        if len(held) >= self.MOST and one.whose not in self._proxies:
            # first one that never asked for anything, then one that may ask again and would have to come anew
            idle = next((one for one in held if one.unasked), next((one for one in held if one.idle), None))
            if idle is None:
                return False
            idle.end()
        held[one] = None
        return True

    def leave(self, one: PatientProtocol) -> None:
        """The connection is over, or will be at once."""
        held = self._of.get(one.whose, {})
        held.pop(one, None)
        if not held:
            self._of.pop(one.whose, None)


class PatientProtocol(H11Protocol):
    """uvicorn's protocol, with an end to its patience."""

    SENDING: ClassVar[float] = 15.0
    """Seconds for the head of a request; the guard has its own limit for the body."""
    TAKING: ClassVar[float] = 60.0
    """Seconds for which a client may not take any of its answer."""
    held: ClassVar[Held]
    whose: str = ""
    _owing: asyncio.TimerHandle | None = None
    _full: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come."""
        super().connection_made(transport)
        # asyncio does so only for sockets made with their protocol; else what follows a head waits 40 ms
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.whose = client_key(self.client[0] if self.client else "")
        if not self.held.take(self):
            self.end()
            return
        self._owing = self.loop.call_later(self.SENDING, self.end)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._watch(False)
        self.resume_writing()
        self.held.leave(self)
        super().connection_lost(exc)

    @property
    def unasked(self) -> bool:
        """Whether it has not sent one whole request since it came."""
        return self.cycle is None

    @property
    def idle(self) -> bool:
        """Whether nobody works for this connection: nothing was asked yet, or all is answered."""
        return self.unasked or self.cycle.response_complete

    def end(self) -> None:
        """Nothing more is waited for."""
        self.held.leave(self)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Some of a request, or several."""
        super().data_received(data)
        self._watch(self._owes())

    def on_response_complete(self) -> None:
        """An answer is written; of what is left of its request nobody reads any more."""
        super().on_response_complete()
        self._watch(self._owes() and bool(self.conn.trailing_data[0] or self.conn.their_state is h11.SEND_BODY))

    def _owes(self) -> bool:
        """Whether the client has to say more before anything is worked on."""
        state = self.conn.their_state
        return state is h11.IDLE or (state is h11.SEND_BODY and self.idle)

    def _watch(self, owing: bool) -> None:
        """The time runs from the first sign, however many come after it."""
        if not owing and self._owing is not None:
            self._owing.cancel()
            self._owing = None
        elif owing and self._owing is None and not self.transport.is_closing():
            self._owing = self.loop.call_later(self.SENDING, self.end)

    def pause_writing(self) -> None:
        """The client does not take its answer."""
        super().pause_writing()
        self._full = self._full or self.loop.call_later(self.TAKING, self.end)

    def resume_writing(self) -> None:
        """The client goes on taking it."""
        if self._full is not None:
            self._full.cancel()
            self._full = None
        super().resume_writing()


def server(app: FastAPI, settings: Settings) -> uvicorn.Server:
    """What serves a desk, on a socket that is given to its ``run``."""

    class DeskProtocol(PatientProtocol):
        held = Held(settings.proxies)

    config = uvicorn.Config(
        app,
        http=DeskProtocol,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws="none",
        timeout_keep_alive=75,
        limit_concurrency=ALL,
        timeout_graceful_shutdown=5,
    )
    return uvicorn.Server(config)
