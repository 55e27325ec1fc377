"""From a table to its ruling, by questions or a record; and what can be asked of it: explained in any voice, why not,
what if.

Every tap is a link, and the address holds what was said, so that going back is the browser's.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, Response, UploadFile
from starlette.concurrency import run_in_threadpool

from facts.errors import EngineError, Fault, InputError, Place
from facts.incident import DEFAULT_EDITION, Incident
from facts.readers.archives import RECORD_SUFFIXES
from facts.readers.changes import all_changed
from kb.desk.desk import (
    Desk,
    PageDep,
    PageRequest,
    Submission,
    bare_fault,
    chips_of,
    format_name,
    query_in,
    query_of,
    redirect,
    restate,
    submission,
)
from kb.desk.guard import DeskRoute
from kb.desk.statements import (
    by_cards,
    changed,
    clash,
    drawn,
    entries,
    entry_changes,
    hinge_question,
    misread,
    of_ruling,
    supposed,
)
from kb.explain.announcement import Announcement
from kb.explain.as_text import page_of, title
from kb.explain.html import article
from kb.explain.page import Page
from kb.explain.words import Speaker
from kb.interview.address import LAWS, law_asked, refuse_impossible
from kb.interview.question import AskedPage, what_happened
from kb.language.folders import law_name
from kb.language.model import Edition
from kb.voices import Voice, told
from kb.why_not.what_if import difference_lines
from kb.why_not.what_if import what_if as with_changes

EntryNumber = Annotated[int | None, Query(ge=1, le=10**9)]
"""The number of a kept ruling, if one is meant."""

router = APIRouter(include_in_schema=False, route_class=DeskRoute)


# --- questions


@router.get("/")
@router.get("/ask")
def ask(page: PageDep) -> Response:
    """What is asked next, or the way to the ruling."""
    query = query_of(page.request)
    shown = _shown(page.desk, tuple(query.items()), page.lang)
    if "on" in shown:
        return redirect("/ruling", **shown["on"])
    register = page.desk.register
    return page.page("question.html", entries=register.count, left=lambda: len(register.of_the_evening()), **shown)


@lru_cache(2_000)
def _shown(desk: Desk, stated: tuple[tuple[str, str], ...], lang: str) -> dict[str, Any]:
    query = dict(stated)
    edition = desk.edition(law_asked(query))
    speaker = desk.speaker(edition, lang)
    called = edition.called(lang) if query.get(LAWS, DEFAULT_EDITION) != DEFAULT_EDITION else ""
    of_law = {"laws": called, "speaker": speaker, "edition": edition}
    if root := what_happened(edition, query, speaker):
        return {**root, "chips": [], "dropped": "", **of_law}
    counsel = desk.asked_by(query)
    with counsel.lock:
        asked = AskedPage(counsel, query, speaker)
        if asked.step is None:
            return {"on": asked.settled}
        if not asked.change:
            refuse_impossible(counsel, asked.account)  # now, and not after the last answer
        shown, dropped = asked.context(), asked.dropped
    return {**shown, "chips": asked.chips(), "dropped": dropped, **of_law}


# --- records


@router.get("/record")
def record_form(page: PageDep, law: str = "") -> Response:
    """Where the text goes."""
    return _record(page, law=law)


@router.post("/record")
def read_record(
    page: PageDep,
    text: Annotated[str, Form()] = "",
    law: Annotated[str, Form()] = "",
    file: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """The ruling on one board; the list of several; or what is wrong, above the text as it was."""
    name = ""
    if file is not None and file.filename:
        name, text = PurePosixPath(file.filename.replace("\\", "/")).name, _decoded(file.file.read())
    text = text.replace("\r\n", "\n")
    submitted = Submission(text, format_name(text, name), law)
    try:
        boards = [*submitted.boards(page.desk.table)]
        if len(boards) == 1:
            if isinstance(boards[0], InputError):
                raise boards[0]
            page.ruling(submitted)
            return redirect("/ruling", f=submitted.word)
    except InputError as error:
        return _record(page, 422, text=text, law=law, faults=[bare_fault(fault) for fault in error.faults])
    return page.page("boards.html", rows=[_row(page, board) for board in boards])


def _record(page: PageRequest, status: int = 200, **said: Any) -> Response:
    context = {"text": "", "law": "", "faults": [], "suffixes": RECORD_SUFFIXES, **said}
    return page.page("record.html", status, laws=page.desk.titles(page.lang), **context)


def _row(page: PageRequest, board: Incident | InputError) -> tuple[str, str, str, list[Fault]]:
    """A board of several: its name, its ruling in one line, the word of its page, and its faults."""
    try:
        if isinstance(board, InputError):
            raise board
        submitted = Submission.of_incident(board)
        ruling = page.ruling(submitted)
        speaker = page.speaker(ruling.edition)
        return title(ruling, speaker), Announcement(ruling, speaker.of(ruling)).head, submitted.word, []
    except InputError as error:
        return "", "", "", [bare_fault(fault) for fault in error.faults]
    except EngineError as error:
        return "", "", "", [Fault(Place("", 1), str(error), "")]


def _decoded(data: bytes) -> str:
    """The text of a file, UTF-8 or Latin-1; what is no text is told by its reader."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


# --- a ruling


@router.get("/ruling")
def ruling(page: PageDep, entry: EntryNumber = None) -> Response:
    """What to say, who does what now, and the law behind each line; ``entry``: the kept ruling that it corrects."""
    if not page.request.url.query:
        return redirect("/")
    return _ruling(page, query_of(page.request), entry)


