"""Coming in and leaving: the passphrase, who has come in, and the guard's own pages."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import math
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from fastapi import APIRouter, Form, Request
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from kb.desk.guard.request import DeskRoute, RefusedError, visit_of
from kb.desk.pages import language
from kb.desk.settings import Settings
from kb.explain.html.templates import render
from kb.explain.words import Words, load_words
from kb.language.edition import load_edition
from kb.language.folders import DEFAULT_EDITION

Use = Literal["cookie", "bearer"]
CLIENTS: Final = 4096
"""How many clients are remembered; the one that was idle longest is forgotten first."""
FREE, LONGEST = 3, 900.0
"""A client's wrong words before it has to wait, and its longest wait in seconds."""
FREE_ALL, LONGEST_ALL = 20, 5.0
"""The same for all clients together: short, so that a stranger cannot keep the directors out."""
FORGIVEN: Final = 3600.0
"""Seconds without an attempt after which everything is forgotten."""
LASTING: Final = 24 * 3600
"""Seconds after which the passphrase is asked for again."""
IDLE: Final = 12 * 3600
MOST: Final = 2000
"""The one that was idle longest is ended when more come in."""
_LOCAL: Final = re.compile(r"/(?![/\\])[!-~]*")
_WAITING: Final = 8
"""How many passphrases are looked at or wait for it; each takes memory and a tenth of a second."""


@dataclass
class _Attempts:
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
        self._all = _Attempts()
        self._clients: OrderedDict[str, _Attempts] = OrderedDict()

    def start(self, client: str) -> float:
        """Seconds that this client still has to wait; with 0 the attempt has begun, and counts until it succeeds."""
        key, now = _client_key(client), self._clock()
        with self._lock:
            own = self._clients.get(key, _Attempts())
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
            self._clients.pop(_client_key(client), None)


def _client_key(client: str) -> str:
    """A client's address; of IPv6 the part that a provider gives to one customer."""
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return client[:64]
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


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
            self._open[_session_key(secret, use)] = _Session(now, now)
            while len(self._open) > MOST:
                self._open.popitem(last=False)
        return secret

    def holds(self, secret: str, use: Use) -> bool:
        """Whether the secret belongs to an open session of this use."""
        key, now = _session_key(secret, use), self._clock()
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
            self._open.pop(_session_key(secret, use), None)


def _session_key(secret: str, use: Use) -> str:
    return hashlib.sha256(f"{use}:{secret}".encode(errors="replace")).hexdigest()


