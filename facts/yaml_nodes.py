"""What a YAML file holds, each value with its place.

Whoever looks for entries or items in what has none finds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from facts.errors import Place

Steps: TypeAlias = tuple[str | int, ...]
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
        """The bare value."""
        return self.value

    def place_at(self, path: Steps) -> Place:
        """The place of the value, whatever the path."""
        return self.place


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    entries: ClassVar[dict[str, Node]] = {}
    keys: ClassVar[dict[str, Place]] = {}
    items: tuple[Node, ...]
    place: Place

    def plain(self) -> Plain:
        """The bare list."""
        return [item.plain() for item in self.items]

    def place_at(self, path: Steps) -> Place:
        """The place of the value at ``path``; steps that lead nowhere are left out, so it may be something above it."""
        for i, step in enumerate(path):
            if isinstance(step, int) and 0 <= step < len(self.items):
                return self.items[step].place_at(path[i + 1 :])
        return self.place


@dataclass(frozen=True, slots=True)
class Mapping:
    """Names with values, in the order of the file; ``keys`` holds the place of each name."""

    items: ClassVar[tuple[Node, ...]] = ()
    entries: dict[str, Node]
    keys: dict[str, Place]
    place: Place

    def plain(self) -> Plain:
        """The bare dictionary."""
        return {key: value.plain() for key, value in self.entries.items()}

    def place_at(self, path: Steps) -> Place:
        """The place of the value at ``path``; steps that lead nowhere are left out, so it may be something above it."""
        for i, step in enumerate(path):
            if isinstance(step, str) and step in self.entries:
                return self.entries[step].place_at(path[i + 1 :])
        return self.place


Node: TypeAlias = Scalar | Sequence | Mapping
