"""The web application: pages, API and guard put together, rulings before all else; and how it is served."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from fastapi import FastAPI
from hypercorn.config import Config
from starlette.types import ASGIApp, Receive, Scope, Send

from kb.desk.desk import Desk
from kb.desk.error_pages import ErrorPages
from kb.desk.guard import Settings
from kb.desk.login import protect
from kb.desk.routes import (
    api,
    asking,
    keeping,
    law,
    lawbook,
    paper,
    recording,
    register,
    ruling,
    static,
    tapping,
    teaching,
    verifying,
    workshop,
)

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


PATIENCE: Final = 15
"""Seconds for the head of a request, from the connection or the answer before it; the guard limits those of a body."""
ENDING: Final = 5
"""Seconds in which what is being answered may come to its end."""


def settings_for(listening: socket.socket) -> Config:
    """How connections to a socket are held; the socket is the server's from now on."""
    config = Config()
    config.bind = [f"fd://{listening.detach()}"]
    config.keep_alive_timeout = PATIENCE
    config.graceful_timeout = config.shutdown_timeout = ENDING
    config.include_server_header = False
    config.loglevel = "ERROR"
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # or whoever sends nonsense fills the log
    return config


def allow_connections() -> None:
    """Lets this process hold as many connections as the system lets it: half-sent requests are to shut nobody out."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


AREAS: Final = (
    teaching,
    asking,
    recording,
    tapping,
    ruling,
    register,
    keeping,
    paper,
    verifying,
    law,
    lawbook,
    workshop,
    static,
    api,
)
"""The first that knows an address answers: /law/verify is no edition, and a chart no law of one."""
DESCRIPTION: Final = """\
Rulings on revokes with their proof, for scoring programs. The objects are those of `revoke ... --format json`.
Whatever cannot be read or ruled on is answered with status 422 and every fault, each with its place and how to mend it.
"""


def create_app(settings: Settings) -> FastAPI:
    """The application; RulesError or RegisterError when the rules or the register cannot be used."""
    desk = Desk(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        desk.close()

    app = FastAPI(
        title="revoke-kb",
        version="1",
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.desk = desk
    for area in AREAS:
        app.include_router(area.routes(desk))
    ErrorPages(app, desk)
    app.add_middleware(Precedence)
    protect(app, settings)  # last, so that it comes before everything
    return app
