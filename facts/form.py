"""How the type of a field says what may stand in a file: what reads it is ``facts/readers/form.py``.

A form is a dataclass of ``FromFile``, and its fields are numbers within bounds, words, text, tuples for lists,
``Entries`` for names with values, and other forms; ``X | None`` may be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from facts.errors import Place

T = TypeVar("T")
Schema: TypeAlias = dict[str, Any]
"""JSON Schema."""

TEXT: Final[Schema] = {"type": "string"}
NO_KEYS: Final = ("place", "places", "rest")
"""Fields of a form that no file states: where it stands, where each value in it does, and all that stands under other
keys."""


def in_the_form(pattern: str) -> Schema:
    """The schema of a text that a regular expression describes."""
    return {**TEXT, "pattern": pattern}


def hyphenated(name: str) -> str:
    """The name as it stands in a file; ``is_`` stands for ``is``, which is a word of Python."""
    return name.rstrip("_").replace("_", "-")


class FromFile:
    """A dataclass read from a file: keys are written with hyphens, and unknown ones are errors without a ``rest``."""

    __slots__ = ()
    meant_by: ClassVar[frozenset[str]] = frozenset()
    """Where there are several forms: keys, any of which tells that it is this one."""


def keys_of(shape: type[Any]) -> tuple[str, ...]:
    """The keys that a file may hold for a dataclass."""
    return tuple(hyphenated(one.name) for one in fields(shape) if one.name not in NO_KEYS)


@dataclass(frozen=True, slots=True)
class Placed(Generic[T]):
    """A value with the place where it stands."""

    value: T
    place: Place


class Entries(dict[str, T]):
    """Names with values, in the order of the file."""

    def __init__(self, entries: Mapping[str, T], places: Mapping[str, Place], place: Place) -> None:
        super().__init__(entries)
        self.places = places
        """Where each name stands."""
        self.place = place


def no_entries() -> Entries[Any]:
    """What stands for names that a file leaves out."""
    return Entries({}, {}, Place("", 1))


@dataclass(frozen=True, slots=True)
class OneOrMore:
    """A tuple; of a single value the list may be left out."""


@dataclass(frozen=True, slots=True)
class Between:
    """A whole number within bounds, both of them allowed."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class ReadBy:
    """Whatever a function makes of the bare value; its MisreadError says what is wrong."""

    read: Callable[[Any], object]
    schema: Schema = field(default_factory=lambda: TEXT, hash=False)
    """Of the bare value."""
    anyway: Callable[[Any], object] = lambda _: None
    """What is taken for a value that cannot be read; for one that is missing, of empty text."""


@dataclass(frozen=True, slots=True)
class Described:
    """Something of which the schema is given under a name, as it depends on what the rules declare."""

    name: str
    made: Callable[[Any], object] | None = None
    """What is made of the value that is read; None: it is taken as it is."""
