"""Files that are opened for reading, and files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Final

from facts.errors import InputError


@contextmanager
def reading(path: Path | str) -> Iterator[BinaryIO]:
    """The file, to be read from its beginning to its end; InputError when it cannot be had."""
    try:
        with Path(path).open("rb") as stream:
            yield stream
    except FileNotFoundError:
        raise InputError.of(path, "there is no such file", "check the name and the folder") from None
    except IsADirectoryError:
        raise InputError.of(path, "this is a folder, not a file", "name a file") from None
    except (OSError, ValueError) as error:
        raise InputError.of(path, f"the file cannot be read ({error})", "check its name and its permissions") from None


is_folder: Final = os.path.isdir
"""Whether there is a folder of this name; what cannot be a name, for its length or its letters, names none."""
is_file: Final = os.path.isfile
"""The same of a regular file, or a link to one."""


def is_regular(path: Path | str) -> bool:
    """Whether there is a regular file of this name or none at all, rather than a folder, a device or a pipe."""
    return is_file(path) or not os.path.exists(path)  # noqa: PTH110


def write_whole(target: Path, text: str | bytes) -> None:
    """Writes bytes, or text as UTF-8, beside the file; once that is on the disk it is moved there. OSError if not.

    A file that is replaced hands on its permissions, and must be one that may be written to.
    """
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    part = target.with_name(f".revoke-{token_hex(4)}.part")
    try:
        with part.open("xb") as stream:
            stream.write(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
