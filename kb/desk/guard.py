"""Who may come in, how much a request may bring, and what no page may do: everything before the application.

What changes something comes from a page of ours, as the browser says by ``Origin`` or ``Sec-Fetch-Site``, or from a
program by its bearer token. Without a passphrase nothing is served to pages of other sites but the way to the first
page. Before anybody has come in, only ``/login``, ``/api/login`` and what lies under ``/static/`` answer. Nothing is
decoded before its length was looked at, and then in a thread.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, urlsplit

from fastapi import Request, Response
from fastapi.routing import APIRoute
from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from facts.errors import InputError
from kb.explain.words import Words
from kb.verify.verify import loads_strictly

LIMIT: Final = 2 * 1024 * 1024
"""Bytes of a request's body."""
DOOR: Final = 8 * 1024
"""The same of one who has not come in yet: a passphrase is no longer."""
BODY_SECONDS: Final = 30.0
"""Seconds in which it has to arrive."""
FIELDS, FILES, FIELD = 400, 4, 256 * 1024
"""Fields and files of a form, and characters of one field that is no file."""
CHARSETS: Final = (b"utf-8", b"utf8")
"""How a form may be encoded: Python knows encodings whose decoding takes minutes, or fails."""
FORM_TYPES: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
SAFE: Final = ("GET", "HEAD", "OPTIONS")
OPEN_PATHS: Final = ("/login", "/api/login", "/favicon.ico")
"""Addresses that answer before anybody has come in, besides those under ``/static/``."""
FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # not «no-referrer»: browsers would then send «Origin: null» with our own forms
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
LASTING: Final = 24 * 3600
"""Seconds after which the passphrase is asked for again."""
IDLE: Final = 12 * 3600
MOST_SESSIONS: Final = 2000
"""Sessions; the one that was idle longest is ended when more come in."""
_PORTS: Final = {"http": 80, "https": 443}
_KEY: Final = "desk.visit"
LANG: Final = "lang"
"""The cookie, and the key in an address, that name the language."""


@dataclass(frozen=True)
class Settings:
    """What a desk is started with: its rules, its files, where it listens, and who may come in."""

    rules: Path
    """The folder of rules, as ``kb.language.folders.rules_root()`` gives it."""
    register: Path
    """The SQLite file of the register."""
    host: str = "127.0.0.1"
    port: int = 8061
    passphrase_hash: str | None = None
    """Argon2 hash of the directors' passphrase; needed wherever ``guarded`` is true."""
    lang: str = "en"
    hosts: tuple[str, ...] = ()
    """Names besides loopback's under which browsers reach the desk, lower case, without port."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies whose ``X-Forwarded-…`` headers are believed."""

    @property
    def loopback(self) -> bool:
        """Whether nobody but this computer can reach the port itself."""
        return is_loopback(self.host)

    @property
    def guarded(self) -> bool:
        """Whether a passphrase is asked for: always when others than this computer can come, through a proxy too."""
        return not self.loopback or bool(self.hosts or self.proxies) or self.passphrase_hash is not None


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class RefusedError(Exception):
    """A request is not served; carries the answer's status and the phrase that says why."""

    def __init__(self, status: int, phrase: str, wait: int = 0) -> None:
        self.status, self.phrase = status, phrase
        self.wait = wait
        """Seconds after which another attempt makes sense; 0: not told."""
        super().__init__(phrase)


class Sessions:
    """Who has come in, by secret and use; after a restart everybody logs in again. Used on the event loop alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """When each began, and was seen last."""

    def begin(self, use: Literal["cookie", "bearer"]) -> str:
        """A new session's secret; one that a visitor brings along is never made valid."""
        secret, now = secrets.token_urlsafe(32), self._clock()
        self._open[_hashed(secret, use)] = (now, now)
        while len(self._open) > MOST_SESSIONS:
            self._open.popitem(last=False)
        return secret

    def holds(self, secret: str, use: Literal["cookie", "bearer"]) -> bool:
        """Whether the secret belongs to an open session of this use."""
        key, now = _hashed(secret, use), self._clock()
        begun, seen = self._open.pop(key, (-LASTING - 1.0 + now, now))
        if now - begun > LASTING or now - seen > IDLE:
            return False
        self._open[key] = (begun, now)
        return True

    def end(self, secret: str, use: Literal["cookie", "bearer"]) -> None:
        self._open.pop(_hashed(secret, use), None)


def _hashed(secret: str, use: str) -> str:
    return hashlib.sha256(f"{use}:{secret}".encode(errors="replace")).hexdigest()


