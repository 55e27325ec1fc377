"""Keep: the register's pages. A ruling is kept once the page says so; a correction is one version more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final
from uuid import uuid4

from fastapi import APIRouter, Form, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse, StreamingResponse
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask

from facts.errors import InputError
from kb.desk.desk import Desk, tell
from kb.desk.laws import law_named
from kb.desk.pages import PageRequest, redirect
from kb.desk.register import KeptRuling, OvertakenError, RegisterEntry
from kb.desk.routes.ruling import explanation, of_ruling
from kb.desk.submission import Submission, form_of
from kb.ruling.receipt import receipt
from kb.ruling.ruling import Ruling
from kb.voices.saved import saved
from kb.voices.voices import Voice

A_PAGE: Final = 50
"""Entries of a list."""
Short = Annotated[str, Field(max_length=200)]
Long = Annotated[str, Field(max_length=20_000)]
Whole = Annotated[int, Query(ge=1, le=10**9)]


class KeepingForm(BaseModel):
    """What the director fills in."""

    event: Short = ""
    round: Short = ""
    table: Short = ""
    board: Short = ""
    called_by: Short = ""
    note: Long = ""
    judgement: Long = ""


class NewEntry(KeepingForm):
    """A ruling to be kept: ``f`` is its word, ``once`` tells a form sent twice from two forms."""

    f: str
    once: Short = ""


class Correction(KeepingForm):
    """A version to be added: what happened, and the version it was made from."""

    incident: Annotated[str, Field(max_length=200_000)] = ""
    seen: int = 0


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, keeping, files = APIRouter(include_in_schema=False), Keeping(desk), Files(desk)
    router.add_api_route("/keep", keeping.form, methods=["GET"])
    router.add_api_route("/keep", keeping.keep, methods=["POST"])
    router.add_api_route("/register", keeping.listed, methods=["GET"])
    router.add_api_route("/register.csv", files.table, methods=["GET"])
    router.add_api_route("/register.json", files.everything, methods=["GET"])
    router.add_api_route("/register.backup", files.backup, methods=["GET"])
    router.add_api_route("/register/{id}", keeping.entry, methods=["GET"])
    router.add_api_route("/register/{id}/correct", keeping.correction, methods=["GET"])
    router.add_api_route("/register/{id}/correct", keeping.correct, methods=["POST"])
    router.add_api_route("/register/{id}/appeal", keeping.appeal, methods=["GET"])
    return router


class Keeping:
    """Adds to the register, corrects in it, and shows it."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.register = desk, desk.register

    def form(self, request: Request, f: str) -> Response:
        """What the director adds to a ruling."""
        visit, ruling = self.desk.visit(request), self.desk.ruling(Submission.of_word(f))
        latest = self.register.search(limit=1)  # the next ruling is most likely of the same event and round
        event, round_ = (latest[0].entry.event, latest[0].entry.round) if latest else ("", "")
        slip = KeepingForm(event=event, round=round_, board=(ruling.incident.board or "")[:200])
        return visit.page(
            "keep.html", slip=slip, once=uuid4().hex, **of_ruling(f, ruling, visit.speaker(ruling.edition))
        )

    def keep(self, request: Request, new: Annotated[NewEntry, Form()]) -> Response:
        """Keeps the ruling; the page that follows says that it is safe."""
        given = Submission.of_word(new.f)
        entry = _entry(self.desk.visit(request), given, self.desk.ruling(given), new)
        return redirect(f"/register/{self.register.add(entry, new.once or None)}", kept=1)

    def listed(self, request: Request, q: Short = "", edition: Short = "", page: Whole = 1) -> Response:
        """The entries that hold every word sought, the newest first."""
        count = self.register.count(q, edition or None)
        return self.desk.visit(request).page(
            "register.html",
            q=q,
            edition=edition,
            editions=self.desk.laws.editions,
            found=self.register.search(q, edition or None, A_PAGE, (page - 1) * A_PAGE),
            count=count,
            number=page,
            last=max(1, -(-count // A_PAGE)),
        )

    def entry(self, request: Request, id: int, version: Whole | None = None, kept: str = "") -> Response:
        """An entry in one of its versions, with its history."""
        one = self._get(id, version)
        history = self.register.history(id)
        return self.desk.visit(request).page(
            "entry.html", kept=one, word=_given(one.entry).word, history=history, just_kept=bool(kept)
        )

    def correction(self, request: Request, id: int) -> Response:
        """The entry to be corrected."""
        one = self._get(id)
        return self._correction(self.desk.visit(request), one, 200, slip=one.entry, incident=one.entry.incident)

    def correct(self, request: Request, id: int, new: Annotated[Correction, Form()]) -> Response:
        """One version more: on other facts with a new ruling, else with the ruling as it was."""
        visit, old = self.desk.visit(request), self._get(id)
        said: dict[str, Any] = {"slip": new, "incident": new.incident}
        try:
            self.register.correct(id, self._corrected(visit, old.entry, new), new.seen)
        except InputError as error:
            return self._correction(visit, old, 422, **said, faults=[tell(fault) for fault in error.faults])
        except OvertakenError:
            return self._correction(visit, old, 409, **said, overtaken=True)
        return redirect(f"/register/{id}", kept=1)

    def _correction(self, visit: PageRequest, one: KeptRuling, status: int, **said: Any) -> Response:
        return visit.page("correct.html", status, kept=one, **{"faults": [], "overtaken": False, **said})

    def _corrected(self, visit: PageRequest, old: RegisterEntry, new: Correction) -> RegisterEntry:
        text = new.incident.replace("\r\n", "\n")
        if text.strip() == old.incident.strip():
            return replace(old, **_said(new))
        given = replace(_given(old), text=text, form=form_of(text))
        return _entry(visit, given, self.desk.ruling(given), new)

    def appeal(self, request: Request, id: int, version: Whole | None = None) -> Response:
        """The form for an appeal; with the text as recorded where today's rules would not give this very ruling."""
        one, visit, body = self._get(id, version), self.desk.visit(request), ""
        try:
            ruling = self.desk.ruling(_given(one.entry))
            if receipt(ruling.edition, ruling.rests_on) == one.entry.ruling.get("receipt"):
                body = explanation(self.desk, ruling, visit.speaker(ruling.edition), Voice.APPEAL)
        except InputError:
            pass  # a draft that is gone, or whose rules are faulty by now
        return visit.page("appeal.html", kept=one, body=body)

    def _get(self, id: int, version: int | None = None) -> KeptRuling:
        found = self.register.get(id, version)
        if found is None:
            raise HTTPException(404)
        return found


class Files:
    """The register as files to take home."""

    def __init__(self, desk: Desk) -> None:
        self.register = desk.register

    def table(self) -> Response:
        """Every entry in its latest version, for a spreadsheet."""
        headers = {"Content-Disposition": 'attachment; filename="register.csv"'}
        return StreamingResponse(self.register.export_csv(), media_type="text/csv; charset=utf-8", headers=headers)

    def everything(self) -> Response:
        """Every entry with all its versions."""
        headers = {"Content-Disposition": 'attachment; filename="register.json"'}
        return StreamingResponse(self.register.export_json(), media_type="application/json", headers=headers)

    def backup(self) -> Response:
        """A whole copy of the register, made while it is in use."""
        away = TemporaryDirectory()
        path = Path(away.name) / "register-backup.sqlite"
        self.register.backup(path)
        done = BackgroundTask(away.cleanup)
        return FileResponse(path, filename=path.name, media_type="application/vnd.sqlite3", background=done)


def _said(slip: KeepingForm) -> dict[str, Any]:
    return {name: getattr(slip, name).replace("\r\n", "\n") for name in KeepingForm.model_fields}


def _entry(visit: PageRequest, given: Submission, ruling: Ruling, slip: KeepingForm) -> RegisterEntry:
    """The ruling with what the director adds; its law stands beside the text as it was given."""
    told = saved(ruling, visit.speaker(ruling.edition))
    edition, *elections = law_named(ruling.incident).split("+")
    return RegisterEntry(
        ruling_json=json.dumps(told, ensure_ascii=False),
        incident=given.text,
        form=given.form,
        edition=edition,
        elections=tuple(elections),
        lang=visit.lang,
        **_said(slip),
    )


def _given(entry: RegisterEntry) -> Submission:
    return Submission(entry.incident, entry.form, "+".join((entry.edition, *entry.elections)))
