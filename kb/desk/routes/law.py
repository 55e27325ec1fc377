"""The law itself: the book and the chart of each edition, what is claimed of it, and the differences between two."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response
from markupsafe import Markup

from kb.cases.run import hearings
from kb.chart.chart import chart
from kb.chart.svg import STYLE, svg
from kb.chart.telling import Speech
from kb.desk import guard
from kb.desk.desk import Desk
from kb.desk.recent import Recent
from kb.desk.submission import Submission
from kb.explain.say import Speaker
from kb.language.folders import DEFAULT_EDITION
from kb.lawbook.book import book
from kb.lawbook.page import body
from kb.ruling.laws import Laws

MOST_BOOKS: Final = 20
Pictures = dict[str, tuple[str, str]]
"""Part and page -> the picture, and what it is called."""


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, laws = APIRouter(include_in_schema=False), LawPages(desk)
    router.add_api_route("/law", laws.editions, methods=["GET"])
    router.add_api_route("/law/compare", laws.compare, methods=["GET"])
    router.add_api_route("/law/{edition}", laws.book, methods=["GET"])
    router.add_api_route("/law/{edition}/claims", laws.claims, methods=["GET"])
    router.add_api_route("/law/{edition}/chart", laws.chart, methods=["GET"])
    router.add_api_route("/law/{edition}/chart/{page}.svg", laws.picture, methods=["GET"])
    return router


class LawPages:
    """Everything to read about the editions."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.laws = desk, desk.laws
        self._books: Recent[tuple[str, str, str], Markup] = Recent(MOST_BOOKS)
        self._charts: Recent[tuple[str, str, str], Pictures] = Recent(MOST_BOOKS)

    def editions(self, request: Request) -> Response:
        """The editions, and two to compare."""
        visit = self.desk.visit(request)
        shown = [(name, self.laws.edition(name)) for name in self.laws.editions]
        return visit.page("law.html", shown=shown, laws=self.laws.titles(visit.lang), usual=DEFAULT_EDITION)

    def book(self, request: Request, edition: str) -> Response:
        """The book of an edition, its cases with each clause."""
        visit = self.desk.visit(request)
        key = (edition, self.laws.version(edition), visit.lang)
        code = self.laws.edition(edition)
        made = self._books.get(key, lambda: self._book(edition, visit.speaker(code)))
        return visit.page("book.html", body=made, title=code.title[visit.lang])

    def _book(self, name: str, speaker: Speaker) -> Markup:
        code = self.laws.edition(name)
        heard = hearings(Laws(self.laws.root, "python"), self.laws.folder(name))
        claimed = self.desk.proof(name).verdicts[speaker.lang]
        base = self.laws.edition(code.amends) if code.amends else None
        return body(book(code, base, heard, claimed, speaker), speaker)

    def claims(self, request: Request, edition: str) -> Response:
        """What is claimed of a law or draft, and whether it holds."""
        visit, code = self.desk.visit(request), self.laws.edition(edition)
        return visit.page(
            "claims.html",
            name=edition,
            edition=code,
            draft=edition not in self.laws.editions and edition in self.laws.drafts.names(),
            groups=list(self.desk.proof(edition).groups(visit.lang)),
            speaker=visit.speaker(code),
            word=lambda incident, law: replace(Submission.of_incident(incident), law=law).word,
        )

    def chart(self, request: Request, edition: str) -> Response:
        """The decision chart, a picture for each part."""
        visit = self.desk.visit(request)
        code = self.laws.edition(edition)
        parts = self._pictures(edition, visit.speaker(code))
        return visit.page(
            "chart.html",
            edition=edition,
            title=code.title[visit.lang],
            pages=[(name, title) for name, (_, title) in parts.items()],
        )

    def picture(self, request: Request, edition: str, page: str) -> Response:
        """A page of the chart, to be looked at or printed."""
        visit = self.desk.visit(request)
        drawn = self._pictures(edition, visit.speaker(self.laws.edition(edition)))
        if page not in drawn:
            raise HTTPException(404)
        guard.allow(request, styles=(STYLE,))
        return Response(drawn[page][0], media_type="image/svg+xml")

    def _pictures(self, name: str, speaker: Speaker) -> Pictures:
        def make() -> Pictures:
            counsel = self.laws.counsel(name)
            with counsel.lock:
                speech = Speech(speaker, counsel.interview, counsel.law.edition)
                return {
                    f"{part.name}-{number}": (page, speech.title(part))
                    for part in chart(counsel)
                    for number, page in enumerate(svg(part, speech), 1)
                }

        return self._charts.get((name, self.laws.version(name), speaker.lang), make)

    def compare(self, request: Request, a: str = DEFAULT_EDITION, b: str = "") -> Response:
        """The differences between two laws."""
        visit = self.desk.visit(request)
        found = self.desk.comparison(a, b or DEFAULT_EDITION)
        return visit.page("compare.html", a=a, b=b, body=found.html[visit.lang])
