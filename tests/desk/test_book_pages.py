"""The law book on the desk: found by words, read law by law; and the questions to take along."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator

import pytest
from support.desk_pages import Visitor, opened

MOST = 100_000
"""Bytes of a page."""
BOOK = "/law/duplicate-2017"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with opened(tmp_path_factory.mktemp("desk")) as (found, _):
        yield found


def clauses(visitor: Visitor, query: str) -> list[str]:
    """The clauses found, by the addresses they lead to."""
    listed = visitor.go(BOOK, q=query, lang="en").source.partition('role="status"')[2].partition("<nav ")[0]
    return re.findall(rf'href="{BOOK}/\w+#(\w+)"', listed)


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("edition", ["duplicate-2017", "auction-1912"])
def test_every_law_has_a_page_of_its_own_and_every_link_in_it_leads_to_a_clause(
    visitor: Visitor, edition: str, lang: str
) -> None:
    book = f"/law/{edition}"
    index = visitor.go(book, lang=lang)
    pages = [link for link in index.links if re.fullmatch(rf"{book}/[\w-]+", link)]
    read = {at: visitor.go(at, lang=lang) for at in pages if not at.endswith("/chart")}
    assert len(read) > 2 and len(index.source.encode()) < MOST
    for at, page in read.items():
        assert page.status == 200 and len(page.source.encode()) < MOST, at
        for link in page.links:
            where, _, clause = link.partition("#")
            if clause and clause != "main" and where:
                assert clause in read[where].ids, link


@pytest.mark.thorough
def test_the_laws_that_have_a_file_of_their_own_stand_first(visitor: Visitor) -> None:
    laws = [link for link in visitor.go(BOOK).links if re.fullmatch(rf"{BOOK}/\d+", link)]
    assert laws[:5] == [f"{BOOK}/{number}" for number in (61, 62, 63, 64, 9)]


def test_a_clause_is_found_by_its_number_and_by_words(visitor: Visitor) -> None:
    assert clauses(visitor, "64a1")[0] == "64A1"
    assert clauses(visitor, "§ 64")[0].startswith("64")
    found = clauses(visitor, "twelfth TRICK")
    assert "62D1" in found and "64A1" not in found
    assert clauses(visitor, "no such word anywhere") == []
    assert "Clauses found: 0" in visitor.go(BOOK, q="xyzzy", lang="en").text


def test_there_is_no_page_of_what_is_no_law(visitor: Visitor) -> None:
    assert visitor.go(f"{BOOK}/99").status == 404
    assert visitor.go("/law/nothing/64").status == 422


def test_the_questions_are_asked_by_each_law(visitor: Visitor) -> None:
    asked = [link for link in visitor.go("/law").links if link.startswith("/ask?")]
    assert len(asked) > 1
    assert all(visitor.go(link).status == 200 for link in asked)


@pytest.mark.thorough
def test_the_desk_can_be_installed(visitor: Visitor) -> None:
    at = "/static/desk.webmanifest"
    assert f'<link rel="manifest" href="{at}">' in visitor.go("/").source
    answer = visitor.client.get(at)
    manifest = json.loads(answer.text)
    assert answer.headers["content-type"] == "application/manifest+json"
    for icon in manifest["icons"]:
        data = visitor.client.get(icon["src"]).content
        if icon["type"] == "image/png":
            assert "x".join(map(str, struct.unpack(">II", data[16:24]))) == icon["sizes"]


def test_the_icons_colours_are_the_pages(visitor: Visitor) -> None:
    css = visitor.client.get("/static/base.css").text
    manifest = json.loads(visitor.client.get("/static/desk.webmanifest").text)
    assert f"--band: {manifest['theme_color']}" in css and f"--paper: {manifest['background_color']}" in css
    for colour in re.findall(r'theme-color" content="(#\w+)"', visitor.go("/").source):
        assert f"--paper: {colour}" in css


@pytest.mark.thorough
def test_a_chart_being_made_holds_up_no_question(visitor: Visitor) -> None:
    with visitor.client.app.state.desk.counsel("auction-1908").lock:  # type: ignore[attr-defined]
        assert visitor.client.get("/law/auction-1908/chart").status_code == 200
