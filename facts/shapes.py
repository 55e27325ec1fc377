"""What a class says of the keys of a file, beyond the types of its fields.

The marks say of their own accord to pydantic, where it reads or describes the classes, what they mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar


def hyphenated(name: str) -> str:
    """The name as it stands in a file."""
    return name.replace("_", "-")


class FromFile:
    """A dataclass read from a file: unknown keys are errors, and keys are written with hyphens."""

    __slots__ = ()
    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid", "alias_generator": hyphenated}


def keys_of(shape: type[Any]) -> tuple[str, ...]:
    """The keys that a file may hold for a dataclass."""
    return tuple(hyphenated(one.name) for one in fields(shape))


@dataclass(frozen=True, slots=True)
class Between:
    """A whole number within bounds, both of them allowed."""

    least: int
    most: int

    def __get_pydantic_core_schema__(self, *_: object) -> dict[str, Any]:
        return {"type": "int", "strict": True, "ge": self.least, "le": self.most}


@dataclass(frozen=True, slots=True)
class ReadBy:
    """Whatever a function makes of the bare value; its ValueError says what is wrong; and how to mend it."""

    read: Callable[[object], object]

    def __get_pydantic_core_schema__(self, *_: object) -> dict[str, Any]:
        return {"type": "function-plain", "function": {"type": "no-info", "function": self.read}}
