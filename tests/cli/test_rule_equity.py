"""``revoke rule --equity``, with the library and without."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.endings import needs_library
from typer.testing import CliRunner, Result

from kb.cli.main import app

EXAMPLE = Path(__file__).parents[2] / "examples" / "full-record.yaml"
HERE = Path(__file__).parents[2]


def run(*args: str) -> Result:
    return CliRunner().invoke(app, [*args, "--engine", "quick"])


@pytest.fixture
def without_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facts.equity.double_dummy_library", lambda: None)


@pytest.mark.usefixtures("without_library")
def test_without_the_library_the_ruling_is_given_and_says_how_to_get_more() -> None:
    plain, asked = run("rule", str(EXAMPLE)), run("rule", "--equity", str(EXAMPLE))
    assert (plain.exit_code, asked.exit_code) == (0, 0)
    assert "Double dummy" not in plain.stdout
    assert "North, trick 5: not computed. " in asked.stdout
    assert "pip install endplay==" in asked.stdout
    assert set(plain.stdout.splitlines()) <= set(asked.stdout.splitlines()), "receipt and all"


@pytest.mark.thorough
@needs_library
def test_for_other_programs() -> None:
    ruled = json.loads(run("rule", "--equity", str(EXAMPLE), "--format", "json").stdout)
    (found,) = ruled["evidence"]
    assert (found["side"], found["least"], found["most"], found["after-revoke"]) == ("EW", 10, 10, 8)
    assert ruled["result"]["score-ns"] == 100
    assert ruled["director"][0]["score-ns"] == -430


@pytest.mark.thorough
@needs_library
def test_a_saved_ruling_with_evidence_is_verified(tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    saved.write_text(run("rule", "--equity", str(EXAMPLE), "--format", "json").stdout, encoding="utf-8")
    done = CliRunner().invoke(app, ["verify", str(saved)])
    assert done.exit_code == 0, done.output


@pytest.mark.thorough
@needs_library
def test_no_file_is_left_behind(tmp_path: Path) -> None:
    """Nor anywhere but in a scratch folder of its own, which goes when the command ends."""
    command = [sys.executable, "-m", "kb.cli", "rule", "--equity", str(EXAMPLE), "--engine", "quick"]
    (scratch := tmp_path / "scratch").mkdir()
    (here := tmp_path / "here").mkdir()
    env = {"PYTHONPATH": str(HERE), "TMPDIR": str(scratch), "PATH": ""}
    done = subprocess.run(command, cwd=here, env=env, capture_output=True, check=False, timeout=60)
    assert b"10" in done.stdout, done.stderr
    assert not list(here.iterdir())
    assert not list(scratch.iterdir())


@pytest.mark.thorough
def test_a_plain_ruling_loads_no_solver() -> None:
    code = "import sys, kb.cli.ruling_commands; print([name for name in sys.modules if 'equity' in name])"
    done = subprocess.run([sys.executable, "-c", code], cwd=HERE, capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().strip() == "[]"
