"""The number of workers changes nothing, and they end when the audit does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from support.archive import board_with, write_archive
from support.pbn_writer import write_pbn
from support.ruling import ROOT

from facts.errors import EngineError
from facts.readers.archives import units
from kb.audit import auditor as auditing
from kb.audit.auditor import Job, audited, begin, workers

FILES = 12
LONG = 40
"""Files of a long archive, which is enough work to be interrupted in."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_archive(tmp_path_factory.mktemp("archive"), FILES, 4)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "PIECE_UNITS", 1)


def long_archive(folder: Path) -> Path:
    chance = Random(2)
    boards = write_pbn([board_with(1, 1, chance)] + [board_with(0, 2, chance)] * 99)
    folder.mkdir()
    for number in range(LONG):
        (folder / f"{number:02}.pbn").write_text(boards)
    return folder


@pytest.mark.thorough
def test_the_number_of_workers_changes_nothing(archive: Path) -> None:
    auditor, found = begin(Job(ROOT)), list(units([archive]))
    with workers(1) as alone, workers(3) as on:
        three, one = dict(audited(auditor, found, on)), dict(audited(auditor, found, alone))
    assert three == one and sorted(three) == list(range(len(found)))


@pytest.mark.thorough
def test_workers_end_with_an_audit_that_is_killed(tmp_path: Path) -> None:
    archive = long_archive(tmp_path / "a")
    command = [sys.executable, "-m", "kb.cli", "audit", str(archive), "--workers", "2"]
    process = subprocess.Popen(command, start_new_session=True)
    wait_until(lambda: len(list(group(process.pid))) > 2)
    process.kill()
    assert process.wait() == -signal.SIGKILL, "it was over before it could be killed"
    wait_until(lambda: not list(group(process.pid)))


def group(leader: int) -> Iterator[str]:
    """The processes of the group that are there, and no mere remains."""
    for status in filter(None, map(read_status, Path("/proc").glob("[0-9]*/stat"))):
        state, _, number = status.rpartition(")")[2].split()[:3]
        if state != "Z" and int(number) == leader:
            yield status


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


AT_WORK = """
import time
from kb.audit.auditor import audited, workers

try:
    with workers(2) as on:
        assert on.submit(int, "7").result() == 7
        for _ in range(4):
            on.submit(time.sleep, 600)
        raise KeyboardInterrupt
except KeyboardInterrupt:
    print("over")
"""


def test_nothing_is_left_of_workers_for_the_end_of_python_to_stumble_over() -> None:
    before = threading.active_count()
    for _ in range(5):
        with workers(2) as on:
            assert [*on.map(abs, range(-9, 0))] == [*range(9, 0, -1)]
        assert threading.active_count() == before


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
        on.submit(killed, 1).result()
