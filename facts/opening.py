"""Files under any name that a person or a file gives: looked up, and opened to be read once, whatever they are."""

from __future__ import annotations

import io
import os
import stat
import time
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

WAIT_SECONDS: Final = 5.0
"""So long somebody may take to begin writing into a named pipe; once begun, there is no limit."""
_PAUSE: Final = 0.02
_FIRST: Final = 65_536


def opened(path: Path | str) -> BinaryIO:
    """The file, to be read from its beginning to its end, and not a second time where it is a pipe.

    OSError and ValueError as of ``open``; TimeoutError, which is an OSError, for a pipe into which nobody writes.
    """
    if stat.S_ISFIFO(os.stat(path).st_mode):  # noqa: PTH116 - the path may be any text
        return cast(BinaryIO, io.BufferedReader(_Pipe(path)))
    return Path(path).open("rb")


def is_folder(path: Path | str) -> bool:
    """Whether there is a folder of this name; what cannot be a name, for its length or its letters, names none."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises where a name is too long


def is_file(path: Path | str) -> bool:
    """The same of a regular file, or a link to one."""
    return os.path.isfile(path)  # noqa: PTH113


def is_regular(path: Path | str) -> bool:
    """Whether there is a regular file of this name or none at all, rather than a folder, a device or a pipe."""
    return is_file(path) or not os.path.exists(path)  # noqa: PTH110


class _Pipe(io.RawIOBase):
    """A named pipe. Opening it the usual way would wait for a writer for ever."""

    def __init__(self, path: Path | str) -> None:
        super().__init__()
        self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            self._begins = self._begun()
            os.set_blocking(self._descriptor, True)
        except BaseException:
            self.close()
            raise

    def _begun(self) -> bytes:
        """What was written so far; empty if somebody is about to write. Without a writer a pipe is at its end."""
        ends = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < ends:
            try:
                if begins := os.read(self._descriptor, _FIRST):
                    return begins
            except BlockingIOError:
                return b""
            time.sleep(_PAUSE)
        raise TimeoutError("nobody writes into this pipe")

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Reads what comes next; 0 at the end."""
        if not self._begins:
            return os.readv(self._descriptor, [buffer])
        taken = min(len(buffer), len(self._begins))
        buffer[:taken], self._begins = self._begins[:taken], self._begins[taken:]
        return taken

    def close(self) -> None:
        """Closes the pipe."""
        if not self.closed:
            os.close(self._descriptor)
        super().close()
