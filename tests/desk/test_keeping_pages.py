"""The register's pages: kept once, corrected without overwriting, found again, taken home."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from support.desk import client_of
from support.desk_pages import INCIDENT, Page, Visitor, opened

from kb.desk.app import create_app
from kb.desk.register import Register


def keep(visitor: Visitor, text: str = INCIDENT, **said: str) -> Page:
    return visitor.send(visitor.go("/keep", f=visitor.rule(text)), "/keep", **said)


def number(page: Page) -> int:
    found = re.search(r"Kept as number (\d+)\. It is safe\.", page.text)
    assert found, page.text
    return int(found[1])


def test_a_ruling_is_kept_with_what_was_added(visitor: Visitor) -> None:
    page = keep(visitor, event="Club night", table="7", called_by="North", judgement="No damage.", note="A\nB")
    for said in ("Club night", "2 tricks to North–South", "No damage.", "contract: 4S"):
        assert said in page.text
    assert "Club night" in visitor.go("/keep", f=visitor.rule()).source, "the next form knows the event"


def test_a_form_sent_twice_is_kept_once(visitor: Visitor) -> None:
    form = visitor.go("/keep", f=visitor.rule())
    assert number(visitor.send(form, "/keep")) == number(visitor.send(form, "/keep"))
    assert number(visitor.send(visitor.go("/keep", f=visitor.rule()), "/keep")) > 1


def test_a_correction_adds_a_version(visitor: Visitor) -> None:
    id = number(keep(visitor, table="3", note="first"))
    form = visitor.go(f"/register/{id}/correct")
    page = visitor.send(form, f"/register/{id}/correct", note="second")
    assert "version 2" in page.text and "second" in page.text
    assert "first" in visitor.go(f"/register/{id}", version="1").text
    late = visitor.send(form, f"/register/{id}/correct", note="third")
    assert late.status == 409 and "Somebody else has corrected it" in late.text and "third" in late.source
    assert "second" in visitor.go(f"/register/{id}").text


def test_other_facts_are_ruled_on_anew(visitor: Visitor) -> None:
    id = number(keep(visitor))
    form, to = visitor.go(f"/register/{id}/correct"), f"/register/{id}/correct"
    wrong = visitor.send(form, to, incident=INCIDENT.replace("hand: W", "hand: Q"))
    assert wrong.status == 422 and "'Q' cannot stand here" in wrong.text
    page = visitor.send(form, to, incident=INCIDENT.replace("won-by: W", "won-by: S"))
    assert "1 trick to North–South" in page.text
    assert "2 tricks to North–South" in visitor.go(f"/register/{id}", version="1").text


def test_the_search_finds_words_of_all_parts(visitor: Visitor) -> None:
    id = number(keep(visitor, event="Spring cup", note="Müller protested"))
    for sought in ("spring", "müller PROTESTED", "64A1", f"#{id}"):
        assert f"/register/{id}" in visitor.go("/register", q=sought).links
    assert f"/register/{id}" not in visitor.go("/register", q="spring", edition="auction-1912").links
    assert visitor.go("/register", page="0").status == 422
    assert visitor.go("/register/999999").status == 404
    assert visitor.go("/register/x").status == 422


def test_an_appeal_form(visitor: Visitor) -> None:
    id = number(keep(visitor, judgement="They kept a guard."))
    page = visitor.go(f"/register/{id}/appeal")
    for said in ("Facts found", "The law", "Application", "They kept a guard.", "Grounds of the appeal", "Committee"):
        assert said in page.text


def test_what_was_recorded_is_shown_when_the_rules_have_changed(tmp_path: Path) -> None:
    with opened(tmp_path) as (visitor, settings):
        id = number(keep(visitor))
    law = settings.rules / "duplicate-2017" / "law-64.yaml"
    law.write_text(law.read_text("utf-8").replace("tricks: 1}}", "tricks: 2}}", 1), "utf-8")
    with client_of(create_app(settings)) as client:
        page = Visitor(client).go(f"/register/{id}/appeal")
    assert "The rules have changed since" in page.text and "2 tricks to North–South" in page.text


def test_everything_can_be_taken_home(visitor: Visitor, tmp_path: Path) -> None:
    id = number(keep(visitor, note="=1+1"))
    table = list(csv.DictReader(io.StringIO(visitor.client.get("/register.csv").text.lstrip("\ufeff"))))
    assert table[-1]["id"] == str(id) and table[-1]["note"] == "'=1+1"
    everything = json.loads(visitor.client.get("/register.json").text)
    assert everything[-1]["versions"][0]["ruling"]["transfer"] == {"NS": 2, "EW": 0}
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(visitor.client.get("/register.backup").content)
    assert sqlite3.connect(copy).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert Register.open(copy).get(id) is not None
