"""Keep: a ruling is kept once the page says so; a correction is one version more."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Final
from uuid import uuid4

from fastapi import APIRouter, Form, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from facts.cards import SEATS, Seat
from facts.errors import InputError
from kb.desk.addressed import ruling_address
from kb.desk.desk import Desk, Told, tell
from kb.desk.entry import KeptRuling, RegisterEntry
from kb.desk.guard import DeskRoute
from kb.desk.laws import law_named
from kb.desk.pages import PageRequest, redirect
from kb.desk.register import OvertakenError, RegisterError
from kb.desk.shown import of_ruling, to_say
from kb.desk.submission import Submission, form_of
from kb.ruling.ruling import Ruling
from kb.voices.voices import saved

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
    player_N: Short = ""  # noqa: N815 - a seat is a capital
    player_E: Short = ""  # noqa: N815
    player_S: Short = ""  # noqa: N815
    player_W: Short = ""  # noqa: N815
    note: Long = ""
    judgement: Long = ""

    @property
    def players(self) -> dict[Seat, str]:
        """Who sat where, as far as it was filled in."""
        return {seat: name for seat in SEATS if (name := getattr(self, f"player_{seat}"))}

    @property
    def said(self) -> dict[str, Any]:
        """The entry's fields that it fills."""
        own = (name for name in KeepingForm.model_fields if not name.startswith("player_"))
        return {name: getattr(self, name).replace("\r\n", "\n") for name in own} | {"players": self.players}


class NewEntry(KeepingForm):
    """A ruling to be kept: ``f`` is its word, ``once`` tells a form sent twice from two forms."""

    f: str
    once: Short = ""


class Correction(KeepingForm):
    """A version to be added: what happened, and the version it was made from."""

    incident: Annotated[str, Field(max_length=200_000)] = ""
    f: str = ""
    """The word of what was asked again; nothing where the text stands for it."""
    seen: int = 0


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, keeping = APIRouter(include_in_schema=False, route_class=DeskRoute), Keeping(desk)
    router.add_api_route("/keep", keeping.form, methods=["GET"])
    router.add_api_route("/keep", keeping.keep, methods=["POST"])
    router.add_api_route("/register/{id}", keeping.entry, methods=["GET"])
    router.add_api_route("/register/{id}/again", keeping.again, methods=["GET"])
    router.add_api_route("/register/{id}/correct", keeping.correction, methods=["GET"])
    router.add_api_route("/register/{id}/correct", keeping.correct, methods=["POST"])
    return router


_NOTHING_WRONG: Final = {"faults": (), "overtaken": False, "sent_again": False, "unkept": False}


