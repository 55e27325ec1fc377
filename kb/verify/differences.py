"""Where a saved ruling differs from the one that follows, in words that name the place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
"""What ``json.loads`` gives: no value of it is of any other type."""
_LONGEST: Final = 120
FREE: Final = frozenset({"source"})
"""What a ruling may say as it likes."""
MAY_LACK: Final = frozenset({"lang", "voice", "provenance"})
"""What rulings did not always say; without them the text is in the usual language and voice."""
_NAMED_BY: Final = ("rule", "kind", "what", "fact", "hand", "seat", "trick", "card")


def differences(saved: Mapping[str, Json], follows: Mapping[str, Json]) -> Iterator[str]:
    """Every difference between the two, but for what is free."""
    for key in dict.fromkeys((*follows, *saved)):
        if key in FREE or (key in MAY_LACK and key not in saved):
            continue
        if key not in saved or key not in follows:
            yield _lacking(key, key in follows)
        elif key == "text":
            yield from _of_text(saved[key], follows[key])
        else:
            yield from anywhere(key, saved[key], follows[key])


def anywhere(path: str, said: Json, follows: Json) -> Iterator[str]:
    """Every difference between two values, each with the way to it."""
    if isinstance(said, dict) and isinstance(follows, dict):
        for key in dict.fromkeys((*follows, *said)):
            if key in said and key in follows:
                yield from anywhere(f"{path}: {key}", said[key], follows[key])
            else:
                yield _lacking(f"{path}: {key}", key in follows)
    elif isinstance(said, list) and isinstance(follows, list):
        yield from _of_lists(path, said, follows)
    elif canonical(said) != canonical(follows):
        yield f"{path} is {shown(said)}, and follows as {shown(follows)}"


def lists_differ(path: str, said: Iterable[Json], follows: Iterable[Json]) -> Iterator[str]:
    """What is missing from a list, or too much in it, whatever the order."""
    has, wants = ({canonical(one): one for one in some} for some in (said, follows))
    yield from (f"{path}: {shown(one)} is missing" for key, one in wants.items() if key not in has)
    yield from (f"{path}: {shown(one)} does not follow" for key, one in has.items() if key not in wants)


def _of_lists(path: str, said: Sequence[Json], follows: Sequence[Json]) -> Iterator[str]:
    if len(said) == len(follows):
        for number, (one, other) in enumerate(zip(said, follows, strict=True), 1):
            yield from anywhere(f"{path}, {_named(other, number)}", one, other)
        return
    told = list(lists_differ(path, said, follows))
    yield from told or [f"{path} has {len(said)} entries, and follows with {len(follows)}"]


def _of_text(said: Json, follows: Json) -> Iterator[str]:
    if isinstance(said, str) and isinstance(follows, str):
        for number, (one, other) in enumerate(zip_longest(said.split("\n"), follows.split("\n")), 1):
            if one != other:
                yield f"text: line {number} says {shown(one)}, and follows as {shown(other)}"
                return
    else:
        yield from anywhere("text", said, follows)


def _named(item: Json, number: int) -> str:
    """Which entry of a list it is, by what it is about."""
    if not isinstance(item, dict):
        return f"entry {number}"
    about = [f"{key} {item[key]}" for key in _NAMED_BY if isinstance(item.get(key), str | int)]
    return f"entry {number} ({', '.join(about)})" if about else f"entry {number}"


def _lacking(path: str, wanted: bool) -> str:
    return f"{path} is missing" if wanted else f"{path} does not follow from anything"


def canonical(value: Json) -> str:
    """The same for equal values alone, types included: neither ``1`` nor ``1.0`` is ``true``."""
    return json.dumps(value, sort_keys=True)


def shown(value: Json) -> str:
    """A value as it stands in JSON, cut short where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def depth(value: Json) -> int:
    """How many lists and objects stand within each other."""
    found, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        found += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return found