class Pages:
    """Pages in the visitor's language, from the phrases of the rules."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def words(self) -> Words:
        """The words beside the rules."""
        return _words(self.settings.rules)

    def said(self, request: Request, refused: RefusedError) -> str:
        """Why something was refused."""
        return self.words.phrase(refused.phrase, self._language(request), s=refused.wait)

    def door(self, request: Request, after: str, refused: RefusedError | None = None) -> Response:
        """The page that asks for the passphrase, and says why the last attempt was refused."""
        said = "" if refused is None else self.said(request, refused)
        status, wait = (200, 0) if refused is None else (refused.status, refused.wait)
        page = self._page(request, "login.html", status, after=after, said=said)
        page.headers["Cache-Control"] = "no-store"
        return _waiting(page, wait)

    def refusal(self, request: Request, refused: RefusedError) -> Response:
        """What is answered instead of what was asked for."""
        said, path = self.said(request, refused), str(request.scope["path"])
        if path.startswith("/api/"):
            fault = {"file": "request", "line": 1, "column": 1, "what": said, "mend": ""}
            answer: Response = JSONResponse({"faults": [fault]}, refused.status)
        elif refused.status == 401 and request.method in ("GET", "HEAD"):
            query = request.scope["query_string"].decode("latin-1")
            after = quote(f"{quote(path)}?{query}" if query else quote(path), safe="")
            answer = RedirectResponse(f"/login?after={after}", 303)
        else:
            answer = self._page(request, "refusal.html", refused.status, said=said)
        if refused.status == 401:
            answer.headers["WWW-Authenticate"] = "Bearer"
        return _waiting(answer, refused.wait)

    def _page(self, request: Request, template: str, status: int, **values: object) -> Response:
        lang = self._language(request)
        values |= {"lang": lang, "say": lambda phrase: self.words.phrase(phrase, lang)}
        return HTMLResponse(render(f"desk/guard/{template}", **values), status)

    def _language(self, request: Request) -> str:
        return language(request, self.words, self.settings.lang)


def _waiting(answer: Response, wait: int) -> Response:
    if wait:
        answer.headers["Retry-After"] = str(wait)
    return answer


@lru_cache(maxsize=2)
def _words(rules: Path) -> Words:
    return load_words(rules, load_edition(rules, DEFAULT_EDITION).vocabulary)


class Passphrase(BaseModel):
    """What a program sends to come in."""

    passphrase: Annotated[str, Field(max_length=1024)]


class Ticket(BaseModel):
    """What it gets: to be sent as ``Authorization: Bearer …``."""

    token: str
    seconds: int
    """How long it lasts at most."""


class Passphrases:
    """Compares passphrases with the hash, one at a time."""

    def __init__(self, settings: Settings) -> None:
        self._hash = settings.passphrase_hash
        self._attempts = Attempts()
        self._one = asyncio.Lock()
        self._waiting = 0

    async def admit(self, client: str, passphrase: str) -> None:
        """RefusedError unless it is the passphrase, and when it is too soon to look at it."""
        if self._waiting >= _WAITING:
            raise RefusedError(429, "desk-door-wait", 2)
        wait = self._attempts.start(client)
        if wait > 0:
            raise RefusedError(429, "desk-door-wait", max(1, math.ceil(wait)))
        self._waiting += 1
        try:
            async with self._one:
                right = await asyncio.to_thread(_is, self._hash, passphrase)
        finally:
            self._waiting -= 1
        if not right:
            raise RefusedError(401, "desk-door-wrong")
        self._attempts.succeeded(client)


class LoginRoutes:
    """The addresses to come in and to leave."""

    def __init__(self, settings: Settings, sessions: Sessions, pages: Pages) -> None:
        self.guarded, self.sessions, self.pages = settings.guarded, sessions, pages
        self.keeper = Passphrases(settings)

    async def ask(self, request: Request, after: str = "/") -> Response:
        """The page that asks for the passphrase."""
        if visit_of(request).entered or not self.guarded:
            return RedirectResponse(_local(after), 303)
        return self.pages.door(request, _local(after))

    async def enter(
        self,
        request: Request,
        passphrase: Annotated[str, Form(max_length=1024)] = "",
        after: Annotated[str, Form()] = "/",
    ) -> Response:
        """On to what was asked for, in a new session; or the same page again."""
        visit = visit_of(request)
        try:
            await self.keeper.admit(visit.whence.client, passphrase)
        except RefusedError as refused:
            return self.pages.door(request, _local(after), refused)
        self.sessions.end(visit.secret, "cookie")
        visit.give(self.sessions.begin("cookie"), LASTING)
        return RedirectResponse(_local(after), 303)

    async def leave(self, request: Request) -> Response:
        """Ends the session."""
        visit = visit_of(request)
        self.sessions.end(visit.secret, "cookie")
        visit.give("", 0)
        return RedirectResponse("/login", 303, {"Clear-Site-Data": '"cache"'})

    async def programs(self, request: Request, given: Passphrase) -> Ticket:
        """Gives a bearer token for the passphrase; where the desk asks for none, the token is not needed."""
        await self.keeper.admit(visit_of(request).whence.client, given.passphrase)
        return Ticket(token=self.sessions.begin("bearer"), seconds=LASTING)

    async def dismiss(self, request: Request) -> Response:
        """Ends the bearer token that the request carries; where the desk asks for none, there is nothing to end."""
        self.sessions.end(bearer_of(request.headers), "bearer")
        return Response(status_code=204)


def bearer_of(headers: Headers) -> str:
    """The bearer token that a program sends; empty if there is none."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    return bearer.strip() if scheme.lower() == "bearer" else ""


_REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    401: {"description": "This is not the passphrase."},
    429: {"description": "Too many attempts; Retry-After says when to try again."},
}


def routes(settings: Settings, sessions: Sessions, pages: Pages) -> APIRouter:
    """``/login`` and ``/logout``, and the same for programs under ``/api``."""
    router, door = APIRouter(route_class=DeskRoute), LoginRoutes(settings, sessions, pages)
    router.add_api_route("/login", door.ask, methods=["GET"], include_in_schema=False)
    router.add_api_route("/login", door.enter, methods=["POST"], include_in_schema=False)
    router.add_api_route("/logout", door.leave, methods=["POST"], include_in_schema=False)
    router.add_api_route(
        "/api/login", door.programs, methods=["POST"], response_model=Ticket, responses=_REFUSALS, tags=["login"]
    )
    router.add_api_route("/api/logout", door.dismiss, methods=["POST"], status_code=204, tags=["login"])
    return router


def _local(after: str) -> str:
    """An address of this desk; its first page in place of any other."""
    return after if _LOCAL.fullmatch(after) else "/"


def _is(hashed: str | None, passphrase: str) -> bool:
    if hashed is None:
        return False
    try:
        return PasswordHasher().verify(hashed, passphrase.encode(errors="replace"))
    except (Argon2Error, InvalidHashError):
        return False
