"""Exercises for a class: on a page with folded answers, as slides, and to take along."""

from __future__ import annotations

from random import Random
from typing import Final

from fastapi import APIRouter, Request, Response

from kb.desk import guard
from kb.desk.desk import Desk
from kb.desk.guard.request import DeskRoute
from kb.desk.pages import address
from kb.desk.recent import Recent
from kb.language.folders import DEFAULT_EDITION
from kb.quiz.exercises import LEVELS, Exercise, session
from kb.quiz.telling import QuizForm, all_told
from kb.voices.voices import questions

MOST: Final = 20
USUAL: Final = 6
"""Exercises on a page."""
MOST_SETS: Final = 20
SHOWN: Final = (QuizForm.HTML, QuizForm.SLIDES)
"""Forms that a browser shows; the others are taken along."""


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, pages = APIRouter(include_in_schema=False, route_class=DeskRoute), ClassPages(desk)
    router.add_api_route("/class", pages.exercises, methods=["GET"])
    router.add_api_route("/class/{form}", pages.written, methods=["GET"])
    return router


class ClassPages:
    """Sets of exercises, each told by its address."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._sets: Recent[tuple[object, ...], tuple[Exercise, ...]] = Recent(MOST_SETS)

    def exercises(
        self, request: Request, level: str = "easy", about: str = "", n: str = "6", seed: str = "1"
    ) -> Response:
        """The exercises, their answers folded."""
        visit = self.desk.visit(request)
        speaker = visit.speaker(self.desk.laws.edition(DEFAULT_EDITION))
        chosen = _chosen(level, about, n, seed)
        return visit.page(
            "class.html",
            told=all_told(self._set(*chosen), speaker, chosen[1]),
            asked=questions(speaker),
            speaker=speaker,
            levels=LEVELS,
            chosen=dict(zip(("level", "about", "n", "seed"), chosen, strict=True)),
            forms=[one for one in QuizForm if one is not QuizForm.TEXT],
            at=lambda path, **other: address(
                path, **{**dict(zip(("level", "about", "n", "seed"), chosen, strict=True)), **other}, lang=visit.lang
            ),
        )

    def written(
        self, request: Request, form: QuizForm, level: str = "easy", about: str = "", n: str = "6", seed: str = "1"
    ) -> Response:
        """The same exercises in another form."""
        visit, edition = self.desk.visit(request), self.desk.laws.edition(DEFAULT_EDITION)
        chosen = _chosen(level, about, n, seed)
        speaker = visit.speaker(edition)
        text = form.write(all_told(self._set(*chosen), speaker, chosen[1]), speaker, edition.called(visit.lang))
        if form in SHOWN:
            guard.allow(request, _within(text, "script"), _within(text, "style"))
            return Response(text, media_type=form.media)
        named = {"Content-Disposition": f'attachment; filename="exercises-{chosen[3]}.{form.suffix}"'}
        return Response(text, media_type=form.media, headers=named)

    def _set(self, level: str, about: str, n: int, seed: int) -> tuple[Exercise, ...]:
        law = self.desk.laws.law(DEFAULT_EDITION, "quick")
        of = next(one for one in LEVELS if one == level)
        return self._sets.get((level, about, n, seed), lambda: session(law, Random(seed), n, of, about or None))


def _chosen(level: str, about: str, n: str, seed: str) -> tuple[str, str, int, int]:
    """What the address says, within bounds."""
    number = min(max(int(n[:3]), 1), MOST) if n.isdecimal() else USUAL
    return level if level in LEVELS else LEVELS[0], about.strip()[:8], number, int(seed[:9]) if seed.isdecimal() else 1


def _within(page: str, tag: str) -> tuple[str, ...]:
    """What stands in the first element of that name: one of our own files, in which nothing of a visitor stands."""
    _, opened, rest = page.partition(f"<{tag}>")
    return (rest.partition(f"</{tag}>")[0],) if opened else ()
