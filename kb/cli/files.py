"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex

import typer

from facts.errors import InputError
from facts.opening import is_folder, is_regular
from facts.suggestions import brief
from kb.cli.options import refuse


def write(file: Path, text: str | Iterable[str]) -> None:
    """Writes a text, or pieces of one, as UTF-8; ends the command with status 2, and nothing changed, if that fails.

    It is written beside the file and then moved there, links followed. What is no regular file is written into.
    """
    refuse_folder(file)
    pieces = [text] if isinstance(text, str) else text
    try:
        if is_regular(file):
            _replace(Path(os.path.realpath(file)), pieces)  # the link stays, and what it leads to is replaced
        else:
            _fill(os.open(file, os.O_WRONLY), pieces)
    except (OSError, ValueError) as error:
        raise _refused(file, error) from None


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


def _replace(target: Path, pieces: Iterable[str]) -> None:
    """The new file has the permissions of the one it replaces."""
    part = target.with_name(f".revoke-{token_hex(4)}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        _fill(descriptor, pieces)
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _fill(descriptor: int, pieces: Iterable[str]) -> None:
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="\n") as stream:
        stream.writelines(pieces)
