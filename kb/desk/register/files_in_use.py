"""Whether the files of a register are still those that are written to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from kb.desk.register.schema import logs_of

_MAGIC: Final = b"SQLite format 3\0"


class FilesInUse:
    """The register's file, and SQLite's log beside it once there is one; used by one thread at a time.

    The file is opened here before SQLite opens it, and not closed while SQLite uses it: a process that closes a file
    loses all its locks on it, and then the next program that looks into the register takes the log away.
    """

    def __init__(self, path: Path) -> None:
        self._paths = (path, logs_of(path.resolve())[0])
        self._stream = path.open("rb", buffering=0)
        self._size = os.fstat(self._stream.fileno()).st_size
        self._log: tuple[int, int] | None = None

    def close(self) -> None:
        """To be called when no connection is in use any more."""
        self._stream.close()

    def gone(self) -> Path | None:
        """The file that was removed, replaced, cut short or overwritten since; None if there is none."""
        path, log = self._paths
        found = os.fstat(self._stream.fileno())
        self._stream.seek(0)
        if (
            _which(path) != (found.st_dev, found.st_ino)
            or found.st_size < self._size
            or self._stream.read(len(_MAGIC)) != _MAGIC
        ):
            return path
        if self._log is not None and _which(log) != self._log:
            return log
        self._log = _which(log)
        return None


def _which(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino)
