"""The law to read: editions, charts, books; exercises for a class."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Response
from markupsafe import Markup

from facts.incident import DEFAULT_EDITION
from kb.chart.ordinary_chart import chart_of
from kb.chart.telling import body as chart_body
from kb.desk.desk import Desk, PageDep
from kb.desk.guard import DeskRoute
from kb.interview.address import address
from kb.lawbook.book import Book, BookEntry, book, search
from kb.lawbook.telling import clauses
from kb.quiz.exercises import LEVELS, Exercise, Level, session
from kb.quiz.telling import as_tasks, choices

EXERCISES: Final = 6
"""On a page."""
router = APIRouter(include_in_schema=False, route_class=DeskRoute)


@router.get("/law")
def editions_page(page: PageDep) -> Response:
    """The editions, the latest first."""
    desk = page.desk
    shown = sorted(
        ((name, desk.edition(name)) for name in desk.editions), key=lambda pair: pair[1].in_force, reverse=True
    )
    return page.page("law.html", shown=shown)


@router.get("/law/{edition}/chart")
def chart(page: PageDep, edition: str) -> Response:
    """The ordinary case of a revoke, and every case of each other matter, each of which prints on one page."""
    return page.page("chart.html", body=_chart(page.desk, edition, page.lang))


@lru_cache(20)
def _chart(desk: Desk, name: str, lang: str) -> Markup:
    """The charts, made with interviews of their own: others go on asking meanwhile."""
    law = desk.law(name, "quick")
    return chart_body([chart_of(law, of) for of in law.edition.matters], desk.speaker(law.edition, lang))


# --- books


@router.get("/law/{edition}")
def index(page: PageDep, edition: str, q: str = "") -> Response:
    """What stands in the book, or where something stands in it."""
    bound = _bound(page.desk, edition)
    hits = search(bound, q, page.lang)
    return page.page("book-index.html", edition=edition, book=bound, q=q, found=hits, at=_at(edition, bound))


@router.get("/law/{edition}/{law}")
def one_law(page: PageDep, edition: str, law: str) -> Response:
    """One law, or one of the definitions."""
    bound = _bound(page.desk, edition)
    pages = _pages(bound)
    if law not in pages:
        raise HTTPException(404)
    order, addresses = list(pages), _at(edition, bound)
    here = order.index(law)
    return page.page(
        "book-law.html",
        edition=edition,
        book=bound,
        chapter=next((chapter for chapter in bound.chapters if chapter.number == law), None),
        body=clauses(bound, pages[law], page.speaker(page.desk.edition(edition)), lambda ref: addresses[ref]),
        before=order[here - 1] if here else "",
        after=order[here + 1] if here + 1 < len(order) else "",
    )


@lru_cache(20)
def _bound(desk: Desk, name: str) -> Book:
    """The book without its cases and claims, which are worked out for the one that is printed."""
    code = desk.edition(name)
    base = desk.edition(code.amends) if code.amends else None
    return book(code, base)


def _pages(bound: Book) -> dict[str, tuple[BookEntry, ...]]:
    """What stands on each page of the book: a law, or a definition, which are many."""
    laws = {chapter.number: chapter.entries for chapter in bound.chapters}
    return laws | {entry.clause.ref: (entry,) for entry in bound.definitions}


def _at(edition: str, bound: Book) -> dict[str, str]:
    """The address of each clause."""
    pages = _pages(bound).items()
    return {entry.clause.ref: f"/law/{edition}/{name}#{entry.clause.ref}" for name, page in pages for entry in page}


# --- exercises


@router.get("/class")
def exercises_page(page: PageDep, level: str = "", about: str = "", seed: str = "") -> Response:
    """The exercises, their answers folded; nonsense in the address is the usual."""
    speaker = page.speaker(page.desk.edition(DEFAULT_EDITION))
    chosen: dict[str, Any] = {
        "level": next((name for name in LEVELS if name == level), LEVELS[0]),
        "about": about.strip()[:8],
        "seed": int(seed[:9]) if seed.isdecimal() else 1,
    }
    tasks = as_tasks(_exercises(page.desk, **chosen), speaker, chosen["about"])
    return page.page(
        "class.html",
        told=tasks,
        choices=[*map(choices, tasks)],
        speaker=speaker,
        levels=LEVELS,
        chosen=chosen,
        more=address("/class", **chosen | {"seed": chosen["seed"] + 1}),
    )


@lru_cache(20)
def _exercises(desk: Desk, level: Level, about: str, seed: int) -> tuple[Exercise, ...]:
    return session(desk.law(DEFAULT_EDITION, "quick"), Random(seed), EXERCISES, level, about or None)