def bearer_of(headers: Headers) -> str:
    """The bearer token that a program sends; empty if there is none."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    return bearer.strip() if scheme.lower() == "bearer" else ""


# --- where a request comes from, and what its answer may do


class Visit:
    """One request, after a trusted proxy has said what it knows of its way here."""

    def __init__(self, scope: Scope, settings: Settings) -> None:
        headers, self.settings = Headers(scope=scope), settings
        peer = scope["client"][0] if scope.get("client") else ""
        trusted = peer in settings.proxies
        self.scheme = str(scope.get("scheme", "http"))
        if trusted and headers.get("x-forwarded-proto", "").split(",")[-1].strip() in _PORTS:
            self.scheme = headers["x-forwarded-proto"].split(",")[-1].strip()
        self.forwarded = not trusted and any(name in headers for name in FORWARDED)
        """Whether somebody who is no trusted proxy says that he forwards it."""
        self.host, port = _authority(headers.get("host", "") if len(headers.getlist("host")) == 1 else "")
        self.port = port or _PORTS[self.scheme]
        self.client = peer
        if trusted:  # the nearest address that is not a proxy of ours: what stands before it may be invented
            forwarded = [part.strip() for line in headers.getlist("x-forwarded-for") for part in line.split(",")]
            self.client = next((address for address in reversed(forwarded) if address not in settings.proxies), peer)
        # the application too believes of scheme and client what a trusted proxy says
        scope["scheme"], scope["client"], scope[_KEY] = self.scheme, (self.client, 0), self
        self.cookie = f"__Host-desk-{settings.port}" if self.scheme == "https" else f"desk-{settings.port}"
        self.secret = Request(scope).cookies.get(self.cookie, "")
        """What the cookie holds; empty where the browser sent none."""
        self.entered = False
        """Whether this visitor has given the passphrase and may log out."""

    def known(self) -> bool:
        """Whether the desk is meant to be reached under this name.

        A page of another site can be made to speak to the desk under a name of that site (DNS rebinding), never under
        an address; so addresses will do where others than this computer may come.
        """
        if is_loopback(self.host) or self.host in (*self.settings.hosts, self.settings.host.lower()):
            return True
        try:
            ipaddress.ip_address(self.host)
        except ValueError:
            return False
        return not self.settings.loopback

    def own_page(self, headers: Headers, must_say: bool) -> bool:
        """Whether a request was not sent by a page of another site; ``must_say``: its browser has to tell so itself."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site not in (None, "same-origin", "none"):
            return False
        if origin is None:
            return site is not None or not must_say
        scheme, _, netloc = origin.partition("://")
        host, port = _authority(netloc)
        return (scheme, host, port or _PORTS[self.scheme]) == (self.scheme, self.host, self.port)

    def give(self, answer: Response, secret: str, lasting: int) -> Response:
        """The answer with another cookie, as must be whenever somebody comes in or leaves."""
        secure = self.scheme == "https"
        answer.set_cookie(self.cookie, secret, lasting, secure=secure, httponly=True, samesite="lax")
        return answer


def visit_of(request: Request) -> Visit:
    """The visit of a request that has passed the guard; KeyError for any other."""
    visit: Visit = request.scope[_KEY]
    return visit


def language(request: Request, words: Words, usual: str) -> str:
    """The language of the address, or of the cookie, or the desk's own."""
    for asked in (request.query_params.get(LANG), request.cookies.get(LANG), usual):
        if asked in words.languages:
            return asked
    return words.languages[0]


def _authority(netloc: str) -> tuple[str, int | None]:
    """Host and port of what stands in ``Host`` or ``Origin``; an empty host for nonsense."""
    try:
        parts = urlsplit(f"//{netloc}")
        plain = not (parts.path or parts.query or parts.fragment or "@" in netloc)
        return (parts.hostname or "" if plain else ""), parts.port
    except ValueError:
        return "", None


