"""What the command says of itself: its commands by name, its version, and what a shell is offered for completion."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

import kb
from kb.cli.main import COMMANDS, GROUPS, app

DOES = {name: does for name, (_, does) in COMMANDS.items()}


def revoke(*words: str) -> str:
    """What the command prints; it must end well."""
    done = CliRunner().invoke(app, words, prog_name="revoke", env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.output


def listed(text: str) -> dict[str, str]:
    """The commands that a help page names, each with what it does."""
    whole = re.sub(r"\n {6,}", " ", text)  # what goes on on the next line
    rows = [line.split(maxsplit=1) for line in whole.splitlines() if line.startswith("  ")]
    return {name: does.strip() for name, does in rows}


def test_the_help_names_every_command_with_what_it_does() -> None:
    assert listed(revoke("--help")) == DOES
    assert revoke("-h") == revoke("--help")
    assert all(f"{group}:" in revoke("-h") for group in GROUPS)


def test_without_a_command_the_help_is_shown() -> None:
    done = CliRunner().invoke(app, [], prog_name="revoke", env={"COLUMNS": "200"})
    assert done.exit_code == 2  # the command line is not complete
    assert listed(done.output) == DOES


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_calls_itself_by_its_name_and_offers_no_completion_of_its_own(name: str) -> None:
    text = revoke(name, "-h")
    assert f"Usage: revoke {name} " in text
    assert "-completion" not in text


def test_the_version_is_that_of_the_package() -> None:
    assert revoke("--version") == revoke("-V") == f"revoke-kb {version('revoke-kb')}\n"
    assert kb.__version__ == version("revoke-kb"), "facts/__init__.py and pyproject.toml say two versions; or uv sync"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("revoke wh", ["why-not", "what-if"]),
        ("revoke rule --form", ["--format"]),
        ("revoke rule --voice t", ["table", "teaching"]),
        ("revoke prove duplicate-2", ["duplicate-2007", "duplicate-2017"]),
        ("revoke why-not board.pbn 64A", ["64A1", "64A2"]),
    ],
)
def test_a_shell_completes_commands_and_what_they_take(typed: str, offered: list[str]) -> None:
    env = {**os.environ, "_REVOKE_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = subprocess.run(
        [sys.executable, "-m", "kb.cli"], env=env, capture_output=True, check=True, timeout=60, encoding="utf-8"
    )
    assert done.stdout.split() == offered


def test_what_a_shell_is_given_asks_the_command() -> None:
    env = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-m", "kb.cli", "--show-completion", "bash"]
    done = subprocess.run(command, env=env, capture_output=True, check=True, timeout=60, encoding="utf-8")
    assert "_REVOKE_COMPLETE=complete_bash" in done.stdout


def test_a_command_that_there_is_not_is_told_its_neighbour() -> None:
    command = [sys.executable, "-m", "kb.cli", "rul"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, encoding="utf-8")
    assert done.returncode == 2 and "there is no command rul; did you mean rule?" in done.stderr


def test_a_command_that_lacks_its_packages_says_how_to_get_them() -> None:
    script = "import sys; sys.modules['segno'] = None; from kb.cli.main import app; app(['desk'], prog_name='revoke')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, encoding="utf-8")
    assert done.returncode == 2
    assert re.match(r"desk needs packages of its own \(segno\): (uv )?pip install '[a-z]+<?\S+' '", done.stderr)
