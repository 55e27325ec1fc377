"""Saved rulings checked on a page: pasted or sent as a file, as programs have them checked."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, Response, UploadFile

from facts.errors import InputError
from kb.desk.desk import Desk, tell
from kb.desk.guard import DeskRoute


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, verifying = APIRouter(include_in_schema=False, route_class=DeskRoute), VerifyingPages(desk)
    router.add_api_route("/law/verify", verifying.form, methods=["GET"])
    router.add_api_route("/law/verify", verifying.verify, methods=["POST"])
    return router


class VerifyingPages:
    """Takes saved rulings and tells which hold."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def form(self, request: Request) -> Response:
        """Where the rulings go."""
        return self.desk.visit(request).page("verify.html", text="", faults=[], found=[])

    def verify(
        self,
        request: Request,
        text: Annotated[str, Form()] = "",
        file: Annotated[UploadFile | None, File()] = None,
    ) -> Response:
        """What came of each ruling, or what is wrong with all of it, above the text as it was."""
        visit = self.desk.visit(request)
        given = file.file.read() if file is not None and file.filename else text
        try:
            found = self.desk.verified(visit.lang, text=given)
        except InputError as error:
            return visit.page("verify.html", 422, text=text, faults=[tell(fault) for fault in error.faults], found=[])
        return visit.page("verify.html", text=text, faults=[], found=found)
