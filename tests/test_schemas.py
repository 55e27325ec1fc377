"""The JSON Schema of every sort of file: right files are accepted, what an editor should mark is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.json_schema import accepts
from support.ruling import ROOT, law
from typer.testing import CliRunner

from facts.readers.incident_file import UNDECLARED
from facts.yaml_reader import read_yaml
from kb.cli.main import app
from kb.language.folders import EDITION, ELECTIONS, MUTANTS, PROPERTIES, TABLE, VOCABULARY
from kb.schemas import all_schemas, schema_text

SAID = law().edition.table
SCHEMAS = all_schemas(law().edition.vocabulary, SAID)
NAMED = {
    VOCABULARY: "vocabulary",
    TABLE: "table",
    EDITION: "edition",
    "words.yaml": "words",
    "interview.yaml": "interview",
    "wider.yaml": "wider",
    "measures.yaml": "measures",
    "spoken.yaml": "spoken",
    PROPERTIES: "properties",
}
FILES = [file for file in sorted(ROOT.rglob("*.yaml")) if file.name != MUTANTS]


NUMBER_OF_1_2 = re.compile(r"\d+(\.\d*|(\.\d+)?[eE][-+]?\d+)")
"""What editors read as a number, and is none where we write it."""


def sort_of(file: Path) -> str:
    folders = {"cases": "case", ELECTIONS: "election"}
    return folders.get(file.parent.name) or NAMED.get(file.name, "law")


def allowed(sort: str, text: str) -> bool:
    return accepts(SCHEMAS[sort], read_yaml(text, "f").plain())


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_shipped_files_are_accepted(file: Path) -> None:
    assert allowed(sort_of(file), file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_shipped_files_quote_what_other_readers_take_for_a_number(file: Path) -> None:
    tokens = yaml.scan(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
    plain = [one for one in tokens if isinstance(one, yaml.ScalarToken) and one.plain]
    assert not [one.value for one in plain if NUMBER_OF_1_2.fullmatch(one.value)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_shipped_files_name_their_schema(file: Path) -> None:
    first = file.read_text(encoding="utf-8").splitlines()[0]
    folders = "../" * (len(file.relative_to(ROOT).parts) - 1)
    assert first == f"# yaml-language-server: $schema={folders}.schema/{sort_of(file)}.json"


@pytest.mark.parametrize("sort", list(SCHEMAS))
def test_the_schemas_beside_the_rules_are_up_to_date(sort: str) -> None:
    written = (ROOT / ".schema" / f"{sort}.json").read_text(encoding="utf-8")
    assert written == schema_text(SCHEMAS[sort]), "run: uv run revoke schema --write rules/.schema"


CASE = """
id: a
source: b
title: c
why: d
incident:
  contract: 4S
  declarer: S
  deal: "N:QJ74.K83.AQ5.K62 63.QJ94.T973.Q98 AKT95.A72.K6.A53 82.T65.J842.JT74"
  play: [W CJ CK H4 C3]
  events: [{after: "1.4", attention: {by: S}}, play-ended, {claimed: {by: S, tricks: 3}}]
  revokes: [{hand: W, trick: 5, card: H10, won-by: W, noticed: after-play}]
expect:
  - edition: duplicate-2017
    revokes: [{hand: W, trick: 5, status: established, exempt-by: [64B3]}]
    rectifications: [{kind: penalty-card, seat: E, degree: major, law: 62B1}]
    open: [{hand: W, trick: 5, what: won-by}]
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("contract: 4S", "contract: 8S"),
        ("declarer: S", "declarer: X"),
        ("declarer: S", "declerer: S"),
        ("W CJ", "X CJ"),
        ('after: "1.4"', 'after: "14.1"'),
        ("attention: {by: S}", "attention: {from: S}"),
        ("play-ended", "play-end"),
        ("tricks: 3", "tricks: three"),
        ("card: H10", "card: H1"),
        ("noticed: after-play", "noticed: afterwards"),
        ("won-by: W", "won-by: somebody"),
        ("{hand: W, trick: 5, card", "{player: anybody, card"),
        ("attention: {by: S}", "required: {by: S, of: W, how: lead}"),
        ("status: established", "status: settled"),
        ("penalty-card, seat", "penaltycard, seat"),
        ("degree: major", "degree: large"),
        ("what: won-by", "what: who-won"),
        ("why: d", ""),
    ],
)
def test_a_slip_in_a_case_is_marked(right: str, wrong: str) -> None:
    assert allowed("case", CASE)
    assert right in CASE
    assert not allowed("case", CASE.replace(right, wrong))


