"""The flow: seats, screens and questions; the address holds every answer, so that going back is the browser's."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request, Response

from kb.desk.addressed import LAWS, law_of, query_of, said_of, written
from kb.desk.asked import AskedPage
from kb.desk.chips import Telling
from kb.desk.desk import Desk
from kb.desk.guard import DeskRoute
from kb.desk.pages import PageRequest, redirect
from kb.desk.recent import Recent
from kb.interview.carried import carried
from kb.language.folders import DEFAULT_EDITION

MOST_PAGES: Final = 2_000
Key = tuple[str, str, str]


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, asking = APIRouter(include_in_schema=False, route_class=DeskRoute), AskingPages(desk)
    router.add_api_route("/", asking.page, methods=["GET"])
    router.add_api_route("/ask", asking.page, methods=["GET"])
    return router


class AskingPages:
    """Asks, and leads to the ruling at the end."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._pages: Recent[Key, dict[str, Any]] = Recent(MOST_PAGES)

    def page(self, request: Request) -> Response:
        """What is asked next, or the way to the ruling."""
        visit, query = self.desk.visit(request), query_of(request)
        law = law_of(query)
        said = str(sorted((key, value) for key, value in query.items() if key != "lang"))
        shown = self._pages.get((said, visit.lang, self.desk.laws.version(law)), lambda: self._shown(visit, query))
        if "on" in shown:
            return redirect("/ruling", **shown["on"])
        return visit.page("question.html", entries=self.desk.register.count, **shown)

    def _shown(self, visit: PageRequest, query: dict[str, str]) -> dict[str, Any]:
        law = law_of(query)
        counsel = self.desk.laws.counsel(law)
        speaker = visit.speaker(counsel.law.edition)
        with counsel.lock:
            given = said_of(counsel, query)
            page = AskedPage(counsel, carried(given), speaker, query)
            if page.step is None:
                kept = Telling(given, speaker, query).kept
                return {"on": {**written(page.said), **{key: one for key, one in kept.items() if key != "top"}}}
            shown = page.context()
            dropped = AskedPage(counsel, given, speaker, query).dropped
        title = counsel.law.edition.called(visit.lang) if query.get(LAWS, DEFAULT_EDITION) != DEFAULT_EDITION else ""
        return {**shown, "dropped": dropped, "laws": title, "speaker": speaker, "edition": counsel.law.edition}
