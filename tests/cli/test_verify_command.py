"""``revoke verify`` as it is typed, and what can be wrong with the files it is given."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.forger import document
from support.ruling import incident
from typer.testing import CliRunner

from facts.yaml_reader import read_yaml
from kb.cli.main import app
from kb.verify.verify import MOST_BYTES

STATED = "declarer: S\ncontract: 4S\nboard: '7'\nrevokes:\n  - {hand: W, trick: 5, suit: H, won-by: E, later-tricks: 1, next-trick: led}\n"
HOLDS = "board 7, duplicate-2017: holds"


def revoke(*args: str, text: str | bytes | None = None) -> Any:
    return CliRunner().invoke(app, [*args], input=text)


@pytest.fixture(scope="module")
def ruling() -> str:
    """A saved ruling."""
    done = revoke("rule", "-", "--format", "json", "--engine", "quick", text=STATED)
    assert done.exit_code == 0
    return str(done.stdout)


@pytest.mark.thorough
def test_rulings_that_hold(ruling: str, tmp_path: Path) -> None:
    file = tmp_path / "saved.json"
    file.write_text(ruling + "\n" + ruling, "utf-8")
    done = revoke("verify", str(file), "-", text=ruling)
    assert (done.exit_code, done.stderr) == (0, "")
    assert [line.startswith(f"{where}: {HOLDS}") for where, line in zip(
        (f"{file}:1", f"{file}:3", "-:1"), done.stdout.splitlines(), strict=True)] == [True] * 3  # fmt: skip


def test_one_that_does_not(ruling: str) -> None:
    altered = ruling.replace('"automatic-tricks": 1', '"automatic-tricks": 2')
    assert revoke("verify", "-", text=altered + ruling).exit_code == 1
    done = revoke("verify", "-", text=ruling + altered)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"-:1: {HOLDS}")
    assert done.stderr == (
        "-:2:1: revokes, entry 1 (hand W, trick 5): automatic-tricks is 2, and follows as 1; "
        "it was altered: rule on the incident again\n"
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"not json", "this is no saved ruling: "),
        (b"[]", "this is no saved ruling"),
        (b"7", "this is no saved ruling"),
        (b'{"edition": NaN}', "NaN is no number"),
        (b'{"edition": "a", "edition": "b"}', "'edition' is said twice"),
        (b'{"edition": "\xff"}', "this is not UTF-8"),
        (b'{"edition": "\\ud800"}', "this is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"edition": "", "record": ' + b"[" * 300 + b"]" * 300 + b"}", "cannot stand here"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "this is no saved ruling: 999999999… is no number"),
        (b'{"edition": "duplicate-2071", "elections": [], "record": {"incident": {}, "facts": [], "rules": {}}}',
         "there is no edition 'duplicate-2071'; did you mean duplicate-2017?"),
        (b'{"edition": "/etc", "elections": [], "record": {"incident": {}, "facts": [], "rules": {}}}',
         "there is no edition '/etc'"),
        (b'{"edition": "duplicate-2017", "elections": ["x"], "record": {"incident": {}, "facts": [], "rules": {}}}',
         "x"),
        (b'{"edition": 3, "elections": 1e999, "record": [{}]}', "3 cannot stand here"),
    ],
    ids=range(14),
)  # fmt: skip
def test_what_is_no_saved_ruling_is_refused_and_the_next_one_read(text: bytes, what: str, ruling: str) -> None:
    done = revoke("verify", "-", text=text + b"\n" + ruling.encode())
    assert done.exit_code == 1
    assert done.stderr.startswith("-:1:1: ")
    assert what in done.stderr
    assert done.stdout.startswith(f"-:2: {HOLDS}")
    assert done.exception is None or isinstance(done.exception, SystemExit)


def test_a_line_that_may_have_no_end_is_the_last_that_is_read(ruling: str) -> None:
    done = revoke("verify", "-", text=f"{ruling.strip()}\n{' ' * MOST_BYTES}{{}}\n{ruling}")
    assert done.exit_code == 1
    assert done.stdout.startswith(f"-:1: {HOLDS}") and "-:2" not in done.stdout and "-:3" not in done.stdout
    assert done.stderr.startswith("-:2:1: this is more than 2,000,000 bytes, and no ruling is; what comes after it")
    if Path("/dev/zero").exists():
        assert revoke("verify", "/dev/zero").stderr.startswith("/dev/zero:1:1: this is more than")


def test_where_there_is_no_ruling_nothing_holds() -> None:
    done = revoke("verify", "-", text="\n \n")
    assert done.exit_code == 1
    assert done.stderr.startswith("-:1:1: there is no ruling in it; ")


@pytest.mark.thorough
def test_what_a_document_says_cannot_move_the_cursor() -> None:
    board = json.dumps(document(replace(incident(read_yaml(STATED, "text").plain()), board="7\n\x1b[2J")))
    done = revoke("verify", "-", text=board)
    assert done.stdout.splitlines()[0].startswith("-:1: board 7\\n\\u001b[2J, duplicate-2017: holds")
    worse = revoke("verify", "-", text=board.replace('"receipt": "', '"receipt": "\\u202e'))
    assert len(worse.stderr.splitlines()) == 1
    assert "\u202e" not in worse.stderr


def test_a_file_that_is_not_there_and_a_wrong_command_line() -> None:
    assert "nowhere.json:1:1: there is no such file" in revoke("verify", "nowhere.json").stderr
    assert revoke("verify", "nowhere.json").exit_code == 1
    assert revoke("verify").exit_code == 2
    assert revoke("verify", "-", "--edition", "nowhere").exit_code == 2
