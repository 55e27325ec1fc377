"""Who may come in, and what no page may do.

``protect(app, settings)`` puts everything before the application. What changes something comes from a page of ours, as
the browser says by ``Origin`` or ``Sec-Fetch-Site``, or from a program by its bearer token.
Addresses added: ``/login`` and ``/logout`` (both for forms), ``/api/login`` and ``/api/logout`` (give
programs their bearer token, and end it).
Before anybody has come in, only ``/login``, ``/api/login`` and what lies under ``/static/`` answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kb.desk.guard.login import Pages, Sessions, bearer_of, routes
from kb.desk.guard.request import (
    DOOR,
    LIMIT,
    GuardedRequest,
    Origin,
    RefusedError,
    put_visit,
    read_body,
    replayed,
    visit_of,
)
from kb.desk.settings import Settings

SAFE: Final = ("GET", "HEAD", "OPTIONS")
OPEN: Final = ("/login", "/api/login", "/favicon.ico")
"""Addresses that answer before anybody has come in, besides those under ``/static/``."""


def protect(app: FastAPI, settings: Settings) -> None:
    """Puts the guard before an application; ValueError where a passphrase is needed and there is none."""
    if settings.guarded and settings.passphrase_hash is None:
        raise ValueError("a desk that others can reach needs a passphrase")
    sessions, pages = Sessions(), Pages(settings)
    app.include_router(routes(settings, sessions, pages))
    app.add_middleware(GuardMiddleware, settings=settings, sessions=sessions, pages=pages)


def may_leave(request: Request) -> bool:
    """Whether there is anything to log out from: a page then shows a form that posts to ``/logout``."""
    return visit_of(request).entered


def allow(request: Request, scripts: Iterable[str] = (), styles: Iterable[str] = ()) -> None:
    """Lets this answer run inline scripts and styles of exactly these texts, written by us and not by a visitor."""
    visit = visit_of(request)
    visit.scripts += tuple(scripts)
    visit.styles += tuple(styles)


class GuardMiddleware:
    """ASGI middleware: host, origin, passphrase and limits, in this order; then headers on the answer."""

    def __init__(self, app: ASGIApp, settings: Settings, sessions: Sessions, pages: Pages) -> None:
        self.app = app
        self.settings = settings
        self.sessions = sessions
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request, or refuses it; an answer of either sort has all headers."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        if scope["type"] != "http":
            return
        whence, started = Origin.of(scope, self.settings), False
        visit = GuardedRequest.of(whence, self.settings.port, Request(scope).cookies)
        # the application too believes of scheme and client what a trusted proxy says
        scope["scheme"], scope["client"] = whence.scheme, (whence.client, 0)
        put_visit(scope, visit)

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                visit.put_headers(MutableHeaders(scope=message))
            await send(message)

        try:
            limit = self._allowed(scope, visit)
            body = await read_body(Headers(scope=scope), receive, limit)
            await self.app(scope, replayed(body, receive), sending)
        except RefusedError as refused:
            await self.pages.refusal(Request(scope), refused)(scope, receive, sending)
        except Exception:
            if not started:
                await self.pages.refusal(Request(scope), RefusedError(500, "desk-failed"))(scope, receive, sending)
            raise

    def _allowed(self, scope: Scope, visit: GuardedRequest) -> int:
        """How many bytes a request may bring along; RefusedError if it is not let in."""
        headers, whence, path = Headers(scope=scope), visit.whence, scope["path"]
        if not whence.known(self.settings):
            raise RefusedError(421, "desk-unknown-host")
        if whence.forwarded and not self.settings.guarded:
            raise RefusedError(403, "desk-forwarded")
        changing, api = scope["method"] not in SAFE, path.startswith("/api/")
        if (changing or api) and not whence.own_page(headers, must_say=changing and not api):
            raise RefusedError(403, "desk-forged")
        if not self.settings.guarded:
            return LIMIT
        visit.entered = bool(visit.secret) and self.sessions.holds(visit.secret, "cookie")
        if api and self.sessions.holds(bearer_of(headers), "bearer"):
            return LIMIT
        # by its cookie a page may change something if its browser says that it is ours
        if visit.entered and whence.own_page(headers, must_say=changing):
            return LIMIT
        if path not in OPEN and not path.startswith("/static/"):
            raise RefusedError(401, "desk-door-first")
        return DOOR
