"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex


def write_whole(target: Path, pieces: Iterable[str], permissions: int = 0o666) -> None:
    """Writes a text as UTF-8 beside the file, waits until it is on the disk, and moves it there; OSError if it fails.

    A file that is replaced hands on its permissions, and must be one that may be written to.
    """
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    part = target.with_name(f".revoke-{token_hex(4)}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, permissions)
    try:
        fill(descriptor, pieces)
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def fill(descriptor: int, pieces: Iterable[str]) -> None:
    """Writes a text as UTF-8 into what is open, and closes it."""
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="\n") as stream:
        stream.writelines(pieces)
        stream.flush()
        if os.path.isfile(stream.fileno()):  # noqa: PTH113 - it has no name
            os.fsync(stream.fileno())
