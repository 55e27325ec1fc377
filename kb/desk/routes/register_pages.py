"""The register: rulings kept, corrected, found, taken home; and what goes on paper or to another phone."""

from __future__ import annotations

import hashlib
import io
import json
import pathlib
from dataclasses import replace
from datetime import date, datetime
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final
from uuid import uuid4

import segno
from fastapi import APIRouter, Form, HTTPException, Path, Query, Response
from fastapi.responses import FileResponse
from markupsafe import Markup
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask

from facts.cards import SEATS, SUITS, Seat
from facts.errors import InputError
from facts.incident import Incident
from kb.desk.desk import PageDep, PageRequest, Submission, bare_fault, format_name, parted, query_in, redirect, restate
from kb.desk.entry import RegisterEntry
from kb.desk.guard import DeskRoute, is_loopback, visit_of
from kb.desk.register import OvertakenError, RegisterError
from kb.desk.statements import drawn, of_ruling
from kb.explain.announcement import Announcement
from kb.explain.as_text import entered
from kb.explain.html import deal_context
from kb.interview.address import address
from kb.language.folders import law_name
from kb.ruling.ruling import Ruling
from kb.voices import Voice, saved, told
from kb.voices import slip as slip_of

MOST_LISTED: Final = 50
MOST_CODE: Final = 600
"""Letters of an address; a QR code of more is too fine for a phone's camera."""
QUIET: Final = 4
"""Modules left white around the code, as the standard wants."""
FILLED: Final = ("event", "round", "table", "board", "called_by", "note", "judgement")
"""Fields of an entry that the director fills in."""
Short = Annotated[str, Field(max_length=200)]
Long = Annotated[str, Field(max_length=20_000)]
Whole = Annotated[int, Query(ge=1, le=10**9)]
Number = Annotated[int, Path(ge=1, le=10**9)]
router = APIRouter(include_in_schema=False, route_class=DeskRoute)


# --- keeping


class KeepingForm(BaseModel):
    """What the director fills in for a ruling to be kept, or a version to be added."""

    event: Short = ""
    round: Short = ""
    table: Short = ""
    board: Short = ""
    called_by: Short = ""
    player_N: Short = ""  # noqa: N815 - a seat is a capital
    player_E: Short = ""  # noqa: N815
    player_S: Short = ""  # noqa: N815
    player_W: Short = ""  # noqa: N815
    note: Long = ""
    judgement: Long = ""

    f: str = ""
    """The word of the ruling; nothing where the text stands for it."""
    once: Short = ""
    """Tells a form sent twice from two forms."""
    incident: Annotated[str, Field(max_length=200_000)] = ""
    seen: int = 0
    """The version that it was made from."""

    @property
    def players(self) -> dict[Seat, str]:
        """Who sat where, as far as it was filled in."""
        return {seat: name for seat in SEATS if (name := getattr(self, f"player_{seat}"))}

    @property
    def said(self) -> dict[str, Any]:
        """The entry's fields that it fills."""
        return {name: getattr(self, name).replace("\r\n", "\n") for name in FILLED} | {"players": self.players}


@router.get("/keep")
def keeping(page: PageDep, f: str) -> Response:
    """What the director adds to a ruling."""
    ruling, speaker = page.ruled(f)
    slip = KeepingForm(board=(ruling.incident.board or "")[:200])
    for latest in page.desk.register.search(limit=1):  # the next of a day is most likely of the same event
        if latest.kept_at.date() == datetime.now().astimezone().date():
            slip = slip.model_copy(update={"event": latest.event})
    return page.page("keep.html", slip=slip, once=uuid4().hex, faults=(), **of_ruling(f, ruling, speaker))


@router.post("/keep")
def keep(page: PageDep, new: Annotated[KeepingForm, Form()]) -> Response:
    """Keeps the ruling; the page that follows says that it is safe."""
    facts = page.given(new.f)
    entry = _entry(page, facts, new)
    # the word by which a form is known when it comes again: that of its page, for the ruling that it keeps
    once = f"{new.once}-{hashlib.sha256(new.f.encode(errors='replace')).hexdigest()[:32]}" if new.once else None
    try:
        return redirect(f"/register/{page.desk.register.add(entry, once)}", kept=1)
    except RegisterError as error:
        shown = of_ruling(new.f, *page.ruled(new.f))
        return page.page("keep.html", 503, slip=new, once=new.once, faults=list(map(bare_fault, error.faults)), **shown)
    except OvertakenError as error:
        return _correction(page, error.id, 409, slip=new, incident=facts.kept, f=new.f, says="correct-again")


