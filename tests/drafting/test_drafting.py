"""A draft to begin with, and cases from rulings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.checking import check
from support.tables import shipped_table
from typer.testing import CliRunner

from kb.cases.cases import read_cases
from kb.cli.main import app
from kb.drafting.new_draft import write_draft
from kb.language.edition import load_edition
from kb.language.folders import rules_root

ROOT = rules_root()
EXAMPLE = Path(__file__).parents[2] / "examples" / "revoke.yaml"


def revoke(*words: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    folder = tmp_path / "third"
    revoke("init", folder, "--amends", "duplicate-2017", "64B2", "64A1")
    return folder


@pytest.mark.thorough
def test_a_draft_to_begin_with_rules_as_what_it_amends(draft: Path) -> None:
    assert check(ROOT, draft) == []
    edition, base = load_edition(ROOT, draft), load_edition(ROOT, "duplicate-2017")
    assert {ref for ref in edition.clauses if edition.clauses[ref].place.file.startswith(str(draft))} == {
        "64B2",
        "64A1",
    }
    assert [[*rule.said] for rule in edition.rules] == [[*rule.said] for rule in base.rules]
    cases = read_cases(draft / "cases", edition.table)
    assert {one.edition for case in cases for one in case.expect} == {"third"}
    for ref in ("64B2", "64A1"):
        assert any(ref in (*one.cited, *one.not_cited) for case in cases for one in case.expect)
    assert re.search(r"\d+ expectations of cases, 0 not met", revoke("test", draft))


@pytest.mark.thorough
def test_what_other_readers_take_for_a_number_is_quoted(tmp_path: Path) -> None:
    folder = tmp_path / "2024"
    revoke("init", folder, "--amends", "duplicate-2017", "47E1")
    text = (folder / "cases" / "law-47.yaml").read_text("utf-8")
    assert "'47E1'" in text and not re.search(r"[\[ ]47E1[],\n]", text)
    assert "edition: '2024'" in (folder / "edition.yaml").read_text("utf-8")


def test_its_schema_lines_lead_to_the_schemas(draft: Path) -> None:
    for file in draft.rglob("*.yaml"):
        (named,) = re.findall(r"\$schema=(\S+)", file.read_text("utf-8").splitlines()[0])
        schema = (file.parent / named).resolve()
        assert schema.is_file() and draft.resolve() in schema.parents, "handed on with the draft"


@pytest.mark.thorough
def test_a_clause_that_is_added_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "more"
    revoke("init", folder, "64B2", "--new", "64B9", "--new", "99A")
    assert check(ROOT, folder) == []
    edition = load_edition(ROOT, folder)
    assert edition.clauses["64B9"].encoded_as == "not-encoded" and "99" in edition.laws
    law = folder / "law-64.yaml"
    law.write_text(law.read_text("utf-8").replace("    new: true\n", ""), "utf-8")
    assert "64B9 replaces nothing in duplicate-2017; write new: true" in revoke("check", folder, code=1)


@pytest.mark.thorough
def test_a_clause_that_was_added_is_replaced_by_a_draft(tmp_path: Path) -> None:
    revoke("init", tmp_path / "old", "--amends", "duplicate-2007", "64C", "16D2")
    assert check(ROOT, tmp_path / "old") == []


@pytest.mark.thorough
def test_a_draft_of_a_draft(draft: Path) -> None:
    revoke("init", draft.parent / "fourth", "--amends", draft)
    assert load_edition(ROOT, draft.parent / "fourth").lineage == ("fourth", "third", "duplicate-2017")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("third",), "there is such a folder already"),
        (("duplicate-2017",), "is the name of an edition"),
        (("other", "64Z9"), "duplicate-2017 has no clause 64Z9"),
        (("other", "--amends", "duplicate-2071"), "did you mean duplicate-2017"),
        (("other", "--new", "64B3"), "has a clause 64B3; name it without --new"),
        (("other", "--new", "B3"), "this is no number of a clause"),
    ],
)
def test_what_cannot_be_begun_is_told(draft: Path, words: tuple[str, ...], told: str) -> None:
    assert told in revoke("init", draft.parent / words[0], *words[1:], code=2)
    assert not (draft.parent / "other").exists()


def test_a_draft_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"\."):
        write_draft(tmp_path / "half", {"law-64.yaml": "x", f"cases/{'x' * 300}.yaml": "y"})
    assert list(tmp_path.iterdir()) == []


def test_a_ruling_becomes_a_case_that_holds(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(revoke("rule", EXAMPLE, "--as-case"), "utf-8")
    (case,) = read_cases(tmp_path, shipped_table())
    assert case.expect[0].transfer == {"NS": 2, "EW": 0} and case.expect[0].cited == ("61A", "63A1", "64A1")
    assert "1 expectations of cases, 0 not met" in revoke("test", tmp_path)
