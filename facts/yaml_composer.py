"""How the events of a YAML parser become nodes: only what people write by hand, and never too much of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from facts.errors import Fault, InputError, Place
from facts.texts import MOST_DIGITS
from facts.yaml_nodes import Mapping, Node, Scalar, Sequence

MAX_DEPTH = 50
MAX_NODES = 200_000
TOO_DEEP = f"values are nested more than {MAX_DEPTH} deep here"
TOO_MUCH = "make it simpler, or divide it"
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")


class Composer:
    """Builds nodes from the parser's events, so that depth and number are bounded before anything is built."""

    def __init__(self, events: Iterator[yaml.Event], file: str) -> None:
        self.events = events
        self.file = file
        self.faults: list[Fault] = []
        self.nodes = 0

    def document(self) -> Node:
        """The one document; InputError or a YAMLError when it cannot be read to its end. ``faults`` holds the rest."""
        next(self.events)  # the start of the stream
        event = next(self.events)
        if isinstance(event, yaml.StreamEndEvent):
            nothing = Fault(
                Place(self.file, 1), "there is nothing in the file", "write something into it, or leave it out"
            )
            raise InputError([nothing])
        node = self.node(next(self.events), 1)
        next(self.events)  # the end of the document
        event = next(self.events)
        if not isinstance(event, yaml.StreamEndEvent):
            mend = "keep one document a file: take the --- away"
            self.fault(self.place(event), "a second document begins here", mend)
        return node

    def node(self, event: yaml.Event, depth: int) -> Node:
        """The value that begins with this event, so many levels down; InputError when there are too many."""
        self.nodes += 1
        if depth > MAX_DEPTH:
            raise self.too_much(event, TOO_DEEP)
        if self.nodes > MAX_NODES:
            raise self.too_much(event, f"the file holds more than {MAX_NODES} values")
        self.refuse_references(event)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(event, depth)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(event, depth)
        return Scalar("", self.place(event))  # an alias, refused above

    def too_much(self, event: yaml.Event, what: str) -> InputError:
        """The error that ends reading at once."""
        return InputError.of(self.place(event), what, TOO_MUCH)

    def refuse_references(self, event: yaml.Event) -> None:
        """Adds a fault for an anchor, an alias and a tag."""
        place = self.place(event)
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if isinstance(event, yaml.AliasEvent):
            mend = "write the value out, or put a text that begins with * in quotes"
            self.fault(place, f"*{anchor} refers to another place", mend)
        elif anchor:
            self.fault(place, f"&{anchor} marks a value for use elsewhere", "write the value out where it is needed")
        if tag:
            mend = "take it away, or put a text that begins with ! in quotes"
            self.fault(place, f"{tag} is a YAML tag", mend)

    def scalar(self, event: yaml.ScalarEvent) -> Scalar:
        """A whole number, true or false where it is written so without quotes, else text."""
        place = self.place(event)
        if event.style:
            return Scalar(event.value, place, quoted=True)
        if event.value in ("true", "false"):
            return Scalar(event.value == "true", place)
        if not _INTEGER.fullmatch(event.value):
            return Scalar(event.value, place)
        if len(event.value) > MOST_DIGITS:
            self.fault(place, "the number is too large", f"write at most {MOST_DIGITS} digits, or put it in quotes")
            return Scalar(0, place)
        return Scalar(int(event.value), place)

    def sequence(self, start: yaml.Event, depth: int) -> Sequence:
        """The list that begins here, up to its end."""
        items = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event, depth + 1))
        return Sequence(tuple(items), self.place(start, event))

    def mapping(self, start: yaml.Event, depth: int) -> Mapping:
        """The names with their values, up to their end; what cannot be a name is a fault, and left out."""
        entries: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(next(self.events), depth + 1)
            if (name := self.key(key, keys)) is not None:
                entries[name], keys[name] = value, key.place
        place = self.place(start, event)
        if place.width == 1 and keys:
            place = next(iter(keys.values()))
        return Mapping(entries, keys, place)

    def key(self, key: Node, seen: dict[str, Place]) -> str | None:
        """The name, or None when it cannot be one."""
        if not isinstance(key, Scalar) or not isinstance(key.value, str):
            shown = f"{key.value}".lower() if isinstance(key, Scalar) else "here"
            self.fault(key.place, f"the name {shown} is not text", "write a text, in quotes if it looks like a number")
        elif key.value == "<<" and not key.quoted:
            self.fault(key.place, "<< merges other values into this one", "write the values out")
        elif key.value == "":
            self.fault(key.place, "the name before the colon is missing", "write a name, or take the colon away")
        elif key.value in seen:
            first = ((seen[key.value], "first written here"),)
            self.fault(key.place, f"{key.value} stands here for the second time", "keep one of the two", first)
        else:
            return key.value
        return None

    def place(self, start: yaml.Event, end: yaml.Event | None = None) -> Place:
        """From the start of one event to the end of another; the width is 1 when they lie on different lines."""
        first: Any = start.start_mark
        last: Any = (end or start).end_mark
        width = max(1, last.column - first.column) if first.line == last.line else 1
        return Place(self.file, first.line + 1, first.column + 1, width)

    def fault(self, place: Place, what: str, mend: str, others: tuple[tuple[Place, str], ...] = ()) -> None:
        """Adds a fault."""
        self.faults.append(Fault(place, what, mend, others))
