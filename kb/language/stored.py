"""Editions kept in the user's cache directory once they have been read and checked, so that a command starts quickly.

A stored edition is found by the contents of every file that could have a say in it and of the code that read it, so it
is never out of date. It is plain JSON with a digest of its own, written and read back by its owner alone; whatever is
wrong with it, or keeps it from being written, only means that the files are read again.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from facts.errors import Place
from kb.language import model
from kb.language.edition import load_edition
from kb.language.folders import edition_folder
from kb.language.model import Edition

MOST_STORED = 40
MOST_BYTES = 50_000_000
_CODE = Path(__file__).resolve().parents[2]
_READS = ("kb/language", "kb/language/checks", "facts")
"""The folders of the code that reads and checks rules."""
_CLASSES: Final[tuple[type, ...]] = (
    Place,
    model.Field,
    model.Kind,
    model.Vocabulary,
    model.Variable,
    model.Sum,
    model.Test,
    model.Condition,
    model.Tally,
    model.Conclusion,
    model.Rule,
    model.Clause,
    model.Edition,
)
_NUMBER: Final = {of: number for number, of in enumerate(_CLASSES)}
_TUPLE, _MAPPING = -1, -2


def stored_edition(root: Path, edition: str | Path, elections: Sequence[str] = ()) -> Edition:
    """The edition that ``load_edition`` gives, with its errors, from the cache if it is there."""
    folder = edition_folder(root, edition)
    key = _key(root, folder, elections)
    found = _read(_folder() / f"{key}.json")
    if found is None:
        found = load_edition(root, edition, elections)
        if key is not None and key == _key(root, folder, elections):  # nobody changed a file meanwhile
            with suppress(OSError):
                _write(_folder() / f"{key}.json", found)
    return found


def _folder() -> Path:
    """The cache directory of the project."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(named) if os.path.isabs(named) else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111, PTH117
    return base / "revoke-kb"


def _key(root: Path, folder: Path, elections: Sequence[str]) -> str | None:
    """A digest of the question and of every file that could have a say in the answer; None if one cannot be read."""
    try:
        return _digest(root, folder, elections) if hasattr(os, "getuid") else None
    except OSError:
        return None


def _digest(root: Path, folder: Path, elections: Sequence[str]) -> str:
    digest = hashlib.sha256(repr((sys.version, str(root), str(folder), sorted(set(elections)))).encode())
    rules = [root, *sorted(one for one in root.iterdir() if one.is_dir()), folder]
    for one, ending in [*((one, ".yaml") for one in rules), *((_CODE / name, ".py") for name in _READS)]:
        for file in sorted(one.iterdir()):
            if file.suffix == ending:
                content = file.read_bytes()
                digest.update(f"{file} {len(content)}\n".encode())
                digest.update(content)
    return digest.hexdigest()


def _read(file: Path) -> Edition | None:
    """The edition in a file that nobody but the user could have written; None if there is none or it is broken."""
    try:
        for one in (file.parent, file):
            status = one.stat()
            if status.st_uid != os.getuid() or status.st_mode & 0o022 or status.st_size > MOST_BYTES:
                return None
        said, _, body = file.read_bytes().partition(b"\n")
        if said.decode() != hashlib.sha256(body).hexdigest():
            return None
        edition = _decoded(json.loads(body))
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    return edition if isinstance(edition, Edition) else None


def _write(file: Path, edition: Edition) -> None:
    body = json.dumps(_coded(edition), ensure_ascii=False, separators=(",", ":")).encode()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_suffix(f".{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    new.replace(file)
    for old in sorted(file.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)[MOST_STORED:]:
        old.unlink(missing_ok=True)


def _coded(value: object) -> Any:
    """A value of the model as JSON: every object, tuple and mapping is a list that begins with what it is."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, tuple):
        return [_TUPLE, *map(_coded, value)]
    if isinstance(value, Mapping):
        return [_MAPPING, *(_coded(part) for pair in value.items() for part in pair)]
    return [_NUMBER[type(value)], *(_coded(getattr(value, field.name)) for field in _fields(value))]


def _fields(value: object) -> Iterator[Any]:
    return (field for field in fields(value) if field.init)  # type: ignore[arg-type]


def _decoded(coded: Any) -> Any:
    kind, *parts = coded
    values = [_decoded(part) if type(part) is list else part for part in parts]
    if kind >= 0:
        return _CLASSES[kind](*values)
    return tuple(values) if kind == _TUPLE else dict(zip(values[::2], values[1::2], strict=True))
