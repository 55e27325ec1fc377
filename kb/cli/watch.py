"""Running a command again whenever a file of the rules changes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

WatchOption = Annotated[bool, typer.Option("--watch", help="Run again whenever a rule file changes, until Ctrl-C.")]
OFTEN: Final = 0.3
"""Seconds between two looks at the files."""
Look: TypeAlias = dict[Path, tuple[int, int]]


def watched(folders: Iterable[Path]) -> None:
    """Runs this command without ``--watch``, and again after every change of a YAML file in these folders.

    Each run is a process of its own, so that nothing is remembered of the files as they were. It ends with Ctrl-C.
    """
    command = [sys.executable, "-m", "kb.cli", *(one for one in sys.argv[1:] if one != "--watch")]
    watched_folders = tuple(folders)
    try:
        while True:
            before = _look(watched_folders)
            subprocess.run(command, check=False)
            print(f"-- {time.strftime('%H:%M:%S')}: waiting for a change; Ctrl-C ends", flush=True)
            while _look(watched_folders) == before:
                time.sleep(OFTEN)
    except KeyboardInterrupt:
        raise typer.Exit from None


def _look(folders: Iterable[Path]) -> Look:
    """When each file was changed last, and how long it is; one that vanishes meanwhile is not there."""
    found: Look = {}
    for file in (file for folder in folders for file in folder.rglob("*.y*ml")):
        try:
            status = file.stat()
        except OSError:
            continue
        found[file] = (status.st_mtime_ns, status.st_size)
    return found


def folders_of(root: Path, named: Iterable[str | None]) -> list[Path]:
    """The rules, and every folder that a command line names."""
    return [root, *(Path(one).resolve() for one in named if one and Path(one).is_dir())]
