"""A small application behind the desk's guard, and the ways to come in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

# A module of tests that opens the desk is skipped where the extra is not installed.
pytest.importorskip("argon2")
pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from argon2 import PasswordHasher
from fastapi import FastAPI, Form, Request, UploadFile
from fastapi.responses import HTMLResponse
from fastapi.testclient import TestClient

from facts.incident import DEFAULT_EDITION
from kb.desk.guard import DeskRoute, Settings, visit_of
from kb.desk.login import protect
from kb.explain.words import Words, load_words
from kb.language.edition import load_edition
from kb.language.folders import rules_root

PASSPHRASE = "four no trumps"
HASHED = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSPHRASE)
"""Cheap to verify, so that tests are quick."""


def settings_in(folder: Path, **others: object) -> Settings:
    """A desk whose files lie in a folder."""
    return Settings(rules_root(), folder / "register.sqlite", **others)


@cache
def words() -> Words:
    """The shipped words."""
    return load_words(rules_root(), load_edition(rules_root(), DEFAULT_EDITION).vocabulary)


def small_app(settings: Settings) -> FastAPI:
    """Pages that show what reaches them."""
    app = FastAPI()
    app.router.route_class = DeskRoute
    app.state.changes = []

    @app.get("/")
    async def page(request: Request) -> HTMLResponse:
        return HTMLResponse(f"{visit_of(request).entered}")

    @app.post("/change")
    async def change(note: str = Form(""), file: UploadFile | None = None) -> dict[str, object]:
        app.state.changes.append(note)
        return {"note": note, "file": None if file is None else len(await file.read())}

    @app.post("/api/change")
    async def api_change(request: Request) -> dict[str, int]:
        app.state.changes.append("api")
        return {"bytes": len(await request.body())}

    @app.get("/api/read")
    async def api_read() -> dict[str, str]:
        return {}

    @app.get("/static/x.css")
    async def style() -> str:
        return ""

    @app.get("/fails")
    async def fails() -> None:
        raise RuntimeError("secret detail")

    protect(app, settings, words())
    return app


def client_of(app: FastAPI, base: str = "http://localhost:8061", peer: str = "127.0.0.1") -> TestClient:
    """A browser on a page of the desk, which follows nothing by itself."""
    own = {"Origin": base}
    return TestClient(app, base, False, headers=own, follow_redirects=False, client=(peer, 40000))


def come_in(client: TestClient, passphrase: str = PASSPHRASE, **fields: str) -> int:
    """Logs in as a page does; gives the answer's status."""
    return client.post("/login", data={"passphrase": passphrase, **fields}).status_code
