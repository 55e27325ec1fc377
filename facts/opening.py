"""Files that are opened for reading, and files that are written whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import stat
import time
from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex
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


def write_whole(target: Path, pieces: Iterable[str | bytes], permissions: int = 0o666) -> None:
    """Writes bytes, and text as UTF-8, beside the file; once they are on the disk it is moved there. OSError if not.

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


def fill(descriptor: int, pieces: Iterable[str | bytes]) -> None:
    """Writes bytes, and text as UTF-8, into what is open, and closes it."""
    with os.fdopen(descriptor, "wb") as stream:
        stream.writelines(one if isinstance(one, bytes) else one.encode("utf-8", "replace") for one in pieces)
        stream.flush()
        if os.path.isfile(stream.fileno()):  # noqa: PTH113 - it has no name
            os.fsync(stream.fileno())
