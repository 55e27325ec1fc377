"""From a table to its ruling: the flow of questions, and a record that is pasted or sent.

Every tap is a link, and the address holds what was said, so that going back is the browser's.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Response, UploadFile

from facts.errors import EngineError, InputError
from facts.readers.archives import RECORD_SUFFIXES
from kb.desk.addressed import Submission, each_board, form_of, query_of
from kb.desk.desk import Desk, Told, tell
from kb.desk.guard import DeskRoute
from kb.desk.pages import Asked, PageRequest, redirect
from kb.explain.spoken import Announcement
from kb.explain.text import title
from kb.interview.address import LAWS, law_of
from kb.interview.asked import AskedPage
from kb.language.folders import DEFAULT_EDITION

router = APIRouter(include_in_schema=False, route_class=DeskRoute)


# --- questions


@router.get("/")
@router.get("/ask")
def ask(page: Asked) -> Response:
    """What is asked next, or the way to the ruling."""
    query = query_of(page.request)
    shown = _shown(page.desk, tuple(query.items()), page.lang)
    if "on" in shown:
        return redirect("/ruling", **shown["on"])
    return page.page("question.html", entries=page.desk.register.count, **shown)


@lru_cache(2_000)
def _shown(desk: Desk, said: tuple[tuple[str, str], ...], lang: str) -> dict[str, Any]:
    query = dict(said)
    counsel = desk.counsel(law_of(query))
    edition = counsel.law.edition
    speaker = desk.speaker(edition, lang)
    with counsel.lock:
        asked = AskedPage(counsel, query, speaker)
        if asked.step is None:
            return {"on": asked.settled}
        shown, dropped = asked.context(), asked.dropped
    called = edition.called(lang) if query.get(LAWS, DEFAULT_EDITION) != DEFAULT_EDITION else ""
    chips = list(asked.chips())
    return {**shown, "chips": chips, "dropped": dropped, "laws": called, "speaker": speaker, "edition": edition}


# --- records


@router.get("/record")
def record(page: Asked, law: str = "") -> Response:
    """Where the text goes."""
    return _record(page, law=law)


@router.post("/record")
def read(
    page: Asked,
    text: Annotated[str, Form()] = "",
    law: Annotated[str, Form()] = "",
    file: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """The ruling on one board; the list of several; or what is wrong, above the text as it was."""
    name = ""
    if file is not None and file.filename:
        name, text = PurePosixPath(file.filename.replace("\\", "/")).name, _decoded(file.file.read())
    text = text.replace("\r\n", "\n")
    try:
        found = each_board(Submission(text, form_of(text, name), law), page.desk.table)
        if len(found) == 1 and not isinstance(found[0], InputError):
            page.ruling(found[0])
            return redirect("/ruling", f=found[0].word)
    except InputError as error:
        found = [error]
    if len(found) == 1 and isinstance(found[0], InputError):
        return _record(page, 422, text=text, law=law, faults=[tell(fault) for fault in found[0].faults])
    return page.page("boards.html", rows=[_row(page, board) for board in found])


def _record(page: PageRequest, status: int = 200, **said: Any) -> Response:
    context = {"text": "", "law": "", "faults": [], "suffixes": RECORD_SUFFIXES, **said}
    return page.page("record.html", status, laws=page.desk.titles(page.lang), **context)


def _row(page: PageRequest, board: Submission | InputError) -> tuple[str, str, str, list[Told]]:
    """A board of several: its name, its ruling in one line, the word of its page, and its faults."""
    try:
        if isinstance(board, InputError):
            raise board
        ruling = page.ruling(board)
        speaker = page.speaker(ruling.edition)
        return title(ruling, speaker), Announcement(ruling, speaker.of(ruling)).head, board.word, []
    except InputError as error:
        return "", "", "", [tell(fault) for fault in error.faults]
    except EngineError as error:
        return "", "", "", [Told("", str(error), "")]


def _decoded(data: bytes) -> str:
    """The text of a file, UTF-8 or Latin-1; what is no text is told by its reader."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
