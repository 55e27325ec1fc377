"""Coming in and leaving: pages for directors, and the same for programs."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any, Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.responses import Response

from kb.desk.guard.attempts import Attempts
from kb.desk.guard.body import RefusedError
from kb.desk.guard.guarded import visit_of
from kb.desk.guard.pages import Pages, wait_seconds
from kb.desk.guard.sessions import LASTING, Sessions
from kb.desk.settings import Settings

_LOCAL: Final = re.compile(r"/(?![/\\])[!-~]*")
_WAITING: Final = 8
"""How many passphrases are looked at or wait for it; each takes memory and a tenth of a second."""


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
            raise RefusedError(429, "desk-door-wait", wait_seconds(wait))
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
    router, door = APIRouter(), LoginRoutes(settings, sessions, pages)
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
