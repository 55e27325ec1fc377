"""What may stand in a file as a bare value, and what is said of one that may not."""

from __future__ import annotations

from collections.abc import Callable, Collection
from collections.abc import Mapping as MappingType
from reprlib import repr
from typing import Any

from facts.errors import Fault, MisreadError, Place
from facts.form import Between
from facts.suggestions import did_you_mean
from facts.yaml_nodes import Node


def unknown(keys: MappingType[str, Place], known: Collection[str]) -> list[Fault]:
    """A fault for each of these keys, given with their places, that is not known."""
    return [
        Fault(place, f"{repr(key)} is no key here", did_you_mean(key, known))
        for key, place in keys.items()
        if key not in known
    ]


def cannot_stand(given: object, mend: str) -> tuple[str, str]:
    """What is wrong with a value that is of another sort, and how to mend it."""
    return f"{_shown(given)} cannot stand here", mend


def refused(node: Node, mend: str) -> Fault:
    """A fault where the part of a file is of another sort."""
    return Fault(node.place, *cannot_stand(node.plain(), mend))


def _shown(given: object) -> str:
    if given == "":
        return "an empty value"
    if isinstance(given, bool):
        return str(given).lower()
    return "a mapping" if isinstance(given, dict) else "a list" if isinstance(given, list) else repr(given)


def bounded(bounds: Between) -> Callable[[Any], int]:
    """Reads a whole number within bounds."""

    def read(given: Any) -> int:
        number = integer(given)
        if number < bounds.least:
            raise MisreadError(*cannot_stand(given, f"write a number from {bounds.least} on"))
        if number > bounds.most:
            raise MisreadError(*cannot_stand(given, f"write a number up to {bounds.most}"))
        return number

    return read


def one_of(words: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Reads one of some values."""

    def read(given: Any) -> Any:
        if any(given == word and type(given) is type(word) for word in words):
            return given
        raise MisreadError(*cannot_stand(given, did_you_mean(str(given), map(str, words))))

    return read


def integer(given: object) -> int:
    """The value, which must be a whole number; else MisreadError."""
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    raise MisreadError(*cannot_stand(given, "write a whole number without quotes"))


def plain_text(given: object) -> str:
    """The value, which must be text; else MisreadError."""
    if isinstance(given, str):
        return given
    raise MisreadError(*cannot_stand(given, "write text"))


def flag(given: object) -> bool:
    """The value, which must be true or false; else MisreadError."""
    if isinstance(given, bool):
        return given
    raise MisreadError(*cannot_stand(given, "write true or false"))


def anything(given: object) -> object:
    """The value, whatever it is."""
    return given
