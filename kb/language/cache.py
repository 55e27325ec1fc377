"""What has been read and checked, kept in the user's cache directory, so that a command starts quickly.

It is found by a digest of the question, of the contents of every file that could have a say in the answer, and of the
code that gives it, so it is never out of date. It is a pickle of our own values and no others, so reading it runs
nothing; and it is signed with a key of the user's that lies elsewhere, so that a cache which was changed, or comes from
another machine, is none. Whatever is wrong with it, or keeps it from being written, only means that the files are read
again.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from hmac import compare_digest
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TypeVar

MOST_KEPT: Final = 40
KEY_BYTES: Final = 32
_DATA: Final = frozenset(
    {
        *("facts.errors", "facts.form", "facts.table", "facts.yaml_reader", "kb.explain.words"),
        *("kb.language.model", "kb.language.terms", "kb.language.texts", "kb.language.translations"),
        "kb.language.vocabulary",
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
    file = _folder() / f"{name}-{asked}.pickle"
    found: list[_Made] = _read(file)
    if found:
        return found[0]
    made = make()
    if asked == _asked(key):  # nobody changed a file meanwhile
        with suppress(OSError, ValueError):
            _write(file, _signed(_pickled(made)))
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


def _folder(variable: str = "XDG_CACHE_HOME", usual: str = ".cache") -> Path:
    """The project's directory among the user's of one sort."""
    named = os.environ.get(variable, "")
    base = Path(named) if os.path.isabs(named) else Path(os.path.expanduser("~")) / usual  # noqa: PTH111, PTH117
    return base / "revoke-kb"


def _read(file: Path) -> list[Any]:
    """What is in a file that this user signed; empty if there is none or it is broken."""
    try:
        signature, body = _content(file).split(b"\n", 1)
        return [_Unpickler(BytesIO(body)).load()] if compare_digest(signature, _signature(body)) else []
    except Exception:  # a pickle that makes no sense may raise anything
        return []


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


def _signed(body: bytes) -> bytes:
    return _signature(body) + b"\n" + body


def _signature(body: bytes) -> bytes:
    return hmac.digest(_key(), body, "sha256").hex().encode()


def _key() -> bytes:
    """The user's key, made when first asked for; OSError if it cannot be had."""
    file = _folder("XDG_STATE_HOME", ".local/state") / "cache-key"
    if not file.exists():
        _write(file, os.urandom(KEY_BYTES))
    key = _content(file)
    if len(key) != KEY_BYTES:
        raise OSError(f"{file} is no key")
    return key


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
            or not (is_dataclass(found) or issubclass(found, dict))
        ):
            raise pickle.UnpicklingError(f"{module}.{name} is no value")
        return type.__call__.__get__(found)


class _Pickler(pickle.Pickler):
    """Writes a frozen dataclass as a call of it with its fields, which is read back twice as fast as field by field."""

    def reducer_override(self, value: Any) -> Any:
        if not is_dataclass(value) or isinstance(value, type):
            return NotImplemented
        return type(value), tuple(getattr(value, field.name) for field in fields(value) if field.init)


def _pickled(value: object) -> bytes:
    stream = BytesIO()
    _Pickler(stream, pickle.HIGHEST_PROTOCOL).dump(value)
    return stream.getvalue()


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
