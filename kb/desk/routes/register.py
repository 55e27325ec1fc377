"""The register: the list with its search, the list to print, the files to take home."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse, StreamingResponse
from pydantic import Field
from starlette.background import BackgroundTask

from kb.desk.desk import Desk
from kb.desk.entry import KeptRuling, Search
from kb.desk.guard import DeskRoute
from kb.desk.routes.keeping import Short, Whole

A_PAGE: Final = 50
"""Entries of a list on the screen."""
MOST_PRINTED: Final = 2000
Day = Annotated[str, Field(max_length=10)]


def routes(desk: Desk) -> APIRouter:
    """The pages."""
    router, lists, files = APIRouter(include_in_schema=False, route_class=DeskRoute), Lists(desk), Files(desk)
    router.add_api_route("/register", lists.listed, methods=["GET"])
    router.add_api_route("/register/list", lists.printed, methods=["GET"])
    router.add_api_route("/register.csv", files.table, methods=["GET"])
    router.add_api_route("/register.json", files.everything, methods=["GET"])
    router.add_api_route("/register.backup", files.backup, methods=["GET"])
    return router


class Lists:
    """Entries that fit what is looked for, by day and event, the newest first."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.register = desk, desk.register

    def listed(
        self, request: Request, q: Short = "", event: Short = "", table: Short = "", day: Day = "",
        page: Annotated[Whole, Query()] = 1,
    ) -> Response:  # fmt: skip
        """Some of them, to be looked through."""
        sought = Search(q, event, table, _day(day))
        count = self.register.count(sought)
        return self.desk.visit(request).page(
            "register.html",
            asked={"q": q, "event": event, "table": table, "day": day},
            events=self.register.events(),
            groups=_by_day_and_event(self.register.search(sought, A_PAGE, (page - 1) * A_PAGE)),
            count=count,
            head=self.register.head(),
            number=page,
            last=max(1, -(-count // A_PAGE)),
        )

    def printed(self, request: Request, q: Short = "", event: Short = "", table: Short = "", day: Day = "") -> Response:
        """All of them, one line a ruling."""
        found = self.register.search(Search(q, event, table, _day(day)), MOST_PRINTED)
        return self.desk.visit(request).page("register-list.html", groups=_by_day_and_event(found))


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


def _day(written: str) -> date | None:
    """The day; none for what is no day, as a field of a form may hold anything."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def _by_day_and_event(found: Iterable[KeptRuling]) -> list[tuple[datetime, str, list[KeptRuling]]]:
    """Day, event and entries, each in the order in which it first comes."""
    groups: dict[tuple[date, str], list[KeptRuling]] = {}
    for kept in found:
        groups.setdefault((kept.entry.kept_at.date(), kept.entry.event), []).append(kept)
    return [(of[0].entry.kept_at, event, of) for (_, event), of in groups.items()]
