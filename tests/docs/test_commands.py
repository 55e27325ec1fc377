"""Every command of the pages on explanations and the interview runs, one after the other as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.counsel import ROOT
from typer.testing import CliRunner

from kb.cli.main import app

DOCS = ROOT.parent / "docs"
PAGES = ("explanations", "interview", "teaching", "desk")
WAITING = ("ask", "desk")
"""Commands that wait for somebody, unless they are given a file to write."""


def commands(page: str) -> list[list[str]]:
    """The words of each command, after «revoke», without the comment."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    lines = re.findall(r"(?m)^(?:    )?revoke ([a-z].*)$", text)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.mark.parametrize("page", PAGES)
def test_no_command_is_shown_in_a_form_that_is_not_run(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text("utf-8")
    assert len(commands(page)) > 1
    assert not re.search(r"uv run .*\brevoke \w", text), "it would want every package, and a compiler"


@pytest.mark.thorough
@pytest.mark.parametrize("page", PAGES[:2])
def test_all_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT.parent / "examples")
    monkeypatch.chdir(tmp_path)
    for words in commands(page):
        shown, _, file = words.index(">") if ">" in words else len(words), ">", words[-1]
        ran = CliRunner().invoke(app, words[:shown], input="1\nw\ns\n" + "1\n" * 20)
        assert ran.exit_code == 0, (words, ran.output)
        if shown < len(words):
            (tmp_path / file).write_text(ran.stdout, "utf-8")
        assert ran.stdout or (tmp_path / words[1]).exists(), words


@pytest.mark.parametrize("words", commands("desk"), ids=" ".join)
def test_the_desk_knows_every_option_that_is_shown(words: list[str]) -> None:
    """It would wait for somebody: that its help tells of the options is enough."""
    command = words[:2] if words[1:2] and words[1].isalpha() else words[:1]
    told = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "200"}).stdout
    assert all(option in told for option in words if option.startswith("--"))