def _ruling(
    page: PageRequest,
    query: Mapping[str, str],
    entry: int | None,
    wrong: str = "",
    typed: Mapping[str, str] | None = None,
) -> Response:
    """``typed``: what stood in the form of the result and cannot be; ``wrong``: why."""
    desk, submitted = page.desk, submission(query, page.desk)
    ruling = page.ruling(submitted)
    speaker = page.speaker(ruling.edition)
    shown = of_ruling(submitted.word, ruling, speaker)
    shown["hinge"] = hinge_question(ruling, desk, shown["speaker"], query)
    shown |= {"drawn": drawn(ruling, shown["speaker"]), "entry": entry or "", "chips": chips_of(query, desk, speaker)}
    return page.page("ruling.html", 422 if wrong else 200, **shown, wrong=wrong, typed=typed or {})


@router.get("/result")
def enter_result(page: PageDep, f: str, entry: EntryNumber = None) -> Response:
    """The ruling with what was entered: contract, board, result, the trick and its cards."""
    desk, fields, query = page.desk, dict(page.request.query_params), query_in(f)
    ruling, speaker = page.ruled(f)
    labels = entries(ruling, speaker.of(ruling))
    changes = entry_changes(ruling.incident, labels, fields)
    try:
        incident = all_changed(ruling.incident, changes, desk.table)
        changes += (more := by_cards(incident, query))
        incident = all_changed(incident, more, desk.table)
    except InputError as error:
        return _ruling(page, query, entry, misread(error, labels, fields, speaker), fields)
    try:
        new = restate(query, changes, incident, desk)
        page.ruling(new)
    except InputError:
        return _ruling(page, query, entry, clash(incident, query, labels, desk, speaker), fields)
    return redirect("/ruling", **query_in(new.word), entry=entry)


@router.get("/explain")
def explain(page: PageDep, f: str, voice: str = "") -> Response:
    """Everything: the ruling in a voice, the deal and the tricks, the clauses."""
    ruling, speaker = page.ruled(f)
    name = next((choice for choice in Voice if choice == voice), None)
    body = article(ruling, told(ruling, speaker, name), speaker)
    voices = [("", page.t("voice-full")), *((choice, page.words.name("voice", choice, page.lang)) for choice in Voice)]
    return page.page("explain.html", word=f, body=body, spoken=name or "", voices=voices)


@router.get("/why-not")
async def why_not_page(page: PageDep, f: str, law: str = "") -> Response:
    """Why a clause does not apply, and what would make it apply."""
    incident, edition = await run_in_threadpool(_asked_about, page, f)
    if law:
        edition.clause(law)
    answer = await page.desk.aside.why_not(incident, law, page.lang) if law else None
    shown: dict[str, Any] = {"word": f, "asked": law, "answer": answer, "edition": edition}
    speaker = page.speaker(edition)
    return page.page("why-not.html", chapters=chapters(edition, speaker), speaker=speaker, **shown)


def _asked_about(page: PageRequest, word: str) -> tuple[Incident, Edition]:
    incident = page.given(word).incident(page.desk.table)
    return incident, page.desk.edition(law_name(incident.edition, incident.elections))


@router.get("/what-if")
def what_if_page(page: PageDep, f: str, c: Annotated[list[str] | None, Query()] = None) -> Response:
    """The facts to tap; or, with changes, both rulings beside each other."""
    desk, changes = page.desk, [change for change in c or [] if change]
    old, speaker = page.ruled(f)
    if not changes:
        return page.page(
            "what-if.html",
            groups=list(supposed(old, speaker)),
            laws=[choice for choice in desk.titles(page.lang) if choice[0] != old.edition.named],
            **of_ruling(f, old, speaker),
        )
    both = with_changes(old, changes, desk.table, lambda incident: page.ruling(Submission.of_incident(incident)))
    new, speaker = both.after, page.speaker(both.after.edition)
    sides = []
    for heading, side_ruling in (("if-after", new), ("if-before", old)):
        told_of = page.speaker(side_ruling.edition).of(side_ruling)
        sides.append((heading, page_of(side_ruling, told_of), told_of))
    texts = [_texts(told_page) for _, told_page, _ in reversed(sides)]
    law = [new.edition.called(page.lang)] if old.edition.named != new.edition.named else []
    return page.page(
        "changed.html",
        word=f,
        new=restate(query_in(f), changes, new.incident, desk).word,
        sides=[(*side, texts_beside) for side, texts_beside in zip(sides, texts, strict=True)],
        differences=difference_lines(both, speaker),
        changes=[*changed(old, new, speaker), *law] or changes,
    )


def _texts(page: Page) -> frozenset[str]:
    """Everything that a page says."""
    lines = [*page.lead, *(line for part in page.parts for line in part.lines)]
    return frozenset(spoken.text for line in lines for spoken in (line, *line.under))


def chapters(edition: Edition, speaker: Speaker) -> list[tuple[str, list[tuple[str, str]]]]:
    """The clauses of an edition, law by law: what a list to choose from shows."""
    by_law: dict[str, list[tuple[str, str]]] = {}
    for ref, clause in edition.clauses.items():
        if clause.law:
            says = clause.says[speaker.lang]
            by_law.setdefault(clause.law, []).append((ref, says if len(says) < 70 else f"{says[:68]}…"))
    titles = ((law, edition.laws[law][speaker.lang] if law in edition.laws else "") for law in by_law)
    return [(f"{speaker.laws([law])}: {title}" if title else speaker.laws([law]), by_law[law]) for law, title in titles]
