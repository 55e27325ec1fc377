"""The kinds of form of which every form is put together: each reads its part of a file and says its JSON Schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from facts.errors import Fault, MisreadError, Place
from facts.form import Entries, Placed, Schema, no_entries
from facts.readers.bare_values import refused, unknown
from facts.yaml_nodes import Mapping, Node, Scalar, Sequence

KEYS: Final = "write keys with their values"


class Form(ABC):
    """What may stand in a place of a file."""

    node: ClassVar[type[Any]] = Scalar
    """How it is written."""

    def nothing(self) -> Any:
        """What stands for a value that cannot be read."""
        return None

    def takes(self, node: Node) -> bool:
        """Whether a part of a file is meant to be this, where it might be something else."""
        return isinstance(node, self.node)

    @abstractmethod
    def read(self, node: Node, faults: list[Fault]) -> Any:
        """The value; where it adds faults, as much of it as can be read."""

    @abstractmethod
    def schema(self) -> Schema:
        """What may stand there, as JSON Schema."""


@dataclass(frozen=True)
class Bare(Form):
    """What a function makes of the bare value."""

    make: Callable[[Any], Any]
    of: Schema = field(hash=False)
    anyway: Callable[[Any], Any] = lambda _: None
    """What is taken for a value that cannot be read; for one that is missing, of empty text."""

    def nothing(self) -> Any:
        return self.anyway("")

    def read(self, node: Node, faults: list[Fault]) -> Any:
        given = node.plain()
        try:
            return self.make(given)
        except MisreadError as error:
            faults += error.at(node.place)
            return self.anyway(given)

    def schema(self) -> Schema:
        return dict(self.of)


@dataclass(frozen=True)
class AsItStands(Form):
    """Anything, as the file has it: another reader takes it apart."""

    def takes(self, node: Node) -> bool:
        return True

    def read(self, node: Node, faults: list[Fault]) -> Node:
        return node

    def schema(self) -> Schema:
        return {}


@dataclass(frozen=True)
class List(Form):
    """A list of values of one form; ``alone``: a single value may stand for it."""

    of: Form
    alone: bool = False
    node = Sequence

    def nothing(self) -> Any:
        return ()

    def read(self, node: Node, faults: list[Fault]) -> tuple[Any, ...]:
        if isinstance(node, Sequence):
            return tuple([self.of.read(item, faults) for item in node.items])
        if self.alone:
            return (self.of.read(node, faults),)
        faults.append(refused(node, "write a list"))
        return ()

    def schema(self) -> Schema:
        several = {"type": "array", "items": self.of.schema()}
        return {"anyOf": [several, self.of.schema()]} if self.alone else several


@dataclass(frozen=True)
class Named(Form):
    """Names with values of one form; ``names``: the only ones, where not any will do."""

    of: Form
    names: tuple[str, ...] = ()
    node = Mapping

    def nothing(self) -> Any:
        return no_entries()

    def read(self, node: Node, faults: list[Fault]) -> Entries[Any]:
        if not isinstance(node, Mapping):
            faults.append(refused(node, KEYS))
            return Entries({}, {}, node.place)
        if self.names:
            faults += unknown(node.keys, self.names)
        return Entries({key: self.of.read(one, faults) for key, one in node.entries.items()}, node.keys, node.place)

    def schema(self) -> Schema:
        of = self.of.schema()
        if self.names:
            return {"type": "object", "properties": dict.fromkeys(self.names, of), "additionalProperties": False}
        return {"type": "object", "additionalProperties": of or True}


@dataclass(frozen=True)
class Plain(Named):
    """The same without places."""

    def nothing(self) -> Any:
        return {}

    def read(self, node: Node, faults: list[Fault]) -> dict[str, Any]:  # type: ignore[override] # Entries are more
        return dict(super().read(node, faults))


@dataclass(frozen=True)
class WithPlace(Form):
    """A value together with its place."""

    of: Form

    def nothing(self) -> Any:
        return Placed(self.of.nothing(), Place("", 1))

    def takes(self, node: Node) -> bool:
        return self.of.takes(node)

    def read(self, node: Node, faults: list[Fault]) -> Placed[Any]:
        return Placed(self.of.read(node, faults), node.place)

    def schema(self) -> Schema:
        return self.of.schema()


@dataclass(frozen=True)
class DescribedElsewhere(Form):
    """A form of which the schema is given under a name."""

    of: Form
    name: str
    made: Callable[[Any], Any] | None = None

    def nothing(self) -> Any:
        return self.of.nothing()

    def takes(self, node: Node) -> bool:
        return self.of.takes(node)

    def read(self, node: Node, faults: list[Fault]) -> Any:
        read = self.of.read(node, faults)
        return read if self.made is None else self.made(read)

    def schema(self) -> Schema:
        return {"$ref": f"#/$defs/{self.name}"}


@dataclass(frozen=True)
class Either(Form):
    """One of several forms: the first that the part of the file is meant to be, or else the last."""

    forms: tuple[Form, ...]

    def nothing(self) -> Any:
        return self.forms[-1].nothing()

    def read(self, node: Node, faults: list[Fault]) -> Any:
        return next((form for form in self.forms if form.takes(node)), self.forms[-1]).read(node, faults)

    def schema(self) -> Schema:
        return {"anyOf": [form.schema() for form in self.forms]}
