"""Errors told to whoever asked: as a page with how to mend them, or under ``/api`` as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from facts.errors import EngineError, Fault, InputError, Place
from kb.desk.addressed import WORD, law_of, said_of
from kb.desk.desk import Desk, Told, tell
from kb.desk.pages import LANG, PageRequest, address
from kb.desk.register import RegisterError
from kb.desk.routes.api import fault_json

ADDRESSED = ("/", "/ask", "/ruling")
"""The pages whose addresses state answers."""


def mends(visit: PageRequest, desk: Desk, faults: Sequence[Fault]) -> list[tuple[str, str]]:
    """Each question to mend, in words, with its address; nothing for a page that states no answers."""
    query = {key: one for key, one in visit.request.query_params.items() if key != LANG}
    if visit.request.url.path not in ADDRESSED or WORD in query or not query:
        return []
    wrong = [fault.place.file.partition("=")[0] for fault in faults]
    rest = {key: one for key, one in query.items() if key not in {*wrong, "change"}}
    try:
        return list(_mends(visit, desk, wrong, rest))
    except InputError:
        return []


def _mends(visit: PageRequest, desk: Desk, wrong: Sequence[str], rest: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    counsel = desk.laws.counsel(law_of(rest))
    with counsel.lock:
        said = said_of(counsel, rest)
    interview = counsel.interview
    asks = {name: one.asks for name, one in interview.questions.items()}
    asks |= {name: one.asks for name, one in interview.seats.items()}
    missing = [name for name in ("revoke", "declarer") if said.role is None and name not in said.seats]
    named = missing[:1] or [name for name in dict.fromkeys(wrong) if name in asks]
    for name in named:
        yield asks[name][visit.lang], address("/ask", **rest, change=name)
    if not named:
        yield visit.t("fault-without"), address("/ask", **rest)


FAULTS_IN: Final = "en"
"""The language in which faults are worded."""


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
        if not request.url.path.startswith("/api/"):
            return self._misread(request, wrong)
        faults = [Fault(Place(".".join(map(str, one["loc"])), 1), one["msg"], "see /api/openapi.json") for one in wrong]
        return self._told(request, 422, faults)

    def _misread(self, request: Request, wrong: Sequence[Mapping[str, Any]]) -> Response:
        """A page with an address that holds what it cannot: there is none where that is a part of its path."""
        if any(one["loc"][0] == "path" for one in wrong):
            return self.refused(request, HTTPException(404))
        visit = self.desk.visit(request)
        said = [(str(one["loc"][-1]), str(one.get("input") or "")[:40]) for one in wrong]
        faults = [Told("", visit.t("fault-value", what=key, value=value), "") for key, value in said]
        return visit.page(
            "fault.html", 422, title=visit.t("fault-title"), says=visit.t("fault-says"), faults=faults, mends=[]
        )

    def _told(self, request: Request, status: int, faults: Sequence[Fault], key: str = "fault") -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"faults": [fault_json(fault) for fault in faults]}, status)
        visit = self.desk.visit(request)
        title, says = visit.t(f"{key}-title"), visit.t(f"{key}-says")
        told = [tell(fault) for fault in faults]
        if visit.lang != FAULTS_IN and key == "fault":  # what is wrong in a file is told in one language
            told = [Told(one.where, visit.t("fault-there"), "") for one in told]
        return visit.page(
            "fault.html", status, title=title, says=says, faults=told, mends=mends(visit, self.desk, faults)
        )
