"""``revoke ask``: by keys, by a file of answers, saved and exported."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.counsel import ELECTIONS, ROOT, counsel_of, endings
from typer.testing import CliRunner

from facts.readers.incident import read_incident
from kb.cli.asking import incident_file
from kb.cli.main import app
from kb.interview.session import Consultation
from kb.interview.telling import in_order
from kb.language.folders import editions
from kb.ruling.laws import Laws
from kb.ruling.rule import rule
from kb.ruling.verdict import verdict
from kb.space.interview import UNKNOWN

pytestmark = pytest.mark.thorough

EDITION = "duplicate-2017"


def ask(*args: str, keys: str = "") -> Any:
    return CliRunner().invoke(app, ["ask", "--engine", "quick", *args], input=keys)


def answers_file(folder: Path, answers: dict[str, str]) -> str:
    file = folder / "answers.yaml"
    file.write_text(yaml.safe_dump(answers), "utf-8")
    return str(file)


@pytest.fixture(scope="module")
def ended() -> Consultation:
    """An interview that moves a trick."""
    ends = endings(counsel_of(EDITION).adviser.begin())
    return next(one for one in ends if rule_at(one, "transfer").get("declaring") == 2)


def rule_at(ended: Consultation, key: str) -> Any:
    counsel = counsel_of(EDITION)
    return verdict(rule(counsel.law, counsel.stated(ended)))[key]


def test_by_keys(ended: Consultation) -> None:
    keys, consultation = ["x", "99", "?", "1", "b"], ended.restart()
    for _, answer in ended.given:
        shown = in_order(consultation.adviser.survey.interview, consultation.question.id, consultation.choices)
        keys.append(str(shown.index(answer) + 1))
        consultation = consultation.answer(answer)
    done = ask(keys="\n".join([*keys, ""]))
    assert done.exit_code == 0, done.stderr
    assert "2 tricks to declarer's side." in done.stdout
    assert not re.search("West|South|trick 5|hearts", done.stdout), "nothing that nobody said"
    assert "observed" not in done.stdout, "the ruling stays in view"
    behind = ask(keys="\n".join([*keys, "p", "l", "a", "", ""])).stdout
    assert behind.startswith(done.stdout)
    assert "observed" in behind.removeprefix(done.stdout), "the proof on its key"
    assert "64A1  " in behind and "the wrong card was" in behind
    assert done.stderr.count("That is none of the answers.") == 2
    assert "It matters for: Law" in done.stderr
    assert "For instance" in done.stderr, "why"
    assert "Certain already" in done.stderr


def test_restart_and_quit() -> None:
    done = ask(keys="1\n1\nr\n1\nq\n")
    assert done.exit_code == 130
    assert done.stderr.count("Question 1:") == 2
    assert done.stdout == ""
    assert ask(keys="1\n").exit_code == 130, "the end of the input"


def test_in_german() -> None:
    done = ask("--lang", "de", keys="1\nz\nw\nq\n")
    assert done.stderr.count("Frage 1:") == 2
    assert "Frage 2:" in done.stderr


def test_a_file_of_answers_saved_and_ruled_on(ended: Consultation, tmp_path: Path) -> None:
    saved = tmp_path / "incident.yaml"
    done = ask("--answers", answers_file(tmp_path, dict(ended.given)), "--format", "json", "--save", str(saved))
    assert done.exit_code == 0, done.stderr
    asked = json.loads(done.stdout)
    ruled = json.loads(CliRunner().invoke(app, ["rule", str(saved), "--engine", "quick", "--format", "json"]).stdout)
    for key in ("revokes", "transfer", "rectifications", "director", "cited", "open", "edition"):
        assert asked[key] == ruled[key]


@pytest.mark.parametrize(
    "code", [*editions(ROOT), *ELECTIONS] if os.environ.get("REVOKE_ALL") else ["duplicate-2017", "auction-1912"]
)
def test_every_saved_incident_gives_the_ruling_of_the_interview(code: str) -> None:
    counsel, laws = counsel_of(code), Laws(ROOT, "quick")
    edition = counsel.law.edition
    for one in list(endings(counsel.adviser.begin()))[::60]:
        stated = counsel.stated(one)
        named = type(stated)(**{**_fields(stated), "edition": edition.id, "elections": edition.elections})
        read = read_incident(incident_file(named), "saved.yaml")
        assert verdict(rule(laws.of(read.edition, read.elections), read)) == verdict(rule(counsel.law, named))


def _fields(of: Any) -> dict[str, Any]:
    return {name: getattr(of, name) for name in of.__dataclass_fields__}


def test_not_to_know_anything(tmp_path: Path) -> None:
    consultation = counsel_of(EDITION).adviser.begin()
    while consultation.question is not None:
        consultation = consultation.answer(UNKNOWN)
    saved = tmp_path / "incident.yaml"
    done = ask("--answers", answers_file(tmp_path, dict(consultation.given)), "--save", str(saved))
    assert done.exit_code == 1
    assert "rulings remain possible" not in done.stdout
    assert "It might still depend on" in done.stdout
    assert "Was there another revoke on this board?" in done.stdout
    assert "It hinges on this" in done.stdout
    assert not saved.exists()


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"hnad": "defender"}, "the interview has no question hnad; did you mean hand"),
        (
            {"another": "none"},
            "the question noticed is asked and not answered; add noticed: during-play | before-next-trick | after-play | after-hands-returned | after-call-on-next-board | after-round",
        ),
        (
            {"another": "none", "noticed": "north"},
            "north is no answer that is possible here; one of: during-play, before-next-trick, ",
        ),
        ({"another": ["none"]}, "this is no answer that is possible here"),
    ],
)
def test_answers_that_will_not_do(answers: dict[str, Any], expected: str, tmp_path: Path) -> None:
    done = ask("--answers", answers_file(tmp_path, answers))
    assert done.exit_code == 1
    assert expected in done.stderr
    assert re.search(r"answers\.yaml:[12]:\d", done.stderr)
    assert done.stdout == ""


def test_the_chart_and_the_sheet_are_written(tmp_path: Path) -> None:
    revoke = CliRunner()
    done = revoke.invoke(app, ["chart", "auction-1912", "--write", str(tmp_path / "charts")])
    assert done.exit_code == 0
    assert [file.name for file in (tmp_path / "charts").iterdir()] == ["auction-1912.html"]
    printed = revoke.invoke(app, ["chart", "auction-1912"]).stdout
    assert printed == (tmp_path / "charts" / "auction-1912.html").read_text("utf-8")
    assert revoke.invoke(app, ["chart", "auction-1912", "--format", "text"]).stdout.startswith("A revoke\n")
    assert revoke.invoke(app, ["chart", "auction-1912", "--format", "mermaid"]).stdout.startswith("---\ntitle: ")
    sheet = tmp_path / "sheet.html"
    done = revoke.invoke(app, ["quiz", "auction-1912", "--seed", "1", "--sheet", str(sheet), "--questions", "5"])
    assert done.exit_code == 0, done.stderr
    text = sheet.read_text("utf-8")
    exercises, answers = text.split('class="answers"')
    assert exercises.count("<section>") == answers.count("<section>") == 5
    assert "break-before: page" in text
