"""Who may come in, and what no page may do.

``protect(app, settings)`` puts everything before the application. A page's form that changes something carries
``<input type="hidden" name="csrf" value="{{ token(request) }}">``; a script sends it as ``X-CSRF-Token``.
Addresses added: ``/login`` and ``/logout`` (both for forms), ``/api/login`` and ``/api/logout`` (give
programs their bearer token, and end it).
Before anybody has come in, only ``/login``, ``/api/login`` and what lies under ``/static/`` answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import FastAPI
from starlette.requests import Request

from kb.desk.guard.guarded import visit_of
from kb.desk.guard.login import routes
from kb.desk.guard.middleware import GuardMiddleware
from kb.desk.guard.pages import Pages
from kb.desk.guard.sessions import Sessions
from kb.desk.settings import Settings

__all__ = ["allow", "may_leave", "protect", "token"]


def protect(app: FastAPI, settings: Settings) -> None:
    """Puts the guard before an application; ValueError where a passphrase is needed and there is none."""
    if settings.guarded and settings.passphrase_hash is None:
        raise ValueError("a desk that others can reach needs a passphrase")
    sessions, pages = Sessions(), Pages(settings)
    app.include_router(routes(settings, sessions, pages))
    app.add_middleware(GuardMiddleware, settings=settings, sessions=sessions, pages=pages)


def token(request: Request) -> str:
    """What a form of this visitor has to carry in its field ``csrf``."""
    return visit_of(request).form_token()


def may_leave(request: Request) -> bool:
    """Whether there is anything to log out from: a page then shows a form that posts to ``/logout``."""
    return visit_of(request).entered


def allow(request: Request, scripts: Iterable[str] = (), styles: Iterable[str] = ()) -> None:
    """Lets this answer run inline scripts and styles of exactly these texts, written by us and not by a visitor."""
    visit = visit_of(request)
    visit.scripts += tuple(scripts)
    visit.styles += tuple(styles)
