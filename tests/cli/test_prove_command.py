"""``revoke prove`` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.claims import all_claimed, root
from support.drafts import draft
from typer.testing import CliRunner, Result

from kb.cli.main import app

CLAIMS = {"holds-everywhere": "then: {revoke: {}}", "fails-somewhere": "then: {status: {is: established}}"}


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return draft(tmp_path / "my-draft", "laws: {}\n", all_claimed(CLAIMS))


def prove(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["prove", *map(str, arguments), "--rules", str(root())])


def read(*arguments: object) -> dict[str, Any]:
    """The one object that is printed."""
    found = json.loads(prove(*arguments, "--format", "json").stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.thorough
def test_what_holds_and_what_does_not(mine: Path) -> None:
    both = prove(mine)
    assert both.exit_code == 1
    assert "holds-everywhere: A claim.\n  - holds in 226 situations\n" in both.stdout
    assert "It ought to hold: It is meant so." in both.stdout
    assert both.stdout.splitlines()[-1] == "Properties: 2. 1 hold, 0 hold but for what is expected, 1 fail."
    one = prove(mine, "--property", "holds-everywhere")
    assert (one.exit_code, one.stdout.splitlines()[-1]) == (
        0,
        "Properties: 1. 1 hold, 0 hold but for what is expected, 0 fail.",
    )


@pytest.mark.thorough
def test_in_german(mine: Path) -> None:
    told = prove(mine, "--lang", "de")
    assert told.exit_code == 1
    assert "holds-everywhere: Eine Behauptung.\n  - gilt in 226 Situationen\n" in told.stdout
    assert told.stdout.splitlines()[-1].startswith("Eigenschaften: 2. 1 gelten, ")
    assert read(mine, "--lang", "de")["properties"][0]["says"] == "Eine Behauptung."


@pytest.mark.thorough
def test_a_language_that_is_not_there_is_refused(mine: Path) -> None:
    for form in ("text", "json"):
        told = prove(mine, "--lang", "fr", "--format", form)
        assert (told.exit_code, told.stdout) == (2, "")
        assert told.stderr == "--lang:1:1: the rules are not written in fr; write one of en, de\n"


@pytest.mark.thorough
def test_the_object_says_what_the_text_says(mine: Path) -> None:
    told, found = prove(mine).stdout, read(mine)
    assert (found["edition"], found["situations"], found["holds"]) == ("my-draft", 226, False)
    by_name = {one["name"]: one for one in found["properties"]}
    assert [*by_name] == [*CLAIMS]
    holds, fails = by_name.values()
    assert (holds["standing"], holds["tried"], holds["refuted"], holds["example"]) == ("holds", 226, 0, None)
    assert f"{fails['refuted']} OF {fails['tried']} SITUATIONS" in told
    assert fails["example"]["answers"][0]["next-trick"] == "no"
    assert read(mine, "--property", "holds-everywhere")["holds"]


@pytest.mark.thorough
def test_the_incident_of_an_example_is_ruled_on_as_is_told(mine: Path, tmp_path: Path) -> None:
    (incident,) = read(mine, "--property", "fails-somewhere")["properties"][0]["example"]["incidents"]
    file = tmp_path / "incident.yaml"
    file.write_text(json.dumps(incident), encoding="utf-8")
    ruled = CliRunner().invoke(app, ["rule", str(file), "--edition", str(mine), "--rules", str(root())])
    assert ruled.exit_code == 0, ruled.output
    assert "must be corrected" in ruled.stdout
    assert "must be corrected" in prove(mine).stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["--property", "holds-everywher"],
            "nothing of that name is claimed of my-draft; did you mean holds-everywhere?",
        ),
    ],
)
def test_what_is_not_there_is_refused(mine: Path, arguments: list[str], told: str) -> None:
    found = prove(mine, *arguments)
    assert (found.exit_code, found.stdout) == (2, "")
    assert told in found.stderr


def test_an_unknown_edition_is_refused() -> None:
    found = prove("duplicate-2016")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "there is no edition duplicate-2016; did you mean duplicate-2017?" in found.stderr


@pytest.mark.thorough
def test_a_faulty_file_is_refused_with_its_place(tmp_path: Path) -> None:
    mine = draft(tmp_path / "my-draft", "laws: {}\n", all_claimed({"mine": "never: [{revok: {}}]"}))
    found = prove(mine)
    assert (found.exit_code, found.stdout) == (2, "")
    assert "properties.yaml:5:14: unknown kind revok; did you mean revoke?" in found.stderr
