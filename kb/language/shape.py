"""The shape of a file: a pydantic model says which keys it may hold, and its errors become faults with their place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from facts.errors import Fault
from facts.readers.mending import faults_in
from facts.yaml_reader import Node, Steps


class Shape(BaseModel):
    """Base of the shapes: no unknown keys, no guessing of types, dashes in the file's names."""

    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=lambda name: name.replace("_", "-"))


def shape_faults(node: Node, shape: type[Shape]) -> Iterator[Fault]:
    """Every way in which ``node`` is not of that shape."""
    try:
        shape.model_validate(node.plain())
    except ValidationError as error:
        yield from faults_in(error, node, lambda path: keys_at(shape, path))


def keys_at(annotation: Any, path: Steps) -> list[str]:
    """The keys that a shape knows at a pydantic location."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = {field.alias or name: field.annotation for name, field in annotation.model_fields.items()}
        return keys_at(fields.get(str(path[0])), path[1:]) if path else list(fields)
    arguments = get_args(annotation)
    if get_origin(annotation) in (dict, list):
        return keys_at(arguments[-1], path[1:])
    tags = [argument.tag for argument in arguments if hasattr(argument, "tag")]
    rest = path[1:] if path and path[0] in tags else path
    return list(dict.fromkeys(key for argument in arguments for key in keys_at(argument, rest)))
