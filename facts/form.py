"""How the type of a field says what may stand in a file, and the reader that goes by it.

A form is a dataclass of ``FromFile``, and its fields are numbers within bounds, words, text, tuples for lists,
``Entries`` or ``dict`` for names with values, and other forms; ``X | None`` may be left out. Every fault is noted at
its place.

Nothing is guessed: ``"3"`` and ``true`` are no numbers, ``3`` is no text. What a type allows is read off it once it is
wanted. Where something is wrong the rest is read all the same, so that what is wrong in it is found as well.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from collections.abc import Mapping as MappingType
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, cached_property
from inspect import getdoc
from reprlib import repr
from types import NoneType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import yaml

from facts.errors import Fault, Faults, MisreadError, Place, did_you_mean, nearest_name
from facts.yaml_reader import Mapping, Node, Scalar, Sequence

_T = TypeVar("_T")
NOWHERE: Final = Place("", 1)
"""The place of what stands in no file."""
Schema: TypeAlias = dict[str, Any]
"""JSON Schema."""

TEXT: Final[Schema] = {"type": "string"}
NO_KEYS: Final = ("place", "places", "rest", "whole")
"""Fields of a form that no file states: where it stands, where each value in it does, all that stands under other keys,
and whether what stands under its own could be read."""


def in_the_form(pattern: str) -> Schema:
    """The schema of a text that a regular expression describes."""
    return {**TEXT, "pattern": pattern}


def hyphenated(name: str) -> str:
    """The name as it stands in a file; ``is_`` stands for ``is``, which is a word of Python."""
    return name.rstrip("_").replace("_", "-")


class FromFile:
    """A dataclass read from a file: keys are written with hyphens, and unknown ones are errors without a ``rest``."""

    __slots__ = ()
    unstated: ClassVar[frozenset[str]] = frozenset()
    """Fields that no file states; ``id`` among them is the name under which it stands there."""
    gone: ClassVar[MappingType[str, str]] = {}
    """Keys that it had: with which version each went, and what stands for it."""


def keys_of(shape: type[Any]) -> tuple[str, ...]:
    """The keys that a file may hold for a dataclass."""
    return tuple(hyphenated(attr.name) for attr in fields(shape) if attr.name not in (*NO_KEYS, *shape.unstated))


class PlacedText(str):
    """Text that knows where it stands."""

    __slots__ = ("place",)
    place: Place

    def __new__(cls, text: str, place: Place) -> Self:
        placed = super().__new__(cls, text)
        placed.place = place
        return placed

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.place)


yaml.SafeDumper.add_representer(PlacedText, yaml.SafeDumper.represent_str)  # its place stays behind


class InEveryLanguage(dict[str, str]):
    """A sentence by language; in a language that it is not given in, it is said as in the first.

    >>> said = InEveryLanguage({"en": "a card", "de": "eine Karte"})
    >>> said["de"], said["fr"], said.get("fr")
    ('eine Karte', 'a card', None)
    """

    def __missing__(self, language: str) -> str:
        for first in self.values():
            return first
        raise KeyError(language)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (dict(self),)


class Entries(dict[str, _T]):
    """Names with values, in the order of the file."""

    def __init__(self, entries: MappingType[str, _T], places: MappingType[str, Place], place: Place) -> None:
        super().__init__(entries)
        self.places = places
        """Where each name stands."""
        self.place = place

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (dict(self), self.places, self.place)


def no_entries() -> Entries[Any]:
    """What stands for names that a file leaves out."""
    return Entries({}, {}, NOWHERE)


def unknown(keys: MappingType[str, Place], known: Collection[str], gone: MappingType[str, str] = {}) -> list[Fault]:
    """A fault for each of these keys, given with their places, that is not known, or is no longer."""
    return [
        Fault(place, f"{repr(key)} is no key here", gone.get(key) or did_you_mean(key, known))
        for key, place in keys.items()
        if key not in known
    ]


def cannot_stand(value: object, mend: str) -> tuple[str, str]:
    """What is wrong with a value that is of another sort, and how to mend it."""
    if isinstance(value, bool):
        shown = str(value).lower()
    elif isinstance(value, dict | list):
        shown = "a mapping" if isinstance(value, dict) else "a list"
    else:
        shown = "an empty value" if value == "" else repr(value)
    return f"{shown} cannot stand here", mend


def refused(node: Node, mend: str) -> Fault:
    """A fault where the part of a file is of another sort."""
    return Fault(node.place, *cannot_stand(node.plain(), mend))


def reader_of(kind: type[_T], mend: str) -> Callable[[object], _T]:
    """A reader of values of one type; MisreadError for any other."""

    def read(value: object) -> _T:
        if isinstance(value, kind) and isinstance(value, bool) == (kind is bool):
            return value
        raise MisreadError(*cannot_stand(value, mend))

    return read


integer: Final = reader_of(int, "write a whole number without quotes")
plain_text: Final = reader_of(str, "write text")
flag: Final = reader_of(bool, "write true or false")


def text(value: object) -> str:
    """The value, which must be text that says something; else MisreadError."""
    if isinstance(value, int):
        raise MisreadError(f"{str(value).lower()} is not text", "put it in quotes")
    if value == "":
        raise MisreadError("the text is missing", "write it")
    return plain_text(value)


MEND_KEYS: Final = "write keys with their values"


class Form(ABC):
    """What may stand in a place of a file."""

    node: ClassVar[type[Any]] = Scalar
    """How it is written."""

    def around(self, kind: Any) -> Form:
        """The form of a type of which it is the mark."""
        return self

    def nothing(self) -> Any:
        """What stands for a value that is missing."""
        return self.read(Sequence((), NOWHERE), Faults())

    def takes(self, node: Node) -> bool:
        """Whether a part of a file is meant to be this, where it might be something else."""
        return isinstance(node, self.node)

    @abstractmethod
    def read(self, node: Node, faults: Faults, name: str = "") -> Any:
        """The value that stands under a name; where it adds faults, as much of it as can be read."""

    @abstractmethod
    def schema(self) -> Schema:
        """What may stand there, as JSON Schema."""


@dataclass(frozen=True)
class ReadBy(Form):
    """Whatever a function makes of the bare value; its MisreadError says what is wrong."""

    make: Callable[[Any], Any]
    of: Schema = field(default_factory=lambda: TEXT, hash=False)
    """Of the bare value."""
    anyway: Callable[[Any], Any] = lambda _: None
    """What is taken for a value that cannot be read; for one that is missing, of empty text."""

    def nothing(self) -> Any:
        return self.anyway("")

    def read(self, node: Node, faults: Faults, name: str = "") -> Any:
        value = node.plain()
        try:
            return self.make(value)
        except MisreadError as error:
            faults += error.at(node.place)
            return self.anyway(value)

    def schema(self) -> Schema:
        return dict(self.of)


def between(least: int, most: int) -> ReadBy:
    """As the mark of a type: a whole number within bounds, both of them allowed."""

    def read(value: Any) -> int:
        number = integer(value)
        if not least <= number <= most:
            raise MisreadError(*cannot_stand(value, f"write a number from {least} to {most}"))
        return number

    return ReadBy(read, {"type": "integer", "minimum": least, "maximum": most})


def _one_of(words: tuple[Any, ...]) -> Form:
    def read(value: Any) -> Any:
        if any(value == word and type(value) is type(word) for word in words):
            return value
        raise MisreadError(*cannot_stand(value, did_you_mean(str(value), map(str, words))))

    return ReadBy(read, {"enum": list(words)}, lambda value: value)


@dataclass(frozen=True)
class AsItStands(Form):
    """Anything, as the file has it: another reader takes it apart."""

    def takes(self, node: Node) -> bool:
        return True

    def read(self, node: Node, faults: Faults, name: str = "") -> Node:
        return node

    def schema(self) -> Schema:
        return {}


@dataclass(frozen=True)
class List(Form):
    """A list of values of one form."""

    of: Form
    or_one: bool = False
    """Whether it may be left out around a single value."""
    node = Sequence

    def around(self, kind: Any) -> Form:
        return replace(self, of=form_of(get_args(kind)[0]))

    def read(self, node: Node, faults: Faults, name: str = "") -> tuple[Any, ...]:
        if isinstance(node, Sequence):
            return tuple([self.of.read(item, faults) for item in node.items])
        if self.or_one:
            return (self.of.read(node, faults),)
        faults.append(refused(node, "write a list"))
        return ()

    def schema(self) -> Schema:
        several = {"type": "array", "items": self.of.schema()}
        return {"anyOf": [several, self.of.schema()]} if self.or_one else several


ONE_OR_MORE: Final = List(AsItStands(), or_one=True)
"""As the mark of a tuple: of a single value the list may be left out."""


@dataclass(frozen=True)
class ByName(Form):
    """Names with values of one form, each of which knows its name if it has a field for it."""

    of: Form
    names: tuple[str, ...] = ()
    """The only ones, where not any will do."""
    node = Mapping

    def read(self, node: Node, faults: Faults, name: str = "") -> Entries[Any]:
        if not isinstance(node, Mapping):
            faults.append(refused(node, MEND_KEYS))
        elif self.names:
            faults += unknown(node.keys, self.names)
        return Entries(
            {key: self.of.read(value, faults, key) for key, value in node.entries.items()}, node.keys, node.place
        )

    def schema(self) -> Schema:
        inner = self.of.schema()
        if self.names:
            return {"type": "object", "properties": dict.fromkeys(self.names, inner), "additionalProperties": False}
        return {"type": "object", "additionalProperties": inner or True}


TEXT_THAT_SAYS: Final = ReadBy(text, anyway=lambda _: "")
Text: TypeAlias = Annotated[str, TEXT_THAT_SAYS]


@dataclass(frozen=True)
class WithPlace(Form):
    """Text together with its place."""

    of: Form = TEXT_THAT_SAYS

    def nothing(self) -> PlacedText:
        return PlacedText(self.of.nothing(), NOWHERE)

    def read(self, node: Node, faults: Faults, name: str = "") -> PlacedText:
        return PlacedText(self.of.read(node, faults), node.place)

    def schema(self) -> Schema:
        return self.of.schema()


@dataclass(frozen=True)
class Described(Form):
    """As the mark of a type: its schema is given under a name; a function may read it from the part of the file."""

    name: str
    make: Callable[[Node, Faults], Any] | None = None
    of: Form = AsItStands()

    def around(self, kind: Any) -> Form:
        return self if self.make else replace(self, of=form_of(kind))

    def takes(self, node: Node) -> bool:
        return self.of.takes(node)

    def read(self, node: Node, faults: Faults, name: str = "") -> Any:
        return self.make(node, faults) if self.make else self.of.read(node, faults)

    def schema(self) -> Schema:
        return {"$ref": f"#/$defs/{self.name}"}


@dataclass(frozen=True)
class InLanguages(Form):
    """As the mark of texts: a sentence in each language in which it must be given."""

    node = Mapping

    def read(self, node: Node, faults: Faults, name: str = "") -> InEveryLanguage:
        """The sentences; a translation, which stands in a file of its own, is of a language that has been asked for."""
        if not isinstance(node, Mapping):
            faults.append(refused(node, MEND_KEYS))
        sentences = InEveryLanguage()
        for language, value in node.entries.items():
            sentences[language] = sentence = WithPlace().read(value, faults)
            if faults.languages and language not in faults.languages and value.place.file == node.place.file:
                mend = did_you_mean(language, faults.languages)
                faults.aside(node.keys[language], f"unknown language {language}", mend)
            elif sentence.isspace():
                faults.aside(value.place, f"the text in {language} is empty", "write it")
            elif value.place.width == len(sentence) and _IN_CURLY.fullmatch(sentence):
                problem = f"the quotes around the text in {language} are curly, and YAML knows only straight ones"
                faults.aside(value.place, problem, 'write " where it begins and where it ends')
        for language in faults.languages:
            if language not in sentences:
                faults.aside(node.place, f"the text in {language} is missing", f'add {language}: "…"')
        return sentences

    def schema(self) -> Schema:
        return {"$ref": "#/$defs/texts"}


_IN_CURLY = re.compile("[\u201c\u201d\u201e\u2018\u2019][^\u201c\u201d\u201e\u2018\u2019]*[\u201c\u201d\u2018\u2019]")
"""A text that is all in quotes: where YAML's own are not there as well, whoever wrote them meant these."""
Names: TypeAlias = tuple[PlacedText, ...]
Texts: TypeAlias = Annotated[MappingType[str, str], InLanguages()]
"""A sentence in each language."""


