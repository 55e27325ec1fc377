"""Errors told to whoever asked: as a page, or under ``/api`` as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from facts.errors import EngineError, Fault, InputError, Place
from kb.desk.desk import Desk, tell
from kb.desk.register import RegisterError
from kb.desk.routes.api import fault_json


class ErrorPages:
    """Answers a request that could not be served with every fault, where it is and how to mend it."""

    def __init__(self, app: FastAPI, desk: Desk) -> None:
        self.desk = desk
        app.add_exception_handler(InputError, self.input)
        app.add_exception_handler(RegisterError, self.register)
        app.add_exception_handler(EngineError, self.engine)
        app.add_exception_handler(HTTPException, self.refused)
        app.add_exception_handler(RequestValidationError, self.request)

    def input(self, request: Request, error: Exception) -> Response:
        """What was given cannot be read or ruled on."""
        return self._told(request, 422, cast(InputError, error).faults)

    def register(self, request: Request, error: Exception) -> Response:
        """The register's file could not be read or written: nothing is wrong with what was given."""
        return self._told(request, 503, cast(RegisterError, error).faults, "register-failed")

    def engine(self, request: Request, error: Exception) -> Response:
        """An engine failed, or too much is being worked out."""
        return self._told(request, 503, [Fault(Place("desk", 1), str(error), "try again")], "busy")

    def refused(self, request: Request, error: Exception) -> Response:
        """There is no such page, or not in this way."""
        status = cast(HTTPException, error).status_code
        if status == 404:
            return self._told(
                request, 404, [Fault(Place("address", 1), "there is no such page", "begin again")], "missing"
            )
        return self._told(
            request, status, [Fault(Place("request", 1), cast(HTTPException, error).detail, "begin again")]
        )

    def request(self, request: Request, error: Exception) -> Response:
        """The fields of the request are not those that belong there."""
        wrong = cast(RequestValidationError, error).errors()
        faults = [Fault(Place(".".join(map(str, one["loc"])), 1), one["msg"], "see /api/openapi.json") for one in wrong]
        return self._told(request, 422, faults)

    def _told(self, request: Request, status: int, faults: Sequence[Fault], key: str = "fault") -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"faults": [fault_json(fault) for fault in faults]}, status)
        visit = self.desk.visit(request)
        title, says = visit.t(f"{key}-title"), visit.t(f"{key}-says")
        return visit.page("fault.html", status, title=title, says=says, faults=[tell(fault) for fault in faults])
