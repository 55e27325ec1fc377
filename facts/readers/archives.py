"""Any file of incidents, and folders and archives of play records, cut into units of work and read board by board.

Nothing is unpacked to disk. What unfolds to far more than its size is refused, and so is an archive in an archive; one
member that cannot be read loses no other. In folders and archives only files of a known suffix are taken.
"""

from __future__ import annotations

import io
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

from facts.errors import Fault, InputError
from facts.incident import Incident
from facts.opening import is_folder, opened
from facts.readers.formats import MAX_RECORD_BYTES, RECORD_SUFFIXES, format_of
from facts.readers.incident import Tables

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

STANDARD_INPUT: Final = "-"
MAX_RATIO: Final = 200
"""How many times its size an archive or a member may unfold to; text shrinks to a tenth, rarely to a fiftieth."""
FREE_BYTES: Final = 4_000_000
"""What it may unfold to in any case."""
MAX_MEMBERS: Final = 100_000

_TAKEN: Final = frozenset({*RECORD_SUFFIXES, ".zip", ".gz"})
"""Suffixes of what a folder gives."""
_ARCHIVES: Final = frozenset({".zip", ".gz", ".tar", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst"})
_ZIP: Final = b"PK\x03\x04"
_GZIP: Final = b"\x1f\x8b"


class UnreadError(InputError):
    """The bytes of a unit could not be had, and may be another time."""


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


class Reading(NamedTuple):
    """A board of a unit."""

    source: str
    number: int
    """Which board of the source, from 1."""
    board: Incident | InputError


def read_file(path: Path | str, tables: Tables | None = None) -> Iterator[Incident | InputError]:
    """Each board of a file or archive, or of standard input for ``-``; an InputError for each that cannot be read.

    ``tables``: what can be said under an edition, if it is not just what the shipped rules declare.
    """
    for unit in units_of_file(str(path)):
        for reading in read_unit(unit, tables):
            yield reading.board


def read_path(path: Path | str, tables: Tables | None = None) -> Iterator[Reading]:
    """Each board of a file, an archive, a folder with all that is in it, or of standard input for ``-``."""
    for unit in units([path]):
        yield from read_unit(unit, tables)


def units(paths: Iterable[Path | str]) -> Iterator[Unit]:
    """The units of files, archives, and folders with all that is in them, in the order of their names."""
    for path in paths:
        if path != STANDARD_INPUT and is_folder(path):
            yield from _units_in_folder(str(path))
        else:
            yield from units_of_file(str(path))


def units_of_file(path: str) -> Iterator[Unit]:
    """The units of one file, whatever its suffix; a refused one where it cannot be used."""
    if path == STANDARD_INPUT:
        yield Unit("standard input", path, once=True)
        return
    source = _shown(path)
    try:
        status = Path(path).stat()
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            yield Unit(source, path, once=True)  # looked into now, it would lose its beginning
            return
        with Path(path).open("rb") as stream:
            begins = stream.read(4)
        if begins == _ZIP or path.lower().endswith(".zip"):
            yield from _units_in_zip(path)
        elif begins[:2] == _GZIP:
            yield Unit(f"{source}!/{_unfolded(source)}", path, size=status.st_size)
        else:
            yield Unit(source, path, size=status.st_size)
    except FileNotFoundError:
        yield _refused(path, "there is no such file", "check the name and the folder")
    except IsADirectoryError:
        yield _refused(path, "this is a folder, not a file", "name a file")
    except (OSError, ValueError) as error:
        yield _refused(path, f"the file cannot be read ({error})", "check its name and its permissions")


def read_unit(unit: Unit, tables: Tables | None = None) -> Iterator[Reading]:
    """Each board of a unit; an InputError for each that cannot be read."""
    try:
        if unit.refused is not None:
            raise InputError([unit.refused])
        data = _data(unit)
    except InputError as error:
        yield Reading(unit.source, 1, error)
        return
    kind = format_of(data, PurePosixPath(unit.source).suffix)
    for number, board in enumerate(kind.boards(data, unit.source, tables), 1):
        yield Reading(unit.source, number, board)


def _units_in_folder(folder: str) -> Iterator[Unit]:
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        if not is_folder(here):
            yield from units_of_file(here)
            continue
        try:
            with os.scandir(here) as entries:
                found = sorted(entry.path for entry in entries if _is_taken(entry))
        except OSError as error:
            yield _refused(here, f"the folder cannot be read ({error})", "check its permissions")
            continue
        waiting += reversed(found)


def _is_taken(entry: os.DirEntry[str]) -> bool:
    """Folders (but not links to them, which may lead in circles) and files of a known suffix."""
    known = PurePosixPath(entry.name).suffix.lower() in _TAKEN
    try:
        return not entry.is_symlink() if entry.is_dir() else entry.is_file() and known
    except OSError:  # a link that leads nowhere; where it has such a suffix it is told
        return known


def _units_in_zip(path: str) -> Iterator[Unit]:
    from zipfile import BadZipFile, ZipFile  # noqa: PLC0415 - most files are no archives, and these take time to load

    try:
        with ZipFile(path) as archive:
            members = archive.infolist()
    except (BadZipFile, NotImplementedError) as error:
        yield _refused(path, f"the zip file is damaged ({error})", "make it again")
        return
    if len(members) > MAX_MEMBERS:
        yield _refused(path, f"the zip file has more than {MAX_MEMBERS} members", "divide it")
        return
    left = max(FREE_BYTES, MAX_RATIO * Path(path).stat().st_size)
    for number, member in enumerate(members):
        if not _is_record(member):
            continue
        left -= member.file_size
        unit = Unit(f"{_shown(path)}!/{_shown(member.filename)}", path, number, member.file_size)
        what, mend = _wrong_with(member, left)
        yield _refused(unit.source, what, mend) if what else unit


def _is_record(member: ZipInfo) -> bool:
    """Not what macOS adds, nor files that are no records."""
    suffix = PurePosixPath(member.filename).suffix.lower()
    known = suffix in RECORD_SUFFIXES or suffix in _ARCHIVES
    return known and not member.is_dir() and not member.filename.startswith("__MACOSX/")


def _wrong_with(member: ZipInfo, left: int) -> tuple[str, str]:
    if PurePosixPath(member.filename).suffix.lower() not in RECORD_SUFFIXES:
        return _NESTED
    if member.flag_bits & 1:
        return "the member is encrypted", "make the archive without a password"
    if member.file_size > max(FREE_BYTES, MAX_RATIO * member.compress_size) or left < 0:
        return _BOMB
    return "", ""


_NESTED: Final = ("this is an archive in an archive", "unpack it, or put the records into one archive")
_BOMB: Final = (f"it unfolds to more than {MAX_RATIO} times its size", "unpack it and see what it is")


def _data(unit: Unit) -> bytes:
    """The bytes of a unit, one more than can be used at the most; InputError."""
    try:
        if unit.path == STANDARD_INPUT:
            return _unfolded_data(sys.stdin.buffer.read(MAX_RECORD_BYTES + 1), unit.source)
        if unit.member is not None:
            archive = _opened(unit.path, Path(unit.path).stat().st_mtime_ns, os.getpid())
            with archive.open(archive.infolist()[unit.member]) as stream:
                return _not_nested(stream.read(MAX_RECORD_BYTES + 1), unit.source)
        with opened(unit.path) as stream:
            return _unfolded_data(stream.read(MAX_RECORD_BYTES + 1), unit.source)
    except _unreadable() as error:
        raise UnreadError.of(
            unit.source, f"it cannot be read ({error})", "see whether it is whole, and make it again"
        ) from None


def _unreadable() -> tuple[type[Exception], ...]:
    """What opening and unfolding may raise."""
    from lzma import LZMAError  # noqa: PLC0415
    from zipfile import BadZipFile  # noqa: PLC0415

    others = (NotImplementedError, IndexError, RuntimeError, EOFError, ValueError, OSError, zlib.error)
    return (BadZipFile, LZMAError, *others)


@lru_cache(maxsize=2)
def _opened(path: str, changed: int, process: int) -> ZipFile:
    """Kept open from member to member; never shared with another process, which would move its position."""
    from zipfile import ZipFile  # noqa: PLC0415

    return ZipFile(path)


def _unfolded_data(data: bytes, source: str) -> bytes:
    """The data, unfolded where it is gzip's."""
    if not data.startswith(_GZIP):
        if data.startswith(_ZIP):
            raise InputError.of(source, "this is a zip file", "save it, and give its name")
        return data
    from gzip import GzipFile  # noqa: PLC0415

    most = min(MAX_RECORD_BYTES, max(FREE_BYTES, MAX_RATIO * len(data)))
    with GzipFile(fileobj=io.BytesIO(data)) as stream:
        unfolded = stream.read(most + 1)
    if len(unfolded) > most < MAX_RECORD_BYTES:
        raise InputError.of(source, *_BOMB)
    return _not_nested(unfolded, source)


def _not_nested(data: bytes, source: str) -> bytes:
    if data.startswith((_ZIP, _GZIP)):
        raise InputError.of(source, *_NESTED)
    return data


def _unfolded(path: str) -> str:
    """The name of what a gzip file holds."""
    name = PurePosixPath(path.replace(os.sep, "/")).name
    return name[:-3] if name.lower().endswith(".gz") else name


def _refused(source: str, what: str, mend: str) -> Unit:
    source = _shown(source)
    return Unit(source, source, refused=InputError.of(source, what, mend).faults[0])


def _shown(name: str) -> str:
    """A name of bytes that are not UTF-8 could not be printed."""
    return name.encode("utf-8", "replace").decode()