@dataclass(frozen=True, kw_only=True)
class PlacedForm(FromFile):
    """A form that knows where it stands."""

    place: Place
    places: MappingType[str, Place]
    """Where the value of each key stands that is stated."""

    def place_of(self, key: str) -> Place:
        """Where the value of a key stands, or else all of it."""
        return self.places.get(key, self.place)


@dataclass(frozen=True)
class Either(Form):
    """One of several forms: the first that the part of the file is meant to be, or else the last.

    Where several are mappings, any key that the last has not, even mistyped, tells that it is one of the others.
    """

    forms: tuple[Form, ...]

    def read(self, node: Node, faults: Faults, name: str = "") -> Any:
        *others, last = self.forms
        strange = node.entries.keys() - last.keys if isinstance(last, Record) else None
        for form in others:
            if strange is not None and isinstance(form, Record):
                meant = any(nearest_name(key, form.keys) for key in strange)
            else:
                meant = form.takes(node)
            if meant:
                return form.read(node, faults)
        return last.read(node, faults)

    def schema(self) -> Schema:
        return {"anyOf": [form.schema() for form in self.forms]}


class FileKey(NamedTuple):
    """A key that a file may hold."""

    name: str
    """Of the field."""
    form: Form
    required: bool


def demand_keys(
    keys: MappingType[str, FileKey], node: Mapping, faults: Faults, had: MappingType[str, str] = {}, closed: bool = True
) -> None:
    """A fault for each of these keys that is missing and, in what is ``closed``, for each other."""
    others = {key: place for key, place in node.keys.items() if key not in keys} if closed else {}
    faults += unknown(others, keys, had)
    mistyped = {nearest_name(key, keys) for key in others}
    for key, declared in keys.items():
        if declared.required and key not in node.entries and key not in mistyped:
            faults.add(node.place, f"{key} is missing", f"add {key}: with its value")


