"""Files opened and written whole, and text and YAML in them, read so that every value keeps its place.

Only what people write by hand is read: mappings, lists, text, whole numbers and true/false. ``no``, ``2017-09-25``,
``1:30``, ``064`` and ``7E1`` stay text, so that a law's number never becomes something else; ``61`` without quotes is
a number, an empty value is empty text.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO, ClassVar, Final, TypeAlias

import yaml

from facts.errors import Fault, Faults, InputError, Place
from facts.printable import MOST_DIGITS

KeyPath: TypeAlias = tuple[str | int, ...]
Plain: TypeAlias = "str | int | bool | list[Plain] | dict[str, Plain]"


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value; ``quoted`` text is text even when it looks like a number."""

    entries: ClassVar[dict[str, Node]] = {}
    keys: ClassVar[dict[str, Place]] = {}
    items: ClassVar[tuple[Node, ...]] = ()
    value: str | int | bool
    place: Place
    quoted: bool = False

    def plain(self) -> Plain:
        return self.value


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    entries: ClassVar[dict[str, Node]] = {}
    keys: ClassVar[dict[str, Place]] = {}
    items: tuple[Node, ...]
    place: Place

    def plain(self) -> Plain:
        return [item.plain() for item in self.items]


@dataclass(frozen=True, slots=True)
class Mapping:
    """Names with values, in the order of the file; ``keys`` holds the place of each name."""

    items: ClassVar[tuple[Node, ...]] = ()
    entries: dict[str, Node]
    keys: dict[str, Place]
    place: Place

    def plain(self) -> Plain:
        return {key: value.plain() for key, value in self.entries.items()}


Node: TypeAlias = Scalar | Sequence | Mapping


def place_at(node: Node, path: KeyPath) -> Place:
    """The place of the value at ``path``; steps that lead nowhere are left out, so it may be something above it."""
    for step in path:
        if isinstance(step, str):
            node = node.entries.get(step, node)
        elif 0 <= step < len(node.items):
            node = node.items[step]
    return node.place


MAX_DEPTH = 50
MAX_NODES = 200_000
TOO_DEEP = f"values are nested more than {MAX_DEPTH} deep here"
TOO_MUCH = "make it simpler, or divide it"
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")


END: Final = yaml.StreamEndEvent()


