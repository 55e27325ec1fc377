"""What the README prints is what its commands print."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[2]
README = (HERE / "README.md").read_text()


def test_the_main_command_prints_what_the_readme_shows() -> None:
    command = re.search(r"uv run --no-dev revoke (rule \S+)", README)
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
