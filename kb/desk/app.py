"""The web application: ``create_app`` puts the pages, the API and their guard together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import FastAPI

from kb.desk import guard
from kb.desk.desk import Desk
from kb.desk.error_pages import ErrorPages
from kb.desk.precedence import Precedence
from kb.desk.routes import (
    api,
    asking,
    keeping,
    law,
    lawbook,
    paper,
    recording,
    register,
    ruling,
    static,
    tapping,
    teaching,
    verifying,
    workshop,
)
from kb.desk.settings import Settings

AREAS: Final = (
    teaching,
    asking,
    recording,
    tapping,
    ruling,
    register,
    keeping,
    paper,
    verifying,
    law,
    lawbook,
    workshop,
    static,
    api,
)
"""The first that knows an address answers: /law/verify is no edition, and a chart no law of one."""
DESCRIPTION: Final = """\
Rulings on revokes with their proof, for scoring programs. The objects are those of `revoke ... --format json`.
Whatever cannot be read or ruled on is answered with status 422 and every fault, each with its place and how to mend it.
"""


def create_app(settings: Settings) -> FastAPI:
    """The application; RulesError or RegisterError when the rules or the register cannot be used."""
    desk = Desk(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        desk.close()

    app = FastAPI(
        title="revoke-kb",
        version="1",
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.desk = desk
    for area in AREAS:
        app.include_router(area.routes(desk))
    ErrorPages(app, desk)
    app.add_middleware(Precedence)
    guard.protect(app, settings)  # last, so that it comes before everything
    return app
