"""What has been read and checked, kept in the user's cache directory, so that a command starts quickly.

It is found by a digest of the question, of the contents of every file that could have a say in the answer, and of the
code that gives it, so it is never out of date. It is a pickle of our own values and no others, so reading it runs
nothing; what anybody but the user could have written is not read. Whatever is wrong with it, or keeps it from being
written, only means that the files are read again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TypeVar

MOST_KEPT: Final = 40
_DATA: Final = frozenset(
    {
        *("facts.errors", "facts.form", "facts.table", "facts.yaml_reader", "kb.explain.words"),
        *("kb.language.model", "kb.language.rule", "kb.language.terms", "kb.language.texts"),
        *("kb.language.translations", "kb.language.vocabulary"),
    }
)
"""The modules whose values are kept."""
_PROJECT: Final = str(Path(__file__).resolve().parents[2])
_Made = TypeVar("_Made")


def kept(name: str, key: Callable[[], str], make: Callable[[], _Made]) -> _Made:
    """What ``make`` gives, with its errors; from the cache if it is there, under this name and key.

    ``key`` is a digest of all that decides the answer; an OSError from it means that nothing can be kept.
    """
    asked = _asked(key)
    if asked is None:
        return make()
    named = os.environ.get("XDG_CACHE_HOME", "")
    base = named if os.path.isabs(named) else os.path.expanduser("~/.cache")  # noqa: PTH111, PTH117
    file = Path(base) / "revoke-kb" / f"{name}-{asked}.pickle"
    with suppress(Exception):  # a pickle that makes no sense may raise anything
        digest, body = _content(file).split(b"\n", 1)
        if digest == hashlib.sha256(body).hexdigest().encode():  # else the disk has lost something
            found: _Made = _Unpickler(BytesIO(body)).load()
            return found
    made = make()
    if asked == _asked(key):  # nobody changed a file meanwhile
        with suppress(OSError, ValueError):
            stream = BytesIO()
            _Pickler(stream, pickle.HIGHEST_PROTOCOL).dump(made)
            body = stream.getvalue()
            _write(file, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    return made


def digest_of(question: object, files: Iterable[str], code: Iterable[str]) -> str:
    """The digest of a question, of the contents of files, and of the code in files or folders below the project's."""
    return _digest(repr((sys.version, question, *map(_code, code))), files)


def files_in(folder: str, ending: str) -> Iterator[str]:
    """The files with an ending in a folder itself, in the order of their names."""
    return (f"{folder}{os.sep}{name}" for name in sorted(os.listdir(folder)) if name.endswith(ending))  # noqa: PTH208


def _digest(asked: str, files: Iterable[str]) -> str:
    digest = hashlib.sha256(asked.encode())
    for file in files:
        with open(file, "rb", opener=_at_once) as stream:
            content = stream.read() or b""
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


def _at_once(path: str, flags: int) -> int:
    """Opens a file without waiting for a writer where it is a pipe."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)


def _content(file: Path) -> bytes:
    """What is in a regular file that nobody but the user could have written; OSError if it is none."""
    for one in (file.parent, file):
        status = one.lstat() if one is file else one.stat()
        if status.st_uid != os.getuid() or status.st_mode & 0o022:
            raise PermissionError(one)
    with open(file, "rb", opener=_at_once) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise PermissionError(file)
        return stream.read()


class _Unpickler(pickle.Unpickler):
    """Makes values of the project's own, which are data, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """A call of the class, by which it can be made and not be changed; UnpicklingError for anything else."""
        if module.partition(".")[0] == "pathlib" and name == type(Path()).__name__:
            return type(Path())  # a path names a file, and does nothing
        found = super().find_class(module, name) if module in _DATA and name.isidentifier() else None
        if (
            not isinstance(found, type)
            or found.__module__ != module
            or not (is_dataclass(found) or issubclass(found, (dict, str)))
        ):
            raise pickle.UnpicklingError(f"{module}.{name} is no value")
        return type.__call__.__get__(found)


class _Pickler(pickle.Pickler):
    """Writes a frozen dataclass as a call of it with its fields, which is read back twice as fast as field by field."""

    def reducer_override(self, value: Any) -> Any:
        if not is_dataclass(value) or isinstance(value, type):
            return NotImplemented
        return type(value), tuple(getattr(value, field.name) for field in fields(value) if field.init)


def _write(file: Path, body: bytes) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_suffix(f".{os.urandom(4).hex()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(body)
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    for old in sorted(file.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)[MOST_KEPT:]:
        old.unlink(missing_ok=True)
