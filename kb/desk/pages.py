"""Pages for people: templates filled in the visitor's language; whatever they say comes out escaped."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from facts.cards import SEATS
from kb.desk.addressed import Submission, query_in, ruling_on, submission
from kb.desk.desk import Desk
from kb.desk.guard import LANG, language, visit_of
from kb.explain.html import render
from kb.explain.say import Speaker
from kb.interview.address import address
from kb.language.folders import DEFAULT_EDITION
from kb.language.model import Edition
from kb.ruling.ruling import Ruling

YEAR: Final = 365 * 24 * 3600
AREAS: Final = (
    ("ask", "/"),
    ("record", "/record"),
    ("register", "/register"),
    ("law", "/law"),
    ("chart", f"/law/{DEFAULT_EDITION}/chart"),
    ("class", "/class"),
)
"""The menu: each area of the desk with its address."""


def redirect(path: str, **fields: object) -> RedirectResponse:
    """To another page of the desk, by GET."""
    return RedirectResponse(address(path, **fields), status_code=303)


class PageRequest:
    """One request for a page, the desk that is asked, and the language it is answered in."""

    def __init__(self, request: Request, desk: Desk) -> None:
        self.request, self.desk, self.words = request, desk, desk.words
        self.lang = language(request, self.words, desk.settings.lang)

    def t(self, key: str, **places: object) -> str:
        """A phrase of the desk."""
        return self.words.phrase(f"desk-{key}", self.lang, **places)

    def day(self, moment: datetime, year: bool = True) -> str:
        """«22 November 2026»; without its year where that goes without saying."""
        month = self.words.name("month", str(moment.month), self.lang)
        named = self.words.phrase("day", self.lang, day=moment.day, month=month)
        return f"{named} {moment.year}" if year else named

    def speaker(self, edition: Edition) -> Speaker:
        """Speaks of rulings under an edition."""
        return self.desk.speaker(edition, self.lang)

    def given(self, word: str) -> Submission:
        """What is carried from page to page."""
        return submission(query_in(word), self.desk)

    def ruling(self, given: Submission) -> Ruling:
        """The ruling on what was given; InputError when there can be none."""
        return ruling_on(given, self.desk)

    def ruled(self, word: str) -> tuple[Ruling, Speaker]:
        """The ruling on what is carried from page to page, and who speaks of it: one that says seats."""
        ruling = self.ruling(self.given(word))
        return ruling, self.speaker(ruling.edition)

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
            "day": self.day,
            "areas": AREAS,
            "area": area(self.request.url.path),
            "languages": [
                (lang, self.words.phrases["desk-language"].get(lang, lang), self._in(lang))
                for lang in self.words.languages
            ],
            "partly": self.lang in self.words.partial,
            "may_leave": lambda: visit_of(self.request).entered,
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


async def _asked(request: Request) -> PageRequest:
    return PageRequest(request, request.app.state.desk)


Asked = Annotated[PageRequest, Depends(_asked)]
"""What a function that answers with a page is given."""
