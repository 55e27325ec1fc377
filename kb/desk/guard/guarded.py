"""One request as the guard sees it."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.types import Scope

from kb.desk.guard.origin import Origin

_SHAPE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_KEY: Final = "desk.visit"


@dataclass
class GuardedRequest:
    """Where a request comes from, the secret of its cookie, and what its answer may do."""

    whence: Origin
    cookie: str
    """Name of the cookie."""
    secret: str
    """What the cookie holds; a fresh one where the browser sent none."""
    known: bool
    """Whether the browser has the cookie already."""
    entered: bool = False
    """Whether this visitor has given the passphrase and may log out."""
    set_cookie: bool = False
    lasting: int | None = None
    """Seconds for which the browser keeps the cookie; None: until it is closed."""
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()

    @classmethod
    def of(cls, whence: Origin, port: int, cookies: dict[str, str]) -> GuardedRequest:
        """The visit with these cookies."""
        name = f"__Host-desk-{port}" if whence.secure else f"desk-{port}"
        sent = cookies.get(name, "")
        known = _SHAPE.fullmatch(sent) is not None
        return cls(whence, name, sent if known else secrets.token_urlsafe(32), known)

    def form_token(self) -> str:
        """What only a page given to this visitor can know; sees to it that the browser has the cookie."""
        self.set_cookie |= not self.known
        return form_token(self.secret)

    def right(self, token: str) -> bool:
        """Whether a form came from a page given to this visitor."""
        return self.known and hmac.compare_digest(token.encode(errors="replace"), form_token(self.secret).encode())

    def give(self, secret: str, lasting: int | None) -> None:
        """Replaces the cookie's secret, as must be whenever somebody comes in or leaves."""
        self.secret, self.lasting, self.set_cookie = secret, lasting, True

    def header(self) -> str:
        """The ``Set-Cookie`` header."""
        age = "" if self.lasting is None else f"; Max-Age={self.lasting}"
        secure = "; Secure" if self.whence.secure else ""
        return f"{self.cookie}={self.secret}; Path=/; HttpOnly; SameSite=Lax{secure}{age}"


def form_token(secret: str) -> str:
    """A token that shows knowledge of the cookie's secret without giving it away."""
    return hmac.new(secret.encode(), b"form", hashlib.sha256).hexdigest()


def put_visit(scope: Scope, visit: GuardedRequest) -> None:
    """Hands the visit on to the application."""
    scope[_KEY] = visit


def visit_of(request: Request) -> GuardedRequest:
    """The visit of a request that has passed the guard; KeyError for any other."""
    visit: GuardedRequest = request.scope[_KEY]
    return visit
