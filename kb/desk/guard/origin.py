"""Where a request comes from: by which name, over what, from whom; and whether one of our own pages sent it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from kb.desk.settings import LOOPBACK_NAMES, Settings

FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
_PORTS: Final = {"http": 80, "https": 443}


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

    @property
    def secure(self) -> bool:
        """Whether it came over https."""
        return self.scheme == "https"

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
        client = _first_untrusted(headers.getlist("x-forwarded-for"), settings, peer) if trusted else peer
        return cls(host, (host, port or _PORTS[scheme]), scheme, client, forwarded)


def known_host(host: str, settings: Settings) -> bool:
    """Whether the desk is meant to be reached under this name.

    A page of another site can be made to speak to the desk under a name of that site (DNS rebinding), never under an
    address; so addresses will do where others than this computer may come.
    """
    if host in LOOPBACK_NAMES or host in settings.hosts or host == settings.host.lower():
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or not settings.loopback


def own_page(headers: Headers, whence: Origin) -> bool:
    """Whether a request was not sent by a page of another site, as far as the browser tells."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    scheme, _, netloc = origin.partition("://")
    host, port = _authority(netloc)
    return scheme == whence.scheme and (host, port or _PORTS[whence.scheme]) == whence.authority


def _authority(netloc: str) -> tuple[str, int | None]:
    """Host and port of what stands in ``Host`` or ``Origin``; an empty host for nonsense."""
    try:
        parts = urlsplit(f"//{netloc}")
        plain = not (parts.path or parts.query or parts.fragment or "@" in netloc)
        return (parts.hostname or "" if plain else ""), parts.port
    except ValueError:
        return "", None


def _first_untrusted(lines: list[str], settings: Settings, peer: str) -> str:
    """The nearest address that is not a proxy of ours: what stands before it may be invented."""
    for address in reversed([part.strip() for line in lines for part in line.split(",")]):
        if address not in settings.proxies:
            return address
    return peer
