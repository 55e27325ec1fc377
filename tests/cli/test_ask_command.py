"""``revoke ask``: by keys, and saved."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kb.cli.main import app

pytestmark = pytest.mark.thorough

KEYS = ("w", "s", "2", "3", "0")
"""West revoked, South declares, played on and West won, one later trick or more, nothing unusual."""


def ask(*args: str, keys: str = "", happened: str = "1") -> Any:
    return CliRunner().invoke(app, ["ask", "--engine", "quick", *args], input=f"{happened}\n{keys}")


def test_by_keys() -> None:
    done = ask(keys="\n".join(["x", "w", "l", "b", *KEYS]))
    assert done.exit_code == 0, done.stderr
    assert "2 tricks to North–South." in done.stdout
    assert "observed" not in done.stdout, "the ruling stays in view"
    assert done.stderr.count("That is none of the answers.") == 1
    assert "61A  " in done.stderr, "the law on its key"
    assert done.stderr.count("Question 2:") == 2, "one step back"
    assert "So far, if nothing is unusual" in done.stderr
    assert "West revoked · South declares · played on, West won" in done.stderr


def test_restart_and_quit() -> None:
    done = ask(keys="w\ns\nr\nq\n")
    assert done.exit_code == 130
    assert done.stderr.count("Question 1:") == 2
    assert done.stdout == ""
    assert ask(keys="w\n").exit_code == 130, "the end of the input"


def test_in_german() -> None:
    done = ask("--lang", "de", keys="o\nz\no\nv\n1\no\nq\n")
    assert (done.stderr.count("Frage 1:"), done.stderr.count("Frage 2:"), done.stderr.count("Frage 3:")) == (2, 3, 3)
    assert "Revoke von Ost" in done.stderr


def test_four_taps_lead_to_declarers_five_choices() -> None:
    shown = ask(keys="e\ns\n1\nq\n", happened="6").stderr.rpartition("Question 5:")[2]
    assert [f"{n}  {says}" in shown for n, says in enumerate(("Nothing yet", "Accepted it", "Begun to spread"), 1)] == [
        True
    ] * 3
    assert [f"and West {says}" in shown for says in ("must lead the suit", "must not lead", "may lead anything")] == [
        True
    ] * 3


def test_what_is_unusual_is_ticked_and_taken_back() -> None:
    done = ask(keys="w\ns\n2\n3\n2\n2\nq\n").stderr
    assert done.count("✓ It was trick 12") == 1
    assert done.count("It was trick 12") > 2


def test_answers_saved_and_ruled_on(tmp_path: Path) -> None:
    saved = tmp_path / "incident.yaml"
    done = ask("--format", "json", "--save", str(saved), keys="\n".join(KEYS))
    assert done.exit_code == 0, done.stderr
    asked = json.loads(done.stdout)
    ruled = json.loads(CliRunner().invoke(app, ["rule", str(saved), "--engine", "quick", "--format", "json"]).stdout)
    for key in ("revokes", "transfer", "rectifications", "director", "cited", "open", "edition"):
        assert asked[key] == ruled[key]
    assert asked["transfer"] == {"NS": 2, "EW": 0}


def test_what_nobody_knows_is_a_hinge_that_can_be_saved(tmp_path: Path) -> None:
    saved = tmp_path / "incident.yaml"
    done = ask("--save", str(saved), keys="\n".join(["w", "s", "5", "3", "0"]))
    assert done.exit_code == 3
    assert "It hinges on this" in done.stdout
    assert CliRunner().invoke(app, ["rule", str(saved), "--engine", "quick"]).stdout == done.stdout


def test_the_chart_and_the_sheet_are_printed() -> None:
    revoke = CliRunner()
    assert revoke.invoke(app, ["chart", "auction-1912"]).stdout.startswith("<!doctype html>")
    assert revoke.invoke(app, ["chart", "auction-1912", "--format", "mermaid"]).stdout.startswith("---\ntitle: ")
    done = revoke.invoke(app, ["quiz", "auction-1912", "--seed", "1", "--questions", "5"])
    assert done.exit_code == 0, done.stderr
    text = done.stdout
    exercises, answers = text.split('class="answers"')
    assert exercises.count("<section>") == answers.count("<section>") == 5
    assert "break-before: page" in text
    command = re.search(r"<code>revoke (.*)</code>", text)
    assert command is not None and revoke.invoke(app, command[1].split()).stdout == text
