"""Paper and sharing: the slip, the appeal form, the address of a ruling with its QR code."""

from __future__ import annotations

import ipaddress
from typing import Any

from fastapi import APIRouter, Request, Response

from facts.errors import InputError
from kb.desk.addressed import ruling_address
from kb.desk.desk import Desk
from kb.desk.drawing import drawn
from kb.desk.entry import KeptRuling
from kb.desk.guard import LOOPBACK_NAMES, DeskRoute, visit_of
from kb.desk.pages import PageRequest, redirect
from kb.desk.qr_code import qr_code
from kb.desk.routes.keeping import Whole, given, kept_ruling
from kb.desk.routes.ruling import Entry
from kb.desk.submission import Submission
from kb.explain.html.document import table_of
from kb.explain.text import entered
from kb.ruling.ruling import Ruling
from kb.voices.voices import Voice, slip, told


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, papers = APIRouter(include_in_schema=False, route_class=DeskRoute), Papers(desk)
    router.add_api_route("/slip", papers.slip, methods=["GET"])
    router.add_api_route("/facts.yaml", papers.facts, methods=["GET"])
    router.add_api_route("/share", papers.share, methods=["GET"])
    router.add_api_route("/register/{id}/appeal", papers.appeal, methods=["GET"])
    return router


class Papers:
    """Pages on paper, of a ruling that an address carries, or of one that is kept."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def slip(self, request: Request, f: str = "", entry: Entry = None, version: Whole | None = None) -> Response:
        """The ruling on a slip of paper, and as it looks on one."""
        if entry is None and not f:
            return redirect("/")
        kept, ruling = self._ruling(f, entry, version)
        visit = self.desk.visit(request)
        speaker = visit.speaker(ruling.edition).of(ruling)
        return visit.page(
            "slip.html",
            kept=kept,
            slip=slip(ruling, speaker),
            entered=entered(ruling, speaker, short=True),
            ruling=ruling,
            word=Submission.of_incident(ruling.incident).word,
            speaker=speaker,
            **self._shared(request, ruling),
        )

    def share(self, request: Request, f: str = "", entry: Entry = None, version: Whole | None = None) -> Response:
        """The address of the ruling, for another phone."""
        if entry is None and not f:
            return redirect("/")
        kept, ruling = self._ruling(f, entry, version)
        word = Submission.of_incident(ruling.incident).word
        return self.desk.visit(request).page("share.html", kept=kept, word=word, **self._shared(request, ruling))

    def facts(self, f: str) -> Response:
        """The facts as a file, to be taken along."""
        ruling = self.desk.ruling(Submission.of_word(f))
        headers = {"Content-Disposition": 'attachment; filename="incident.yaml"'}
        text = Submission.of_incident(ruling.incident).text
        return Response(text, media_type="application/yaml; charset=utf-8", headers=headers)

    def appeal(self, request: Request, id: int, version: Whole | None = None) -> Response:
        """The form for an appeal; with the text as recorded where today's rules would not give this very ruling."""
        one, visit = kept_ruling(self.desk, id, version), self.desk.visit(request)
        return visit.page("appeal.html", kept=one, head=self.desk.register.head(), **self._appealed(visit, one))

    def _appealed(self, visit: PageRequest, one: KeptRuling) -> dict[str, Any]:
        ruling = self._again(one)
        if ruling is None:
            return {"page": None, "law": self.desk.laws.title(given(one.entry).law, visit.lang)}
        speaker = visit.speaker(ruling.edition).of(ruling)
        return {
            "page": told(ruling, speaker, Voice.APPEAL),
            "law": ruling.law_called(visit.lang),
            "drawn": drawn(ruling, speaker),
            "speaker": speaker,
            **table_of(ruling),
        }

    def _again(self, one: KeptRuling) -> Ruling | None:
        """The ruling that was kept; None for a draft that is gone, or where the rules give another by now."""
        try:
            ruling = self.desk.ruling(given(one.entry))
        except InputError:
            return None
        return ruling if ruling.receipt == one.entry.ruling.get("receipt") else None

    def _ruling(self, f: str, entry: int | None, version: int | None) -> tuple[KeptRuling | None, Ruling]:
        """What is asked for, ruled on."""
        if entry is not None:
            kept = kept_ruling(self.desk, entry, version)
            return kept, self.desk.ruling(given(kept.entry))
        return None, self.desk.ruling(Submission.of_word(f))

    def _shared(self, request: Request, ruling: Ruling) -> dict[str, Any]:
        """The address by which another phone finds the ruling. It states the facts of the ruling and nothing else: not
        the text that was pasted, in which there may be names.
        """
        whence = visit_of(request)
        at = f"{whence.scheme}://{request.headers.get('host', '')}"
        whole = at + ruling_address(ruling.incident, self.desk.laws)
        return {"shared": whole, "code": qr_code(whole), "alone": _loopback(whence.host)}


def _loopback(host: str) -> bool:
    """Whether only this very computer reaches the desk by that name."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in LOOPBACK_NAMES