class Keeping:
    """Adds to the register, corrects in it, and shows it."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.register = desk, desk.register

    def form(self, request: Request, f: str) -> Response:
        """What the director adds to a ruling."""
        ruling = self.desk.ruling(Submission.of_word(f))
        latest = self.register.search(limit=1)  # the next ruling of a day is most likely of the same event and round
        today = bool(latest) and latest[0].entry.kept_at.date() == datetime.now().astimezone().date()
        before = latest[0].entry if today else None
        slip = KeepingForm(board=(ruling.incident.board or "")[:200])
        if before is not None:
            slip = slip.model_copy(update={"event": before.event, "round": before.round})
        return self._form(self.desk.visit(request), f, slip, uuid4().hex)

    def _form(
        self, visit: PageRequest, f: str, slip: KeepingForm, once: str, status: int = 200, faults: Sequence[Told] = ()
    ) -> Response:
        ruling = self.desk.ruling(Submission.of_word(f))
        shown = of_ruling(f, ruling, visit.speaker(ruling.edition))
        return visit.page("keep.html", status, slip=slip, once=once, faults=faults, **shown)

    def keep(self, request: Request, new: Annotated[NewEntry, Form()]) -> Response:
        """Keeps the ruling; the page that follows says that it is safe."""
        facts, visit = Submission.of_word(new.f), self.desk.visit(request)
        entry = _entry(visit, facts, self.desk.ruling(facts), new)
        try:
            return redirect(f"/register/{self.register.add(entry, once_of(new))}", kept=1)
        except RegisterError as error:
            return self._form(visit, new.f, new, new.once, 503, [tell(fault) for fault in error.faults])
        except OvertakenError as error:
            one = kept_ruling(self.desk, error.id)
            return self._correction(visit, one, 409, slip=new, incident=facts.text, f=new.f, sent_again=True)

    def entry(self, request: Request, id: int, version: Whole | None = None, kept: str = "") -> Response:
        """An entry in one of its versions, with its history."""
        one = kept_ruling(self.desk, id, version)
        history = self.register.history(id)
        visit, facts = self.desk.visit(request), given(one.entry)
        law = self.desk.laws.title(facts.law, visit.lang)
        return visit.page(
            "entry.html",
            kept=one,
            word=facts.word,
            law=law,
            history=history,
            just_kept=bool(kept),
            ruled=self._can_be_ruled(facts),
        )

    def _can_be_ruled(self, facts: Submission) -> bool:
        """Whether the facts of an entry can be asked again: not where its draft is gone."""
        try:
            self.desk.laws.edition(law_named(facts.incident(self.desk.laws.table)))
        except InputError:
            return False
        return True

    def again(self, id: int) -> Response:
        """To the ruling on the facts of an entry, which are asked again from there."""
        incident = given(kept_ruling(self.desk, id).entry).incident(self.desk.laws.table)
        return redirect(ruling_address(incident, self.desk.laws, id))

    def correction(self, request: Request, id: int, f: str = "") -> Response:
        """The entry to be corrected; ``f``: the word of what was asked again."""
        one = kept_ruling(self.desk, id)
        return self._correction(self.desk.visit(request), one, 200, slip=one.entry, incident=one.entry.incident, f=f)

    def correct(self, request: Request, id: int, new: Annotated[Correction, Form()]) -> Response:
        """One version more: on other facts with a new ruling, else with the ruling as it was."""
        visit, old = self.desk.visit(request), kept_ruling(self.desk, id)
        said: dict[str, Any] = {"slip": new, "incident": new.incident, "f": new.f}
        try:
            self.register.correct(id, self._corrected(visit, old.entry, new), new.seen)
        except InputError as error:
            unkept = isinstance(error, RegisterError)
            faults = [tell(fault) for fault in error.faults]
            return self._correction(visit, old, 503 if unkept else 422, **said, faults=faults, unkept=unkept)
        except OvertakenError:
            return self._correction(visit, old, 409, **said, overtaken=True)
        return redirect(f"/register/{id}", kept=1)

    def _correction(self, visit: PageRequest, one: KeptRuling, status: int, **said: Any) -> Response:
        ruling = self.desk.ruling(Submission.of_word(said["f"])) if said["f"] else None
        new = "" if ruling is None else to_say(ruling, visit.speaker(ruling.edition).of(ruling))[0].text
        return visit.page("correct.html", status, kept=one, new=new, **{**_NOTHING_WRONG, **said})

    def _corrected(self, visit: PageRequest, old: RegisterEntry, new: Correction) -> RegisterEntry:
        if new.f:
            facts = Submission.of_word(new.f)
            return _entry(visit, facts, self.desk.ruling(facts), new)
        text = new.incident.replace("\r\n", "\n")
        if text.strip() == old.incident.strip():
            return replace(old, **new.said)
        new_facts = replace(given(old), text=text, form=form_of(text))
        return _entry(visit, new_facts, self.desk.ruling(new_facts), new)


def once_of(new: NewEntry) -> str | None:
    """The word by which a form is known when it comes again: that of its page, for the ruling that it keeps."""
    return f"{new.once}-{hashlib.sha256(new.f.encode(errors='replace')).hexdigest()[:32]}" if new.once else None


def kept_ruling(desk: Desk, id: int, version: int | None = None) -> KeptRuling:
    """The entry in one of its versions; 404 if there is none."""
    found = desk.register.get(id, version)
    if found is None:
        raise HTTPException(404)
    return found


def given(entry: RegisterEntry) -> Submission:
    """What the entry was ruled on."""
    return Submission(entry.incident, entry.form, "+".join((entry.edition, *entry.elections)))


def _entry(visit: PageRequest, facts: Submission, ruling: Ruling, slip: KeepingForm) -> RegisterEntry:
    """The ruling with what the director adds; its law stands beside the text as it was given."""
    told = saved(ruling, visit.speaker(ruling.edition))
    edition, *elections = law_named(ruling.incident).split("+")
    return RegisterEntry(
        ruling_json=json.dumps(told, ensure_ascii=False),
        head=to_say(ruling, visit.speaker(ruling.edition).of(ruling))[0].text,
        incident=facts.text,
        form=facts.form,
        edition=edition,
        elections=tuple(elections),
        lang=visit.lang,
        **slip.said,
    )