def test_words_and_questions_too() -> None:
    words = (ROOT / "words.yaml").read_text(encoding="utf-8")
    assert not allowed("words", words.replace("en: North,", "enn: North,"))
    assert not allowed("words", words.replace("    declarer: {", "    declerer: {"))
    questions = (ROOT / "interview.yaml").read_text(encoding="utf-8")
    assert not allowed("interview", questions.replace("first: {player:", "first: {playr:"))
    assert not allowed("wider", questions.replace("first: {player:", "first: {playr:"))
    assert allowed("wider", "questions: {hand: {answers: {dummy: {when: {another: none}}}}}")


def test_every_event_is_offered() -> None:
    parts = SCHEMAS["incident"]["$defs"]
    assert parts["event"]["properties"].keys() == {"after", *SAID.events}
    bare = parts["events"]["items"]["anyOf"][1]["enum"]
    assert {"play-ended", "round-ended", "dummy-lost-rights"} <= {*bare} < {*SAID.events}


def test_every_finding_is_offered_with_what_it_means_and_how_people_answer() -> None:
    found = SCHEMAS["incident"]["$defs"]["revoke"]["properties"]
    assert found.keys() == {*UNDECLARED, *SAID.findings}
    assert all(found[name]["description"].startswith(kind.means["en"]) for name, kind in SAID.findings.items())
    for said in (
        "won-by: opponent",
        "later-tricks: more",
        "played-after: everybody",
        "played-after: [N]",
        "faced: true",
    ):
        assert allowed("incident", f"revokes: [{{player: defender, {said}}}]"), said
    assert allowed("incident", "revokes: [{hand: W, cards: N H7 H3 - S4}]")
    for said in ("won-by: opponents", "later-tricks: many", "played-after: N", "faced: 1", "trick: 14"):
        assert not allowed("incident", f"revokes: [{{player: defender, {said}}}]"), said


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("findings:\n", "finding:\n"),
        ("    means: {en: ", "    means: {enn: "),
        ("    is: seat\n", ""),
        ("  round-ended:\n    means:", "  round-ended:\n    mean:"),
        ("    because: {en: ", "    reason: {en: "),
    ],
)
def test_a_slip_in_what_can_be_said_is_marked(right: str, wrong: str) -> None:
    text = (ROOT / TABLE).read_text(encoding="utf-8")
    assert right in text
    assert not allowed("table", text.replace(right, wrong, 1))


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["schema", *arguments])


@pytest.mark.thorough
def test_the_command_writes_all(tmp_path: Path) -> None:
    assert run("--write", str(tmp_path / "new" / "folder")).exit_code == 0
    assert {file.stem for file in (tmp_path / "new" / "folder").iterdir()} == {*SCHEMAS}
    assert run().exit_code == 2


def test_an_editor_reads_what_kinds_fields_findings_and_events_mean() -> None:
    definitions = SCHEMAS["law"]["$defs"]
    for kind in law().edition.vocabulary.kinds.values():
        shown = definitions[f"tests-{kind.name}"]
        assert shown["description"].startswith(kind.says["en"])
        assert kind.asks.get("en", "") in shown["description"]
        for field in kind.fields:
            assert shown["properties"][field.name]["description"].startswith(field.type)
    for sort in ("incident", "case"):
        parts = SCHEMAS[sort]["$defs"]
        found = parts["revoke"]["properties"]
        assert all(kind.asks.get("en", "") in found[name]["description"] for name, kind in SAID.findings.items())
        event = parts["event"]["properties"]
        assert all(event[name]["description"] == kind.means["en"] for name, kind in SAID.events.items())
