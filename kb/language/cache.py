"""What has been read and checked, kept in the user's cache directory, so that a command starts quickly.

It is found by a digest of the question, of the contents of every file that could have a say in the answer, and of the
code that gives it, so it is never out of date. It is a pickle in a folder of the user's own: where anybody else could
look into that or write to it, nothing is read. Whatever is wrong with it, or keeps it from being written, only means
that the files are read again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TypeVar

from facts.yaml_reader import write_whole

MOST_KEPT: Final = 40
LENGTH: Final = 16
"""Hexadecimal digits of a short id."""
_PROJECT: Final = str(Path(__file__).resolve().parents[2])
_Made = TypeVar("_Made")


def from_cache(name: str, key: Callable[[], str], make: Callable[[], _Made]) -> _Made:
    """What ``make`` gives, with its errors; from the cache if it is there, under this name and key.

    ``key`` is a digest of all that decides the answer; an OSError from it means that nothing can be kept.
    """
    asked = _asked(key)
    if asked is None:
        return make()
    cache_home = os.environ.get("XDG_CACHE_HOME", "")
    base = cache_home if os.path.isabs(cache_home) else os.path.expanduser("~/.cache")  # noqa: PTH111, PTH117
    folder = Path(base) / "revoke-kb"
    file = folder / f"{name}-{asked}.pickle"
    with suppress(Exception):  # a pickle that makes no sense may raise anything
        status = folder.stat()
        if status.st_uid == os.getuid() and not status.st_mode & 0o077:
            pickled: _Made = pickle.loads(file.read_bytes())
            return pickled
    made = make()
    if asked == _asked(key):  # nobody changed a file meanwhile
        with suppress(OSError, ValueError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            stream = BytesIO()
            _Pickler(stream, pickle.HIGHEST_PROTOCOL).dump(made)
            write_whole(file, stream.getvalue())
            for old in sorted(folder.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)[MOST_KEPT:]:
                old.unlink(missing_ok=True)
    return made


def digest(lines: Iterable[str]) -> str:
    """A short id of some lines of text."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:LENGTH]


def digest_of(question: object, files: Iterable[str], code: Iterable[str]) -> str:
    """The digest of a question, of the contents of files, and of the code in files or folders below the project's."""
    return _digest(repr((sys.version, question, *map(_code, code))), files)


def files_in(folder: str, ending: str) -> Iterator[str]:
    """The files with an ending in a folder itself, in the order of their names."""
    return (f"{folder}{os.sep}{name}" for name in sorted(os.listdir(folder)) if name.endswith(ending))  # noqa: PTH208


def _digest(asked: str, files: Iterable[str]) -> str:
    digest = hashlib.sha256(asked.encode())
    for file in files:
        content = Path(file).read_bytes()
        digest.update(os.fsencode(f"{file} {len(content)}\n"))
        digest.update(content)
    return digest.hexdigest()


@cache
def _code(name: str) -> str:
    """The digest of code that has been loaded, and so no longer changes."""
    path = os.path.join(_PROJECT, name)  # noqa: PTH118
    return _digest(name, [path] if name.endswith(".py") else files_in(path, ".py"))


def _asked(key: Callable[[], str]) -> str | None:
    try:
        return key() if hasattr(os, "getuid") else None
    except OSError:
        return None


class _Pickler(pickle.Pickler):
    """Writes a frozen dataclass as a call of it with its fields, which is read back twice as fast as field by field."""

    def reducer_override(self, value: Any) -> Any:
        if not is_dataclass(value) or isinstance(value, type):
            return NotImplemented
        return type(value), tuple(getattr(value, field.name) for field in fields(value) if field.init)
