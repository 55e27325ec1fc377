"""Rule on a record: an incident file, PBN, LIN or a handviewer address, typed, pasted or sent as a file."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request, Response, UploadFile

from facts.errors import EngineError, InputError
from facts.readers.archives import RECORD_SUFFIXES
from kb.desk.desk import Desk, Told, tell
from kb.desk.guard import DeskRoute
from kb.desk.pages import PageRequest, redirect
from kb.desk.submission import Submission, each_board, form_of
from kb.explain.spoken import Announcement
from kb.explain.text import title


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, recording = APIRouter(include_in_schema=False, route_class=DeskRoute), Recording(desk)
    router.add_api_route("/record", recording.form, methods=["GET"])
    router.add_api_route("/record", recording.read, methods=["POST"])
    return router


class Recording:
    """Takes a text and leads to its ruling, or to the list of its boards."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def form(self, request: Request, law: str = "") -> Response:
        """Where the text goes."""
        return self._form(self.desk.visit(request), law=law)

    def read(
        self,
        request: Request,
        text: Annotated[str, Form()] = "",
        law: Annotated[str, Form()] = "",
        file: Annotated[UploadFile | None, File()] = None,
    ) -> Response:
        """The ruling on one board; the list of several; or what is wrong, above the text as it was."""
        visit, name = self.desk.visit(request), ""
        if file is not None and file.filename:
            name = PurePosixPath(file.filename.replace("\\", "/")).name
            text = _decoded(file.file.read())
        text = text.replace("\r\n", "\n")
        form = form_of(text, name)
        try:
            found = each_board(Submission(text, form, law), self.desk.laws.table)
            if len(found) == 1 and not isinstance(found[0], InputError):
                self.desk.ruling(found[0])
                return redirect("/ruling", f=found[0].word)
        except InputError as error:
            found = [error]
        if len(found) == 1 and isinstance(found[0], InputError):
            return self._form(visit, 422, text=text, law=law, faults=[tell(fault) for fault in found[0].faults])
        return visit.page("boards.html", rows=[self._row(visit, board) for board in found])

    def _row(self, visit: PageRequest, board: Submission | InputError) -> tuple[str, str, str, list[Told]]:
        """A board of several: its name, its ruling in one line, the word of its page, and its faults."""
        try:
            if isinstance(board, InputError):
                raise board
            ruling = self.desk.ruling(board)
            speaker = visit.speaker(ruling.edition)
            return title(ruling, speaker), Announcement(ruling, speaker.of(ruling)).head, board.word, []
        except InputError as error:
            return "", "", "", [tell(fault) for fault in error.faults]
        except EngineError as error:
            return "", "", "", [Told("", str(error), "")]

    def _form(self, visit: PageRequest, status: int = 200, **said: Any) -> Response:
        context = {"text": "", "law": "", "faults": [], "suffixes": RECORD_SUFFIXES, **said}
        return visit.page("record.html", status, laws=self.desk.laws.titles(visit.lang), **context)


def _decoded(data: bytes) -> str:
    """The text of a file, UTF-8 or Latin-1; what is no text is told by its reader."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