class GuardMiddleware:
    """ASGI middleware: host, origin, passphrase and limits, in this order; then headers on the answer."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        sessions: Sessions,
        refusal: Callable[[Request, RefusedError], Response],
    ) -> None:
        self.app, self.settings, self.sessions, self.refusal = app, settings, sessions, refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request, or refuses it; an answer of either sort has all headers."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        if scope["type"] != "http":
            return
        visit, started = Visit(scope, self.settings), False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers.update(SECURITY_HEADERS)
                headers.setdefault("Cache-Control", "private, no-cache")
            await send(message)

        try:
            body = await _read(Headers(scope=scope), receive, self._allowed(scope, visit))
            await self.app(scope, _replayed(body, receive), sending)
        except RefusedError as refused:
            await self.refusal(Request(scope), refused)(scope, receive, sending)
        except Exception:
            if not started:
                await self.refusal(Request(scope), RefusedError(500, "desk-failed"))(scope, receive, sending)
            raise

    def _allowed(self, scope: Scope, visit: Visit) -> int:
        """How many bytes a request may bring along; RefusedError if it is not let in."""
        headers, path = Headers(scope=scope), scope["path"]
        if not visit.known():
            raise RefusedError(421, "desk-unknown-host")
        if visit.forwarded and not self.settings.guarded:
            raise RefusedError(403, "desk-forwarded")
        changing, api = scope["method"] not in SAFE, path.startswith("/api/")
        if (changing or api) and not visit.own_page(headers, must_say=changing and not api):
            raise RefusedError(403, "desk-forged")
        if not self.settings.guarded:
            if not (visit.own_page(headers, must_say=False) or _comes_to_first_page(scope, headers)):
                raise RefusedError(403, "desk-elsewhere")
            return LIMIT
        visit.entered = bool(visit.secret) and self.sessions.holds(visit.secret, "cookie")
        if api and self.sessions.holds(bearer_of(headers), "bearer"):
            return LIMIT
        # by its cookie a page may change something if its browser says that it is ours
        if visit.entered and visit.own_page(headers, must_say=changing):
            return LIMIT
        if path not in OPEN_PATHS and not path.startswith("/static/"):
            raise RefusedError(401, "desk-door-first")
        return DOOR


def _comes_to_first_page(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link of another site to the first page, as a browser says it."""
    fetch = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    return (scope["path"], scope.get("query_string", b"")) == ("/", b"") and fetch == ("navigate", "document")


# --- what it brings along


async def _read(headers: Headers, receive: Receive, limit: int) -> bytes:
    """The whole body; RefusedError as soon as it is too long or too slow."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > 18 or int(length) > limit:
        raise RefusedError(413, "desk-too-large")
    body, more = bytearray(), True
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise RefusedError(400, "desk-bad-form")
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > limit:
                    raise RefusedError(413, "desk-too-large")
    except TimeoutError:
        raise RefusedError(408, "desk-too-slow") from None
    return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """What the application receives in place of what has been read."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


class DeskRequest(Request):
    """A request whose body was taken apart before it is asked for: in a thread, where it holds up no ruling."""

    data: Any = None
    fields: FormData = FormData()

    async def take_apart(self) -> None:
        """InputError for JSON that says a key twice, RefusedError for a form that is none, or holds too much."""
        content_type, options = parse_options_header(self.headers.get("content-type", ""))
        kind, body = content_type.decode("latin-1").strip().lower(), await self.body()
        if kind in FORM_TYPES:
            if options.get(b"charset", b"utf-8").lower() not in CHARSETS:
                raise RefusedError(400, "desk-bad-form")
            self.fields = await asyncio.to_thread(_form, self.scope, kind, body)
        elif body and kind.endswith("json"):
            try:
                self.data = await asyncio.to_thread(loads_strictly, body)
            except (ValueError, RecursionError) as error:
                mend = "give JSON that says each key once"
                raise InputError.of("body", f"this cannot be read: {error}", mend) from None

    async def json(self) -> Any:
        return self.data

    async def form(self, **_: Any) -> FormData:  # type: ignore[override] # nobody here waits for it by «async with»
        return self.fields


class DeskRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def handler(request: Request) -> Response:
            taken = DeskRequest(request.scope, request.receive)
            await taken.take_apart()
            return await answer(taken)

        return handler


def _form(scope: Scope, kind: str, body: bytes) -> FormData:
    """Lengths are looked at before anything is decoded; an escape makes three signs of one."""

    async def parts() -> FormData:
        sent = Request(scope, _replayed(body, lambda: asyncio.sleep(0, {"type": "http.disconnect"})))
        return await sent.form(max_files=FILES, max_fields=FIELDS, max_part_size=LIMIT)

    try:
        if kind != FORM_TYPES[0]:
            fields = asyncio.run(parts())
        elif any(len(field) > 3 * FIELD for field in body.split(b"&", FIELDS)):
            raise RefusedError(413, "desk-too-large")
        else:
            fields = FormData([*parse_qsl(body.decode(), True, max_num_fields=FIELDS, errors="strict")])
    except (HTTPException, ValueError):
        raise RefusedError(400, "desk-bad-form") from None
    texts = [text for pair in fields.multi_items() for text in pair if isinstance(text, str)]
    if any(len(text) > FIELD for text in texts):
        raise RefusedError(413, "desk-too-large")
    return fields
