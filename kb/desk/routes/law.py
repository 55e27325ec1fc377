"""The law itself: each edition with its chart, what is claimed of it, and the differences between two."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from kb.chart.chart import OrdinaryChart
from kb.chart.telling import BoxSpeech, body
from kb.desk.desk import Desk
from kb.desk.guard.request import DeskRoute
from kb.desk.laws import SLOW, DeskLaws
from kb.desk.recent import Recent
from kb.desk.submission import Submission
from kb.interview.counsel import Counsel
from kb.language.folders import DEFAULT_EDITION

MOST_CHARTS: Final = 20


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, laws = APIRouter(include_in_schema=False, route_class=DeskRoute), LawPages(desk)
    router.add_api_route("/law", laws.editions, methods=["GET"])
    router.add_api_route("/law/compare", laws.compare, methods=["GET"])
    router.add_api_route("/law/{edition}/claims", laws.claims, methods=["GET"])
    router.add_api_route("/law/{edition}/chart", laws.chart, methods=["GET"])
    return router


class LawPages:
    """Everything to read about the editions."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.laws = desk, desk.laws
        self._charts: Recent[tuple[str, str, str], Markup] = Recent(MOST_CHARTS)

    def editions(self, request: Request) -> Response:
        """The editions, and two to compare."""
        visit = self.desk.visit(request)
        shown = [(name, self.laws.edition(name)) for name in self.laws.editions]
        return visit.page("law.html", shown=shown, laws=self.laws.titles(visit.lang), usual=DEFAULT_EDITION)

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
        """The ordinary case, which prints on one page."""
        visit = self.desk.visit(request)
        key = (edition, self.laws.version(edition), visit.lang)
        drawn = self._charts.get(key, lambda: self.laws.apart(SLOW, _chart, edition, visit.lang))
        return visit.page("chart.html", body=drawn)

    def compare(self, request: Request, a: str = DEFAULT_EDITION, b: str = "") -> Response:
        """The differences between two laws."""
        visit = self.desk.visit(request)
        found = self.desk.comparison(a, b or DEFAULT_EDITION)
        return visit.page("compare.html", a=a, b=b, body=found.html[visit.lang])


def _chart(laws: DeskLaws, name: str, lang: str) -> Markup:
    """The chart, made with an interview of its own: others go on asking meanwhile."""
    counsel = Counsel.of(laws.law(name, "quick"))
    speech = BoxSpeech(laws.speaker(counsel.law.edition, lang), counsel.interview, counsel.law.edition)
    return body(OrdinaryChart(counsel), speech)
