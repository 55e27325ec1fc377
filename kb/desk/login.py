"""Coming in and leaving: the passphrase, those who guess it, and the pages of the door.

``protect`` puts the guard before an application. Addresses added: ``/login`` and ``/logout`` (both for
forms), ``/api/login`` and ``/api/logout`` (give programs their bearer token, and end it).
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated, Any, Final
from urllib.parse import quote

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from fastapi import APIRouter, FastAPI, Form, Request
from pydantic import BaseModel, Field
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from kb.desk.guard import (
    LASTING,
    DeskRoute,
    GuardMiddleware,
    RefusedError,
    Sessions,
    Settings,
    bearer_of,
    language,
    visit_of,
)
from kb.explain.html import render
from kb.explain.words import Words

CLIENTS: Final = 4096
"""How many clients are remembered; the one that was idle longest is forgotten first."""
FREE, LONGEST = 3, 900.0
"""A client's wrong words before it has to wait, and its longest wait in seconds."""
FREE_ALL, LONGEST_ALL = 20, 5.0
"""The same for all clients together: short, so that a stranger cannot keep the directors out."""
FORGIVEN: Final = 3600.0
"""Seconds without an attempt after which everything is forgotten."""
WAITING: Final = 8
"""How many passphrases are looked at or wait for it; each takes memory and a tenth of a second."""
_LOCAL: Final = re.compile(r"/(?![/\\])[!-~]*")
_ALL: Final = "all"