class Composer:
    """Builds nodes from the parser's events, so that depth and number are bounded before anything is built."""

    def __init__(self, events: Iterator[yaml.Event], file: str) -> None:
        self.events = events
        self.file = file
        self.faults = Faults()
        self.nodes = 0

    def document(self) -> Node:
        """The one document; InputError or a YAMLError when it cannot be read to its end. ``faults`` holds the rest."""
        next(self.events, END)  # the start of the stream
        event = next(self.events, END)
        if isinstance(event, yaml.StreamEndEvent):
            raise InputError.of(self.file, "there is nothing in the file", "write something into it, or leave it out")
        node = self.node(next(self.events, END), 1)
        next(self.events, END)  # the end of the document
        event = next(self.events, END)
        if not isinstance(event, yaml.StreamEndEvent):
            mend = "keep one document a file: take the --- away"
            self.faults.add(self.place(event), "a second document begins here", mend)
        return node

    def node(self, event: yaml.Event, depth: int) -> Node:
        """The value that begins with this event, so many levels down; InputError when there are too many."""
        self.nodes += 1
        if depth > MAX_DEPTH:
            raise InputError.of(self.place(event), TOO_DEEP, TOO_MUCH)
        if self.nodes > MAX_NODES:
            raise InputError.of(self.place(event), f"the file holds more than {MAX_NODES} values", TOO_MUCH)
        sign, anchor = "*" if isinstance(event, yaml.AliasEvent) else "&", getattr(event, "anchor", None)
        for mark in filter(None, (anchor and sign + anchor, getattr(event, "tag", None))):
            mend = f"write the value out, or put a text that begins with {mark[0]} in quotes"
            self.faults.add(self.place(event), f"{mark} is a reference or a tag of YAML's", mend)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Node] = []
            while not isinstance(end := next(self.events, END), yaml.SequenceEndEvent):
                items.append(self.node(end, depth + 1))
            return Sequence(tuple(items), self.place(event, end))
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(event, depth)
        return Scalar("", self.place(event))  # an alias, refused above

    def scalar(self, event: yaml.ScalarEvent) -> Scalar:
        """A whole number, true or false where it is written so without quotes, else text."""
        place = self.place(event)
        if event.style:
            return Scalar(event.value, place, quoted=True)
        if unseen := _UNSEEN.search(event.value):
            raise InputError.of(place, f"{_UNLIKE} (U+{ord(unseen[1]):04X})", _WRITE)
        if event.value in ("true", "false"):
            return Scalar(event.value == "true", place)
        if not _INTEGER.fullmatch(event.value):
            return Scalar(event.value, place)
        if len(event.value) > MOST_DIGITS:
            self.faults.add(
                place, "the number is too large", f"write at most {MOST_DIGITS} digits, or put it in quotes"
            )
            return Scalar(0, place)
        return Scalar(int(event.value), place)

    def mapping(self, start: yaml.Event, depth: int) -> Mapping:
        """The names with their values, up to their end; what cannot be a name is a fault, and left out."""
        entries: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        while not isinstance(event := next(self.events, END), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(next(self.events, END), depth + 1)
            if (name := self.key(key, keys)) is not None:
                entries[name], keys[name] = value, key.place
        place = self.place(start, event)
        if place.width == 1 and keys:
            place = [*keys.values()][0]
        return Mapping(entries, keys, place)

    def key(self, key: Node, seen: dict[str, Place]) -> str | None:
        """The name, or None when it cannot be one."""
        if not isinstance(key, Scalar) or not isinstance(key.value, str):
            shown = f"{key.value}".lower() if isinstance(key, Scalar) else "here"
            self.faults.add(
                key.place, f"the name {shown} is not text", "write a text, in quotes if it looks like a number"
            )
        elif key.value == "<<" and not key.quoted:
            self.faults.add(key.place, "<< merges other values into this one", "write the values out")
        elif key.value == "":
            self.faults.add(key.place, "the name before the colon is missing", "write a name, or take the colon away")
        elif not key.quoted and _WIDE.search(key.value):
            self.faults.add(key.place, _WIDE_SIGN, _WRITE)
        elif key.value in seen:
            first = seen[key.value], "first written here"
            self.faults.add(key.place, f"{key.value} stands here for the second time", "keep one of the two", first)
        else:
            return key.value
        return None

    def place(self, start: yaml.Event, end: yaml.Event | None = None) -> Place:
        """From the start of one event to the end of another; the width is 1 when they lie on different lines."""
        first: Any = start.start_mark
        last: Any = (end or start).end_mark
        width = max(1, last.column - first.column) if first.line == last.line else 1
        return Place(self.file, first.line + 1, first.column + 1, width)


@contextmanager
def reading(path: Path | str) -> Iterator[BinaryIO]:
    """The file, to be read from its beginning to its end; InputError when it cannot be had."""
    try:
        with Path(path).open("rb") as stream:
            yield stream
    except FileNotFoundError:
        raise InputError.of(path, "there is no such file", "check the name and the folder") from None
    except IsADirectoryError:
        raise InputError.of(path, "this is a folder, not a file", "name a file") from None
    except (OSError, ValueError) as error:
        raise InputError.of(path, f"the file cannot be read ({error})", "check its name and its permissions") from None


is_folder: Final = os.path.isdir
"""Whether there is a folder of this name; what cannot be a name, for its length or its letters, names none."""
is_file: Final = os.path.isfile
"""The same of a regular file, or a link to one."""


def is_regular(path: Path | str) -> bool:
    """Whether there is a regular file of this name or none at all, rather than a folder, a device or a pipe."""
    return is_file(path) or not os.path.exists(path)  # noqa: PTH110


def write_whole(target: Path, text: str | bytes) -> None:
    """Writes bytes, or text as UTF-8, beside the file; once that is on the disk it is moved there. OSError if not.

    A file that is replaced hands on its permissions, and must be one that may be written to.
    """
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    part = target.with_name(f".revoke-{token_hex(4)}.part")
    try:
        with part.open("xb") as stream:
            stream.write(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


MAX_BYTES = 8_000_000


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, a byte order mark left out; InputError when it cannot be had."""
    with reading(path) as stream:
        data = stream.read(MAX_BYTES + 1)
    return decode(data, str(path))


def decode(data: bytes, file: str, most: int = MAX_BYTES, or_latin: bool = False) -> str:
    """The text in ``data``; InputError when it is empty, too large, binary or not UTF-8, nor ``or_latin`` Latin-1."""
    if len(data) > most:
        raise InputError.of(file, f"the file is larger than {most // 1_000_000} MB", "divide it")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError.of(file, "the file is written in UTF-16", "save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if or_latin:
            return decode(data.decode("latin-1").encode(), file, 2 * most)
        text_before = data[: error.start].decode("utf-8-sig", "replace")
        problem = f"the byte 0x{data[error.start]:02x} is not UTF-8"
        raise InputError.of(_place_after(text_before, file), problem, "save the file as UTF-8 text") from None
    if not text.strip():
        raise InputError.of(file, "the file is empty", "write something into it, or leave it out")
    if "\0" in text:
        place = _place_after(text[: text.index("\0")], file)
        raise InputError.of(place, "there is a zero byte: this is not a text file", "name a text file")
    return text


LOADER: Final = getattr(yaml, "CLoader", yaml.Loader)
"""libyaml's, where there is one: it is not in a browser."""
MOST_READ: Final = 40
"""So many texts are remembered, so that rules are soon read again where one of their files has changed."""


def read_yaml(text: str, file: str) -> Node:
    """The one YAML document in ``text``; InputError with every fault when it is not one of the kind described above."""
    node, faults = read_faulty_yaml(text, file)
    if node is None or faults:
        raise InputError(faults)
    return node


@lru_cache(MOST_READ)
def read_faulty_yaml(text: str, file: str) -> tuple[Node | None, tuple[Fault, ...]]:
    """What can be read of the one YAML document in ``text``, and every fault in it; None when nothing can.

    Of a name given twice the first is kept, tags and anchors are left out.
    """
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_BYTES:
        return None, InputError.of(file, f"the file is larger than {MAX_BYTES // 1_000_000} MB", "divide it").faults
    strange = [char for char in set(text) - _PLAIN if not any(low <= ord(char) <= high for low, high in _LETTERS)]
    if strange:
        position = min(map(text.index, strange))
        problem, mend = f"the character U+{ord(text[position]):04X} cannot stand in a text file", "take it away"
        if text[position] == "\t":
            problem, mend = "there is a tab", "write spaces instead"
        return None, (Fault(_place_after(text[:position], file), problem, mend),)
    composer = Composer(yaml.parse(text, Loader=LOADER), file)
    try:
        return composer.document(), tuple(sorted(composer.faults))
    except InputError as error:
        return None, (*composer.faults, *error.faults)
    except yaml.MarkedYAMLError as error:
        return None, (*composer.faults, _syntax_fault(error, text, file))
    except yaml.YAMLError as error:
        return None, (*composer.faults, Fault(Place(file, 1), f"this is not YAML ({error})", _MEND))


_PLAIN = frozenset(map(chr, (0x0A, 0x0D, *range(0x20, 0x7F))))
_LETTERS = ((0xA0, 0x2027), (0x202A, 0xD7FF), (0xE000, 0xFEFE), (0xFF00, 0xFFFD), (0x10000, 0x10FFFF))
_MEND = "check the indentation, the colons and the quotes here and in the line above"
_MENDS = {
    "mapping values are not allowed": "put a text that holds a colon in quotes, and check the indentation",
    "could not find expected ':'": "write a colon and a space after the name, and check the indentation",
    "cannot start any token": "put the text in quotes",
    "did not find expected '-' indicator": "let it stand below the - of the items before it, no further in or out",
    "did not find expected key": "let it begin in the column of the names above it",
    "unexpected end of stream": "close the quote or bracket that is still open",
    "expected ',' or": "close the bracket here or in a line above, or put a comma between the values",
    "expected node content": "write a value here, or take the comma or bracket away",
    "nested more than": TOO_MUCH,
    "unknown escape character": "write the text in single quotes, or the backslash twice",
}


def _syntax_fault(error: yaml.MarkedYAMLError, text: str, file: str) -> Fault:
    mark: Any = error.problem_mark or error.context_mark
    problem, begun = error.problem or "this is not YAML", error.context_mark or mark
    if mark.index >= len(text.rstrip()):  # what was left open says more than the end of the file
        mark = begun
    context = f" {error.context}" if error.context else ""
    if "nesting depth" in problem:  # newer parsers look so far ahead that they stop before the composer can
        problem, context = TOO_DEEP, ""
    mend = next((mend for part, mend in _MENDS.items() if part in problem), _MEND)
    before_mark = text.split("\n")[mark.line][: mark.column] if mark.line < text.count("\n") + 1 else ""
    if "did not find expected key" in problem and before_mark.strip():  # something stands behind a value that has ended
        mend = 'put the whole text in quotes, here or in the line above; a quote within it is written \\"'
    lines = text.split("\n")
    for number in (mark.line, mark.line - 1):
        for sign, cause, mend_it in _SIGNS if 0 <= number < len(lines) else ():
            if match := sign.search(lines[number]):
                return Fault(Place(file, number + 1, match.start(1) + 1), cause, mend_it)
    opens = Place(file, begun.line + 1, begun.column + 1)
    others = ((opens, "it opens here"),) if "expected ',' or" in problem else ()
    return Fault(Place(file, mark.line + 1, mark.column + 1), f"{problem}{context}", mend, others)


_UNSEEN: Final = re.compile("([\u00a0\u00ad\u2000-\u2011\u202f\u2060\ufeff])")
"""Spaces, hyphens and nothings that look like others."""
_UNLIKE: Final = "there is a sign that looks like a space, like a hyphen or like nothing, and is another"
_WRITE: Final = "write the ordinary one, or none; in a text put it in quotes"
_WIDE: Final = re.compile("([\uff01-\uff5e])")
_WIDE_SIGN: Final = "there is a full-width sign, as on a Chinese or Japanese keyboard, and YAML knows the narrow one"
_SIGNS: Final = (
    (
        re.compile(r"[:,\[{-] *([\u201c\u201d\u201e\u2018\u2019])"),
        "the quote that opens this text is curly, and YAML knows only straight ones",
        'write " here and where the text ends',
    ),
    (
        re.compile(r'"[^"]*([\u201c\u201d])[ ,}\]]*$'),
        "the quote that ends this text is curly, and YAML knows only straight ones",
        'write " here',
    ),
    (re.compile(rf'^(?:[^"]|"[^"]*")*?{_UNSEEN.pattern}'), _UNLIKE, _WRITE),
    (re.compile(rf'^(?:[^"]|"[^"]*")*?{_WIDE.pattern}'), _WIDE_SIGN, _WRITE),
)
"""What is often the cause where a line, or the one above it, cannot be read."""


def _place_after(text: str, file: str) -> Place:
    lines = re.split(r"\r\n|\r|\n", text)
    return Place(file, len(lines), len(lines[-1]) + 1)
