"""The workshop: draft amendments written, checked, tried and compared; the shipped law is never touched."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from facts.errors import EngineError, Fault, InputError
from facts.suggestions import did_you_mean
from kb.cases.cases import CASES, Trial
from kb.desk.desk import Told, tell
from kb.desk.drafts import amended, misnamed
from kb.desk.guard import DeskRoute
from kb.desk.laws import CHECKING, SLOW, DeskLaws
from kb.desk.pages import Asked, PageRequest, redirect
from kb.desk.routes.ruling import chapters
from kb.desk.worked_out import changes as changed
from kb.drafting.new_draft import clauses_added, file_of
from kb.language.clauses import law_of
from kb.language.folders import DEFAULT_EDITION, EDITION
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


router = APIRouter(include_in_schema=False, route_class=DeskRoute)


@router.get("/workshop")
def drafts(page: Asked, edition: Name = DEFAULT_EDITION) -> Response:
    """The drafts, and the form that begins one."""
    return _list(page, edition, 200, NewDraft(edition=edition), ())


def _list(page: PageRequest, edition: str, status: int, said: NewDraft, faults: Iterable[Told]) -> Response:
    laws = page.desk.laws
    code = laws.edition(edition)
    return page.page(
        "workshop.html",
        status,
        drafts=page.desk.drafts.names(),
        editions=[(one, laws.title(one, page.lang)) for one in laws.editions],
        chapters=chapters(code, page.speaker(code)),
        said=said,
        faults=faults,
    )


@router.post("/workshop")
def begin(page: Asked, new: Annotated[NewDraft, Form()]) -> Response:
    """A new draft, open at its first clause: that to start from, or the one that is added."""
    laws = page.desk.laws
    try:
        if new.edition not in laws.editions:
            what = f"there is no edition {new.edition}"
            raise InputError.of("edition", what, did_you_mean(new.edition, laws.editions))
        code = laws.edition(new.edition)
        if new.clause and new.clause not in code.clauses:
            what = f"{code.id} has no clause {new.clause}"
            raise InputError.of("clause", what, did_you_mean(new.clause, code.clauses))
        clauses = [code.clauses[new.clause]] if new.clause else []
        added = clauses_added(code, [new.new] if new.new else [])
        page.desk.drafts.create(new.name, code, clauses, added)
    except InputError as error:
        edition = new.edition if new.edition in laws.editions else DEFAULT_EDITION
        return _list(page, edition, 422, new, list(map(tell, error.faults)))
    begun = [*(one.law for one in clauses), *map(law_of, added)]
    return redirect(f"/workshop/{new.name}", file=file_of(begun[0]) if begun else EDITION)


@router.get("/workshop/{name}")
def draft(page: Asked, name: str, file: str = "", new: str = "", saved: str = "") -> Response:
    """The editor, at a file of the draft or at a new one."""
    kept = page.desk.drafts
    files = kept.files(name)
    at = file or next(iter(sorted(files, key=lambda one: one == EDITION)))
    text = "" if new and file not in files else kept.read(name, at)
    said = EditedFile(file=at[:80], text=text, seen=_mark(text))
    return _editor(page, 200, name, said, _faults(page, name, kept.folder(name)), saved=bool(saved))


@router.post("/workshop/{name}")
def write(page: Asked, name: str, sheet: Annotated[EditedFile, Form()]) -> Response:
    """Checks what stands in the editor, and saves it if that was asked for, faulty or not; left as it is if somebody
    else has written it since.
    """
    kept, text = page.desk.drafts, sheet.text.replace("\r\n", "\n")
    with kept.tried(name, sheet.file, text) as copy:
        faults = _faults(page, name, copy)
    if sheet.act != "save":
        return _editor(page, 200, name, sheet.model_copy(update={"text": text}), faults)
    try:
        with kept.alone(name):
            now = _mark(kept.read(name, sheet.file) if sheet.file in kept.files(name) else "")
            if now == sheet.seen:
                kept.write(name, sheet.file, text)
    except InputError as error:
        unwritten = [tell(fault) for fault in error.faults]
        return _editor(page, 503, name, sheet.model_copy(update={"text": text}), unwritten)
    if now != sheet.seen:
        return _editor(page, 409, name, sheet.model_copy(update={"seen": now}), faults, overtaken=True)
    return redirect(f"/workshop/{name}", file=sheet.file, saved=1)


@router.post("/workshop/{name}/check")
def check(page: Asked, name: str, sheet: Annotated[EditedFile, Form()]) -> Response:
    """The faults of what stands in the editor, for the page's script."""
    with page.desk.drafts.tried(name, sheet.file, sheet.text.replace("\r\n", "\n")) as copy:
        return JSONResponse([asdict(one) for one in _faults(page, name, copy)])


@router.post("/workshop/{name}/changes")
def changes(page: Asked, name: str, sheet: Annotated[EditedFile, Form()]) -> Response:
    """In short, what the draft changes with what stands in the editor, for the page's script; nothing where that is
    not found out.
    """
    with page.desk.drafts.tried(name, sheet.file, sheet.text.replace("\r\n", "\n")) as copy:
        try:
            return JSONResponse(page.desk.laws.apart(SLOW, changed, copy, page.lang))
        except (InputError, EngineError):
            return JSONResponse([])


@router.get("/workshop/{name}/cases")
def cases(page: Asked, name: str) -> Response:
    """What comes of the draft's cases."""
    laws = page.desk.laws
    found = laws.apart(CHECKING, tried_cases, page.desk.drafts.folder(name))
    failed = sum(bool(one.differences) for one in found)
    return page.page("cases.html", name=name, found=found, failed=failed, laws=dict(laws.titles(page.lang)))


def _faults(page: PageRequest, name: str, folder: Path) -> list[Told]:
    """What ``revoke check`` finds, and whatever is wrong with the cases; or why that was not found out."""
    try:
        return page.desk.laws.apart(CHECKING, faults_of, name, folder)
    except InputError as error:
        return [tell(fault) for fault in error.faults]
    except EngineError as error:
        return [Told("", str(error), "check again")]


def _editor(
    page: PageRequest, status: int, name: str, sheet: EditedFile, faults: list[Told], **state: bool
) -> Response:
    return page.page(
        "draft.html",
        status,
        name=name,
        files=page.desk.drafts.files(name),
        sheet=sheet,
        faults=faults,
        **{"saved": False, "overtaken": False, **state},
        amends=amended(page.desk.drafts.folder(name)) or DEFAULT_EDITION,
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
