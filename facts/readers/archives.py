"""Any file of incidents, of whichever format, and folders and archives of play records, read board by board.

Nothing is unpacked to disk. An archive in an archive is refused, and so is a zip file that unfolds to far more than its
size; one member that cannot be read loses no other. In folders and zip files only files of a known suffix are taken,
and what is hidden is passed over.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from gzip import GzipFile
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias
from zipfile import ZipFile

from facts.errors import Fault, InputError
from facts.form import keys_of
from facts.incident import Incident
from facts.readers.incident_file import Tables, incident_of
from facts.readers.lin import read_handviewer, read_lin
from facts.readers.pbn import read_pbn
from facts.yaml_reader import decode, is_folder, is_regular, read_yaml, reading

STANDARD_INPUT: Final = "-"
MAX_RATIO: Final = 200
"""How many times its size a zip file may unfold to, if to more than a record; text shrinks to a tenth or so."""
_ZIP: Final = b"PK\x03\x04"
_GZIP: Final = b"\x1f\x8b"
MAX_RECORD_BYTES: Final = 256_000_000
"""Play records are larger than what people write by hand."""
Reader: TypeAlias = Callable[[str, str], Iterator[Incident | InputError]]
"""From the text of a record and the name of its file to each board, or what is wrong with it."""
_SNIFFED: Final = 100_000


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    suffixes: tuple[str, ...]
    looks_like: re.Pattern[bytes]
    """Tells it from the formats after it where the suffix tells nothing."""
    read: Reader | None = None
    """None for incident files, which people write by hand: a record may be large, and in Latin-1."""

    def boards(self, data: bytes, file: str, tables: Tables) -> Iterator[Incident | InputError]:
        """Each board in the bytes of a file of this format; an InputError for each that cannot be read."""
        try:
            if self.read is not None:
                yield from self.read(decode(data, file, MAX_RECORD_BYTES, or_latin=True), file)
                return
            node = read_yaml(decode(data, file), file)
        except InputError as error:
            yield error
            return
        cases = [item.entries["incident"] for item in (node, *node.items) if "incident" in item.entries]
        for case in cases or [node]:  # the incident, or that of each case of a file of cases
            try:
                yield incident_of(case, tables)
            except InputError as error:
                yield error


_INCIDENT_KEY: Final = "|".join(keys_of(Incident)).encode()

_ALL: Final = (
    Format("pbn", (".pbn",), re.compile(rb'^[ \t]*\[[ \t]*\w+[ \t]*"', re.MULTILINE), read_pbn),
    Format("lin", (".lin",), re.compile(rb"\A(?:\xef\xbb\xbf)?\s*[a-z]{2}\|"), read_lin),
    Format("incident", (".yaml", ".yml"), re.compile(rb"^(?:" + _INCIDENT_KEY + rb")[ \t]*:", re.MULTILINE)),
    Format("handviewer", (), re.compile(rb"handviewer|[?&](?:lin|n|e|s|w)="), read_handviewer),
)
FORMATS: Final = {kind.name: kind for kind in _ALL}
"""Every format by its name, in the order in which they are tried: all that there is to say about one stands here."""
USUAL: Final = FORMATS["incident"]
"""Of what looks like none of them."""
RECORD_SUFFIXES: Final = tuple(suffix for kind in _ALL for suffix in kind.suffixes)
"""Of the files that are read when a folder or an archive is given."""
_TAKEN: Final = frozenset({*RECORD_SUFFIXES, ".zip", ".gz"})


def format_of(data: bytes, suffix: str) -> Format:
    """What some bytes are, by the suffix of their file, such as ``.pbn``, or else by their looks."""
    by_suffix = (kind for kind in _ALL if suffix.lower() in kind.suffixes)
    by_looks = (kind for kind in _ALL if kind.looks_like.search(data, 0, _SNIFFED))
    return next(by_suffix, None) or next(by_looks, USUAL)


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work: a file, or one member of an archive. It can be sent to another process."""

    source: str
    """As it stands before the line in a place: ``a.pbn``, ``a.zip!/b.pbn``, ``standard input``."""
    path: str
    """The file to open; ``-`` for standard input."""
    member: int | None = None
    """Which member of a zip file, from 0."""
    size: int = 0
    """Bytes to read as far as known: of a gzip file those on disk, 0 of what is read once."""
    refused: Fault | None = None
    """Why it cannot be read, where that is known already."""
    once: bool = False
    """Whether it can be read one time only, and by this process alone: standard input, a pipe, a device."""
    left_out: bool = False
    """Whether nothing is read of it: what stands in a folder or an archive, and is no file of a known suffix."""


def read_file(path: Path | str, tables: Tables) -> Iterator[Incident | InputError]:
    """Each board of a file or archive, or of standard input for ``-``; an InputError for each that cannot be read."""
    for unit in units_of_file(str(path)):
        yield from read_unit(unit, tables)


