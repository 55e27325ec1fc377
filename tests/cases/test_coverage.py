"""Which cases reach each clause."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.faced_hands import CASE, HIDDEN, write_draft
from support.ruling import laws
from typer.testing import CliRunner

from kb.cases.cases import Reach, coverage, hearings
from kb.cli.main import app


def reached(folder: Path) -> dict[str, Reach]:
    edition = laws().of(folder).edition
    return {reach.clause.ref: reach for reach in coverage(edition, hearings(laws(), folder))}


def test_a_clause_of_the_draft_that_no_case_cites_is_an_orphan(tmp_path: Path) -> None:
    reach = reached(write_draft(tmp_path / "d", HIDDEN))
    assert reach["64B3"].orphan and reach["64B3"].cited_by == ()
    assert not reach["64B4"].orphan, "taken over from the edition it amends"
    assert not reach["64B4"].own


@pytest.mark.thorough
def test_a_case_that_cites_it_mends_that(tmp_path: Path) -> None:
    reach = reached(write_draft(tmp_path / "d", CASE, HIDDEN))
    assert not reach["64B3"].orphan
    assert reach["64B3"].cited_by == ("open-card",)
    assert reach["64C1"].pointed_to_by == ("open-card", "hidden-card")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["coverage", *arguments], env={"COLUMNS": "160"})
    return result.exit_code, result.output


@pytest.mark.thorough
def test_the_command_fails_for_an_orphan_and_says_where(tmp_path: Path) -> None:
    folder = write_draft(tmp_path / "d", HIDDEN)
    code, output = run(str(folder))
    assert code == 1
    assert f"{folder}/law-64.yaml:3:3: 64B3 has rules, and no case needs them; write one that does" in output
    (folder / "cases").mkdir(exist_ok=True)
    (folder / "cases" / "open-card.yaml").write_text(CASE)
    code, output = run(str(folder))
    assert code == 0
    assert "0 clauses with rules that no case needs" in output


@pytest.mark.thorough
def test_the_edition_in_force_has_no_orphan() -> None:
    code, output = run()
    assert code == 0, output[-2000:]
    assert "| 64B3 | rules | 4 | " in output
