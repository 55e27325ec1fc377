"""From a table to its ruling: the flow of questions, a trick tapped card by card, a record that is pasted or sent.

Every tap is a link, and the address holds what was said, so that going back is the browser's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Annotated, Any, TypeAlias
from urllib.parse import parse_qsl

from fastapi import APIRouter, File, Form, Response, UploadFile

from facts.cards import SUITS
from facts.errors import EngineError, InputError
from facts.readers.archives import RECORD_SUFFIXES
from kb.desk.addressed import Submission, each_board, form_of, query_of
from kb.desk.desk import Desk, Told, tell
from kb.desk.guard import DeskRoute
from kb.desk.pages import Asked, PageRequest, redirect
from kb.desk.resulting import Contested
from kb.desk.tapped_trick import CONTRACTS, NO_MORE, UNKNOWN, WHOLE, TappedTrick, added
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.explain.text import title
from kb.interview.address import LAWS, address, law_of
from kb.interview.asked import AskedPage
from kb.language.folders import DEFAULT_EDITION

Tap: TypeAlias = tuple[str, str, str]
"""What is tapped, its words, and the address that it leads to."""
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
    chips = list(asked.telling.chips())
    return {**shown, "chips": chips, "dropped": dropped, "laws": called, "speaker": speaker, "edition": edition}


# --- cards


@router.get("/trick")
def trick(page: Asked, law: str = "") -> Response:
    """The next thing to tap, or on to the questions."""
    desk = page.desk
    speaker, tapped = page.speaker(desk.edition(law or DEFAULT_EDITION)), TappedTrick.of(page.request.query_params, law)
    back = tapped.back()
    shared: dict[str, Any] = {
        "back": address("/trick", **back) if back.keys() - {"law"} else "",
        "so_far": " · ".join(_so_far(tapped, page, speaker)),
        "law": law,
    }
    if tapped.step:
        titles = desk.titles(page.lang) if not tapped.said and not tapped.given else []
        return page.page("trick.html", laws=titles, **shared, **_step(tapped, tapped.step, page, speaker))
    if tapped.given:
        came = added(tapped, dict(parse_qsl(tapped.given)), desk, speaker)
        return page.page("choose.html", choice=came, **shared) if isinstance(came, Contested) else redirect(came)
    if not tapped.strayed:
        return page.page("trick-followed.html", **shared)
    return redirect("/ask", **tapped.query())


def _step(tapped: TappedTrick, step: str, page: PageRequest, speaker: Speaker) -> dict[str, Any]:
    """What is asked; cards in a row for each suit, contracts in a row for each level, anything else in one."""
    taps: list[Tap] = [
        (choice, _said(choice, step, page, speaker), address("/trick", **tapped.with_(step, choice)))
        for choice in tapped.choices(step)
    ]
    rows = [taps]
    if step == "cards":
        rows = [[tap for tap in taps if tap[0][0] == suit] for suit in SUITS]
        if 0 < len(tapped.cards) < WHOLE and tapped.strayed:
            rows.append([("", page.t("trick-no-more"), address("/trick", **tapped.with_(step, NO_MORE)))])
    elif step == "contract":
        width = CONTRACTS.index("2C")
        rows = [taps[at : at + width] for at in range(0, len(taps), width)]
    who = speaker.value(tapped.turn, "seat") if step == "cards" else ""
    help_ = page.t("trick-revoker-help") if step == "revoker" else ""
    return {"step": step, "asks": page.t(f"trick-{step}", who=who), "help": help_, "rows": rows}


def _said(choice: str, step: str, page: PageRequest, speaker: Speaker) -> str:
    if step == "contract":
        return choice[0] + page.words.name("symbol", choice[1:], page.lang)
    if choice == UNKNOWN:
        return page.t("trick-unknown")
    return speaker.value(choice, {"cards": "card", "trick": "number"}.get(step, "seat"))


def _so_far(tapped: TappedTrick, page: PageRequest, speaker: Speaker) -> Iterator[str]:
    """What has been tapped of the trick."""
    said = tapped.said
    if "contract" in said:
        yield _said(said["contract"], "contract", page, speaker)
    if "declarer" in said:
        yield page.t("trick-by", who=speaker.value(said["declarer"], "seat"))
    if said.get("trick", UNKNOWN) != UNKNOWN:
        yield page.t("trick-number", n=said["trick"])
    if "leader" in said:
        cards = " ".join(speaker.value(card, "card") for card in tapped.cards)
        yield f"{page.t('trick-led', who=speaker.value(said['leader'], 'seat'))} {cards}".rstrip()


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
