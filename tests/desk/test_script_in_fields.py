"""Script in every text field: wherever it is shown, it is text."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from support.desk_pages import INCIDENT, Page, Visitor

EVIL = """<script>alert(1)</script>"><img src=x onerror=alert(2)>'{{7*7}}"""
YAML = EVIL.replace("'", "''")


def harmless(page: Page) -> Page:
    assert "<script>alert" not in page.source
    assert "img" not in page.tags and not page.handlers
    assert page.status in (200, 404, 422)
    return page


@pytest.mark.thorough
def test_in_an_incident(visitor: Visitor) -> None:
    visitor.rule(INCIDENT.replace("board: 12", f"board: '{YAML}'"))
    word = visitor.at.partition("f=")[2]
    for path in ("/ruling", "/explain", "/why-not", "/what-if", "/keep"):
        assert "alert(1)" in harmless(visitor.go(path, f=word)).text or path in ("/why-not", "/keep")


@pytest.mark.thorough
def test_in_what_cannot_be_read(visitor: Visitor) -> None:
    for text in (EVIL, f"{EVIL}: 1", f"contract: {EVIL}", f"edition: '{YAML}'", f'[Event "{EVIL}"]\n[Deal "x"]'):
        harmless(visitor.send(visitor.go("/record"), "/record", text=text, law=EVIL))
        harmless(visitor.send(visitor.go("/record"), "/record", text=text))


@pytest.mark.thorough
def test_in_the_register(visitor: Visitor) -> None:
    word = visitor.rule(INCIDENT.replace("board: 12", f"board: '{YAML}'"))
    fields = dict.fromkeys(("event", "round", "table", "board", "called_by", "note", "judgement"), EVIL)
    kept = harmless(visitor.send(visitor.go("/keep", f=word), "/keep", **fields))
    assert kept.text.count("{{7*7}}") >= 7
    at = visitor.at.partition("?")[0]
    for path in (at, f"{at}/correct", f"{at}/appeal", "/register", "/register?q=alert"):
        assert "alert(1)" in harmless(visitor.go(path)).source
    harmless(visitor.send(visitor.go(f"{at}/correct"), f"{at}/correct", incident=EVIL, **fields))


@pytest.mark.parametrize(
    "path",
    ["/ask?a=", "/ask?law=", "/ruling?f=", "/why-not?f=x&law=", "/what-if?f=x&c=", "/register?q=",
     "/law/duplicate-2017?q=", "/law/duplicate-2017/", "/law/", "/register/", "/?lang=", "/nowhere", "/explain?f=x&voice="],
)  # fmt: skip
def test_in_addresses(visitor: Visitor, path: str) -> None:
    harmless(visitor.go(path + quote(EVIL, safe="")))
