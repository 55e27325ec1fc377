"""The kinds of files that hold incidents, and which of them some bytes are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from facts.errors import InputError, Place
from facts.form import keys_of
from facts.incident import Incident
from facts.readers.incident import IncidentFile, Tables, read_incident
from facts.yaml_reader import decode

MAX_RECORD_BYTES: Final = 256_000_000
"""Play records are larger than what people write by hand."""
_SNIFFED: Final = 100_000


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that holds incidents."""

    name: str
    suffixes: tuple[str, ...]
    looks_like: re.Pattern[bytes]
    """Tells it from the formats after it where the suffix tells nothing."""
    decode: Callable[[bytes, str], str]
    """From bytes and the name of the file to text; InputError."""
    read: Callable[[str, str, Tables | None], Iterator[Incident | InputError]]
    """From text, the name of the file and what can be said to each board, or what is wrong with it; may raise
    InputError as well."""

    def boards(self, data: bytes, file: str, tables: Tables | None = None) -> Iterator[Incident | InputError]:
        """Each board in the bytes of a file of this format; an InputError for each that cannot be read.

        ``tables``: what can be said under an edition, if it is not just what the shipped rules declare.
        """
        try:
            yield from self.read(self.decode(data, file), file, tables)
        except InputError as error:
            yield error


def decode_record(data: bytes, file: str) -> str:
    """The text of a play record, UTF-8 or Latin-1; InputError when it is empty, too large or not text."""
    if len(data) > MAX_RECORD_BYTES:
        raise InputError.of(file, f"the file is larger than {MAX_RECORD_BYTES // 1_000_000} MB", "divide it")
    if not data.strip():
        raise InputError.of(file, "the file is empty", "write something into it, or leave it out")
    if (zero := data.find(b"\0")) >= 0:
        place = Place(file, data.count(b"\n", 0, zero) + 1)
        raise InputError.of(place, "there is a zero byte: this is not a text file", "save it as UTF-8 text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _pbn(text: str, file: str, _: Tables | None) -> Iterator[Incident | InputError]:
    from facts.readers.pbn import read_pbn  # noqa: PLC0415 - each reader is loaded for its own files only

    return read_pbn(text, file)


def _lin(text: str, file: str, _: Tables | None) -> Iterator[Incident | InputError]:
    from facts.readers.lin import read_lin  # noqa: PLC0415

    return read_lin(text, file)


def _handviewer(text: str, file: str, _: Tables | None) -> Iterator[Incident | InputError]:
    from facts.readers.handviewer import read_handviewer  # noqa: PLC0415

    return read_handviewer(text, file)


def _incident(text: str, file: str, tables: Tables | None) -> Iterator[Incident | InputError]:
    yield read_incident(text, file, tables)


_INCIDENT_KEY: Final = "|".join(keys_of(IncidentFile)).encode()

_ALL: Final = (
    Format("pbn", (".pbn",), re.compile(rb'^[ \t]*\[[ \t]*\w+[ \t]*"', re.MULTILINE), decode_record, _pbn),
    Format("lin", (".lin",), re.compile(rb"\A(?:\xef\xbb\xbf)?\s*[a-z]{2}\|"), decode_record, _lin),
    Format(
        "incident",
        (".yaml", ".yml"),
        re.compile(rb"^(?:" + _INCIDENT_KEY + rb")[ \t]*:", re.MULTILINE),
        decode,
        _incident,
    ),
    Format("handviewer", (), re.compile(rb"handviewer|[?&](?:lin|n|e|s|w)="), decode_record, _handviewer),
)
FORMATS: Final = {kind.name: kind for kind in _ALL}
"""Every format by its name, in the order in which they are tried: all that there is to say about one stands here."""
USUAL: Final = FORMATS["incident"]
"""Of what looks like none of them."""
RECORD_SUFFIXES: Final = tuple(suffix for kind in _ALL for suffix in kind.suffixes)
"""Of the files that are read when a folder or an archive is given."""


def format_of(data: bytes, suffix: str) -> Format:
    """What some bytes are, by the suffix of their file, such as ``.pbn``, or else by their looks."""
    by_suffix = (kind for kind in _ALL if suffix.lower() in kind.suffixes)
    by_looks = (kind for kind in _ALL if kind.looks_like.search(data, 0, _SNIFFED))
    return next(by_suffix, None) or next(by_looks, USUAL)