def units(paths: Iterable[Path | str]) -> Iterator[Unit]:
    """The units of files, archives, and folders with all that is in them, in the order of their names."""
    waiting = [(str(path), True) for path in paths][::-1]
    while waiting:
        here, taken = waiting.pop()
        if not taken:
            yield Unit(_shown(here), here, left_out=True)
            continue
        if here == STANDARD_INPUT or not is_folder(here):
            yield from units_of_file(here)
            continue
        try:
            with os.scandir(here) as entries:
                listed = ((entry.path, _is_taken(entry)) for entry in entries if not _is_hidden(entry.name))
                waiting += sorted(listed, reverse=True)
        except OSError as error:
            yield _refused(here, f"the folder cannot be read ({error})", "check its permissions")


def units_of_file(path: str) -> Iterator[Unit]:
    """The units of one file, whatever its suffix; a refused one where it cannot be used."""
    if path == STANDARD_INPUT:
        yield Unit("standard input", path, once=True)
        return
    source = _shown(path)
    if not is_regular(path) and not is_folder(path):
        yield Unit(source, path, once=True)  # looked into now, it would lose its beginning
        return
    try:
        with reading(path) as stream:
            begins, size = stream.read(4), os.fstat(stream.fileno()).st_size
    except InputError as error:
        yield _refused(path, error.faults[0].what, error.faults[0].mend)
        return
    if begins == _ZIP or path.lower().endswith(".zip"):
        yield from _units_in_zip(path)
    elif begins[:2] == _GZIP:
        name = PurePosixPath(source.replace(os.sep, "/"))
        yield Unit(f"{source}!/{name.stem if name.suffix.lower() == '.gz' else name.name}", path, size=size)
    else:
        yield Unit(source, path, size=size)


def read_unit(unit: Unit, tables: Tables) -> Iterator[Incident | InputError]:
    """Each board of a unit; an InputError for each that cannot be read."""
    if unit.left_out:
        return
    try:
        if unit.refused is not None:
            raise InputError([unit.refused])
        data = _data(unit)
    except InputError as error:
        yield error
        return
    yield from format_of(data, PurePosixPath(unit.source).suffix).boards(data, unit.source, tables)


def _is_taken(entry: os.DirEntry[str]) -> bool:
    """Folders, but not links to them, which may lead in circles; and files of a known suffix, or links to nothing."""
    return entry.is_dir(follow_symlinks=False) or (_is_known(entry.name) and is_regular(entry.path))


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(name).parts)


def _is_known(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in _TAKEN


def _units_in_zip(path: str) -> Iterator[Unit]:
    try:
        with ZipFile(path) as archive:
            members = archive.infolist()
    except Exception as error:  # whatever a damaged one raises
        yield _refused(path, f"the zip file is damaged ({error})", "make it again")
        return
    most = max(MAX_RECORD_BYTES, MAX_RATIO * Path(path).stat().st_size)
    if sum(member.file_size for member in members) > most:
        problem = f"the zip file unfolds to more than {MAX_RATIO} times its size"
        yield _refused(path, problem, "unpack it and see what it is")
        return
    for number, member in enumerate(members):
        if not member.is_dir() and not _is_hidden(member.filename):
            left_out = not _is_known(member.filename)
            size = 0 if left_out else member.file_size
            yield Unit(f"{_shown(path)}!/{_shown(member.filename)}", path, number, size, left_out=left_out)


def _data(unit: Unit) -> bytes:
    """The bytes of a unit, one more than can be used at the most; InputError."""
    try:
        if unit.member is not None:
            archive = _opened(unit.path, Path(unit.path).stat().st_mtime_ns, os.getpid())
            with archive.open(archive.infolist()[unit.member]) as stream:
                data = stream.read(MAX_RECORD_BYTES + 1)
        elif unit.path == STANDARD_INPUT:
            data = sys.stdin.buffer.read(MAX_RECORD_BYTES + 1)
        else:
            with Path(unit.path).open("rb") as stream:
                data = stream.read(MAX_RECORD_BYTES + 1)
        if unit.member is None and data.startswith(_GZIP):
            data = GzipFile(fileobj=io.BytesIO(data)).read(MAX_RECORD_BYTES + 1)
    except Exception as error:  # whatever a damaged archive raises
        mend = "see whether it is whole, and make it again"
        raise InputError.of(unit.source, f"it cannot be read ({error})", mend) from None
    if data.startswith((_ZIP, _GZIP)):
        mend = "unpack it, or put the records into one archive, and give its name"
        raise InputError.of(unit.source, "this is an archive in an archive, or one without a name", mend)
    if data[257:262] == b"ustar":
        raise InputError.of(unit.source, "this is a tar archive", "unpack it, or put the records into a zip file")
    return data


@lru_cache(maxsize=2)
def _opened(path: str, changed: int, process: int) -> ZipFile:
    """Kept open from member to member; never shared with another process, which would move its position."""
    return ZipFile(path)


def _refused(source: str, problem: str, mend: str) -> Unit:
    source = _shown(source)
    return Unit(source, source, refused=InputError.of(source, problem, mend).faults[0])


def _shown(name: str) -> str:
    """A name of bytes that are not UTF-8 could not be printed."""
    return name.encode("utf-8", "replace").decode()
