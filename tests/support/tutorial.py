"""Tutorials that a program can follow: files to save, changes to make, commands and what they print.

``python tests/support/tutorial.py`` writes into them what their commands print now.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parents[2]
TUTORIAL = HERE / "docs" / "editing-the-law.md"
PROPERTIES = HERE / "docs" / "properties.md"
_STEP = re.compile(
    r"Save as `(?P<file>[^`]+)`:\n\n```yaml\n(?P<text>.*?)```"
    r"|Change `(?P<old>[^`]+)` to `(?P<new>[^`]+)` in `(?P<changed>[^`]+)`"
    r"|```console\n(?P<session>.*?)```",
    re.DOTALL,
)


@dataclass(frozen=True)
class Ran:
    """A command, what the tutorial shows of it, and what it printed."""

    command: str
    shown: str
    printed: str
    code: int
    at: tuple[int, int]
    """Where in the tutorial it is shown."""
    number: int
    """Of the commands of the tutorial, from 0."""


SLOW = re.compile(r"--mutate|revoke compare")
"""Commands that look at every situation; nothing that comes later depends on them."""


def follow(tutorial: str, folder: Path, quick: bool = False) -> Iterator[Ran]:
    """Does in ``folder`` what the tutorial says, in its order; ``quick``: without the slow commands."""
    number = -1
    for step in _STEP.finditer(tutorial):
        if step["file"]:
            file = folder / step["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step["text"], encoding="utf-8")
        elif step["changed"]:
            file = folder / step["changed"]
            before = file.read_text(encoding="utf-8")
            assert before.count(step["old"]) == 1, step["old"]
            file.write_text(before.replace(step["old"], step["new"]), encoding="utf-8")
        else:
            first, _, shown = step["session"].partition("\n")
            number += 1
            if quick and SLOW.search(first):
                continue
            start = step.start("session") + len(first) + 1
            code, printed = _run(first.removeprefix("$ "), folder)
            yield Ran(first, shown, printed, code, (start, step.end("session")), number)


def _run(command: str, folder: Path) -> tuple[int, str]:
    words, _, target = command.partition(" > ")
    program, *arguments = shlex.split(words)
    assert program == "revoke", command
    done = subprocess.run(
        [sys.executable, "-m", "kb.cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(HERE), "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert "Traceback" not in done.stdout, done.stdout
    if target:
        (folder / target).write_text(done.stdout, encoding="utf-8")
    return done.returncode, "" if target else done.stdout


if __name__ == "__main__":
    for page in (TUTORIAL, PROPERTIES):
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as place:
            for ran in reversed(list(follow(text, Path(place)))):
                text = text[: ran.at[0]] + ran.printed + text[ran.at[1] :]
        page.write_text(text, encoding="utf-8")