def read_keys(keys: MappingType[str, FileKey], node: Mapping, faults: Faults) -> dict[str, Any]:
    """What stands under these keys, by field."""
    stated = ((keys[key], value) for key, value in node.entries.items() if key in keys)
    return {declared.name: declared.form.read(value, faults) for declared, value in stated}


@dataclass(frozen=True)
class Record(Form):
    """A mapping with the keys of a dataclass."""

    shape: type[FromFile]
    node = Mapping

    @cached_property
    def keys(self) -> dict[str, FileKey]:
        """Each key as it stands in a file."""
        kinds = get_type_hints(self.shape, include_extras=True)
        return {
            hyphenated(attr.name): FileKey(
                attr.name, form_of(kinds[attr.name]), attr.default is MISSING and attr.default_factory is MISSING
            )
            for attr in fields(self.shape)  # type: ignore[arg-type]
            if attr.name not in (*NO_KEYS, *self.shape.unstated)
        }

    @cached_property
    def rest(self) -> Form | None:
        """What stands under other keys, if they are allowed."""
        kind = get_type_hints(self.shape, include_extras=True).get("rest")
        return None if kind is None or "rest" in self.shape.unstated else form_of(kind)

    def read(self, node: Node, faults: Faults, name: str = "") -> Any:
        if isinstance(node, Mapping):
            stated = self.stated(node, faults)
        else:
            faults.append(refused(node, MEND_KEYS))
            node, stated = Mapping({}, {}, node.place), {}
        lacking = {
            key.name: key.form.nothing() for key in self.keys.values() if key.required and key.name not in stated
        }
        where = {"place": node.place, "places": {key: part.place for key, part in node.entries.items()}, "whole": False}
        more = {attr.name: where[attr.name] for attr in fields(self.shape) if attr.name in where.keys() - stated.keys()}  # type: ignore[arg-type]
        if "id" in self.shape.unstated:
            more["id"] = name
        return self.shape(**lacking, **stated, **more)

    def stated(self, node: Mapping, faults: Faults) -> dict[str, Any]:
        demand_keys(self.keys, node, faults, self.shape.gone, closed=self.rest is None)
        severe_before = faults.severe
        stated = read_keys(self.keys, node, faults)
        if self.rest is not None:
            more = {key: place for key, place in node.keys.items() if key not in self.keys}
            stated["rest"] = self.rest.read(Mapping({key: node.entries[key] for key in more}, more, node.place), faults)
        if any(attr.name == "whole" for attr in fields(self.shape)):  # type: ignore[arg-type]
            stated["whole"] = faults.severe == severe_before
        return stated

    def schema(self) -> Schema:
        properties = {key: declared.form.schema() for key, declared in self.keys.items()}
        required = [key for key, declared in self.keys.items() if declared.required]
        closed = {"description": getdoc(self.shape), "type": "object", "properties": properties}
        more = False if self.rest is None else self.rest.schema()["additionalProperties"]
        return {**closed, "additionalProperties": more, **({"required": required} if required else {})}


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


def _named(parts: tuple[Any, ...]) -> ByName:
    return ByName(form_of(parts[-1]), get_args(parts[0]) if get_origin(parts[0]) is Literal else ())


def _marked(parts: tuple[Any, ...]) -> Form:
    *kind, mark = parts
    form: Form = mark.around(Annotated[tuple(kind)] if kind[1:] else kind[0])
    return form


_SIMPLE: Final[dict[Any, Form]] = {
    str: ReadBy(plain_text, TEXT, lambda _: ""),
    PlacedText: WithPlace(),
    bool: ReadBy(flag, {"type": "boolean"}, lambda _: False),
    int: ReadBy(integer, {"type": "integer"}, lambda _: 0),
    Any: ReadBy(lambda value: value, {}),
}
_GENERIC: Final[dict[Any, Callable[[tuple[Any, ...]], Form]]] = {
    Annotated: _marked,
    Literal: _one_of,
    tuple: lambda parts: List(form_of(parts[0])),
    Entries: _named,
    dict: _named,
}
