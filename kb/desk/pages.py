"""Pages for people: templates filled in the visitor's language; whatever they say comes out escaped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse

from facts.cards import SEATS
from kb.explain.html.templates import render
from kb.explain.say import Speaker
from kb.explain.words import Words
from kb.language.folders import DEFAULT_EDITION
from kb.language.model import Edition


@dataclass(frozen=True)
class Clock:
    """Says moments in one language."""

    words: Words
    lang: str

    def day(self, moment: datetime, year: bool = True) -> str:
        """«22 November 2026»; without its year where that goes without saying."""
        month = self.words.name("month", str(moment.month), self.lang)
        named = self.words.phrase("day", self.lang, day=moment.day, month=month)
        return f"{named} {moment.year}" if year else named

    def time(self, moment: datetime) -> str:
        """«19:42»."""
        return f"{moment:%H:%M}"


LANG: Final = "lang"
"""The cookie, and the key in an address, that name the language."""
YEAR: Final = 365 * 24 * 3600
AREAS: Final = (
    ("ask", "/"),
    ("trick", "/trick"),
    ("record", "/record"),
    ("register", "/register"),
    ("law", "/law"),
    ("chart", f"/law/{DEFAULT_EDITION}/chart"),
    ("class", "/class"),
    ("workshop", "/workshop"),
)
"""The menu: each area of the desk with its address."""


def address(path: str, **fields: object) -> str:
    """A path with what follows its question mark, of several values each; empty fields are left out."""
    each = ((key, one) for key, value in fields.items() for one in (value if isinstance(value, tuple) else (value,)))
    said = urlencode([(key.rstrip("_"), str(value)) for key, value in each if value not in ("", None)], safe=",?")
    return f"{path}?{said}" if said else path


def redirect(path: str, **fields: object) -> RedirectResponse:
    """To another page of the desk, by GET."""
    return RedirectResponse(address(path, **fields), status_code=303)


@dataclass(frozen=True)
class PageRequest:
    """One request, and the language it is answered in."""

    request: Request
    lang: str
    words: Words
    may_leave: Callable[[Request], bool]
    """Whether there is anything to log out from."""

    def t(self, key: str, **places: object) -> str:
        """A phrase of the desk."""
        return self.words.phrase(f"desk-{key}", self.lang, **places)

    def speaker(self, edition: Edition) -> Speaker:
        """Speaks of rulings under an edition."""
        return Speaker(self.words, edition.vocabulary, self.lang)

    def page(self, template: str, status: int = 200, **context: Any) -> HTMLResponse:
        """The page; a language chosen in the address is remembered."""
        response = HTMLResponse(render(f"desk/templates/{template}", **self._context(context)), status)
        if self.request.query_params.get(LANG) == self.lang != self.request.cookies.get(LANG):
            secure = self.request.url.scheme == "https"
            response.set_cookie(LANG, self.lang, YEAR, samesite="lax", httponly=True, secure=secure)
        return response

    def _context(self, context: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "t": self.t,
            "to": address,
            "phrase": lambda key, **places: self.words.phrase(key, self.lang, **places),
            "lang": self.lang,
            "seats_named": {seat: self.words.name("seat", seat, self.lang) for seat in SEATS},
            "clock": Clock(self.words, self.lang),
            "path": self.request.url.path,
            "areas": AREAS,
            "area": area(self.request.url.path),
            "languages": [
                (lang, self.words.phrases["desk-language"].get(lang, lang), self._in(lang))
                for lang in self.words.languages
            ],
            "partly": self.lang in self.words.partial,
            "may_leave": lambda: self.may_leave(self.request),
            **context,
        }

    def _in(self, lang: str) -> str:
        """The address of this page in another language; of the start page for one that was sent."""
        if self.request.method != "GET":
            return address("/", lang=lang)
        fields = [(key, value) for key, value in self.request.query_params.multi_items() if key != LANG]
        return f"{self.request.url.path}?{urlencode([*fields, (LANG, lang)])}"


def area(path: str) -> str:
    """The area of the menu in which an address lies: what is asked and ruled on belongs to the first."""
    within = [(len(at), name) for name, at in AREAS[1:] if f"{path}/".startswith(f"{at}/")]
    return max(within, default=(0, AREAS[0][0]))[1]


def language(request: Request, words: Words, usual: str) -> str:
    """The language of the address, or of the cookie, or the desk's own."""
    for asked in (request.query_params.get(LANG), request.cookies.get(LANG), usual):
        if asked in words.languages:
            return asked
    return words.languages[0]
