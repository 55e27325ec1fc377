"""Objects as flat tables, which are read back much quicker than objects within objects.

A table holds every string and number once; then come groups of tuples, mappings and objects of one class, whose parts
are told by their number in the table. What a group holds rests on earlier groups only, and joins the table in its turn;
what is equal in every part stands there once. The last is the object asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, NamedTuple

_TUPLE, _MAPPING, _PLAIN = -1, -2, -3
_Key = tuple[object, ...]


def flattened(value: object, classes: Sequence[type]) -> list[Any]:
    """A value made of these dataclasses, tuples, mappings, text, numbers, yes-no and None, as JSON can write it."""
    return _Flattening(classes).table(value)


def unflattened(flat: Any, classes: Sequence[type]) -> Any:
    """The value that was flattened; ValueError, TypeError, LookupError or AttributeError if that makes no sense."""
    table, groups = flat
    at = table.__getitem__
    for kind, *columns in groups:
        if kind >= 0:
            table += [*map(classes[kind], *(map(at, column) for column in columns))]
        elif kind == _TUPLE:
            table += [tuple(map(at, row)) for row in columns[0]]
        else:
            table += [
                dict(zip(map(at, keys), map(at, values), strict=True)) for keys, values in zip(*columns, strict=True)
            ]
    return table[-1]


class _Entry(NamedTuple):
    """A part of the whole: its group, and the numbers of its own parts, or the plain value that it is."""

    height: int
    kind: int
    parts: tuple[int, ...]
    plain: object = None


class _Flattening:
    """The entries in the order in which they were met, each once."""

    def __init__(self, classes: Sequence[type]) -> None:
        self.kinds: Final = {of: number for number, of in enumerate(classes)}
        self.names = [[field.name for field in fields(of) if field.init] for of in classes]
        self.entries: list[_Entry] = []
        self.known: dict[_Key, int] = {}

    def table(self, value: object) -> list[Any]:
        """The plain values, and the groups."""
        self.number(value)
        order = sorted(range(len(self.entries)), key=lambda one: (self.entries[one].height, self.entries[one].kind))
        place = {number: at for at, number in enumerate(order)}
        groups: dict[tuple[int, int], list[list[int]]] = {}
        for number in order:
            entry = self.entries[number]
            groups.setdefault((entry.height, entry.kind), []).append([place[part] for part in entry.parts])
        plain = [self.entries[number].plain for number in order if self.entries[number].kind == _PLAIN]
        return [plain, [_group(kind, rows) for (_, kind), rows in groups.items() if kind != _PLAIN]]

    def number(self, value: object) -> int:
        """The number of the entry for a value."""
        if value is None or isinstance(value, str | int):
            return self._entered((_PLAIN, type(value), value), _Entry(0, _PLAIN, (), value))
        kind, parts = self._taken_apart(value)
        numbers = tuple(map(self.number, parts))
        height = 1 + max((self.entries[one].height for one in numbers), default=0)
        return self._entered((kind, numbers), _Entry(height, kind, numbers))

    def _taken_apart(self, value: object) -> tuple[int, Sequence[object]]:
        if isinstance(value, tuple):
            return _TUPLE, value
        if isinstance(value, Mapping):
            return _MAPPING, [part for pair in value.items() for part in pair]
        kind = self.kinds[type(value)]
        return kind, [getattr(value, name) for name in self.names[kind]]

    def _entered(self, key: _Key, entry: _Entry) -> int:
        if key not in self.known:
            self.known[key] = len(self.entries)
            self.entries.append(entry)
        return self.known[key]


def _group(kind: int, rows: list[list[int]]) -> list[Any]:
    if kind == _TUPLE:
        return [kind, rows]
    if kind == _MAPPING:
        return [kind, [row[::2] for row in rows], [row[1::2] for row in rows]]
    return [kind, *(list(column) for column in zip(*rows, strict=True))]
