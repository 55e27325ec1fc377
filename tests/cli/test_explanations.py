"""The commands that explain, through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kb.cli.main import app

GOOD = "declarer: S\ncontract: 4S\nboard: '7'\nrevokes:\n  - {hand: W, trick: 5, suit: H, card: S4, won-by: E, later-tricks: 1, next-trick: led}\n"


def revoke(*args: str) -> Any:
    return CliRunner().invoke(app, [*args, "--engine", "quick"])


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "incident.yaml"
    path.write_text(GOOD, "utf-8")
    return str(path)


@pytest.mark.thorough
def test_why_not(file: str) -> None:
    done = revoke("why-not", file, "64A1")
    assert done.exit_code == 0
    assert done.stdout.startswith("Law 64A1 does not apply. It would if West had won that trick.")
    assert revoke("why-not", file, "64A1", "--lang", "de").stdout.startswith("§ 64A1 greift nicht.")
    assert "### It would apply" in revoke("why-not", file, "64A1", "--format", "markdown").stdout


@pytest.mark.thorough
def test_a_clause_that_is_not_there(file: str) -> None:
    done = revoke("why-not", file, "64B99")
    assert done.exit_code == 2
    assert "duplicate-2017 has no clause 64B99; did you mean 64B" in done.stderr
    assert done.stdout == ""


def test_what_if(file: str) -> None:
    done = revoke("what-if", file, "won-by=W")
    assert done.exit_code == 0
    assert "New: Law 64A1" in done.stdout
    data = json.loads(revoke("what-if", file, "won-by=W", "edition=duplicate-2007", "--format", "json").stdout)
    assert (data["before"]["edition"], data["after"]["edition"]) == ("duplicate-2017", "duplicate-2007")


def test_a_change_that_cannot_be_made(file: str) -> None:
    done = revoke("what-if", file, "wonby=W")
    assert done.exit_code == 2
    assert "did you mean won-by?" in done.stderr
    assert done.stdout == ""


@pytest.mark.thorough
def test_unfold(file: str) -> None:
    done = revoke("unfold", file)
    assert done.exit_code == 0
    assert "West's side goes on after trick 5\n      From now on: Law 63A1" in done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("command", [["why-not", "64A1"], ["what-if", "won-by=W"], ["unfold"]])
def test_a_file_that_is_not_there(command: list[str]) -> None:
    done = revoke(command[0], "nowhere.yaml", *command[1:])
    assert done.exit_code == 1
    assert "nowhere.yaml:1:1: there is no such file" in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(("voice", "lang"), [("table", "en"), ("appeal", "de"), ("teaching", "en"), ("editor", "de")])
def test_each_voice_in_each_form(file: str, voice: str, lang: str) -> None:
    options = ["--voice", voice, "--lang", lang]
    text = revoke("rule", file, *options)
    assert text.exit_code == 0
    assert json.loads(revoke("rule", file, *options, "--format", "json").stdout)["text"] == text.stdout
    assert "64A2" in revoke("rule", file, *options, "--format", "markdown").stdout


@pytest.mark.thorough
def test_html(file: str) -> None:
    page = revoke("rule", file, "--format", "html", "--voice", "appeal")
    assert page.exit_code == 0
    assert page.stdout.startswith("<!doctype html>")
    assert page.stdout.count("<!doctype html>") == 1
    assert revoke("rule", file, file, "--format", "html").stdout.count("<article") == 2
