"""Every command of the page for trainers runs as it stands there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.counsel import ROOT
from typer.testing import CliRunner

from kb.cli.main import app

PAGE = (ROOT.parent / "docs" / "teaching.md").read_text("utf-8")
COMMANDS = [
    shlex.split(line, comments=True)[1:]
    for block in re.findall(r"```\n(.*?)```", PAGE, re.S)
    for line in block.splitlines()
]


@pytest.mark.thorough
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_it_runs(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = words[: words.index(">")] if ">" in words else words
    words = [str(ROOT.parent / word) if word.startswith("examples/") else word for word in words]
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(app, words, input="1\n\n\n\n" * 10)
    assert ran.exit_code == 0, ran.output
    assert len(ran.output) > 500


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) == 6
