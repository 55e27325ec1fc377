"""The web application: pages, API, errors and guard put together; and how it is served."""

from __future__ import annotations

import logging
import mimetypes
import os
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Final

from anyio import to_thread
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from hypercorn.config import Config
from starlette.exceptions import HTTPException

from facts import __version__
from facts.errors import EngineError, Fault, InputError, Place
from kb.desk.desk import Desk, PageRequest, bare_fault
from kb.desk.guard import Settings
from kb.desk.login import protect
from kb.desk.register import RegisterError
from kb.desk.routes import api, law_pages, register_pages, ruling_pages
from kb.desk.routes.api import described, fault_json
from kb.explain.html import KB

HEAD_SECONDS: Final = 15
"""Seconds for the head of a request, from the connection or the answer before it; the guard limits those of a body."""
ENDING: Final = 5
"""Seconds in which what is being answered may come to its end."""


def settings_for(listening: socket.socket) -> Config:
    """How connections to a socket are held; the socket is the server's from now on."""
    config = Config()
    config.bind = [f"fd://{listening.detach()}"]
    config.keep_alive_timeout = HEAD_SECONDS
    config.graceful_timeout = config.shutdown_timeout = ENDING
    config.include_server_header = False
    config.loglevel = "ERROR"
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # or whoever sends nonsense fills the log
    return config


def allow_connections() -> None:
    """Lets this process hold as many connections as the system lets it: half-sent requests are to shut nobody out."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


AT_ONCE: Final = 8
"""Pages that are made at once: more are no sooner done, and a ruling may take a hundred megabytes."""
ROUTES: Final = (ruling_pages, register_pages, law_pages, api)
"""The first that knows an address answers."""
FAULTS_IN: Final = "en"
"""The language in which faults are worded."""


def _faults(error: Exception) -> tuple[int, str, Sequence[Fault]]:
    """The status of the answer, the phrases that tell it, and what is wrong."""
    match error:
        case RegisterError():  # nothing is wrong with what was given
            return 503, "register-failed", error.faults
        case InputError():
            return 422, "fault", error.faults
        case RequestValidationError() if not any(detail["loc"][0] == "path" for detail in error.errors()):
            wrong = ((Place(".".join(map(str, detail["loc"])), 1), detail["msg"]) for detail in error.errors())
            return 422, "fault", [Fault(place, problem, "see /api/openapi.json") for place, problem in wrong]
        case RequestValidationError() | HTTPException(status_code=404):
            return 404, "missing", [Fault(Place("address", 1), "there is no such page", "begin again")]
        case HTTPException():
            return error.status_code, "fault", [Fault(Place("request", 1), error.detail, "begin again")]
    return 503, "busy", [Fault(Place("desk", 1), str(error), "try again")]  # an engine failed


def fault_answer(request: Request, error: Exception) -> Response:
    """What could not be served: every fault, where it is and how to mend it; as a page, or as JSON under ``/api``."""
    status, key, faults = _faults(error)
    allowed = getattr(error, "headers", None) or {}
    if request.url.path.startswith("/api/"):
        return JSONResponse({"faults": [fault_json(fault) for fault in faults]}, status, allowed)
    page = PageRequest(request, request.app.state.desk)
    shown = [bare_fault(fault) for fault in faults if key != "missing"]  # of which the page says all there is
    if isinstance(error, RequestValidationError) and key == "fault":  # an address that holds what it cannot
        wrong = ((str(detail["loc"][-1]), str(detail.get("input") or "")[:40]) for detail in error.errors())
        shown = [Fault(Place("", 1), page.t("fault-value", what=name, value=value), "") for name, value in wrong]
    elif page.lang != FAULTS_IN and key == "fault":  # what is wrong in a file is told in one language, but for reasons
        reasons = [(fault.place, fault.because.get(page.lang, "")) for fault in shown]
        shown = [Fault(place, why[:1].upper() + why[1:] or page.t("fault-there"), "") for place, why in reasons]
    answer = page.page("fault.html", status, title=page.t(f"{key}-title"), says=page.t(f"{key}-says"), faults=shown)
    answer.headers.update(allowed)
    return answer


# --- files


FILES: Final = {
    "base.css": KB / "explain/html/base.css",
    "book.css": KB / "lawbook/page.css",
    "chart.css": KB / "chart/page.css",
    "drawn.css": KB / "quiz/drawn.css",
    "ruling.css": KB / "explain/html/ruling.css",
    **{file.name: file for file in (KB / "desk/static").iterdir()},
}
"""Name in an address -> where the file lies."""


class NamedFiles(StaticFiles):
    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where the file of an address lies; nothing for any other."""
        file = FILES.get(path)
        return ("", None) if file is None else (str(file), file.stat())


mimetypes.add_type("text/javascript", ".js")  # systems differ, and browsers run nothing else
mimetypes.add_type("application/manifest+json", ".webmanifest")

# --- all together

DESCRIPTION: Final = """\
Rulings on revokes with their proof, for scoring programs. The objects are those of `revoke ... --format json`.
Whatever cannot be read or ruled on is answered with status 422 and every fault, each with its place and how to mend it.
"""


def create_app(settings: Settings) -> FastAPI:
    """The application; RulesError or RegisterError when the rules or the register cannot be used."""
    desk = Desk(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = AT_ONCE
        yield
        desk.register.close()

    app = FastAPI(
        title="revoke-kb",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=lambda route: route.name.replace("_", "-"),
    )
    app.state.desk = desk
    for area in ROUTES:
        app.include_router(area.router)
    app.mount("/static", NamedFiles())
    as_it_is = app.openapi
    app.openapi = cache(lambda: described(as_it_is(), desk))  # type: ignore[method-assign]

    @app.get("/docs", include_in_schema=False)
    def docs(request: Request) -> Response:
        """The description of the API as a page: what usually shows it comes from elsewhere."""
        return PageRequest(request, desk).page("api.html", api=app.openapi())

    for error in (InputError, EngineError, HTTPException, RequestValidationError):
        app.add_exception_handler(error, fault_answer)
    protect(app, settings, desk.words)  # last, so that it comes before everything
    return app
