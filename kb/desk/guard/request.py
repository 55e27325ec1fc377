"""One request as the guard sees it: where it comes from, what it brings along, and what its answer may do."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import ipaddress
import re
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from fastapi import Request, Response
from fastapi.routing import APIRoute
from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope

from facts.errors import InputError
from kb.desk.settings import LOOPBACK_NAMES, Settings
from kb.verify.document import loads_strictly

LIMIT: Final = 2 * 1024 * 1024
"""Bytes of a request's body."""
DOOR: Final = 8 * 1024
"""The same of one who has not come in yet: a passphrase is no longer."""
PATIENCE: Final = 30.0
"""Seconds in which it has to arrive."""
FIELDS, FILES, FIELD = 400, 4, 256 * 1024
"""Fields and files of a form, and characters of one field that is no file."""
CHARSETS: Final = (b"utf-8", b"utf8")
"""How a form may be encoded: Python knows encodings whose decoding takes minutes, or fails."""
FORM_TYPES: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
FIXED: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # not «no-referrer»: browsers would then send «Origin: null» with our own forms
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_PORTS: Final = {"http": 80, "https": 443}
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_KEY: Final = "desk.visit"


class RefusedError(Exception):
    """A request is not served; carries the answer's status and the phrase that says why."""

    def __init__(self, status: int, phrase: str, wait: int = 0) -> None:
        self.status = status
        self.phrase = phrase
        self.wait = wait
        """Seconds after which another attempt makes sense; 0: not told."""
        super().__init__(phrase)


# --- where it comes from


@dataclass(frozen=True)
class Origin:
    """A request's way here, after a trusted proxy has said what it knows."""

    host: str
    """The name or address in ``Host``, lower case, without port and brackets; empty if there is none."""
    authority: tuple[str, int]
    """The same with its port."""
    scheme: str
    client: str
    """The address of the one who asks."""
    forwarded: bool
    """Whether somebody who is no trusted proxy says that he forwards it."""

    @classmethod
    def of(cls, scope: Scope, settings: Settings) -> Origin:
        """Reads a request's headers."""
        headers = Headers(scope=scope)
        peer = scope["client"][0] if scope.get("client") else ""
        trusted = peer in settings.proxies
        scheme = str(scope.get("scheme", "http"))
        if trusted and headers.get("x-forwarded-proto", "").split(",")[-1].strip() in _PORTS:
            scheme = headers["x-forwarded-proto"].split(",")[-1].strip()
        forwarded = not trusted and any(name in headers for name in FORWARDED)
        host, port = _authority(headers.get("host", "") if len(headers.getlist("host")) == 1 else "")
        client = peer
        if trusted:  # the nearest address that is not a proxy of ours: what stands before it may be invented
            told = [part.strip() for line in headers.getlist("x-forwarded-for") for part in line.split(",")]
            client = next((one for one in reversed(told) if one not in settings.proxies), peer)
        return cls(host, (host, port or _PORTS[scheme]), scheme, client, forwarded)

    def known(self, settings: Settings) -> bool:
        """Whether the desk is meant to be reached under this name.

        A page of another site can be made to speak to the desk under a name of that site (DNS rebinding), never under
        an address; so addresses will do where others than this computer may come.
        """
        if self.host in LOOPBACK_NAMES or self.host in settings.hosts or self.host == settings.host.lower():
            return True
        try:
            address = ipaddress.ip_address(self.host)
        except ValueError:
            return False
        return address.is_loopback or not settings.loopback

    def own_page(self, headers: Headers, must_say: bool) -> bool:
        """Whether a request was not sent by a page of another site; ``must_say``: its browser has to tell so itself."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site not in (None, "same-origin", "none"):
            return False
        if origin is None:
            return site is not None or not must_say
        scheme, _, netloc = origin.partition("://")
        host, port = _authority(netloc)
        return scheme == self.scheme and (host, port or _PORTS[self.scheme]) == self.authority


def _authority(netloc: str) -> tuple[str, int | None]:
    """Host and port of what stands in ``Host`` or ``Origin``; an empty host for nonsense."""
    try:
        parts = urlsplit(f"//{netloc}")
        plain = not (parts.path or parts.query or parts.fragment or "@" in netloc)
        return (parts.hostname or "" if plain else ""), parts.port
    except ValueError:
        return "", None


# --- who asks, and what the answer may do


@dataclass
class GuardedRequest:
    """Where a request comes from, the secret of its cookie, and what its answer may do."""

    whence: Origin
    cookie: str
    """Name of the cookie."""
    secret: str
    """What the cookie holds; empty where the browser sent none."""
    entered: bool = False
    """Whether this visitor has given the passphrase and may log out."""
    lasting: int | None = None
    """Seconds for which the browser is to keep the cookie that the answer gives; None: it gives none."""
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()

    @classmethod
    def of(cls, whence: Origin, port: int, cookies: dict[str, str]) -> GuardedRequest:
        """The visit with these cookies."""
        name = f"__Host-desk-{port}" if whence.scheme == "https" else f"desk-{port}"
        sent = cookies.get(name, "")
        return cls(whence, name, sent if _SECRET.fullmatch(sent) else "")

    def give(self, secret: str, lasting: int) -> None:
        """Replaces the cookie's secret, as must be whenever somebody comes in or leaves."""
        self.secret, self.lasting = secret, lasting

    def put_headers(self, headers: MutableHeaders) -> None:
        """Adds to an answer the headers that every answer carries, and the visitor's cookie if it is new."""
        for name, value in FIXED.items():
            headers[name] = value
        headers["Content-Security-Policy"] = policy(self.scripts, self.styles)
        if "cache-control" not in headers:
            headers["Cache-Control"] = "private, no-cache"
        if self.lasting is not None:
            secure = "; Secure" if self.whence.scheme == "https" else ""
            kept = f"Path=/; HttpOnly; SameSite=Lax{secure}; Max-Age={self.lasting}"
            headers.append("Set-Cookie", f"{self.cookie}={self.secret}; {kept}")


