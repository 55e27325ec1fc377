"""The front door in Python: its examples, and that it gives what the commands give."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kb
import kb.front
from facts.incident import Incident

HERE = Path(__file__).parents[2]
EXAMPLES = ("examples/revoke.yaml", "examples/full-record.yaml")
OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


def command(*words: str) -> str:
    """What ``revoke`` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "kb.cli", *words], capture_output=True, check=True, timeout=60, encoding="utf-8"
    )
    return done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("module", [kb, kb.front], ids=["kb", "kb.front"])
def test_the_examples_of_the_docstrings(module: object) -> None:
    found = doctest.testmod(module, optionflags=OPTIONS)
    assert found.attempted
    assert not found.failed


def test_the_example_of_the_readme() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    example = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    assert example.examples
    assert not doctest.DocTestRunner(optionflags=OPTIONS).run(example).failed


def test_what_it_offers_can_be_listed() -> None:
    assert set(dir(kb)) == set(kb.__all__)
    assert all(hasattr(kb, name) for name in dir(kb))
    assert set(kb.editions()) == {file.parent.name for file in (HERE / "rules").glob("*/edition.yaml")}
    assert repr(kb.Law()) == "<Law duplicate-2017>"


def test_what_cannot_be_read_is_raised_where_it_is_to_be_ruled_on() -> None:
    (missing,) = kb.read("no-such-file.yaml")
    with pytest.raises(kb.InputError, match=r"no-such-file\.yaml"):
        kb.Law().rule(missing)


@pytest.mark.thorough
def test_the_example_of_the_readme_has_types(tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    lines = [line[4:] for line in block.splitlines() if line.startswith((">>> ", "... "))]
    (tmp_path / "example.py").write_text("\n".join(lines) + "\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "example.py")],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("file", EXAMPLES)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_ruling_is_what_the_command_gives(file: str, lang: str) -> None:
    (incident,) = kb.read(file)
    assert isinstance(incident, Incident)
    ruling = kb.Law().rule(incident)
    assert ruling.as_dict(lang) == json.loads(command("rule", file, "--format", "json", "--lang", lang))
    assert ruling.told(lang) == command("rule", file, "--lang", lang)
    assert ruling.told(lang, "appeal") == command("rule", file, "--lang", lang, "--voice", "appeal")


@pytest.mark.thorough
def test_a_law_rules_by_itself_whatever_an_incident_names() -> None:
    incident = kb.incident((HERE / EXAMPLES[0]).read_text("utf-8"))
    ruling = kb.Law("duplicate-2007", ["dbv-2007"], engine="quick").rule(incident)
    given = ruling.as_dict()
    assert (given["edition"], given["elections"]) == ("duplicate-2007", ["dbv-2007"])
    assert repr(ruling).startswith("<Ruling duplicate-2007+dbv-2007: ")


def test_a_board_that_cannot_be_read_is_a_value(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("declarer: Q\ncontract: 9S\n")
    (found,) = kb.read(tmp_path / "one.yaml")
    assert isinstance(found, kb.InputError)
    assert [fault.place.line for fault in found.faults] == [1, 2]


def test_every_fault_of_the_rules_is_told_with_its_place() -> None:
    with pytest.raises(kb.RulesError) as raised:
        kb.Law("duplicate-2017", ["no-such-election"])
    assert all(fault.mend for fault in raised.value.faults)


def test_what_is_not_known_shows_in_the_short_form() -> None:
    incident = kb.incident("{declarer: S, contract: 4S, revokes: [{hand: W, trick: 5, next-trick: led}]}")
    assert re.match(r"<Ruling duplicate-2017: \d to \d tricks to NS; ", repr(kb.Law().rule(incident)))


def test_no_other_language_or_voice_than_there_is() -> None:
    (incident,) = kb.read(EXAMPLES[0])
    assert isinstance(incident, Incident)
    ruling = kb.Law().rule(incident)
    with pytest.raises(ValueError, match="choose en or de"):
        ruling.told("fr")
    with pytest.raises(ValueError, match="whisper"):
        ruling.told(voice="whisper")


def test_importing_it_loads_nothing_yet() -> None:
    script = "import sys, kb; print(*(one for one in sys.modules if one.startswith(('kb', 'facts', 'typer', 'yaml'))))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, timeout=60, encoding="utf-8")
    assert done.stdout.split() == ["kb"]
    with pytest.raises(AttributeError):
        kb.no_such_name  # noqa: B018
