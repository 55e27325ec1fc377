"""Whoever does what the tutorial says sees what it shows; ``python tests/support/tutorial.py`` renews what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.ruling import ROOT
from support.tutorial import HERE, PROPERTIES, TUTORIAL, Ran, follow
from typer.testing import CliRunner

from kb.cli.main import app

TEXT = TUTORIAL.read_text(encoding="utf-8")
LINKED = sorted(page.relative_to(HERE).as_posix() for page in (HERE / "docs").rglob("*.md"))
FAILS = {0: 1, 5: 1, 6: 1}
"""Commands of the tutorial, by number, that find something to mend."""


@pytest.fixture(scope="module", params=[True, pytest.param(False, marks=pytest.mark.thorough)])
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Ran]:
    """Without the slow commands, or with all."""
    shipped = {file: file.read_bytes() for file in ROOT.rglob("*") if file.is_file()}
    done = list(follow(TEXT, tmp_path_factory.mktemp("reader"), quick=request.param))
    assert len(done) >= (6 if request.param else 9)
    assert shipped == {file: file.read_bytes() for file in ROOT.rglob("*") if file.is_file()}, "a draft changes nothing"
    return done


@pytest.mark.thorough
def test_every_command_prints_what_is_shown(ran: list[Ran]) -> None:
    for one in ran:
        assert settled(one.printed) == settled(one.shown), one.command


def settled(text: str) -> str:
    """Without the number of cases and of situations, which grow, and the receipt, which depends on every rule."""
    return re.sub(r"[\d\u202f ]+(cases|situations)|Receipt .*", r"n \1", text)


@pytest.mark.thorough
def test_only_what_should_fail_fails(ran: list[Ran]) -> None:
    for one in ran:
        assert one.code == FAILS.get(one.number, 0), one


def test_every_command_is_explained() -> None:
    for command in ("check", "test", "coverage", "compare", "lawbook", "schema"):
        assert f"$ revoke {command}" in TEXT


@pytest.mark.parametrize("page", [*LINKED, "CHANGELOG.md", "CONTRIBUTING.md", "rules/README.md", "tests/README.md"])
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(((?!https?:)[^)#]+)\)", (HERE / page).read_text(encoding="utf-8")):
        assert ((HERE / page).parent / target).exists(), target


def test_a_matter_from_nothing_without_a_line_of_program(tmp_path: Path) -> None:
    """The last section by itself: checked, ruled, asked for and proved."""
    start = TEXT.index("## 11.")
    done = list(follow(TEXT[start:], tmp_path))
    assert [(settled(one.printed), one.code) for one in done] == [(settled(one.shown), 0) for one in done]
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and file.suffix != ".yaml"]
    asked = CliRunner().invoke(
        app, ["ask", "--edition", str(tmp_path / "late"), "--engine", "quick"], input="6\nw\ns\n2\n"
    )
    assert asked.exit_code == 0 and "West's side loses the board." in asked.stdout, asked.stderr
    assert "6  A player came late" in asked.stderr


@pytest.mark.thorough
def test_a_draft_and_what_it_means_to_do(tmp_path: Path) -> None:
    done = list(follow(PROPERTIES.read_text(encoding="utf-8"), tmp_path))
    assert [settled(one.printed) for one in done] == [settled(one.shown) for one in done]
    assert [one.code for one in done] == [1, 1, 0, 1]
