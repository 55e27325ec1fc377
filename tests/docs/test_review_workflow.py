"""The workflow that reviews drafts: every command that it runs does what the step is for; that of the project runs what is there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.faced_hands import CASE, write_draft
from support.ruling import ROOT
from typer.testing import CliRunner

from kb.cli.main import app

REPOSITORY = ROOT.parent
WORKFLOW: Any = yaml.safe_load((REPOSITORY / "examples" / "review-workflow.yml").read_text("utf-8"))
STEPS: dict[str, Any] = {one["name"]: one for one in WORKFLOW["jobs"]["review"]["steps"] if "run" in one}
PROGRAMS = {
    "uv": f'test "$1 $2 $3" = "run --no-sync revoke" || exit 0\nshift 3\nexec {shlex.quote(sys.executable)} -m kb.cli "$@"',
    "gh": 'cp "$5" posted.md\necho "$@" > asked.txt',
}
"""In place of what a host would have: the project's own command line, and what only takes note."""


def run(step: str, folder: Path, programs: Path, **given: str) -> int:
    env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(REPOSITORY), **given}
    script = ["bash", "-e", "-o", "pipefail", "-c", STEPS[step]["run"]]
    return subprocess.run(script, cwd=folder, env=env, check=False).returncode


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in PROGRAMS.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def request_of(tmp_path: Path) -> tuple[Path, str]:
    """A clone with a draft on a branch, and the commit that it would be merged into."""
    folder = tmp_path / "clone"
    write_draft(folder / "drafts" / "untouched")
    base = committed(folder, "init", "-q")
    write_draft(folder / "drafts" / "faced-hands", CASE)
    write_draft(folder / "drafts" / "änderung, 64")
    committed(folder, "status", "-s")
    return folder, base


def committed(folder: Path, *first: str) -> str:
    named = ["-c", "user.name=Editor", "-c", "user.email=editor@example.org"]
    for words in (first, ("add", "-A"), (*named, "commit", "-qm", "draft"), ("rev-parse", "HEAD")):
        done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


def test_only_what_is_touched_is_looked_at(request_of: tuple[Path, str], programs: Path) -> None:
    folder, base = request_of
    assert run("Which drafts are touched", folder, programs, BASE=base) == 0
    assert (folder / "drafts.txt").read_text("utf-8") == "drafts/faced-hands\ndrafts/änderung, 64\n"


@pytest.mark.parametrize("step", ["Check", "Cases", "What changes"])
def test_every_option_is_known(step: str) -> None:
    found = re.findall(r"revoke (\w+)((?: --?\w+(?: \w+)?|  *\"[^\"]+\")*)", STEPS[step]["run"])
    assert found
    for command, words in found:
        told = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).stdout
        assert all(option in told for option in re.findall(r"--\w+", words)), words


@pytest.mark.thorough
def test_the_cases_of_a_draft_decide(request_of: tuple[Path, str], programs: Path) -> None:
    folder, _ = request_of
    (folder / "drafts.txt").write_text("drafts/faced-hands\n", "utf-8")
    assert run("Cases", folder, programs) == 0
    case = folder / "drafts" / "faced-hands" / "cases" / "0.yaml"
    case.write_text(case.read_text("utf-8").replace("NS: 0", "NS: 2"), "utf-8")
    assert run("Cases", folder, programs) == 1


def test_what_there_is_to_say_is_said(request_of: tuple[Path, str], programs: Path) -> None:
    folder, _ = request_of
    step = "Say so under the pull request"
    (folder / "review.md").write_text("", "utf-8")
    assert run(step, folder, programs, NUMBER="7") == 0 and not (folder / "posted.md").exists()
    (folder / "review.md").write_text("# One\n", "utf-8")
    assert run(step, folder, programs, NUMBER="7") == 0
    assert (folder / "posted.md").read_text("utf-8") == "# One\n"
    assert (folder / "asked.txt").read_text("utf-8") == "pr comment 7 --body-file review.md\n"


@pytest.mark.thorough
def test_a_draft_is_checked_and_compared(
    request_of: tuple[Path, str], programs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, _ = request_of
    (folder / "drafts.txt").write_text("drafts/faced-hands\n", "utf-8")
    assert run("Check", folder, programs) == 1, "claims of 2017 do not hold of it"
    assert re.search(r"^::error file=.*does not hold", capfd.readouterr().out, re.MULTILINE)
    assert run("What changes", folder, programs) == 0
    assert "64B3" in (folder / "review.md").read_text("utf-8")


def test_a_host_is_asked_for_no_more_than_it_needs() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert {*STEPS} >= {"Install", "Which drafts are touched", "Check", "Cases", "What changes"}


def test_the_workflow_of_the_project_asks_what_the_gate_asks() -> None:
    jobs = yaml.safe_load((REPOSITORY / ".github/workflows/ci.yml").read_text("utf-8"))["jobs"]
    ran = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    gate = (REPOSITORY / ".ci" / "run").read_text("utf-8")
    assert "bash .ci/run" in ran
    assert all(f"{line}\n" in gate for line in ran if " ruff " in line or " mypy" in line)
    (tests,) = (line.split()[4:] for line in ran if " pytest " in line)
    assert tests and all((REPOSITORY / folder).is_dir() for folder in tests)
