"""The headers that every answer carries."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from typing import Final

from starlette.datastructures import MutableHeaders

from kb.desk.guard.guarded import GuardedRequest

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


def policy(scripts: Iterable[str] = (), styles: Iterable[str] = ()) -> str:
    """The Content-Security-Policy, with inline scripts and styles of exactly these texts."""
    script, style = _sources(scripts), _sources(styles)
    return (
        f"default-src 'none'; style-src {style}; script-src {script}; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )


def put_headers(headers: MutableHeaders, visit: GuardedRequest | None) -> None:
    """Adds them to an answer, and the visitor's cookie if it is new."""
    for name, value in FIXED.items():
        headers[name] = value
    headers["Content-Security-Policy"] = policy(visit.scripts, visit.styles) if visit else policy()
    if "cache-control" not in headers:
        headers["Cache-Control"] = "private, no-cache"
    if visit is not None and visit.set_cookie:
        headers.append("Set-Cookie", visit.header())


def _sources(texts: Iterable[str]) -> str:
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(("'self'", *(f"'sha256-{digest}'" for digest in digests)))
