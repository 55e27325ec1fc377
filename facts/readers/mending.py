"""How to mend what is wrong in a file; also what pydantic finds wrong in one, said in our words and at its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from reprlib import repr
from typing import TYPE_CHECKING, Final

from facts.errors import Fault, Place
from facts.suggestions import did_you_mean
from facts.yaml_nodes import Mapping, Node, Steps

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

UNKNOWN_KEY: Final = ("extra_forbidden", "unexpected_keyword_argument")
MISSING: Final = ("missing", "missing_argument", "missing_keyword_only_argument")


def faults_in(error: ValidationError, node: Node, keys: Callable[[Steps], Iterable[str]]) -> Iterator[Fault]:
    """Each fault of a validation of ``node``; ``keys`` gives the keys allowed at a path."""
    for detail in error.errors(include_url=False):
        path: Steps = detail["loc"]
        if detail["type"] in UNKNOWN_KEY:
            name = str(path[-1])
            yield Fault(key_place(node, path), f"{repr(name)} is no key here", did_you_mean(name, keys(path[:-1])))
        elif detail["type"] in MISSING:
            yield Fault(node.place_at(path[:-1]), f"{path[-1]} is missing", f"add {path[-1]}: with its value")
        else:
            place = node.place_at(path)
            for text in _texts(detail):
                what, _, mend = text.partition("; ")
                yield Fault(place, what, mend)


def faults_told(error: ValueError, place: Place) -> Iterator[Fault]:
    """What a ValueError of ours says: what is wrong, a semicolon, and how to mend it; a DealError says several."""
    for text in getattr(error, "faults", (str(error),)):
        what, _, mend = text.partition("; ")
        yield Fault(place, what, mend)


def cannot_stand(given: object, kind: str, **bounds: object) -> str:
    """That a value is of the wrong sort, a semicolon, and how to mend it; ``kind`` as pydantic names it."""
    mend = _WANTED.get(kind, f"see the description of the file ({kind})").format(**bounds)
    return f"{_shown(given)} cannot stand here; {mend}"


def not_among(given: object, words: Iterable[str]) -> str:
    """The same where only some words can stand."""
    return f"{_shown(given)} cannot stand here; {did_you_mean(str(given), words)}"


def key_place(node: Node, path: Steps) -> Place:
    """Where the key at the end of a path stands."""
    for step in path[:-1]:
        if isinstance(node, Mapping) and step in node.entries:
            node = node.entries[str(step)]
        elif not isinstance(node, Mapping) and isinstance(step, int):
            node = node.items[step]  # type: ignore[union-attr]
    key = str(path[-1])
    return node.keys[key] if isinstance(node, Mapping) and key in node.keys else node.place


def _texts(detail: ErrorDetails) -> tuple[str, ...]:
    """What is wrong, a semicolon, and how to mend it; several where the value has several faults."""
    given, context = detail["input"], detail.get("ctx", {})
    if detail["type"] == "value_error":
        return getattr(context["error"], "faults", (str(context["error"]),))
    if detail["type"] == "literal_error":
        return (not_among(given, re.findall(r"'([^']*)'", context["expected"])),)
    return (cannot_stand(given, detail["type"], **context),)


def _shown(given: object) -> str:
    if given == "":
        return "an empty value"
    if isinstance(given, bool):
        return str(given).lower()
    return "a mapping" if isinstance(given, dict) else "a list" if isinstance(given, list) else repr(given)


_WANTED: Final = {
    "greater_than_equal": "write a number from {ge} on",
    "less_than_equal": "write a number up to {le}",
    "int_type": "write a whole number without quotes",
    "bool_type": "write true or false",
    "string_type": "write text",
    "list_type": "write a list",
    "tuple_type": "write a list",
    "dataclass_type": "write its fields, such as {{by: S}}",
    "model_type": "write keys with their values",
    "dict_type": "write keys with their values",
}
