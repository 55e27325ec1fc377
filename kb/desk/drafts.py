"""The folder of draft amendments: each a folder of its own beside the register, never among the shipped rules."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from facts.errors import Fault, InputError
from facts.opening import write_whole
from facts.yaml_reader import Node, Scalar, read_text, read_yaml
from kb.drafting.new_draft import new_draft, write_draft
from kb.language.folders import EDITION, editions, elections
from kb.language.model import Clause, Edition

NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""Of a draft."""
FILE: Final = re.compile(r"(?:cases/)?[a-z0-9][a-z0-9-]{0,39}\.yaml")
"""Of a file in a draft."""
LOCK: Final = ".lock"
"""Beside the drafts, an empty database of SQLite, whose locks hold on every system and end with their process."""
PATIENCE: Final = 5.0
"""Seconds for which another who writes is waited for."""
MOST_DRAFTS: Final = 100
MOST_FILES: Final = 60
MOST_SIGNS: Final = 200_000
"""In one file."""


@dataclass(frozen=True)
class Drafts:
    """The drafts of one desk; every name from outside goes through ``folder`` and ``file``."""

    home: Path
    rules: Path

    def names(self) -> tuple[str, ...]:
        """The drafts, by name."""
        if not self.home.is_dir():
            return ()
        found = (file.parent.name for file in self.home.glob(f"*/{EDITION}"))
        return tuple(sorted(name for name in found if NAME.fullmatch(name)))

    def folder(self, name: str) -> Path:
        """The folder of a draft; InputError if there is none of that name."""
        if name not in self.names():
            raise _refused(name, "there is no such draft", "choose one of the list")
        return self.home / name

    def files(self, name: str) -> tuple[str, ...]:
        """The files of a draft, ``edition.yaml`` first, its cases last."""
        folder = self.folder(name)
        found = [file.relative_to(folder).as_posix() for file in (*folder.glob("*.yaml"), *folder.glob("cases/*.yaml"))]
        return tuple(sorted(filter(FILE.fullmatch, found), key=lambda file: ("/" in file, file != EDITION, file)))

    def read(self, name: str, file: str) -> str:
        """The text of a file; InputError if there is none."""
        if file not in self.files(name):
            raise _refused(file, "the draft has no such file", "choose one of the list")
        return (self.folder(name) / file).read_text(encoding="utf-8", errors="replace")

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """For as long as nobody else writes a draft, at this desk or at another that has the same drafts; InputError
        where that does not come about."""
        path = self.home / LOCK
        with _told(name):
            with suppress(FileExistsError):  # it is not opened where it is there: closing it would give up its locks
                os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
            with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as lock:
                try:
                    lock.execute("BEGIN EXCLUSIVE")
                except sqlite3.OperationalError as error:
                    raise OSError(0, str(error)) from None
                yield

    def write(self, name: str, file: str, text: str) -> None:
        """Writes a file, new or not, whole or not at all; InputError if its name or size will not do."""
        folder = self.folder(name)
        self._refuse(name, file, text)
        path = folder / file
        with _told(file):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            write_whole(path, [text.replace("\r\n", "\n")], 0o600)

    def create(self, name: str, base: Edition, clauses: Sequence[Clause] = (), added: Sequence[str] = ()) -> None:
        """A new draft that amends a shipped edition, some of its clauses to start from, and numbers of those that it
        adds; InputError if it cannot be."""
        known = (*editions(self.rules), *elections(self.rules), *self.names())
        if not NAME.fullmatch(name):
            raise _refused(name, "this is no name for a draft", "use small letters, digits and hyphens, at most 40")
        if name in known:
            raise _refused(name, "the name is taken", "think of another")
        if len(self.names()) >= MOST_DRAFTS:
            raise _refused(name, f"there are {MOST_DRAFTS} drafts already", "take one away from the folder first")
        with _told(name):
            self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_draft(self.home / name, new_draft(self.home / name, base, clauses, added))
            self.make_private()

    def make_private(self) -> None:
        """Takes from everybody but their owner the drafts that an earlier revoke-kb left open to read."""
        for path in (self.home, *(one for one in self.home.rglob("*") if not one.is_symlink())):
            with suppress(OSError):  # they belong to somebody else, who may do as he likes
                path.chmod(path.stat().st_mode & ~0o077)

    @contextmanager
    def tried(self, name: str, file: str, text: str) -> Iterator[Path]:
        """A copy of a draft in which one file says something else, for as long as it is looked at."""
        folder = self.folder(name)
        self._refuse(name, file, text)
        with TemporaryDirectory() as away:
            copy = Path(away) / name
            with _told(file):
                for one in self.files(name):
                    (copy / one).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(folder / one, copy / one)
                (copy / file).parent.mkdir(exist_ok=True)
                (copy / file).write_text(text, encoding="utf-8")
            yield copy

    def digest(self, name: str) -> str:
        """Changes whenever a file of the draft does."""
        made = hashlib.sha256()
        for file in self.files(name):
            made.update(f"{file}\n{self.read(name, file)}\n".encode(errors="replace"))
        return made.hexdigest()

    def _refuse(self, name: str, file: str, text: str) -> None:
        if not FILE.fullmatch(file):
            mend = "write such as law-1.yaml or cases/one.yaml: small letters, digits and hyphens"
            raise _refused(file, "this is no name for a file of a draft", mend)
        if file not in self.files(name) and len(self.files(name)) >= MOST_FILES:
            raise _refused(file, f"the draft has {MOST_FILES} files already", "put it into one of them")
        if len(text) > MOST_SIGNS:
            raise _refused(file, f"the file is longer than {MOST_SIGNS:,} characters", "divide it")


def amended(folder: Path) -> str:
    """The edition a draft says it amends; empty while that cannot be read."""
    try:
        said = _about(folder).get("amends")
    except InputError:
        return ""
    return str(said.value) if isinstance(said, Scalar) else ""


def misnamed(name: str, folder: Path) -> list[Fault]:
    """The fault that a draft calls itself otherwise than its folder; InputError when ``edition.yaml`` is no YAML."""
    said = _about(folder).get("edition")
    if not isinstance(said, Scalar) or said.value == name:
        return []
    return [Fault(said.place, f"the draft's folder is called {name}", f"write edition: {name}")]


def _about(folder: Path) -> Mapping[str, Node]:
    return read_yaml(read_text(folder / EDITION), str(folder / EDITION)).entries


@contextmanager
def _told(name: str) -> Iterator[None]:
    """InputError in place of an OSError."""
    try:
        yield
    except OSError as error:
        mend = "look after the disk and the folder of drafts, then send it again"
        raise InputError.of(name, f"it was not written ({error.strerror})", mend) from None


def _refused(name: str, what: str, mend: str) -> InputError:
    return InputError.of(name[:80] or "name", what, mend)
