"""The law's pages and the workshop: drafts are checked, tried and compared; nothing outside their folder is touched."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.desk_pages import INCIDENT, Visitor, opened

from kb.desk.guard import Settings

pytestmark = pytest.mark.thorough

CASE = """\
id: one
source: a test
title: West ruffs
incident:
  contract: 4S
  declarer: S
  revokes: [{hand: W, trick: 5, suit: H, card: S4, won-by: W, later-tricks: 2, next-trick: led}]
expect:
  - {edition: mine, transfer: {NS: 2, EW: 0}, cited: ["64A1"]}
  - {edition: duplicate-2017, transfer: {NS: 1, EW: 0}}
why: to have one that is met, and one that is not
"""
PATHS = [
    "../x.yaml",
    "/etc/x.yaml",
    "cases/../../x.yaml",
    "law.yml",
    "a b.yaml",
    "cases\\x.yaml",
    "x.yaml\0",
    ".yaml",
    "é.yaml",
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Visitor, Settings]]:
    with opened(tmp_path_factory.mktemp("workshop")) as both:
        both[0].send(both[0].go("/workshop"), "/workshop", name="mine", edition="duplicate-2017", clause="64B3")
        yield both


def everything(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_a_draft_begins_with_a_clause_and_is_sound(desk: tuple[Visitor, Settings]) -> None:
    visitor, settings = desk
    page = visitor.go("/workshop/mine", file="law-64.yaml")
    assert (
        page.form("/workshop/mine")["text"].partition("\n")[2].startswith('law: "64"\nclauses:\n  "64B3":\n    says:')
    )
    assert "No faults." in page.text
    assert (settings.drafts / "mine" / "edition.yaml").is_file()


@pytest.mark.parametrize("clause", ["61A", "62C3", "64C2b", "50D1a", "establishment", "cap", ""])
def test_any_clause_can_be_the_beginning(desk: tuple[Visitor, Settings], clause: str) -> None:
    visitor, _ = desk
    name = f"from-{clause.lower()}x"
    page = visitor.send(visitor.go("/workshop"), "/workshop", name=name, clause=clause)
    assert page.status == 200 and "No faults." in page.text, page.text


def test_a_draft_begins_with_a_clause_that_is_added(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    page = visitor.send(visitor.go("/workshop"), "/workshop", name="adds", new="64B9")
    assert page.status == 200 and "No faults." in page.text
    assert '  "64B9":\n    new: true\n' in page.form("/workshop/adds")["text"]
    refused = visitor.send(visitor.go("/workshop"), "/workshop", name="adds-not", new="64B3")
    assert refused.status == 422 and "has a clause 64B3" in refused.text


def test_faults_are_told_as_by_revoke_check(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    page = visitor.go("/workshop/mine", file="law-64.yaml")
    text = page.form("/workshop/mine")["text"].replace("exempt", "exemt", 1)
    checked = visitor.send(page, "/workshop/mine", text=text, act="check")
    assert "unknown kind exemt; did you mean exempt?" in checked.text and "law-64.yaml:13:" in checked.text
    assert "exemt" not in visitor.go("/workshop/mine", file="law-64.yaml").source, "only checked, not saved"
    fields = {**page.form("/workshop/mine"), "text": text}
    live = visitor.client.post("/workshop/mine/check", data=fields).json()
    assert [one["where"].split(":")[0] for one in live] == ["law-64.yaml"] and "did you mean exempt" in live[0]["mend"]


def test_a_draft_is_saved_tried_and_ruled_by(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    page = visitor.go("/workshop/mine", file="cases/one.yaml", new="1")
    page = visitor.send(page, "/workshop/mine", text=CASE.replace("\n", "\r\n"), act="save")
    assert "cases/one.yaml is saved." in page.text
    tried = visitor.go("/workshop/mine/cases")
    assert "Expectations: 2, not met: 1" in tried.text and "expected" in tried.text
    visitor.rule(INCIDENT, law="mine")
    assert "Laws of Duplicate Bridge 2017 – mine" in visitor.go(visitor.at).text


def test_two_who_write_the_same_file_are_told(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    first, second = (visitor.go("/workshop/mine", file="edition.yaml") for _ in range(2))
    text = first.form("/workshop/mine")["text"]
    visitor.send(first, "/workshop/mine", text=text + "# one\n", act="save")
    late = visitor.send(second, "/workshop/mine", text=text + "# two\n", act="save")
    assert late.status == 409 and "Somebody else has saved this file" in late.text
    assert "# one" in visitor.go("/workshop/mine", file="edition.yaml").source
    assert "is saved" in visitor.send(late, "/workshop/mine", act="save").text


def test_what_a_draft_changes(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    begun = visitor.send(visitor.go("/workshop"), "/workshop", name="softer", clause="64A2")
    text = begun.form("/workshop/softer")["text"].replace("tricks: 1", "tricks: 2")
    while_typing = visitor.client.post(
        "/workshop/softer/changes", data={**begun.form("/workshop/softer"), "text": text}
    )
    extent, first, example, *_ = while_typing.json()
    assert extent.startswith("Of 9 situations, the ruling under Laws of Duplicate Bridge 2017 – softer is not that")
    assert first.startswith("64A2: ") and example.startswith("Smallest example"), (first, example)
    assert "tricks: 2" not in visitor.go("/workshop/softer", file="law-64.yaml").source, "only looked at, not saved"
    broken = visitor.client.post("/workshop/softer/changes", data={**begun.form("/workshop/softer"), "text": "law: ["})
    assert broken.json() == []
    visitor.send(begun, "/workshop/softer", text=text, act="save")
    page = visitor.go("/law/compare", a="duplicate-2017", b="softer")
    assert (
        "Laws of Duplicate Bridge 2017 → Laws of Duplicate Bridge 2017 – softer" in page.text
        and "established, 2 tricks automatic" in page.text
    )


@pytest.mark.parametrize("path", PATHS)
def test_no_file_outside_a_draft(desk: tuple[Visitor, Settings], path: str) -> None:
    visitor, settings = desk
    before = everything(settings.drafts.parent)
    form = visitor.go("/workshop/mine", file="edition.yaml")
    assert visitor.send(form, "/workshop/mine", file=path, text="x", act="save").status == 422
    assert (
        visitor.client.post("/workshop/mine/check", data={**form.form("/workshop/mine"), "file": path}).status_code
        == 422
    )
    assert visitor.go("/workshop/mine", file=path).status == 422
    after = everything(settings.drafts.parent)
    assert {file: mark for file, mark in after.items() if "sqlite" not in file} == {
        file: mark for file, mark in before.items() if "sqlite" not in file
    }


@pytest.mark.parametrize(
    "name",
    ["", "..", "../mine", "duplicate-2017", "dbv-2007", "mine", "Mine", "a/b", "a" * 41, "-a", "con.", "x\0", "é"],
)
def test_no_draft_of_a_name_that_is_none(desk: tuple[Visitor, Settings], name: str) -> None:
    visitor, settings = desk
    before = sorted(settings.drafts.iterdir())
    page = visitor.send(visitor.go("/workshop"), "/workshop", name=name)
    assert page.status == 422
    assert sorted(settings.drafts.iterdir()) == before


def test_the_shipped_law_stays_as_it_is(tmp_path: Path) -> None:
    with opened(tmp_path) as (visitor, settings):
        before = everything(settings.rules)
        visitor.send(visitor.go("/workshop"), "/workshop", name="mine", clause="64A1")
        for name in ("duplicate-2017", "mine%2F..%2F..%2Frules", "%2e%2e%2fmine", "~"):
            for path in (f"/workshop/{name}", f"/workshop/{name}/cases"):
                assert visitor.go(path).status in (404, 422)
            sent = {"file": "law-64.yaml", "text": "x", "act": "save"}
            assert visitor.client.post(f"/workshop/{name}", data=sent).status_code in (404, 405, 422)
        assert everything(settings.rules) == before


def test_books_and_charts(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    for name in ("duplicate-2017", "auction-1912", "mine"):
        page = visitor.go(f"/law/{name}/whole")
        assert page.status == 200 and "Said at the table" in page.text
    assert visitor.go("/law/nothing").status == 422
    assert visitor.go("/law/..%2F..").status in (404, 422)


def test_no_differences_of_what_is_no_edition(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    assert visitor.go("/law/compare", a="duplicate-2017", b="/etc").status == 422