class Attempts:
    """Counts wrong words by client and in all; bounded. Used on the event loop alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed: OrderedDict[str, tuple[int, float]] = OrderedDict({_ALL: (0, 0.0)})
        """How many of whom, and when the last."""

    def start(self, client: str) -> float:
        """Seconds that this client still has to wait; with 0 the attempt has begun, and counts until it succeeds.

        They double with every wrong word beyond the free ones.
        """
        now, wait = self._clock(), 0.0
        counted = dict[str, tuple[int, float]]()
        for key, free, longest in ((_client_key(client), FREE, LONGEST), (_ALL, FREE_ALL, LONGEST_ALL)):
            failed, last = self._failed.get(key, (0, 0.0))
            failed = 0 if now - last > FORGIVEN else failed
            if failed >= free:
                wait = max(wait, last + min(longest, 2.0 ** min(failed - free, 30)) - now)
            counted[key] = (failed + 1, now)
        if wait > 0:
            return wait
        for key, count in counted.items():
            self._failed[key] = count
            self._failed.move_to_end(key)
        while len(self._failed) > CLIENTS + 1:
            self._failed.popitem(last=False)
        return 0.0

    def succeeded(self, client: str) -> None:
        """The word was right: the client starts anew."""
        failed, last = self._failed[_ALL]
        self._failed[_ALL] = (max(0, failed - 1), last)
        self._failed.pop(_client_key(client), None)


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


class Passphrase(BaseModel):
    """What a program sends to come in."""

    passphrase: Annotated[str, Field(max_length=1024)]


class Ticket(BaseModel):
    """What it gets: to be sent as ``Authorization: Bearer …``."""

    token: str
    seconds: int
    """How long it lasts at most."""


class Door:
    """The addresses to come in and to leave, and what is answered instead of what was asked for."""

    def __init__(self, settings: Settings, words: Words) -> None:
        self.settings, self.words, self.sessions = settings, words, Sessions()
        self._attempts, self._one, self._waiting = Attempts(), asyncio.Lock(), 0

    async def ask(self, request: Request, after: str = "/") -> Response:
        if visit_of(request).entered or not self.settings.guarded:
            return RedirectResponse(_local(after), 303)
        return self._page(request, "login.html", after=_local(after))

    async def enter(
        self,
        request: Request,
        passphrase: Annotated[str, Form(max_length=1024)] = "",
        after: Annotated[str, Form()] = "/",
    ) -> Response:
        """On to what was asked for, in a new session; or the same page again."""
        visit = visit_of(request)
        try:
            await self._admit(visit.client, passphrase)
        except RefusedError as refused:
            return self._page(request, "login.html", refused, after=_local(after))
        self.sessions.end(visit.secret, "cookie")
        return visit.give(RedirectResponse(_local(after), 303), self.sessions.begin("cookie"), LASTING)

    async def leave(self, request: Request) -> Response:
        visit = visit_of(request)
        self.sessions.end(visit.secret, "cookie")
        return visit.give(RedirectResponse("/login", 303, {"Clear-Site-Data": '"cache"'}), "", 0)

    async def programs(self, request: Request, given: Passphrase) -> Ticket:
        """Gives a bearer token for the passphrase; where the desk asks for none, the token is not needed."""
        await self._admit(visit_of(request).client, given.passphrase)
        return Ticket(token=self.sessions.begin("bearer"), seconds=LASTING)

    async def dismiss(self, request: Request) -> Response:
        """Ends the bearer token that the request carries; where the desk asks for none, there is nothing to end."""
        self.sessions.end(bearer_of(request.headers), "bearer")
        return Response(status_code=204)

    async def _admit(self, client: str, passphrase: str) -> None:
        """RefusedError unless it is the passphrase, and when it is too soon to look at it; one is looked at a time."""
        if self._waiting >= WAITING:
            raise RefusedError(429, "desk-door-wait", 2)
        wait = self._attempts.start(client)
        if wait > 0:
            raise RefusedError(429, "desk-door-wait", max(1, math.ceil(wait)))
        self._waiting += 1
        try:
            async with self._one:
                right = await asyncio.to_thread(_is, self.settings.passphrase_hash, passphrase)
        finally:
            self._waiting -= 1
        if not right:
            raise RefusedError(401, "desk-door-wrong")
        self._attempts.succeeded(client)

    def refusal(self, request: Request, refused: RefusedError) -> Response:
        """What is answered instead of what was asked for."""
        path = str(request.scope["path"])
        if path.startswith("/api/"):
            message = self.words.phrase(refused.phrase, self._lang(request), s=refused.wait)
            fault = {"file": "request", "line": 1, "column": 1, "what": message, "mend": ""}
            answer: Response = JSONResponse({"faults": [fault]}, refused.status, _again(refused))
        elif refused.status == 401 and request.method in ("GET", "HEAD"):
            query = request.scope["query_string"].decode("latin-1")
            next_page = quote(f"{quote(path)}?{query}" if query else quote(path), safe="")
            answer = RedirectResponse(f"/login?after={next_page}", 303)
        else:
            answer = self._page(request, "refusal.html", refused)
        if refused.status == 401:
            answer.headers["WWW-Authenticate"] = "Bearer"
        return answer

    def _page(self, request: Request, template: str, refused: RefusedError | None = None, **values: object) -> Response:
        lang = self._lang(request)
        values |= {"lang": lang, "say": lambda phrase: self.words.phrase(phrase, lang)}
        values["said"] = self.words.phrase(refused.phrase, lang, s=refused.wait) if refused else ""
        page = render(f"desk/templates/{template}", **values)
        return HTMLResponse(page, refused.status if refused else 200, _again(refused) | {"Cache-Control": "no-store"})

    def _lang(self, request: Request) -> str:
        return language(request, self.words, self.settings.lang)


_REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    401: {"description": "This is not the passphrase."},
    429: {"description": "Too many attempts; Retry-After says when to try again."},
}


def protect(app: FastAPI, settings: Settings, words: Words) -> None:
    """Puts the guard before an application; ValueError where a passphrase is needed and there is none."""
    if settings.guarded and settings.passphrase_hash is None:
        raise ValueError("a desk that others can reach needs a passphrase")
    router, door = APIRouter(route_class=DeskRoute), Door(settings, words)
    router.add_api_route("/login", door.ask, methods=["GET"], include_in_schema=False)
    router.add_api_route("/login", door.enter, methods=["POST"], include_in_schema=False)
    router.add_api_route("/logout", door.leave, methods=["POST"], include_in_schema=False)
    router.add_api_route(
        "/api/login",
        door.programs,
        name="login",
        methods=["POST"],
        response_model=Ticket,
        responses=_REFUSALS,
        tags=["login"],
    )
    router.add_api_route("/api/logout", door.dismiss, name="logout", methods=["POST"], status_code=204, tags=["login"])
    app.include_router(router)
    app.add_middleware(GuardMiddleware, settings=settings, sessions=door.sessions, refusal=door.refusal)


def _again(refused: RefusedError | None) -> dict[str, str]:
    return {"Retry-After": str(refused.wait)} if refused and refused.wait else {}


def _local(after: str) -> str:
    """An address of this desk; its first page in place of any other."""
    return after if _LOCAL.fullmatch(after) else "/"


def _is(hashed: str | None, passphrase: str) -> bool:
    try:
        return hashed is not None and PasswordHasher().verify(hashed, passphrase.encode(errors="replace"))
    except (Argon2Error, InvalidHashError):
        return False
