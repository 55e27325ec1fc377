"""A ruling says by which law it is given, of which day, and whether that was the law of the day."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.archive import board_with
from support.pbn_writer import write_pbn
from support.ruling import ROOT, incident, ruled, speaker_of
from typer.testing import CliRunner

from facts.to_yaml import as_yaml
from kb.cli.main import app
from kb.explain.as_json import ruling_json
from kb.explain.html import document
from kb.explain.page import as_text
from kb.verify.verify import Verifier
from kb.voices import Voice, saved, told

FOUND = {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "won-by": "W", "later-tricks": 2, "next-trick": "led"}
STATED: dict[str, Any] = {"contract": "4S", "declarer": "S", "revokes": [FOUND]}
DATED = {**STATED, "date": "2009-05-01", "jurisdiction": "ACBL"}
OTHER = {"hand": "N", "trick": 6, "suit": "D", "card": "S9", "won-by": "N", "later-tricks": 5, "next-trick": "led"}
BOTH_SIDES = {**STATED, "edition": "duplicate-1997", "revokes": [FOUND, OTHER]}
HEADING = "Laws of Duplicate Bridge 2007 (North America 2007: defenders may ask one another) · ACBL · 2009-05-01"
EARLY = (
    "This is ruled by the Laws of Duplicate Bridge 2017; on 2009-05-01 the Laws of Duplicate Bridge 2007 were in force."
)


@pytest.mark.parametrize("voice", [None, *Voice])
def test_every_voice_says_edition_election_and_day(voice: Voice | None) -> None:
    assert as_text(told(ruled(DATED), speaker_of(), voice), speaker_of()).startswith(HEADING)


@pytest.mark.thorough
def test_pages_and_pictures_say_it_too() -> None:
    ruling, speaker = ruled(DATED), speaker_of()
    assert document([(ruling, told(ruling, speaker), speaker)]).count(HEADING) >= 2


@pytest.mark.parametrize("voice", [None, Voice.APPEAL, Voice.TEACHING, Voice.EDITOR])
def test_that_another_law_was_in_force_is_told(voice: Voice | None) -> None:
    text = as_text(told(ruled({**DATED, "edition": "duplicate-2017"}), speaker_of(), voice), speaker_of())
    assert EARLY in text
    assert EARLY not in as_text(told(ruled(DATED), speaker_of(), voice), speaker_of())


def test_that_the_jurisdiction_had_chosen_otherwise_is_told() -> None:
    text = as_text(told(ruled({**DATED, "edition": "duplicate-2007"}), speaker_of("de")), speaker_of("de"))
    assert "ACBL hat in dieser Ausgabe anders gewählt (ACBL 2007: Gegenspieler dürfen einander fragen)" in text


@pytest.mark.parametrize(
    ("edition", "day", "in_force"),
    [("duplicate-2007", "2009-05-01", True), ("duplicate-2017", "2009-05-01", False), ("duplicate-2007", "2007-02-01", None)],
)  # fmt: skip
def test_json_says_whether_it_was_in_force(edition: str, day: str, in_force: bool | None) -> None:
    made = ruling_json(ruled({**STATED, "edition": edition, "date": day}), speaker_of())
    assert (made["date"], made["in-force"], made.get("jurisdiction")) == (day, in_force, None)
    assert not {"date", "in-force", "jurisdiction"} & ruling_json(ruled(STATED), speaker_of()).keys()


def test_where_the_clauses_come_from() -> None:
    ruling = ruled(BOTH_SIDES)
    assert "64B7" in ruling.cited
    minute = ruling_json(ruling, speaker_of())["provenance"]["64B7"]["minutes"][0]
    assert (minute["by"], minute["date"]) == ("WBF Laws Committee", "2001-11-01")
    text = as_text(told(ruling, speaker_of(), Voice.EDITOR), speaker_of())
    assert f"Minute (WBF Laws Committee, 2001-11-01): {minute['says']} [Law 64B7]" in text


@pytest.mark.thorough
@pytest.mark.parametrize("stated", [DATED, {**DATED, "edition": "duplicate-2017"}, {**STATED, "jurisdiction": "DBV"}])
def test_a_saved_ruling_keeps_its_day(stated: dict[str, Any]) -> None:
    document = json.loads(json.dumps(saved(ruled(stated), speaker_of())))
    assert Verifier(ROOT).verify(document).holds
    assert document["record"]["incident"].get("date") == stated.get("date")
    if "date" in stated:
        document["record"]["incident"]["date"] = "2010-05-01"
        assert "date is " in str(Verifier(ROOT).verify(document).faults)


def test_a_ruling_saved_without_provenance_holds() -> None:
    document = json.loads(json.dumps(saved(ruled(BOTH_SIDES), speaker_of())))
    assert document.pop("provenance")
    assert Verifier(ROOT).verify(document).holds


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "dated.pbn"
    file.write_text(write_pbn([replace(board_with(1, 2, Random(5)), date=date(2009, 5, 1))]))
    return file


def run(*args: str | Path) -> Any:
    return CliRunner().invoke(app, [*map(str, args)])


@pytest.mark.thorough
def test_a_record_is_ruled_by_the_law_of_its_day_when_that_is_asked_for(record: Path) -> None:
    usual, asked = (run("rule", record, *more).stdout for more in ((), ("--edition", "of-the-day")))
    assert "Laws of Duplicate Bridge 2017 · 2009-05-01" in usual and EARLY in usual
    assert "Laws of Duplicate Bridge 2007 · 2009-05-01" in asked and EARLY not in asked


@pytest.mark.thorough
def test_an_audit_says_the_day_and_goes_by_it_when_asked(record: Path) -> None:
    for more, edition in ((), "duplicate-2017"), (("--edition", "of-the-day"), "duplicate-2007"):
        first = json.loads(run("audit", record, "--format", "jsonl", *more).stdout.splitlines()[0])
        assert (first["entry"], first["edition"], first["date"]) == ("ruling", edition, "2009-05-01")
    assert "Each board by the law of its day" in run("audit", record, "--format", "html", *more).stdout


def test_no_law_of_the_day_without_a_day(tmp_path: Path) -> None:
    file = tmp_path / "undated.yaml"
    file.write_text(as_yaml(incident(STATED)))
    asked = run("rule", file, "--edition", "of-the-day")
    assert (asked.exit_code, asked.stdout) == (1, "")
    assert "it is not said on which day it was; state its date, or name an edition" in asked.stderr
