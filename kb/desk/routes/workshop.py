"""The workshop: draft amendments written, checked, tried and compared; the shipped law is never touched."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from facts.errors import EngineError, Fault, InputError
from facts.suggestions import did_you_mean
from kb.cases.cases import CASES, Trial
from kb.desk.desk import Desk, Told, tell
from kb.desk.drafts import Drafts, amended, misnamed
from kb.desk.guard import DeskRoute
from kb.desk.laws import CHECKING, SLOW, DeskLaws
from kb.desk.pages import PageRequest, redirect
from kb.desk.routes.ruling import chapters
from kb.desk.worked_out import changes
from kb.drafting.new_draft import clauses_added, file_of
from kb.language.clauses import law_of
from kb.language.folders import DEFAULT_EDITION, EDITION
from kb.language.model import Clause, Edition
from kb.prove.deep import every_fault
from kb.ruling.law import Laws

Name = Annotated[str, Field(max_length=80)]


class NewDraft(BaseModel):
    """A draft to begin: its name, the edition it amends, and a clause to start from or to add, if any."""

    name: Name = ""
    edition: Name = DEFAULT_EDITION
    clause: Name = ""
    new: Name = ""


class EditedFile(BaseModel):
    """A file as it stands in the editor; ``seen`` tells what stood in it when it was opened."""

    file: Name = EDITION
    text: Annotated[str, Field(max_length=250_000)] = ""
    seen: Name = ""
    act: Literal["check", "save"] = "check"


@dataclass(frozen=True)
class TriedCase:
    """What came of an expectation of a case."""

    id: str
    title: str
    edition: str
    differences: tuple[str, ...]


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, workshop = APIRouter(include_in_schema=False, route_class=DeskRoute), Workshop(desk)
    router.add_api_route("/workshop", workshop.drafts_page, methods=["GET"])
    router.add_api_route("/workshop", workshop.begin, methods=["POST"])
    router.add_api_route("/workshop/{name}", workshop.draft, methods=["GET"])
    router.add_api_route("/workshop/{name}", workshop.write, methods=["POST"])
    router.add_api_route("/workshop/{name}/check", workshop.check, methods=["POST"])
    router.add_api_route("/workshop/{name}/changes", workshop.changes, methods=["POST"])
    router.add_api_route("/workshop/{name}/cases", workshop.cases, methods=["GET"])
    return router


class Workshop:
    """Works on the drafts of the desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.drafts: Drafts = desk.drafts

    def drafts_page(self, request: Request, edition: Name = DEFAULT_EDITION) -> Response:
        """The drafts, and the form that begins one."""
        return self._list(self.desk.visit(request), edition, 200, NewDraft(edition=edition), ())

    def _list(
        self, visit: PageRequest, edition: str, status: int, said: NewDraft, faults: tuple[Told, ...]
    ) -> Response:
        code = self.desk.laws.edition(edition)
        return visit.page(
            "workshop.html",
            status,
            drafts=self.drafts.names(),
            editions=[(one, self.desk.laws.title(one, visit.lang)) for one in self.desk.laws.editions],
            chapters=chapters(code, visit.speaker(code)),
            said=said,
            faults=faults,
        )

    def begin(self, request: Request, new: Annotated[NewDraft, Form()]) -> Response:
        """A new draft, open at its first clause."""
        try:
            code, clauses = self._chosen(new)
            added = clauses_added(code, [new.new] if new.new else [])
            self.drafts.create(new.name, code, clauses, added)
        except InputError as error:
            edition = new.edition if new.edition in self.desk.laws.editions else DEFAULT_EDITION
            return self._list(self.desk.visit(request), edition, 422, new, tuple(map(tell, error.faults)))
        laws = [*(one.law for one in clauses), *map(law_of, added)]
        return redirect(f"/workshop/{new.name}", file=file_of(laws[0]) if laws else EDITION)

    def _chosen(self, new: NewDraft) -> tuple[Edition, list[Clause]]:
        """The shipped edition to amend and the clause to start from, if any; InputError if there is no such thing."""
        known = self.desk.laws.editions
        if new.edition not in known:
            what = f"there is no edition {new.edition}"
            raise InputError.of("edition", what, did_you_mean(new.edition, known))
        code = self.desk.laws.edition(new.edition)
        if new.clause and new.clause not in code.clauses:
            what = f"{code.id} has no clause {new.clause}"
            raise InputError.of("clause", what, did_you_mean(new.clause, code.clauses))
        return code, [code.clauses[new.clause]] if new.clause else []

    def draft(self, request: Request, name: str, file: str = "", new: str = "", saved: str = "") -> Response:
        """The editor, at a file of the draft or at a new one."""
        visit, files = self.desk.visit(request), self.drafts.files(name)
        at = file or next(iter(sorted(files, key=lambda one: one == EDITION)))
        text = "" if new and file not in files else self.drafts.read(name, at)
        said = EditedFile(file=at[:80], text=text, seen=_mark(text))
        return self._editor(visit, 200, name, said, self._faults(name, self.drafts.folder(name)), saved=bool(saved))

    def write(self, request: Request, name: str, sheet: Annotated[EditedFile, Form()]) -> Response:
        """Checks what stands in the editor, and saves it if that was asked for, faulty or not."""
        visit, text = self.desk.visit(request), sheet.text.replace("\r\n", "\n")
        with self.drafts.tried(name, sheet.file, text) as copy:
            faults = self._faults(name, copy)
        if sheet.act != "save":
            return self._editor(visit, 200, name, sheet.model_copy(update={"text": text}), faults)
        try:
            now = self._saved(name, sheet, text)
        except InputError as error:
            unwritten = [tell(fault) for fault in error.faults]
            return self._editor(visit, 503, name, sheet.model_copy(update={"text": text}), unwritten)
        if now != sheet.seen:
            return self._editor(visit, 409, name, sheet.model_copy(update={"seen": now}), faults, overtaken=True)
        return redirect(f"/workshop/{name}", file=sheet.file, saved=1)

    def _saved(self, name: str, sheet: EditedFile, text: str) -> str:
        """The mark of what stood in a file before, which is left as it is if somebody else has written it since."""
        with self.drafts.alone(name):
            now = _mark(self.drafts.read(name, sheet.file) if sheet.file in self.drafts.files(name) else "")
            if now == sheet.seen:
                self.drafts.write(name, sheet.file, text)
        return now

    def check(self, name: str, sheet: Annotated[EditedFile, Form()]) -> Response:
        """The faults of what stands in the editor, for the page's script."""
        with self.drafts.tried(name, sheet.file, sheet.text.replace("\r\n", "\n")) as copy:
            faults = self._faults(name, copy)
        return JSONResponse([{"where": one.where, "what": one.what, "mend": one.mend} for one in faults])

    def changes(self, request: Request, name: str, sheet: Annotated[EditedFile, Form()]) -> Response:
        """In short, what the draft changes with what stands in the editor, for the page's script; nothing where that
        is not found out."""
        lang = self.desk.visit(request).lang
        with self.drafts.tried(name, sheet.file, sheet.text.replace("\r\n", "\n")) as copy:
            try:
                return JSONResponse(self.desk.laws.apart(SLOW, changes, copy, lang))
            except (InputError, EngineError):
                return JSONResponse([])

    def _faults(self, name: str, folder: Path) -> list[Told]:
        """What ``revoke check`` finds, and whatever is wrong with the cases; or why that was not found out."""
        try:
            return self.desk.laws.apart(CHECKING, faults_of, name, folder)
        except InputError as error:
            return [tell(fault) for fault in error.faults]
        except EngineError as error:
            return [Told("", str(error), "check again")]

    def cases(self, request: Request, name: str) -> Response:
        """What comes of the draft's cases."""
        found = self.desk.laws.apart(CHECKING, tried_cases, self.drafts.folder(name))
        failed = sum(bool(one.differences) for one in found)
        visit = self.desk.visit(request)
        return visit.page(
            "cases.html", name=name, found=found, failed=failed, laws=dict(self.desk.laws.titles(visit.lang))
        )

    def _editor(
        self, visit: PageRequest, status: int, name: str, sheet: EditedFile, faults: list[Told], **state: bool
    ) -> Response:
        return visit.page(
            "draft.html",
            status,
            name=name,
            files=self.drafts.files(name),
            sheet=sheet,
            faults=faults,
            **{"saved": False, "overtaken": False, **state},
            amends=amended(self.drafts.folder(name)) or DEFAULT_EDITION,
        )


