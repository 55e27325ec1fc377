"""The gate that every request passes before it reaches the application."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kb.desk.guard.body import RefusedError, form_fields, read_body, replayed
from kb.desk.guard.guarded import GuardedRequest, put_visit
from kb.desk.guard.headers import put_headers
from kb.desk.guard.login import bearer_of
from kb.desk.guard.origin import Origin, known_host, own_page
from kb.desk.guard.pages import Pages
from kb.desk.guard.sessions import Sessions
from kb.desk.settings import Settings

SAFE: Final = ("GET", "HEAD", "OPTIONS")
OPEN: Final = ("/login", "/api/login", "/favicon.ico")
"""Addresses that answer before anybody has come in, besides those under ``/static/``."""


class GuardMiddleware:
    """ASGI middleware: host, origin, passphrase, limits and forged forms, in this order; then headers on the answer."""

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
        visit, started = self._visit(scope), False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                put_headers(MutableHeaders(scope=message), visit)
            await send(message)

        try:
            await self.app(scope, await self._checked(scope, receive, visit), sending)
        except RefusedError as refused:
            await self.pages.refusal(Request(scope), refused)(scope, receive, sending)
        except Exception:
            if not started:
                await self.pages.refusal(Request(scope), RefusedError(500, "desk-failed"))(scope, receive, sending)
            raise

    def _visit(self, scope: Scope) -> GuardedRequest:
        """The visit, for the application too, which believes of scheme and client what a trusted proxy says."""
        whence = Origin.of(scope, self.settings)
        visit = GuardedRequest.of(whence, self.settings.port, Request(scope).cookies)
        scope["scheme"], scope["client"] = whence.scheme, (whence.client, 0)
        put_visit(scope, visit)
        return visit

    async def _checked(self, scope: Scope, receive: Receive, visit: GuardedRequest) -> Receive:
        """What the application may receive; RefusedError if it may receive nothing."""
        headers, whence, path = Headers(scope=scope), visit.whence, scope["path"]
        if not known_host(whence.host, self.settings):
            raise RefusedError(421, "desk-unknown-host")
        if whence.forwarded and not self.settings.guarded:
            raise RefusedError(403, "desk-forwarded")
        changing = scope["method"] not in SAFE
        api = path == "/api" or path.startswith("/api/")
        if (changing or api) and not own_page(headers, whence):
            raise RefusedError(403, "desk-forged")
        self._come_in(path, headers, visit, changing)
        body = await read_body(headers, receive)
        given = replayed(body, receive)
        if changing and not api:
            token = headers.get("x-csrf-token") or (await form_fields(scope, body, receive)).get("csrf", "")
            if not visit.right(token):
                raise RefusedError(403, "desk-forged")
        return given

    def _come_in(self, path: str, headers: Headers, visit: GuardedRequest, changing: bool) -> None:
        """Finds out whether the visitor has given the passphrase; RefusedError if he would need it."""
        if not self.settings.guarded:
            return
        api = path.startswith("/api/")
        if api and self.sessions.holds(bearer_of(headers), "bearer"):
            return
        visit.entered = visit.known and self.sessions.holds(visit.secret, "cookie")
        # a page's script sends its token too; without it, only a program's bearer token may change anything
        if visit.entered and not (api and changing and not visit.right(headers.get("x-csrf-token", ""))):
            return
        if path not in OPEN and not path.startswith("/static/"):
            raise RefusedError(401, "desk-door-first")
