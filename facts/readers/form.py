"""A part of a file becomes a value of the type that states its form, and every fault is noted at its place.

Nothing is guessed: ``"3"`` and ``true`` are no numbers, ``3`` is no text. What a type allows is read off it once it is
wanted. Where something is wrong the rest is read all the same, so that what is wrong in it is found as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from functools import cache, cached_property
from inspect import getdoc
from types import NoneType
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

from facts.errors import Fault, Place
from facts.form import (
    NO_KEYS,
    TEXT,
    Between,
    Described,
    Entries,
    FromFile,
    OneOrMore,
    Placed,
    ReadBy,
    Schema,
    hyphenated,
)
from facts.readers.bare_values import anything, bounded, flag, integer, one_of, plain_text, refused, unknown
from facts.readers.form_kinds import (
    KEYS,
    AsItStands,
    Bare,
    DescribedElsewhere,
    Either,
    Form,
    List,
    Named,
    Plain,
    WithPlace,
)
from facts.yaml_nodes import Mapping, Node, Scalar


def read_form(kind: Any, node: Node, faults: list[Fault]) -> Any:
    """The value of a type that a part of a file states; as much of it as can be read where faults are added."""
    return form_of(kind).read(node, faults)


def stated_in(shape: type[FromFile], node: Mapping, faults: list[Fault]) -> dict[str, Any]:
    """The fields of a form that a mapping states; none at all, and faults added, where something is wrong."""
    before = len(faults)
    record = form_of(shape)  # type: ignore[arg-type] # mypy: a class has the hash of its instances
    assert isinstance(record, Record)
    stated = record.stated(node, faults)
    return stated if len(faults) == before else {}


def schema_of(kind: Any) -> Schema:
    """The JSON Schema of what may stand in a file for a type."""
    return form_of(kind).schema()


class _Key(NamedTuple):
    """A key that a file may hold."""

    name: str
    """Of the field."""
    form: Form
    required: bool


@dataclass(frozen=True)
class Record(Form):
    """A mapping with the keys of a dataclass."""

    shape: type[FromFile]
    node = Mapping

    @cached_property
    def keys(self) -> dict[str, _Key]:
        """Each key as it stands in a file."""
        return _keys(self.shape)  # type: ignore[arg-type] # mypy: a class has the hash of its instances

    @cached_property
    def rest(self) -> Form | None:
        """What stands under other keys, if they are allowed."""
        kind = get_type_hints(self.shape, include_extras=True).get("rest")
        return None if kind is None else form_of(kind)

    def nothing(self) -> Any:
        return self._made({}, Mapping({}, {}, Place("", 1)))

    def takes(self, node: Node) -> bool:
        meant_by = self.shape.meant_by
        return isinstance(node, Mapping) and (not meant_by or not meant_by.isdisjoint(node.entries))

    def read(self, node: Node, faults: list[Fault]) -> Any:
        if not isinstance(node, Mapping):
            faults.append(refused(node, KEYS))
            return self._made({}, Mapping({}, {}, node.place))
        return self._made(self.stated(node, faults), node)

    def stated(self, node: Mapping, faults: list[Fault]) -> dict[str, Any]:
        """The fields that are stated."""
        more = {key: place for key, place in node.keys.items() if key not in self.keys}
        if self.rest is None:
            faults += unknown(more, self.keys)
        for key, one in self.keys.items():
            if one.required and key not in node.entries:
                faults.append(Fault(node.place, f"{key} is missing", f"add {key}: with its value"))
        known = ((self.keys[key], value) for key, value in node.entries.items() if key in self.keys)
        stated = {one.name: one.form.read(value, faults) for one, value in known}
        if self.rest is not None:
            stated["rest"] = self.rest.read(Mapping({key: node.entries[key] for key in more}, more, node.place), faults)
        return stated

    def _made(self, stated: dict[str, Any], node: Mapping) -> Any:
        lacking = {
            one.name: one.form.nothing() for one in self.keys.values() if one.required and one.name not in stated
        }
        where = {"place": node.place, "places": {key: one.place for key, one in node.entries.items()}}
        own = {one.name: where[one.name] for one in fields(self.shape) if one.name in where}  # type: ignore[arg-type]
        return self.shape(**lacking, **stated, **own)

    def schema(self) -> Schema:
        properties = {key: one.form.schema() for key, one in self.keys.items()}
        required = [key for key, one in self.keys.items() if one.required]
        closed = {"description": getdoc(self.shape), "type": "object", "properties": properties}
        more = False if self.rest is None else self.rest.schema()["additionalProperties"]
        return {**closed, "additionalProperties": more, **({"required": required} if required else {})}


@cache
def _keys(shape: Any) -> dict[str, _Key]:
    kinds = get_type_hints(shape, include_extras=True)
    return {
        hyphenated(one.name): _Key(
            one.name, form_of(kinds[one.name]), one.default is MISSING and one.default_factory is MISSING
        )
        for one in fields(shape)
        if one.name not in NO_KEYS
    }


@cache
def form_of(kind: Any) -> Form:
    """The form of what a type allows."""
    parts = get_args(kind)
    if make := _GENERIC.get(get_origin(kind)):
        return make(parts)
    if Scalar in parts:
        return AsItStands()
    if parts:
        wanted = tuple(form_of(part) for part in parts if part is not NoneType)
        return wanted[0] if len(wanted) == 1 else Either(wanted)
    return _SIMPLE.get(kind) or Record(kind)


def _words(words: tuple[Any, ...]) -> Form:
    return Bare(one_of(words), {"enum": list(words)}, lambda given: given)


def _named(parts: tuple[Any, ...]) -> Named:
    return Named(form_of(parts[-1]), get_args(parts[0]) if get_origin(parts[0]) is Literal else ())


def _plain(parts: tuple[Any, ...]) -> Form:
    named = _named(parts)
    return Plain(named.of, named.names)


def _marked(parts: tuple[Any, ...]) -> Form:
    *kind, mark = parts
    if isinstance(mark, Described):
        return DescribedElsewhere(form_of(Annotated[tuple(kind)] if kind[1:] else kind[0]), mark.name, mark.made)
    if isinstance(mark, ReadBy):
        return Bare(mark.read, mark.schema, mark.anyway)
    if isinstance(mark, OneOrMore):
        return List(form_of(get_args(kind[0])[0]), alone=True)
    assert isinstance(mark, Between)
    return Bare(bounded(mark), {"type": "integer", "minimum": mark.least, "maximum": mark.most})


_SIMPLE: Final[dict[Any, Form]] = {
    str: Bare(plain_text, TEXT, lambda _: ""),
    bool: Bare(flag, {"type": "boolean"}, lambda _: False),
    int: Bare(integer, {"type": "integer"}, lambda _: 0),
    Any: Bare(anything, {}),
}
_GENERIC: Final[dict[Any, Callable[[tuple[Any, ...]], Form]]] = {
    Annotated: _marked,
    Literal: _words,
    tuple: lambda parts: List(form_of(parts[0])),
    Entries: _named,
    dict: _plain,
    Placed: lambda parts: WithPlace(form_of(parts[0])),
}
