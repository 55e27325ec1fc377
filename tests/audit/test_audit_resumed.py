"""An audit that was interrupted goes on where it stopped; the number of workers changes nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from support.archive import board_with, write_archive
from support.pbn_writer import write_pbn
from support.ruling import ROOT
from typer.testing import CliRunner

from facts.errors import EngineError, InputError
from facts.readers.archives import units
from kb.audit import run
from kb.audit.auditor import Audited, Auditor, Job, begin
from kb.audit.run import Audit, Done, Journal, workers
from kb.cli.main import app

FILES = 12
LONG = 40
"""Files of a long archive, which is enough work to be interrupted in."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_archive(tmp_path_factory.mktemp("archive"), FILES, 4)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PIECE_UNITS", 1)


@cache
def auditor_here() -> Auditor:
    return begin(Job(ROOT))


def long_archive(folder: Path) -> Path:
    chance = Random(2)
    boards = write_pbn([board_with(1, 1, chance)] + [board_with(0, 2, chance)] * 99)
    folder.mkdir()
    for number in range(LONG):
        (folder / f"{number:02}.pbn").write_text(boards)
    return folder


def audited(archive: Path, state: Path | None, tell: Callable[[Done], None] = lambda _: None) -> list[Audited]:
    auditor = auditor_here()
    journal = None if state is None else Journal(state, auditor.state_digest)
    try:
        with workers(1) as on:
            return Audit(auditor, list(units([archive])), journal).run(on, tell)
    finally:
        if journal is not None:
            journal.close()


def interrupted(archive: Path, state: Path, after: int) -> None:
    told = []

    def tell(done: Done) -> None:
        told.append(done)
        if len(told) == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audited(archive, state, tell)


def test_what_is_done_is_not_done_again(archive: Path, tmp_path: Path) -> None:
    interrupted(archive, tmp_path / "output", 5)
    told: list[Done] = []
    results = audited(archive, tmp_path / "output", told.append)
    assert results == audited(archive, None)
    assert sorted(done.number for done in told) == list(range(FILES))
    assert sum(done.before for done in told) == 5


@pytest.mark.parametrize("torn", [b'{"unit": "x", "boa', b"\0\0\0\0", b'{"unit": "x"}\n{"unit"', b"[]\n"])
def test_a_line_that_was_not_finished_is_cut_off(archive: Path, tmp_path: Path, torn: bytes) -> None:
    state = tmp_path / "output"
    interrupted(archive, state, 5)
    whole = state.read_bytes()
    state.write_bytes(whole + torn)
    told: list[Done] = []
    assert audited(archive, state, told.append) == audited(archive, None)
    assert sum(done.before for done in told) == 5
    assert state.read_bytes().startswith(whole)
    assert len(state.read_bytes().splitlines()) == FILES + 1


