"""What has been read and checked, kept in the user's cache directory, so that a command starts quickly.

It is found by a digest of the question, of the contents of every file that could have a say in the answer, and of the
code that gives it, so it is never out of date. It is plain JSON with a digest of its own, written and read back by its
owner alone; whatever is wrong with it, or keeps it from being written, only means that the files are read again.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from kb.language.flat import flattened, unflattened

MOST_STORED = 40
MOST_BYTES = 50_000_000
_CODE = str(Path(__file__).resolve().parents[2])
_Read = TypeVar("_Read")


def stored(of: type[_Read], parts: Sequence[type], key: Callable[[], str], read: Callable[[], _Read]) -> _Read:
    """What ``read`` gives, with its errors, from the cache if it is there; an object made of dataclasses of ``parts``.

    ``key`` names what decides the answer; an OSError from it means that nothing can be stored.
    """
    classes = (*parts, of)
    named = _named(key)
    file = _folder() / f"{named}.json"
    found = None if named is None else _read(file, classes)
    if isinstance(found, of):
        return found
    made = read()
    if named is not None and named == _named(key):  # nobody changed a file meanwhile
        with suppress(OSError, ValueError):  # a name that is not UTF-8 cannot be written
            _write(file, flattened(made, classes))
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
        with open(file, "rb") as stream:  # noqa: PTH123 - a start reads a hundred files: a Path for each would show
            content = stream.read()
        digest.update(os.fsencode(f"{file} {len(content)}\n"))
        digest.update(content)
    return digest.hexdigest()


@cache
def _code(name: str) -> str:
    """The digest of code that has been loaded, and so no longer changes."""
    path = os.path.join(_CODE, name)  # noqa: PTH118
    return _digest(name, [path] if name.endswith(".py") else files_in(path, ".py"))


def _named(key: Callable[[], str]) -> str | None:
    try:
        return key() if hasattr(os, "getuid") else None
    except OSError:
        return None


def _folder() -> Path:
    """The cache directory of the project."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(named) if os.path.isabs(named) else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111, PTH117
    return base / "revoke-kb"


def _read(file: Path, classes: Sequence[type]) -> Any:
    """What is in a file that nobody but the user could have written; None if there is none or it is broken."""
    try:
        for one in (file.parent, file):
            status = one.stat()
            if status.st_uid != os.getuid() or status.st_mode & 0o022 or status.st_size > MOST_BYTES:
                return None
        said, _, body = file.read_bytes().partition(b"\n")
        if said.decode() != hashlib.sha256(body).hexdigest():
            return None
        return unflattened(json.loads(body), classes)
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _write(file: Path, flat: list[Any]) -> None:
    body = json.dumps(flat, ensure_ascii=False, separators=(",", ":")).encode()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_suffix(f".{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    new.replace(file)
    for old in sorted(file.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)[MOST_STORED:]:
        old.unlink(missing_ok=True)
