"""Every draft goes through every output: each single repeal of each clause of 2017, and each draft of the tests.

A fault in it, a case that is ruled on otherwise, a chart that has nothing to tell are answers; a traceback is none.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.drafts import draft, shipped
from typer.testing import CliRunner

from facts.incident import DEFAULT_EDITION
from kb.cli.main import app

pytestmark = pytest.mark.thorough

TESTS = Path(__file__).parents[1]
REPEALED = {ref: one.law for ref, one in shipped(DEFAULT_EDITION).clauses.items() if one.law}
DRAFTS = [*sorted(file.parent for file in TESTS.glob("*/*/edition.yaml") if "amends:" in file.read_text("utf-8"))]
all_of_them = pytest.mark.skipif("REVOKE_ALL" not in os.environ, reason="hours: .ci/everything drafts")
COMMANDS = ("check", "graph", "lawbook", "chart", "quiz --seed 1", "test", "compare duplicate-2017", "check --strict")


def told(command: str, *more: str) -> str:
    """What a command says; it ends as commands do."""
    done = CliRunner().invoke(app, [*command.split(), *more])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise AssertionError((command, more)) from done.exception
    return done.output


def through_everything(mine: Path, away: Path) -> None:
    for command in COMMANDS:
        assert told(command, str(mine)), command
    for form in ("html", "json"):
        told(f"compare duplicate-2017 {mine} --format {form} --lang de")
    told("lawbook --format html", str(mine))
    told("site", str(away), str(mine))


@all_of_them
@pytest.mark.parametrize("ref", REPEALED)
def test_without_a_clause(ref: str, tmp_path: Path) -> None:
    mine = draft(tmp_path / "mine", f'law: "{REPEALED[ref]}"\nclauses:\n  "{ref}": {{repealed: true}}\n')
    through_everything(mine, tmp_path / "site")
    told("graph", str(mine), ref)


@all_of_them
@pytest.mark.parametrize("folder", DRAFTS, ids=lambda one: f"{one.parent.name}/{one.name}")
def test_a_draft_of_the_tests(folder: Path, tmp_path: Path) -> None:
    through_everything(folder, tmp_path / "site")
