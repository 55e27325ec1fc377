"""Reading what a request brings along, within limits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message, Receive, Scope

LIMIT: Final = 2 * 1024 * 1024
"""Bytes of a request's body."""
PATIENCE: Final = 30.0
"""Seconds in which it has to arrive."""
FIELDS, FILES, FIELD = 400, 4, 256 * 1024
"""Fields and files of a form, and characters of one field that is no file."""
CHARSETS: Final = (b"utf-8", b"utf8")
"""How a form may be encoded: Python knows encodings whose decoding takes minutes, or fails."""
FORM_TYPES: Final = ("application/x-www-form-urlencoded", "multipart/form-data")


class RefusedError(Exception):
    """A request is not served; carries the answer's status and the phrase that says why."""

    def __init__(self, status: int, phrase: str, wait: int = 0) -> None:
        self.status = status
        self.phrase = phrase
        self.wait = wait
        """Seconds after which another attempt makes sense; 0: not told."""
        super().__init__(phrase)


async def read_body(headers: Headers, receive: Receive) -> bytes:
    """The whole body; RefusedError as soon as it is too long or too slow."""
    told = headers.get("content-length", "0")
    if not told.isdecimal() or len(told) > 18 or int(told) > LIMIT:
        raise RefusedError(413, "desk-too-large")
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise RefusedError(400, "desk-bad-form")
                body += message.get("body", b"")
                if len(body) > LIMIT:
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


async def form_fields(scope: Scope, body: bytes, receive: Receive) -> Mapping[str, str]:
    """The text fields of a form; RefusedError if it is no form, or holds too much."""
    told, options = parse_options_header(Headers(scope=scope).get("content-type", ""))
    kind = told.decode("latin-1").strip().lower()
    if kind not in FORM_TYPES:
        return {}
    if options.get(b"charset", b"utf-8").lower() not in CHARSETS:
        raise RefusedError(400, "desk-bad-form")
    if kind == FORM_TYPES[0]:
        return _checked(_decoded(body))
    request = Request(scope, replayed(body, receive))
    try:
        async with request.form(max_files=FILES, max_fields=FIELDS, max_part_size=LIMIT) as form:
            return _checked([(name, value) for name, value in form.multi_items() if not isinstance(value, UploadFile)])
    except (HTTPException, ValueError):  # before 1.8 Starlette lets what its parser raises through
        raise RefusedError(400, "desk-bad-form") from None


def _decoded(body: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=FIELDS, errors="strict")
    except ValueError:
        raise RefusedError(400, "desk-bad-form") from None


def _checked(fields: list[tuple[str, str]]) -> Mapping[str, str]:
    if any(len(value) > FIELD or len(name) > FIELD for name, value in fields):
        raise RefusedError(413, "desk-too-large")
    return dict(fields)
