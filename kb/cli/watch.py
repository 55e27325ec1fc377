"""Running a command again whenever a file of the rules changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from kb.language.table import shipped_table

WatchOption = Annotated[bool, typer.Option("--watch", help="Run again whenever a rule file changes, until Ctrl-C.")]
OFTEN: Final = 0.3
"""Seconds between two looks at the files."""
Look: TypeAlias = dict[Path, tuple[int, int]]


def watched(folders: Iterable[Path], run: Callable[[], None]) -> None:
    """Does what a command does, and again after every change of a YAML file in these folders, until Ctrl-C.

    It is all one process: what has nothing to do with the change need not be found out again.
    """
    watched_folders = tuple(folders)
    try:
        while True:
            before = _look(watched_folders)
            with suppress(typer.Exit):
                run()
            print(f"-- {time.strftime('%H:%M:%S')}: waiting for a change; Ctrl-C ends", flush=True)
            while _look(watched_folders) == before:
                time.sleep(OFTEN)
            shipped_table.cache_clear()
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
