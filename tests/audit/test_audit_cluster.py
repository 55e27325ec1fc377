"""An audit on a dask cluster: a real scheduler and two workers on loopback, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest
from support.archive import board_with
from support.pbn_writer import write_pbn
from support.ruling import ROOT
from typer.testing import CliRunner

from facts.errors import EngineError, InputError
from facts.readers.archives import units
from kb.audit import auditor as auditing
from kb.audit.auditor import Job, audited, begin, workers
from kb.cli.main import app

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.thorough

FILES = 30


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, chance = tmp_path_factory.mktemp("archive"), Random(4)
    boards = write_pbn([board_with(1, 1, chance)] + [board_with(0, 2, chance)] * 99)
    for number in range(FILES):
        (folder / f"{number:02}.pbn").write_text(boards)
    return folder


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    paths = os.pathsep.join([str(ROOT.parent), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and the scheduler with its two workers."""
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        loopback = ("--host", "127.0.0.1", "--no-dashboard")
        scheduler = stack.enter_context(
            started("distributed.cli.dask_scheduler", *loopback, "--port", "0", "--scheduler-file", str(file))
        )
        give_up = time.monotonic() + 60
        while not (file.is_file() and file.read_text().endswith("}")):
            assert time.monotonic() < give_up, "the scheduler did not start"
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]
        one_thread = (*loopback, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder))
        two = [stack.enter_context(started("distributed.cli.dask_worker", address, *one_thread)) for _ in range(2)]
        with distributed.Client(address) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, [scheduler, *two]


def test_the_result_is_the_same_though_a_worker_is_killed(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "PIECE_UNITS", 1)
    auditor, found = begin(Job(ROOT)), list(units([archive]))
    with cluster(tmp_path) as (address, (_, first, second)):
        results = {}
        with workers(1, address) as on:
            for number, result in audited(auditor, found, on):
                results[number] = result
                if len(results) == 4:
                    first.kill()
        assert first.wait() != 0
        assert second.poll() is None
    with workers(1) as on:
        assert results == dict(audited(auditor, found, on))


def test_the_command_gives_the_same_output(archive: Path, tmp_path: Path) -> None:
    def told(*options: str) -> str:
        return CliRunner().invoke(app, ["audit", str(archive), "--format", "jsonl", *options]).stdout

    with cluster(tmp_path) as (address, _):
        assert told("--cluster", address) == told("--workers", "1")


def test_a_cluster_that_is_lost_is_told(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "PIECE_UNITS", 1)
    auditor, found = begin(Job(ROOT)), list(units([archive]))
    with (
        cluster(tmp_path) as (address, (scheduler, *_)),
        pytest.raises(EngineError, match="the cluster lost its workers"),
        workers(1, address) as on,
    ):
        for number, _result in enumerate(audited(auditor, found, on)):
            if number == 3:
                scheduler.kill()


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.audit.auditor.CONNECT_SECONDS", 0.2)
    with pytest.raises(InputError, match="there is no scheduler"), workers(1, "tcp://127.0.0.1:9"):
        pass
