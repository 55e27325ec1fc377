"""What commands print and write: nothing controls the terminal, nothing is half written, nothing ends in a traceback."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from cli.test_rule import GOOD, revoke
from rich.progress import Progress
from support.house import HERE

from facts.errors import InputError
from facts.printable import printable
from kb.cli.common import write
from kb.cli.terminal import PlainStream
from kb.explain.console import PlainConsole

EVIL = "\x1b]0;PWNED\x07\x1b[31m"
FULL = Path("/dev/full")


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """An incident that can be ruled on."""
    file = tmp_path / "good.yaml"
    file.write_text(GOOD)
    return file


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """The same, of a board that would control the terminal."""
    file = tmp_path / "evil.yaml"
    file.write_text(f"board: {json.dumps(EVIL)}\n{GOOD}")
    return file


def ended(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the command through a shell, ``revoke`` being ours."""
    command = command.replace("revoke", f"{sys.executable} -m kb.cli", 1)
    return subprocess.run(command, shell=True, capture_output=True, check=False, env={**os.environ, **environment})


@pytest.mark.thorough
@pytest.mark.parametrize(
    "options",
    [
        ["rule"],
        ["rule", "--voice", "editor"],
        ["rule", "--format", "json"],
        ["rule", "--format", "html"],
        ["rule", "--format", "markdown"],
        ["unfold"],
        ["audit"],
        ["audit", "--format", "jsonl"],
    ],
)
def test_the_name_of_a_board_controls_no_terminal(options: list[str], evil: Path) -> None:
    command, *others = options
    done = revoke(command, str(evil), *others)
    assert b"PWNED" in done.stdout
    assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", done.stdout)


def test_nor_does_the_name_of_a_file_or_of_a_member(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(f"{EVIL}\nb.pbn", '[Board "1"]\n[Contract "9S"]\n')
    done = revoke("rule", str(tmp_path / "a.zip"), f"{EVIL}\n")
    assert len(done.stderr.splitlines()) == 2
    assert b"\x1b" not in done.stderr
    assert b"\x07" not in done.stderr


def test_both_rulings_are_printed_as_they_are(evil: Path) -> None:
    done = revoke("what-if", str(evil), "won-by=S")
    assert b"\x1b" not in done.stdout


@pytest.mark.thorough
def test_a_terminal_without_our_letters(good: Path) -> None:
    plain = ended(f"revoke rule {good}", PYTHONIOENCODING="ascii")
    assert (plain.returncode, plain.stderr) == (0, b"")
    told = ended(f"revoke rule --format json {good}", PYTHONIOENCODING="ascii")
    assert json.loads(told.stdout.decode("ascii")) == json.loads(revoke("rule", "--format", "json", str(good)).stdout)


@pytest.mark.thorough
@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("options", ["", "--voice editor", "--format json", "--format html"])
def test_an_output_without_room(good: Path, options: str) -> None:
    done = ended(f"revoke rule {good} {options} > {FULL}")
    assert done.returncode == 2
    assert done.stderr == b"the output cannot be written: No space left on device\n"


def test_a_pipe_that_nobody_reads_is_no_fault(good: Path) -> None:
    done = ended(f"revoke rule {' '.join([str(good)] * 200)} --format json | head -c 1")
    assert done.stderr == b""


def test_an_output_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(InputError, match="Is a directory"):
        write(folder, "new")
    assert list(tmp_path.iterdir()) == [folder]


def test_an_output_that_is_a_link_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(tmp_path.iterdir()) == [link, target]


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    old = tmp_path / "case.json"
    old.write_text("old")
    done = ended(f"ulimit -f 4; revoke schema --write {tmp_path}")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert old.read_text() == "old"


def test_nothing_else_prints() -> None:
    """Consoles are ours: one of ``rich`` itself would send on whatever it is given."""
    made = re.compile(r"(?<!Plain)Console\(")
    files = [file for package in ("facts", "kb") for file in (HERE / package).rglob("*.py")]
    assert [str(file) for file in files if made.search(file.read_text("utf-8")) and file.name != "console.py"] == []


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["rule", "verify", "audit"])
def test_standard_input_that_is_closed_is_empty(command: str) -> None:
    done = ended(f"revoke {command} - <&-")
    assert done.returncode == 1 and b"Traceback" not in done.stderr
    assert b"the file is empty" in done.stdout + done.stderr or b"there is no ruling in it" in done.stderr


@pytest.mark.thorough
def test_standard_output_that_is_closed_is_told(good: Path) -> None:
    done = ended(f"revoke rule {good} >&-")
    assert done.returncode == 2 and b"cannot be written" in done.stderr
    assert ended(f"revoke rule {good} 2>&-").returncode == 0


@pytest.mark.thorough
@pytest.mark.parametrize("lost", ["2>&-", "2>/dev/full", "2> >(true)"])
def test_what_cannot_be_told_of_one_board_costs_no_other(good: Path, tmp_path: Path, lost: str) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("nonsense: 1")
    command = f"revoke rule {' '.join([str(bad)] * 3)} {good} {lost}".replace("'", "")
    found = ended(f"bash -c '{command.replace('revoke', f'{sys.executable} -m kb.cli', 1)}'")
    assert found.returncode == 1 and b"tricks to" in found.stdout, found.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="whoever may do everything may write to it")
def test_a_file_that_may_not_be_written_to_stays(tmp_path: Path) -> None:
    file = tmp_path / "kept.txt"
    file.write_text("kept")
    file.chmod(0o444)
    with pytest.raises(InputError, match="Permission denied"):
        write(file, "new")
    assert file.read_text() == "kept"


def test_marks_that_turn_the_direction_of_writing_are_shown() -> None:
    assert printable("a\u200e\u200f\u061c\u202eb") == r"a\u200e\u200f\u061c\u202eb"


def test_a_bar_is_drawn_whatever_prints_into_it(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", PlainStream(screen))
    console = PlainConsole(stderr=True, force_terminal=True, width=80)
    with Progress(console=console, transient=True) as progress:
        progress.update(progress.add_task("rules", total=2), advance=1, refresh=True)
    assert "\x1b[" in screen.getvalue() and "u001b" not in screen.getvalue()
