"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import typer

from facts.errors import InputError
from facts.opening import fill, is_folder, is_regular, write_whole
from facts.suggestions import brief
from kb.cli.options import refuse

STANDARD_OUTPUT: Final = 1


def write(file: Path, text: str | Iterable[str]) -> None:
    """Writes a text, or pieces of one, as UTF-8; ends the command with status 2, and nothing changed, if that fails.

    It is written beside the file and then moved there, links followed. What is no regular file is written into, and so
    is what standard output goes into.
    """
    refuse_folder(file)
    pieces = [text] if isinstance(text, str) else text
    try:
        if is_standard_output(file):
            sys.stdout.flush()
            fill(os.dup(STANDARD_OUTPUT), pieces)
        elif is_regular(file):
            write_whole(Path(os.path.realpath(file)), pieces)  # the link stays, and what it leads to is replaced
        else:
            fill(os.open(file, os.O_WRONLY), pieces)
    except (OSError, ValueError) as error:
        raise _refused(file, error) from None


def is_standard_output(file: Path) -> bool:
    """Whether this is the file that standard output goes into, by whatever name."""
    try:
        return os.path.samestat(file.stat(), os.fstat(STANDARD_OUTPUT))
    except (OSError, ValueError):
        return False


def make_folder(folder: Path) -> None:
    """Makes a folder, and those above it, where there is none; ends the command with status 2 if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise _refused(folder, error) from None


def refuse_folder(file: Path) -> None:
    """Ends the command with status 2 if there is a folder of this name."""
    if is_folder(file):
        raise refuse(InputError.of(file, "this is a folder, not a file", "name a file"))


def _refused(path: Path, error: Exception) -> typer.Exit:
    what = f"this cannot be written ({getattr(error, 'strerror', None) or error})"
    return refuse(InputError.of(brief(str(path)), what, "make room there, or name another"))
