"""Any file of incidents, of whichever format, and folders and archives of play records, read board by board.

Nothing is unpacked to disk. What unfolds to far more than its size is refused, and so is an archive in an archive; one
member that cannot be read loses no other. In folders and archives only files of a known suffix are taken.
"""

from __future__ import annotations

import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from gzip import GzipFile
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple, TypeAlias
from zipfile import BadZipFile, ZipFile

from facts.errors import Fault, InputError
from facts.form import keys_of
from facts.incident import Incident
from facts.opening import is_folder, is_regular, reading
from facts.readers.incident import Tables, incident_of
from facts.readers.lin import read_handviewer, read_lin
from facts.readers.pbn import read_pbn
from facts.yaml_reader import decode, read_yaml

STANDARD_INPUT: Final = "-"
MAX_RATIO: Final = 200
"""How many times its size an archive or a member may unfold to; text shrinks to a tenth, rarely to a fiftieth."""
FREE_BYTES: Final = 4_000_000
"""What it may unfold to in any case."""
MAX_MEMBERS: Final = 100_000

_ARCHIVES: Final = frozenset({".zip", ".gz", ".tar", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst"})
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

    def boards(self, data: bytes, file: str, tables: Tables | None = None) -> Iterator[Incident | InputError]:
        """Each board in the bytes of a file of this format; an InputError for each that cannot be read.

        ``tables``: what can be said under an edition, if it is not just what the shipped rules declare.
        """
        try:
            if self.read is not None:
                yield from self.read(decode(data, file, MAX_RECORD_BYTES, or_latin=True), file)
                return
            node = read_yaml(decode(data, file), file)
        except InputError as error:
            yield error
            return
        cases = [one.entries["incident"] for one in (node, *node.items) if "incident" in one.entries]
        for one in cases or [node]:  # the incident, or that of each case of a file of cases
            try:
                yield incident_of(one, tables)
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


class Reading(NamedTuple):
    source: str
    number: int
    board: Incident | InputError


def read_file(path: Path | str, tables: Tables | None = None) -> Iterator[Incident | InputError]:
    """Each board of a file or archive, or of standard input for ``-``; an InputError for each that cannot be read.

    ``tables``: what can be said under an edition, if it is not just what the shipped rules declare.
    """
    for unit in units_of_file(str(path)):
        for one in read_unit(unit, tables):
            yield one.board


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
        name = PurePosixPath(source.replace(os.sep, "/")).name  # of what is in it
        name = name[:-3] if name.lower().endswith(".gz") else name
        yield Unit(f"{source}!/{name}", path, size=size)
    else:
        yield Unit(source, path, size=size)


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
    try:
        with ZipFile(path) as archive:
            members = archive.infolist()
    except (BadZipFile, NotImplementedError, OSError) as error:
        yield _refused(path, f"the zip file is damaged ({error})", "make it again")
        return
    if len(members) > MAX_MEMBERS:
        yield _refused(path, f"the zip file has more than {MAX_MEMBERS} members", "divide it")
        return
    left = max(FREE_BYTES, MAX_RATIO * Path(path).stat().st_size)
    for number, member in enumerate(members):
        suffix = PurePosixPath(member.filename).suffix.lower()
        known = suffix in RECORD_SUFFIXES or suffix in _ARCHIVES
        if not known or member.is_dir() or member.filename.startswith("__MACOSX/"):
            continue
        left -= member.file_size
        source = f"{_shown(path)}!/{_shown(member.filename)}"
        if suffix in _ARCHIVES:
            yield _refused(source, *_NESTED)
        elif member.flag_bits & 1:
            yield _refused(source, "the member is encrypted", "make the archive without a password")
        elif member.file_size > max(FREE_BYTES, MAX_RATIO * member.compress_size) or left < 0:
            yield _refused(source, *_BOMB)
        else:
            yield Unit(source, path, number, member.file_size)


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
        with Path(unit.path).open("rb") as stream:
            return _unfolded_data(stream.read(MAX_RECORD_BYTES + 1), unit.source)
    except _UNREADABLE as error:
        raise InputError.of(
            unit.source, f"it cannot be read ({error})", "see whether it is whole, and make it again"
        ) from None


_UNREADABLE: Final = (
    BadZipFile,
    LZMAError,
    NotImplementedError,
    IndexError,
    RuntimeError,
    EOFError,
    ValueError,
    OSError,
    zlib.error,
)
"""What opening and unfolding may raise."""


@lru_cache(maxsize=2)
def _opened(path: str, changed: int, process: int) -> ZipFile:
    """Kept open from member to member; never shared with another process, which would move its position."""
    return ZipFile(path)


def _unfolded_data(data: bytes, source: str) -> bytes:
    """The data, unfolded where it is gzip's."""
    if not data.startswith(_GZIP):
        if data.startswith(_ZIP):
            raise InputError.of(source, "this is a zip file", "save it, and give its name")
        return data
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


def _refused(source: str, what: str, mend: str) -> Unit:
    source = _shown(source)
    return Unit(source, source, refused=InputError.of(source, what, mend).faults[0])


def _shown(name: str) -> str:
    """A name of bytes that are not UTF-8 could not be printed."""
    return name.encode("utf-8", "replace").decode()