@router.get("/register/{id}/correct")
def correction(page: PageDep, id: Number, f: str = "") -> Response:
    """The entry to be corrected; ``f``: the word of what was asked again."""
    entry = _kept(page, id)
    return _correction(page, id, 200, slip=entry, incident=entry.incident, f=f)


@router.post("/register/{id}/correct")
def correct(page: PageDep, id: Number, new: Annotated[KeepingForm, Form()]) -> Response:
    """One version more: on other facts with a new ruling, else with the ruling as it was."""
    old = _kept(page, id)
    fields: dict[str, Any] = {"slip": new, "incident": new.incident, "f": new.f}
    text = new.incident.replace("\r\n", "\n")
    try:
        if new.f:
            entry = _entry(page, page.given(new.f), new)
        elif text.strip() == old.incident.strip() and not old.unreadable:
            entry = replace(old, **new.said)
        else:
            text = parted(text)[1]  # the answers above it say something else
            entry = _entry(page, replace(submission_of(old), text=text, form=format_name(text)), new)
        page.desk.register.correct(id, entry, new.seen)
    except InputError as error:
        unkept, faults = isinstance(error, RegisterError), list(map(bare_fault, error.faults))
        return _correction(page, id, 503 if unkept else 422, **fields, faults=faults, unkept=unkept)
    except OvertakenError:
        return _correction(page, id, 409, **fields, says="correct-overtaken")
    return redirect(f"/register/{id}", kept=1)


def _correction(page: PageRequest, id: int, status: int, **said: Any) -> Response:
    nothing = {"faults": (), "says": "", "unkept": False, "new": ""}
    if said["f"]:
        ruling, speaker = page.ruled(said["f"])
        nothing["new"] = Announcement(ruling, speaker.of(ruling)).head
    return page.page("correct.html", status, kept=_kept(page, id), **{**nothing, **said})


def _entry(page: PageRequest, facts: Submission, slip: KeepingForm) -> RegisterEntry:
    """The ruling with what the director adds; its law stands beside the text as it was given."""
    ruling = page.ruling(facts)
    speaker = page.speaker(ruling.edition)
    return RegisterEntry(
        ruling_json=json.dumps(saved(ruling, speaker), ensure_ascii=False),
        head=Announcement(ruling, speaker.of(ruling)).head,
        incident=facts.kept,
        form=facts.form,
        edition=ruling.edition.id,
        elections=ruling.edition.elections,
        lang=page.lang,
        **slip.said,
    )


def submission_of(entry: RegisterEntry) -> Submission:
    """What the entry was ruled on."""
    return Submission(entry.incident, entry.form, law_name(entry.edition, entry.elections))


def _kept(page: PageRequest, id: int, version: int | None = None) -> RegisterEntry:
    """The entry in one of its versions; 404 if there is none."""
    kept = page.desk.register.get(id, version)
    if kept is None:
        raise HTTPException(404)
    return kept


# --- what is kept


@router.get("/register")
def listed(page: PageDep, q: Short = "", before: Whole | None = None) -> Response:
    """Entries that hold the words looked for, by day and event, the newest first; the page is printed as a list."""
    register = page.desk.register
    entries, count = register.search(q, MOST_LISTED, before), register.count(q)
    older = entries[-1].id if len(entries) == MOST_LISTED and len(entries) < count else None
    return page.page("register.html", q=q, groups=_grouped(entries), count=count, older=older, head=register.head())


@router.get("/open")
def left_open(page: PageDep) -> Response:
    """What the rulings of the evening leave to do."""
    return page.page("open.html", groups=_grouped(page.desk.register.of_the_evening()))


def _grouped(entries: list[RegisterEntry]) -> list[tuple[datetime, str, list[RegisterEntry]]]:
    """By day and event."""
    groups = dict[tuple[date, str], list[RegisterEntry]]()
    for kept in entries:
        groups.setdefault((kept.kept_at.date(), kept.event), []).append(kept)
    return [(group[0].kept_at, event, group) for (_, event), group in groups.items()]


@router.get("/register.backup")
def backup_file(page: PageDep) -> Response:
    """A whole copy of the register, made while it is in use."""
    away = TemporaryDirectory()
    path = pathlib.Path(away.name) / "register-backup.sqlite"
    page.desk.register.backup(path)
    done = BackgroundTask(away.cleanup)
    return FileResponse(path, filename=path.name, media_type="application/vnd.sqlite3", background=done)


