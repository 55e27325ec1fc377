"""What the README prints is what its commands print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from kb.cli.main import COMMANDS, app

HERE = Path(__file__).parents[2]
README = (HERE / "README.md").read_text("utf-8")
SHOWN = [shlex.split(line, comments=True) for line in re.findall(r"^revoke (.*)", README, re.MULTILINE)]
"""The words of every command in a block, without the comment after it."""
SERVING = (["desk"],)
"""Commands that wait for somebody."""
DOCUMENTS = "".join(file.read_text("utf-8") for file in [HERE / "README.md", *sorted((HERE / "docs").rglob("*.md"))])


def test_the_main_command_prints_what_the_readme_shows() -> None:
    command = re.search(r"`revoke (rule \S+)` prints", README)
    shown = re.search(r"prints\n\n```\n(.*?)```", README, re.DOTALL)
    assert command and shown
    done = subprocess.run(
        [sys.executable, "-m", "kb.cli", *command[1].split()], cwd=HERE, capture_output=True, text=True, check=True
    )
    ruling, receipt = done.stdout.rstrip().rsplit("\n\n", 1)
    assert receipt.startswith("Receipt ")  # it changes with every amendment, and is left out
    assert ruling == shown[1].rstrip()


def test_the_ci_runs_the_readmes_test_command() -> None:
    assert re.search(r"<!-- tests -->\n```\n(uv run .*)\n```", README)


def test_every_file_the_readme_names_is_there() -> None:
    for target in re.findall(r"\]\(((?!https?:)[^)#]+)\)", README):
        assert (HERE / target).exists(), target


@pytest.mark.thorough
@pytest.mark.parametrize("words", [words for words in SHOWN if words not in SERVING], ids=" ".join)
def test_every_command_of_the_readme_runs(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(HERE / "examples")
    told = words[: words.index(">")] if ">" in words else words
    done = subprocess.run(
        [sys.executable, "-m", "kb.cli", *told], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    written = [one for one in tmp_path.iterdir() if one.name != "examples"]
    assert bool(done.stdout) != bool(written)


def test_every_command_is_told_somewhere() -> None:
    assert all(words in SHOWN for words in SERVING)
    named = set(re.findall(r"(?:^|`|\$ |uv run [^\n]*?)revoke ([a-z][\w-]+)", DOCUMENTS, re.MULTILINE))
    assert set(COMMANDS) == set(get_command(app).list_commands(None))  # type: ignore[attr-defined]
    assert set(COMMANDS) - named == set(), "told nowhere"


def test_the_reader_who_comes_first_is_the_director() -> None:
    readers = [README.index(f"| {who}") for who in ("the director", "the editor", "the trainer", "programs")]
    assert readers == sorted(readers)
    for picture in re.findall(r'src="(docs/\S+)"', README):
        assert 0 < (HERE / picture).stat().st_size <= 60_000
