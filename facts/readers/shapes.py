"""A part of a file becomes an instance of the dataclass that states its keys, and every fault is noted at its place.

Nothing is guessed: ``"3"`` and ``true`` are no numbers, ``3`` is no text. What a field may hold is read off its
annotation, once a class is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import cache, partial
from reprlib import repr
from types import NoneType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NoReturn,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from facts.errors import Fault
from facts.readers.mending import cannot_stand, faults_told, not_among
from facts.shapes import Between, FromFile, ReadBy, hyphenated
from facts.suggestions import did_you_mean
from facts.yaml_nodes import Mapping, Node, Sequence

T = TypeVar("T", bound=FromFile)
Reader: TypeAlias = Callable[[Node, list[Fault]], Any]
"""From a node to the value; where it adds faults, the value is of no use."""


class _Key(NamedTuple):
    """A key that a file may hold."""

    name: str
    """Of the field."""
    read: Reader
    required: bool


def read_shape(shape: type[T], node: Node, faults: list[Fault]) -> T | None:
    """The instance of a dataclass that a mapping states; None, and faults added, where it states none."""
    if not isinstance(node, Mapping):
        _bare(partial(_refuse, "dataclass_type"), node, faults)
        return None
    before = len(faults)
    stated = stated_in(shape, node, faults)
    return shape(**stated) if len(faults) == before else None


def stated_in(shape: type[FromFile], node: Mapping, faults: list[Fault]) -> dict[str, Any]:
    """The fields of a dataclass that a mapping states; none at all, and faults added, where something is wrong."""
    before, keys = len(faults), _keys(shape)  # type: ignore[arg-type] # mypy: a class has the hash of its instances
    for key, place in node.keys.items():
        if key not in keys:
            faults.append(Fault(place, f"{repr(key)} is no key here", did_you_mean(key, keys)))
    for key, one in keys.items():
        if one.required and key not in node.entries:
            faults.append(Fault(node.place, f"{key} is missing", f"add {key}: with its value"))
    known = ((keys[key], value) for key, value in node.entries.items() if key in keys)
    stated = {one.name: one.read(value, faults) for one, value in known}
    return stated if len(faults) == before else {}


@cache
def _keys(shape: Any) -> dict[str, _Key]:
    kinds = get_type_hints(shape, include_extras=True)
    return {
        hyphenated(one.name): _Key(one.name, reading(kinds[one.name]), one.default is MISSING) for one in fields(shape)
    }


def reading(kind: Any) -> Reader:
    """What reads a value of an annotation; ValueErrors become faults."""
    form, parts = get_origin(kind), get_args(kind)
    if form is Annotated:
        return partial(_bare, parts[1].read if isinstance(parts[1], ReadBy) else partial(_number, parts[1]))
    if form is Literal:
        return partial(_bare, partial(_one_of, parts))
    if form is tuple:
        return partial(_list, reading(parts[0]))
    if NoneType in parts:
        return reading(parts[0])
    return partial(_bare, _SIMPLE[kind]) if kind in _SIMPLE else partial(read_shape, kind)


def _list(read: Reader, node: Node, faults: list[Fault]) -> Any:
    if not isinstance(node, Sequence):
        return _bare(partial(_refuse, "tuple_type"), node, faults)
    return tuple([read(item, faults) for item in node.items])


def _bare(read: Callable[[Any], Any], node: Node, faults: list[Fault]) -> Any:
    """What a function makes of the bare value."""
    try:
        return read(node.plain())
    except ValueError as error:
        faults += faults_told(error, node.place)


def _refuse(kind: str, given: object, **bounds: int) -> NoReturn:
    raise ValueError(cannot_stand(given, kind, **bounds))


def _number(bounds: Between, given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool):
        _refuse("int_type", given)
    if given < bounds.least:
        _refuse("greater_than_equal", given, ge=bounds.least)
    if given > bounds.most:
        _refuse("less_than_equal", given, le=bounds.most)
    return given


def _one_of(words: tuple[str, ...], given: object) -> object:
    if given not in words:
        raise ValueError(not_among(given, words))
    return given


def plain_text(given: object) -> str:
    """The value, which must be text; else ValueError as those of ``ReadBy``."""
    return given if isinstance(given, str) else _refuse("string_type", given)


def _flag(given: object) -> bool:
    return given if isinstance(given, bool) else _refuse("bool_type", given)


def _anything(given: object) -> object:
    return given


_SIMPLE: Final[dict[Any, Callable[[object], object]]] = {str: plain_text, bool: _flag, Any: _anything}
