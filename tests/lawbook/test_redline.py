"""A draft's book: what it changes, struck and inserted, and cases that are not as they expect."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.ruling import ROOT
from typer.testing import CliRunner

from kb.cli.main import app
from kb.explain.html import redline
from kb.language.edition import load_edition
from kb.lawbook.book import book


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """64B1 as it stands, 64B3 otherwise said, a rule of 64A2 gone, 64B9 new, 63A3 repealed; a case fails."""
    folder = tmp_path_factory.mktemp("drafts") / "half"
    begun = CliRunner().invoke(app, ["init", str(folder), "64B1", "64B3", "64A2", "--new", "64B9"])
    assert begun.exit_code == 0, begun.output
    law = folder / "law-64.yaml"
    text = law.read_text("utf-8")
    start = text.index("      - when:\n", text.index("part: any-trick"))
    end = text.index('  "64B9"')
    text = text[:start] + text[end:]
    text = text.replace("a card belonging to dummy", "a card that lay open").replace("oder dem Dummy", "oder offen")
    law.write_text(text, "utf-8")
    (folder / "law-63.yaml").write_text('law: "63"\nclauses:\n  "63A3": {repealed: true}\n', "utf-8")
    cases = folder / "cases" / "law-64.yaml"
    cases.write_text(cases.read_text("utf-8").replace("cited: [", "cited: [64B9, ", 1), "utf-8")
    return folder


def told(folder: Path, form: str, lang: str = "en") -> str:
    done = CliRunner().invoke(app, ["lawbook", str(folder), "--format", form, "--lang", lang])
    assert done.exit_code == 0, done.output
    return done.output


def test_words_are_struck_and_inserted() -> None:
    assert redline("No trick for dummy.", "No  trick for\nan open card.") == (
        "No trick for <del>dummy.</del> <ins>an open card.</ins>",
        "No trick for <del>dummy.</del>",
        "No trick for <ins>an open card.</ins>",
    )
    assert redline("The whole of it is otherwise now.", "Nobody pays.")[0] == ""
    assert redline("As it was.", "As it was.")[0] == "As it was."


@pytest.mark.thorough
def test_a_copy_is_no_change(draft: Path) -> None:
    bound = book(*(load_edition(ROOT, one) for one in (draft, "duplicate-2017")))
    found = {one.clause.ref: one for one in bound.entries}
    assert found["64B1"].before is None
    one = found["64A2"]
    assert one.before and [rule.id for rule in one.gone] == ["64A2.2"] and one.added == frozenset()
    assert one.before.says == one.clause.says


@pytest.mark.thorough
def test_the_changes_stand_at_the_beginning(draft: Path) -> None:
    head = told(draft, "markdown").split("## Contents")[0]
    assert "- Changed: [64A2](#64A2), [64B3](#64B3)\n- New: [64B9](#64B9)\n- Taken away: 63A3\n" in head
    page = told(draft, "html", "de").split('class="contents"')[0]
    assert re.search(r'Geändert: <a href="#64A2">64A2</a>, <a href="#64B3">64B3</a></li>', page)


@pytest.mark.thorough
def test_a_draft_of_a_draft_is_told_beside_that(draft: Path) -> None:
    above = draft.parent / "above"
    begun = CliRunner().invoke(app, ["init", str(above), "64B9", "--amends", str(draft)])
    assert begun.exit_code == 0, begun.output
    law = above / "law-64.yaml"
    law.write_text(law.read_text("utf-8").replace("still to be written", "written"), "utf-8")
    head = told(above, "markdown").split("## Contents")[0]
    assert "Amends: Laws of Duplicate Bridge 2017 – half" in head and "- Changed: [64B9](#64B9)\n\n" in head


@pytest.mark.thorough
def test_what_was_replaced_is_struck(draft: Path) -> None:
    assert "a card ~~belonging to dummy.~~ **that lay open.**" in told(draft, "markdown")
    page = told(draft, "html")
    assert "a card <del>belonging to dummy.</del> <ins>that lay open.</ins></p>" in page
    assert '<section class="rule gone">\n<h4>Only in Laws of Duplicate Bridge 2017: rule 64A2.2</h4>' in page
    entry = page.split('<section id="64A2"')[1].split('<section id="64B1"')[0]
    assert "In the words of Laws of Duplicate Bridge 2017" in entry


@pytest.mark.thorough
def test_a_case_that_fails_is_not_told(draft: Path) -> None:
    id = re.search(r"^(?:- )?id: (.+)$", (draft / "cases" / "law-64.yaml").read_text("utf-8"), re.MULTILINE)
    assert id and f"({id[1]})" not in told(draft, "markdown")


@pytest.mark.thorough
def test_a_case_that_cannot_be_ruled_on_is_told(draft: Path) -> None:
    (draft / "cases" / "broken.yaml").write_text(
        "id: broken\nsource: x\ntitle: x\nwhy: x\nincident: {contract: 4S, declarer: S, play: [N S2 S3]}\n"
        "expect: [{edition: half, transfer: {NS: 0, EW: 0}}]\n",
        "utf-8",
    )
    try:
        told(draft, "markdown")
    finally:
        (draft / "cases" / "broken.yaml").unlink()