def faults_of(laws: DeskLaws, name: str, folder: Path) -> list[Told]:
    """What is wrong with a draft whose files lie in a folder; InputError never."""
    try:
        faults = [*every_fault(laws.root, folder).all, *misnamed(name, folder)]
    except InputError as error:
        faults = list(error.faults)
    return [_within(fault, folder) for fault in faults]


def tried_cases(laws: DeskLaws, folder: Path) -> list[TriedCase]:
    """What comes of the cases of a draft; RulesError where they or its rules are faulty."""
    found = list[TriedCase]()
    if (folder / CASES).is_dir():
        trial = Trial(Laws(laws.root, "quick"), folder)
        for outcome in trial.run(trial.cases(folder / CASES)):
            differences = tuple(one.replace(f"{folder}/", "") for one in outcome.differences)
            found.append(TriedCase(outcome.case.id, outcome.case.title, outcome.expected.edition, differences))
    return found


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def _within(fault: Fault, folder: Path) -> Told:
    """The fault with its file named as in the draft."""
    told, path = tell(fault), Path(fault.place.file)
    if path.is_relative_to(folder):
        where = f"{path.relative_to(folder).as_posix()}:{fault.place.line}:{fault.place.column}"
        return Told(where, told.what.replace(f"{folder}/", ""), told.mend.replace(f"{folder}/", ""))
    return told