def policy(scripts: Iterable[str] = (), styles: Iterable[str] = ()) -> str:
    """The Content-Security-Policy, with inline scripts and styles of exactly these texts."""

    def sources(texts: Iterable[str]) -> str:
        digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
        return " ".join(("'self'", *(f"'sha256-{digest}'" for digest in digests)))

    return (
        f"default-src 'none'; style-src {sources(styles)}; script-src {sources(scripts)}; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )


def put_visit(scope: Scope, visit: GuardedRequest) -> None:
    """Hands the visit on to the application."""
    scope[_KEY] = visit


def visit_of(request: Request) -> GuardedRequest:
    """The visit of a request that has passed the guard; KeyError for any other."""
    visit: GuardedRequest = request.scope[_KEY]
    return visit


# --- what it brings along


async def read_body(headers: Headers, receive: Receive, limit: int) -> bytes:
    """The whole body; RefusedError as soon as it is too long or too slow."""
    told = headers.get("content-length", "0")
    if not told.isdecimal() or len(told) > 18 or int(told) > limit:
        raise RefusedError(413, "desk-too-large")
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise RefusedError(400, "desk-bad-form")
                body += message.get("body", b"")
                if len(body) > limit:
                    raise RefusedError(413, "desk-too-large")
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise RefusedError(408, "desk-too-slow") from None


def replayed(body: bytes, receive: Receive) -> Receive:
    """What the application receives in place of what has been read."""
    sent = False

    async def again() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


class DeskRequest(Request):
    """A request whose body was taken apart before it is asked for: in a thread, where it holds up no ruling."""

    data: Any = None
    fields: FormData = FormData()

    async def take_apart(self) -> None:
        """InputError for JSON that says a key twice, RefusedError for a form that is none, or holds too much."""
        told, options = parse_options_header(self.headers.get("content-type", ""))
        kind, body = told.decode("latin-1").strip().lower(), await self.body()
        if kind in FORM_TYPES:
            if options.get(b"charset", b"utf-8").lower() not in CHARSETS:
                raise RefusedError(400, "desk-bad-form")
            self.fields = await asyncio.to_thread(_form, self.scope, kind, body)
        elif body and kind.endswith("json"):
            self.data = await asyncio.to_thread(_strictly, body)

    async def json(self) -> Any:
        """The object that was sent."""
        return self.data

    async def form(self, **_: Any) -> FormData:  # type: ignore[override] # nobody here waits for it by «async with»
        """The fields that were sent."""
        return self.fields


class DeskRoute(APIRoute):
    """An address of the desk."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers, after the body was taken apart."""
        answer = super().get_route_handler()

        async def handler(request: Request) -> Response:
            taken = DeskRequest(request.scope, request.receive)
            await taken.take_apart()
            return await answer(taken)

        return handler


def _strictly(body: bytes) -> Any:
    try:
        return loads_strictly(body)
    except (ValueError, RecursionError) as error:
        raise InputError.of("body", f"this cannot be read: {error}", "give JSON that says each key once") from None


def _form(scope: Scope, kind: str, body: bytes) -> FormData:
    """Lengths are looked at before anything is decoded; an escape makes three signs of one."""
    try:
        if kind != FORM_TYPES[0]:
            fields = asyncio.run(_multipart(scope, body))
        elif any(len(field) > 3 * FIELD for field in body.split(b"&", FIELDS)):
            raise RefusedError(413, "desk-too-large")
        else:
            fields = FormData([*parse_qsl(body.decode(), True, max_num_fields=FIELDS, errors="strict")])
    except (HTTPException, ValueError):
        raise RefusedError(400, "desk-bad-form") from None
    said = [text for pair in fields.multi_items() for text in pair if isinstance(text, str)]
    if any(len(text) > FIELD for text in said):
        raise RefusedError(413, "desk-too-large")
    return fields


async def _multipart(scope: Scope, body: bytes) -> FormData:
    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    return await Request(scope, replayed(body, nothing)).form(max_files=FILES, max_fields=FIELDS, max_part_size=LIMIT)
