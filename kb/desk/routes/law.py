"""The law itself: each edition with its chart, what is claimed of it, and the differences between two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response

from kb.chart.chart import chart
from kb.chart.listing import onward
from kb.chart.making import ordinary_chart
from kb.chart.sheet import sheet
from kb.chart.svg import STYLE, svg
from kb.chart.telling import Speech
from kb.chart.wording import BoxSpeech, BoxTold
from kb.desk import guard
from kb.desk.desk import Desk
from kb.desk.laws import DeskLaws
from kb.desk.recent import Recent
from kb.desk.submission import Submission
from kb.interview.counsel import Counsel
from kb.language.folders import DEFAULT_EDITION

MOST_CHARTS: Final = 20
ONE_PAGE: Final = "ordinary"
"""The picture of the ordinary case."""


@dataclass(frozen=True)
class Drawn:
    """The charts of an edition in one language."""

    pictures: Mapping[str, tuple[str, str]]
    """Name -> the picture, and what it is called; the ordinary case first, then the pages of the complete chart."""
    boxes: Sequence[tuple[BoxTold, Sequence[tuple[str, int]]]]
    """The ordinary case box by box, and where each goes on."""


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, laws = APIRouter(include_in_schema=False), LawPages(desk)
    router.add_api_route("/law", laws.editions, methods=["GET"])
    router.add_api_route("/law/compare", laws.compare, methods=["GET"])
    router.add_api_route("/law/{edition}/claims", laws.claims, methods=["GET"])
    router.add_api_route("/law/{edition}/chart", laws.chart, methods=["GET"])
    router.add_api_route("/law/{edition}/chart/{page}.svg", laws.picture, methods=["GET"])
    return router


class LawPages:
    """Everything to read about the editions."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.laws = desk, desk.laws
        self._charts: Recent[tuple[str, str, str], Drawn] = Recent(MOST_CHARTS)

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
        """The ordinary case as a picture and as a list; then the complete chart, a picture for each page."""
        visit = self.desk.visit(request)
        code = self.laws.edition(edition)
        drawn = self._drawn(edition, visit.lang)
        (page, _), *appendix = ((name, title) for name, (_, title) in drawn.pictures.items())
        return visit.page(
            "chart.html", edition=edition, title=code.title[visit.lang], page=page, appendix=appendix, boxes=drawn.boxes
        )

    def picture(self, request: Request, edition: str, page: str) -> Response:
        """A page of the chart, to be looked at or printed."""
        visit = self.desk.visit(request)
        pictures = self._drawn(edition, visit.lang).pictures
        if page not in pictures:
            raise HTTPException(404)
        guard.allow(request, styles=(STYLE,))
        return Response(pictures[page][0], media_type="image/svg+xml")

    def _drawn(self, name: str, lang: str) -> Drawn:
        key = (name, self.laws.version(name), lang)
        return self._charts.get(key, lambda: self.desk.worked_out(_charts, name, lang=lang))

    def compare(self, request: Request, a: str = DEFAULT_EDITION, b: str = "") -> Response:
        """The differences between two laws."""
        visit = self.desk.visit(request)
        found = self.desk.comparison(a, b or DEFAULT_EDITION)
        return visit.page("compare.html", a=a, b=b, body=found.html[visit.lang])


def _charts(laws: DeskLaws, name: str, lang: str) -> Drawn:
    """The charts, made with an interview of their own: others go on asking meanwhile."""
    counsel = Counsel.of(laws.law(name, "quick"))
    code, speaker = counsel.law.edition, laws.speaker(counsel.law.edition, lang)
    one, speech = BoxSpeech(speaker, counsel.interview, code), Speech(speaker, counsel.interview, code)
    made = ordinary_chart(counsel).chart
    pages = {
        f"{part.name}-{number}": (page, speech.title(part))
        for part in chart(counsel)
        for number, page in enumerate(svg(part, speech), 1)
    }
    boxes = [(told, onward(told, one)) for told in one.told(made)]
    return Drawn({ONE_PAGE: (sheet(made, one), one.title()), **pages}, boxes)
