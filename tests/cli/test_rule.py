"""``revoke rule`` on good and bad input, through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from facts.errors import EngineError
from facts.incident import Incident
from kb.cli.common import Boards
from kb.cli.main import app

GOOD = "declarer: S\ncontract: 4S\nrevokes:\n  - {hand: W, trick: 5, suit: H, card: S4, won-by: W, later-tricks: 2, next-trick: led}\n"
BOMB = 'a: &a ["x","x"]\nb: &b [*a,*a]\nc: &c [*b,*b]\n'
DEAL = 'deal: "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"\n'

BAD = {
    "empty": (b"", "is empty"),
    "binary": (b"\x00\x01\x02revoke", "1:1: "),
    "latin-1": ("declarer: S\ntitle: Münz".encode("latin-1"), "UTF-8"),
    "yaml-bomb": (BOMB.encode(), "1:4: "),
    "ten-megabyte-line": (b"board: " + b"x" * 10_000_000, "MB"),
    "deep": (b"[" * 100_000, "deep"),
    "no-such-card": (b"revokes: [{hand: W, trick: 5, card: S1}]", "1:37: "),
    "fourteen-cards": (b'deal: "N:AKQJT98765432.A.. - - -"', "14 cards"),
    "card-in-two-hands": (b'deal: "N:A... A... - -"', "SA is in the hands of N and E"),
    "event-after-nothing": (
        GOOD.encode() + b'play: ["W CA C3 C2 C7"]\nevents:\n  - {after: "5.3", attention: {by: S}}\n',
        "7:",
    ),
    "trick-fourteen": (b"revokes: [{hand: W, trick: 14}]", "1:28: "),
    "unknown-key": (b"declerer: S", "declarer"),
    "unknown-edition": (b"edition: duplicate-2071\ndeclarer: S", "duplicate-2017"),
    "not-a-mapping": (b"- 1", "1:1: "),
}


def revoke(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs the command."""
    return subprocess.run(
        [sys.executable, "-m", "kb.cli", *args], input=stdin, capture_output=True, check=False, timeout=60
    )


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """An incident that can be ruled on."""
    file = tmp_path / "good.yaml"
    file.write_text(GOOD)
    return file


@pytest.mark.thorough
@pytest.mark.parametrize("fault", BAD)
def test_bad_input_is_told_with_its_place_and_the_rest_is_ruled(fault: str, good: Path, tmp_path: Path) -> None:
    content, words = BAD[fault]
    bad = tmp_path / f"{fault}.yaml"
    bad.write_bytes(content)
    done = revoke("rule", str(bad), str(good), "--format", "json")
    told = done.stderr.decode()
    assert done.returncode == 1
    assert "Traceback" not in told
    assert told.startswith(f"{bad}:")
    assert words in told
    assert [json.loads(line)["transfer"] for line in done.stdout.splitlines()] == [{"NS": 2, "EW": 0}]


def test_the_status_tells_a_ruling_that_hinges_on_what_is_not_known(good: Path, tmp_path: Path) -> None:
    open_, bad = tmp_path / "open.yaml", tmp_path / "bad.yaml"
    open_.write_text(GOOD.replace("won-by: W, ", ""))
    bad.write_text("declerer: S")
    files = [[good], [good, open_], [open_, bad, good]]
    assert [CliRunner().invoke(app, ["rule", *map(str, some)]).exit_code for some in files] == [0, 3, 1]


@pytest.mark.thorough
def test_nothing_but_rulings_on_standard_output(good: Path) -> None:
    done = revoke("rule", str(good), "--format", "json")
    assert done.returncode == 0 and done.stderr == b""
    ruling = json.loads(done.stdout)
    assert ruling["cited"] == ["61A", "63A1", "64A1"]
    assert {
        "source",
        "board",
        "edition",
        "elections",
        "revokes",
        "transfer",
        "rectifications",
        "director",
        "open",
    } <= set(ruling)
    assert {"presumed", "result", "cited", "text", "proof", "receipt"} <= set(ruling)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "args",
    [
        ["rule"],
        ["rule", "x", "--edition", "nonsense"],
        ["rule", "x", "--lang", "xx"],
        ["nonsense"],
        ["rule", "x", "--engine", "z"],
    ],
)
def test_a_wrong_command_line_is_status_2(args: list[str], good: Path) -> None:
    done = revoke(*[str(good) if arg == "x" else arg for arg in args])
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.thorough
def test_standard_input(good: Path) -> None:
    assert revoke("rule", "-", stdin=good.read_bytes()).stdout.startswith(b"Laws of Duplicate Bridge 2017\n2 tricks to")


def test_one_bad_board_of_many_loses_no_other(tmp_path: Path) -> None:
    board = '[Board "{}"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{}"]\n[Declarer "E"]\n[Contract "3NT"]\n[Play "S"]\nH7 H3 HJ HQ\n*\n\n'
    deal = DEAL[7:-2]
    file = tmp_path / "boards.pbn"
    file.write_text(board.format(1, deal) + board.format(2, "N:AA.. - - -") + board.format(3, deal))
    done = revoke("rule", str(file), "--format", "json")
    assert done.returncode == 1
    assert [json.loads(line)["board"] for line in done.stdout.splitlines()] == ["1", "3"]
    assert done.stderr.startswith(f"{file}:14:".encode())


@pytest.mark.thorough
def test_both_engines_say_the_same(good: Path) -> None:
    durable, python = (revoke("rule", str(good), "--format", "json", "--engine", one) for one in ("durable", "quick"))
    assert durable.stdout == python.stdout != b""


LONG = "a" * 5000


@pytest.mark.thorough
@pytest.mark.parametrize("option", ["--edition", "--rules"])
def test_a_name_without_end_is_no_name(option: str, good: Path) -> None:
    done = revoke("rule", option, LONG, str(good))
    told = done.stderr.decode()
    assert done.returncode == 2
    assert "Traceback" not in told
    assert len(told) < 500


@pytest.mark.thorough
def test_an_edition_whose_links_lead_in_a_circle(good: Path, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    done = revoke("rule", "--edition", str(tmp_path / "loop"), str(good))
    assert done.returncode == 2
    assert "there is no edition" in done.stderr.decode()


@pytest.mark.thorough
def test_an_edition_with_a_name_without_end_stops_no_other_board(good: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(f"edition: {'a' * 300}\n{GOOD}")
    done = revoke("rule", str(bad), str(good), "--format", "json")
    assert done.returncode == 1
    assert f"{bad}:1:10: there is no edition aaa" in done.stderr.decode()
    assert len(done.stdout.splitlines()) == 1
    done = revoke("audit", str(tmp_path), "--format", "jsonl", "--workers", "1")
    entries = [json.loads(line)["entry"] for line in done.stdout.splitlines()]
    assert entries == ["not-ruled", "ruling", "summary"]


def test_an_engine_that_fails_on_one_board_rules_on_the_others(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(f"board: 13\n{GOOD}")
    boards = Boards(None, "en", "quick")

    def act(incident: Incident) -> None:
        if incident.board == "13":
            raise EngineError("the engine failed")
        ruled.append(incident.place.file)

    ruled: list[str] = []
    assert not boards.each([str(other), str(good)], act)
    assert ruled == [str(good)]
    assert capsys.readouterr().err == f"{other}:1:1: the engine failed\n"
