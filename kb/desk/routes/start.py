"""The first page."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from kb.desk.desk import Desk

LATEST = 5
"""Rulings shown."""


def routes(desk: Desk) -> APIRouter:
    """The page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    def start(request: Request) -> Response:
        """What the desk does, and the rulings kept last."""
        return desk.visit(request).page("start.html", latest=desk.register.search(limit=LATEST))

    return router
