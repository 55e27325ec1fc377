"""The book of an edition: index and search, a page for each law, the whole to print, the questions to take along."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from kb.cases.cases import every_hearing
from kb.desk.desk import Desk
from kb.desk.guard import DeskRoute, allow
from kb.desk.laws import LONG, SLOW, DeskLaws
from kb.desk.recent import Recent
from kb.explain.say import Speaker
from kb.interview.page import interview_page
from kb.language.folders import DEFAULT_EDITION
from kb.lawbook.book import Book, BookEntry, book, found
from kb.lawbook.family import family, family_body
from kb.lawbook.telling import body, clauses
from kb.prove.telling import ToldVerdict
from kb.ruling.law import Laws

MOST_BOOKS: Final = 20
MOST_FILES: Final = 6
DEFINITIONS: Final = "definitions"
"""The page of what no law says."""
_Key = tuple[str, str, str]
"""Name, version and language of a law."""


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, books = APIRouter(include_in_schema=False, route_class=DeskRoute), Books(desk)
    router.add_api_route("/family", books.family, methods=["GET"])
    router.add_api_route("/law/{edition}", books.index, methods=["GET"])
    router.add_api_route("/law/{edition}/whole", books.whole, methods=["GET"])
    router.add_api_route("/law/{edition}/offline", books.offline, methods=["GET"])
    router.add_api_route("/law/{edition}/{law}", books.law, methods=["GET"])
    return router


class Books:
    """The books of all editions and drafts."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.laws = desk, desk.laws
        self._books: Recent[_Key, Book] = Recent(MOST_BOOKS)
        self._wholes: Recent[_Key, Markup] = Recent(MOST_BOOKS)
        self._files: Recent[_Key, str] = Recent(MOST_FILES)

    def index(self, request: Request, edition: str, q: str = "") -> Response:
        """What stands in the book, or where something stands in it."""
        visit = self.desk.visit(request)
        bound = self._bound(edition, visit.speaker(self.laws.edition(edition)))
        hits = found(bound, q, visit.lang)
        return visit.page("book-index.html", edition=edition, book=bound, q=q, found=hits, at=_at(edition, bound))

    def law(self, request: Request, edition: str, law: str) -> Response:
        """One law, or the definitions."""
        visit = self.desk.visit(request)
        speaker = visit.speaker(self.laws.edition(edition))
        bound = self._bound(edition, speaker)
        pages = _pages(bound)
        if law not in pages:
            raise HTTPException(404)
        order, at = list(pages), _at(edition, bound)
        here = order.index(law)
        return visit.page(
            "book-law.html",
            edition=edition,
            book=bound,
            chapter=next((one for one in bound.chapters if one.number == law), None),
            body=clauses(bound, pages[law], speaker, lambda ref: at[ref]),
            before=order[here - 1] if here else "",
            after=order[here + 1] if here + 1 < len(order) else "",
        )

    def whole(self, request: Request, edition: str) -> Response:
        """The whole book, its cases with each clause."""
        visit = self.desk.visit(request)
        code = self.laws.edition(edition)
        key = (edition, self.laws.version(edition), visit.lang)
        claimed = self.desk.proof(edition).verdicts[visit.lang]
        made = self._wholes.get(key, lambda: self.laws.apart(SLOW, _whole, edition, visit.lang, claimed))
        return visit.page("book.html", body=made, title=code.title[visit.lang])

    def family(self, request: Request) -> Response:
        """The family tree of the shipped laws."""
        visit = self.desk.visit(request)
        speaker = visit.speaker(self.laws.edition(DEFAULT_EDITION))
        made = self._wholes.get(("", "", visit.lang), lambda: family_body(family(self.laws.laws, speaker), speaker))
        return visit.page("book.html", body=made, title=speaker.phrase("book-family"))

    def offline(self, request: Request, edition: str, save: bool = False) -> Response:
        """All questions and rulings in one page that needs no desk; to be saved as a file if wished."""
        visit = self.desk.visit(request)
        key = (edition, self.laws.version(edition), visit.lang)
        made = self._files.get(key, lambda: self.laws.apart(LONG, _interview, edition, visit.lang))
        allow(request, *(re.findall(rf"<{tag}>(.*?)</{tag}>", made, re.DOTALL) for tag in ("script", "style")))
        name = f"{edition}-{visit.lang}.html"
        return HTMLResponse(made, headers={"Content-Disposition": f'attachment; filename="{name}"'} if save else None)

    def _bound(self, name: str, speaker: Speaker) -> Book:
        """The book without its cases, which take long."""
        code = self.laws.edition(name)
        base = self.laws.edition(code.amends) if code.amends else None
        key = (name, self.laws.version(name), speaker.lang)
        return self._books.get(key, lambda: book(code, base, (), (), speaker))


def _whole(laws: DeskLaws, name: str, lang: str, claimed: Sequence[ToldVerdict]) -> Markup:
    """The whole book."""
    code = laws.edition(name)
    speaker = laws.speaker(code, lang)
    heard, failing = every_hearing(Laws(laws.root, "quick"), laws.folder(name))
    base = laws.edition(code.amends) if code.amends else None
    return body(book(code, base, heard, claimed, speaker, failing), speaker)


def _interview(laws: DeskLaws, name: str, lang: str) -> str:
    """All questions and rulings in one page."""
    counsel = laws.counsel(name)
    return interview_page(counsel, laws.speaker(counsel.law.edition, lang))


def _pages(bound: Book) -> dict[str, tuple[BookEntry, ...]]:
    """What stands on each page of the book."""
    laws = {one.number: one.entries for one in bound.chapters}
    return laws | ({DEFINITIONS: bound.definitions} if bound.definitions else {})


def _at(edition: str, bound: Book) -> dict[str, str]:
    """The address of each clause."""
    pages = _pages(bound).items()
    return {one.clause.ref: f"/law/{edition}/{page}#{one.clause.ref}" for page, some in pages for one in some}