@router.get("/register/{id}")
def entry_page(page: PageDep, id: Number, version: Whole | None = None, kept: str = "") -> Response:
    """An entry in one of its versions, with its history."""
    filed = _kept(page, id, version)
    facts = submission_of(filed)
    return page.page(
        "entry.html",
        kept=filed,
        word=facts.word,
        law=page.desk.title(facts.law, page.lang),
        history=page.desk.register.history(id),
        just_kept=bool(kept),
    )


@router.get("/register/{id}/again")
def rule_again(page: PageDep, id: Number) -> Response:
    """To the ruling on the facts of an entry, which are asked again from there."""
    entry = _kept(page, id)
    incident = submission_of(entry).incident(page.desk.table)
    return redirect("/ruling", **query_in(_word(page, parted(entry.incident)[0], incident)), entry=id)


def _word(page: PageRequest, asked: str, incident: Incident) -> str:
    """What is carried from page to page of an incident; ``asked``: the answers by which it was told, where it was."""
    return restate(query_in(asked), (), incident, page.desk).word


# --- paper and sharing


@router.get("/slip")
def slip_page(page: PageDep, f: str = "", entry: Whole | None = None, version: Whole | None = None) -> Response:
    """The ruling on a slip of paper, and the address by which another phone finds it.

    The address states the facts of the ruling and nothing else: not the text that was pasted, in which there may be
    names.
    """
    if entry is None and not f:
        return redirect("/")
    kept = None if entry is None else _kept(page, entry, version)
    ruling = page.ruling(page.given(f) if kept is None else submission_of(kept))
    speaker = page.speaker(ruling.edition).of(ruling)
    visit, word = visit_of(page.request), _word(page, f if kept is None else parted(kept.incident)[0], ruling.incident)
    url = f"{visit.scheme}://{page.request.headers.get('host', '')}{address('/ruling', **query_in(word))}"
    return page.page(
        "slip.html",
        kept=kept,
        slip=slip_of(ruling, speaker),
        entered=entered(ruling, speaker, short=True),
        ruling=ruling,
        speaker=speaker,
        word=word,
        shared=url,
        code=qr_code(url),
        alone=is_loopback(visit.host),
    )


@router.get("/facts.yaml")
def facts(page: PageDep, f: str) -> Response:
    """The facts as a file, to be taken along."""
    ruling, _ = page.ruled(f)
    headers = {"Content-Disposition": 'attachment; filename="incident.yaml"'}
    text = Submission.of_incident(ruling.incident).text
    return Response(text, media_type="application/yaml; charset=utf-8", headers=headers)


@router.get("/register/{id}/appeal")
def appeal_form(page: PageDep, id: Number, version: Whole | None = None) -> Response:
    """The form for an appeal; with the text as recorded where today's rules would not give this very ruling."""
    filed = _kept(page, id, version)
    symbol = {suit: page.words.name("symbol", suit, page.lang) for suit in SUITS}
    shown: dict[str, Any] = {"page": None, "law": page.desk.title(submission_of(filed).law, page.lang), "deal": None}
    ruling = _again(page, filed)
    if ruling is not None:
        speaker = page.speaker(ruling.edition).of(ruling)
        form, law = told(ruling, speaker, Voice.APPEAL), ruling.law_called(page.lang)
        shown = {"page": form, "law": law, "drawn": drawn(ruling, speaker), "speaker": speaker, **deal_context(ruling)}
        shown["deal"] = ruling.incident.deal
    return page.page("appeal.html", kept=filed, head=page.desk.register.head(), symbol=symbol, **shown)


def _again(page: PageRequest, filed: RegisterEntry) -> Ruling | None:
    """The ruling that was kept; None where the law is gone, or where the rules give another by now."""
    try:
        ruling = page.ruling(submission_of(filed))
    except InputError:
        return None
    return ruling if ruling.receipt == filed.ruling.get("receipt") else None


def qr_code(address: str) -> Markup | None:
    """An address as a QR code in SVG, black on white whatever the page's colours, so that another phone takes it over
    by its camera; None for one that is too long.
    """
    if len(address) > MOST_CODE:
        return None
    code, made = segno.make(address, error="m", micro=False, boost_error=False), io.BytesIO()
    looks = {"dark": "#000", "light": "#fff", "svgclass": "qr", "lineclass": None, "omitsize": True}
    code.save(made, kind="svg", border=QUIET, xmldecl=False, svgns=False, nl=False, **looks)
    return Markup(made.getvalue().decode())
