"""Any file of incidents: which reader it needs, and what it holds."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from facts.errors import Fault, InputError, Place
from facts.incident import Incident
from facts.readers.incident import read_incident
from facts.readers.pbn import read_pbn
from facts.source import decode

MAX_ARCHIVE_BYTES: Final = 256_000_000
"""Archives are larger than what people write by hand."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that holds incidents."""

    suffixes: tuple[str, ...]
    looks_like: re.Pattern[bytes]
    """Tells it from the formats after it where the suffix tells nothing."""
    decode: Callable[[bytes, str], str]
    """From bytes and the name of the file to text; InputError."""
    read: Callable[[str, str], Iterator[Incident | InputError]]
    """From text and the name of the file to each board, or what is wrong with it; may raise InputError as well."""


def read_file(path: Path | str) -> Iterator[Incident | InputError]:
    """Each board of a file, or of standard input for ``-``; an InputError for each that cannot be read."""
    file = "standard input" if str(path) == "-" else str(path)
    try:
        data = _data(str(path), file)
        kind = _format_of(Path(path).suffix.lower(), data)
        yield from kind.read(kind.decode(data, file), file)
    except InputError as error:
        yield error


def decode_archive(data: bytes, file: str) -> str:
    """The text of a play record, UTF-8 or Latin-1; InputError when it is empty, too large or not text."""
    if len(data) > MAX_ARCHIVE_BYTES:
        raise _unusable(file, f"the file is larger than {MAX_ARCHIVE_BYTES // 1_000_000} MB", "divide it")
    if not data.strip():
        raise _unusable(file, "the file is empty", "write something into it, or leave it out")
    if (zero := data.find(b"\0")) >= 0:
        place = Place(file, data.count(b"\n", 0, zero) + 1)
        raise InputError([Fault(place, "there is a zero byte: this is not a text file", "save it as UTF-8 text")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _incident(text: str, file: str) -> Iterator[Incident | InputError]:
    yield read_incident(text, file)


FORMATS: Final = (
    Format((".pbn",), re.compile(rb'^\s*\[\s*\w+\s*"', re.MULTILINE), decode_archive, read_pbn),
    Format((".yaml", ".yml"), re.compile(rb""), decode, _incident),
)


def _format_of(suffix: str, data: bytes) -> Format:
    by_suffix = [kind for kind in FORMATS if suffix in kind.suffixes]
    return by_suffix[0] if by_suffix else next(kind for kind in FORMATS if kind.looks_like.search(data, 0, 100_000))


def _data(path: str, file: str) -> bytes:
    try:
        if path == "-":
            return sys.stdin.buffer.read(MAX_ARCHIVE_BYTES + 1)
        with Path(path).open("rb") as stream:
            return stream.read(MAX_ARCHIVE_BYTES + 1)
    except FileNotFoundError:
        raise _unusable(file, "there is no such file", "check the name and the folder") from None
    except IsADirectoryError:
        raise _unusable(file, "this is a folder, not a file", "name a file") from None
    except (OSError, ValueError) as error:
        raise _unusable(file, f"the file cannot be read ({error})", "check its name and its permissions") from None


def _unusable(file: str, what: str, mend: str) -> InputError:
    return InputError([Fault(Place(file, 1), what, mend)])