@pytest.mark.thorough
@pytest.mark.parametrize("other", [b"[" * 100_000 + b"\n", b"\n"])
def test_what_stands_behind_a_line_that_cannot_be_read_is_done_anew(
    archive: Path, tmp_path: Path, other: bytes
) -> None:
    output = tmp_path / "output"
    interrupted(archive, output, 5)
    lines = output.read_bytes().splitlines(keepends=True)
    output.write_bytes(b"".join([*lines[:3], other, *lines[4:]]))
    told: list[Done] = []
    assert audited(archive, output, told.append) == audited(archive, None)
    assert sum(done.before for done in told) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_output_without_room_is_told(archive: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        Journal(Path("/dev/full"), "digest")
    journal = Journal(tmp_path / "output", "digest")
    with Path("/dev/full").open("wb", buffering=0) as journal._file, pytest.raises(InputError, match="make room"):
        journal.add("unit", Audited(1, 1, ()))


def test_a_file_that_has_changed_since_is_done_anew(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a", 3, 2)
    audited(archive, tmp_path / "output")
    changed = archive / "round-001.pbn"
    changed.write_text(changed.read_text() + "\n" + write_pbn([]))
    as_long = archive / "round-002.pbn"
    os.utime(as_long, ns=(0, as_long.stat().st_mtime_ns + 1))
    told: list[Done] = []
    audited(archive, tmp_path / "output", told.append)
    assert [done.unit.path for done in told if not done.before] == [str(changed), str(as_long)]


def test_a_file_that_could_not_be_read_is_not_done(tmp_path: Path) -> None:
    """The disk may have been away for a moment."""
    folder, away, state = tmp_path / "usb", tmp_path / "away", tmp_path / "output"
    write_archive(folder, 3, 2)

    def take_away(done: Done) -> None:
        if done.number == 0 and folder.is_dir():
            folder.rename(away)

    assert [one.read for one in audited(folder, state, take_away)] == [True, False, False]
    away.rename(folder)
    again: list[bool] = []
    found = audited(folder, state, lambda done: again.append(done.before))
    assert again == [True, False, False] and found == audited(folder, None)


@pytest.mark.thorough
def test_the_output_names_files_wherever_it_is_used(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the same name and size elsewhere is another."""
    state = tmp_path / "output"
    other = write_archive(tmp_path / "other" / archive.name, FILES, 4)
    for file in archive.iterdir():
        status = file.stat()
        os.utime(other / file.name, ns=(status.st_atime_ns, status.st_mtime_ns))
    again: list[bool] = []
    for folder in (archive, other):
        monkeypatch.chdir(folder.parent)
        audited(Path(folder.name), state, lambda done: again.append(done.before))
    assert again == [False] * 2 * FILES


def test_the_state_of_another_audit_is_refused(archive: Path, tmp_path: Path) -> None:
    interrupted(archive, tmp_path / "output", 2)
    before = (tmp_path / "output").read_bytes()
    with pytest.raises(InputError, match="other rules or options"):
        Journal(tmp_path / "output", "of another audit")
    with pytest.raises(InputError, match="other rules or options"):
        Journal(tmp_path / "output", begin(Job(ROOT, lang="de")).state_digest)
    assert (tmp_path / "output").read_bytes() == before


def test_what_stands_in_the_output_already_stays_until_the_end(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "output"
    assert Journal.fits(output)
    for there, fits in (("", True), ('{"entry": "ruling"}\n', False), ("Dear director", False)):
        output.write_text(there)
        assert Journal.fits(output) == fits
    output.unlink()
    interrupted(archive, output, 2)
    assert Journal.fits(output)


@pytest.mark.thorough
def test_nothing_stands_beside_the_output(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.txt"
    assert CliRunner().invoke(app, ["audit", str(archive), "--output", str(output)]).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]
    assert CliRunner().invoke(app, ["audit", str(archive)]).stdout == output.read_text()


@pytest.mark.thorough
def test_the_number_of_workers_changes_nothing(archive: Path) -> None:
    auditor, found = auditor_here(), list(units([archive]))
    with workers(3) as on:
        assert Audit(auditor, found).run(on, lambda _: None) == audited(archive, None)


@pytest.mark.thorough
def test_killed_and_started_again(tmp_path: Path) -> None:
    """The workers end as well, and the output is that of an audit without interruption."""
    archive = long_archive(tmp_path / "a")
    output = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "kb.cli", "audit", str(archive), "--format", "jsonl", "--output", str(output)]
    process = subprocess.Popen([*command, "--workers", "2"], start_new_session=True)
    wait_until(lambda: process.poll() is not None or (output.is_file() and output.read_bytes().count(b"\n") > 3))
    process.kill()
    assert process.wait() == -signal.SIGKILL, "it was over before it could be killed"
    header, *done = output.read_bytes().splitlines()
    assert b"unfinished" in header and 0 < len(done) < LONG
    wait_until(lambda: not is_alive(process.pid))
    subprocess.run([*command, "--workers", "2"], check=True)
    assert output.read_text().splitlines() == whole(archive)


def whole(archive: Path) -> list[str]:
    told = CliRunner().invoke(app, ["audit", str(archive), "--format", "jsonl", "--workers", "1"]).stdout.splitlines()
    assert json.loads(told[-1])["files"] == LONG
    return told


def is_alive(group: int) -> bool:
    """Whether any process of the group is there, and no mere remains of one."""
    return any(
        status.rpartition(")")[2].split()[0] != "Z" and int(status.rpartition(")")[2].split()[2]) == group
        for status in filter(None, map(read_status, Path("/proc").glob("[0-9]*/stat")))
    )


def read_status(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""


def wait_until(so: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


INTERRUPTED = """
import os, signal, sys
from kb.cli.main import main
from kb.audit.run import Audit

signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it would be ignored
run = Audit.run

def interrupted(self, on, tell):
    def told(done):
        tell(done)
        os.killpg(0, signal.SIGINT)

    return run(self, on, told)

Audit.run = interrupted
sys.argv = ["revoke", *sys.argv[1:]]
main()
"""
"""The command, which gets Ctrl+C as soon as the first unit is done, however busy the machine is."""


@pytest.mark.thorough
def test_an_interruption_is_told_with_how_to_go_on(tmp_path: Path) -> None:
    archive = long_archive(tmp_path / "a")
    output = tmp_path / "out.txt"
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "audit", str(archive), "--output", str(output), "--workers", "2"],
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr == f"Interrupted. What is done stands in {output}: the same command goes on from there.\n"
    assert output.read_bytes().count(b"\n") > 1


AT_WORK = """
import time
from kb.audit.run import workers

try:
    with workers(2) as on:
        assert on[0].submit(int, "7").result() == 7
        for _ in range(4):
            on[0].submit(time.sleep, 600)
        raise KeyboardInterrupt
except KeyboardInterrupt:
    print("over")
"""


def test_an_interruption_waits_for_no_work() -> None:
    """Else the command would only end when the boards at hand are done."""
    done = subprocess.run(
        [sys.executable, "-c", AT_WORK],
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "over\n", "")


def killed(number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_is_told() -> None:
    with pytest.raises(EngineError, match="was ended from outside"), workers(2) as on:
        on[0].submit(killed, 1).result()
