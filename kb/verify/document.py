"""Saved rulings read strictly: one JSON object a line, nothing said twice, and nothing without end."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from facts.errors import Fault, Faults, InputError, Place
from facts.form import FromFile, Record, keys_of, read_form
from facts.opening import reading
from facts.to_yaml import node_of

Json: TypeAlias = Any
"""What ``json.loads`` gives: no value of it is of any other type."""
MOST_BYTES: Final = 2_000_000
"""Of one ruling; the longest of the shipped cases has 60,000."""
MOST_DEPTH: Final = 100
MOST_DIGITS: Final = 1000
_MEND: Final = "give rulings that «revoke rule --format json» has made, one a line"


@dataclass(frozen=True)
class SavedRecord(FromFile):
    """What a saved ruling rests on."""

    incident: Any
    facts: tuple[tuple[Any, ...], ...]
    rules: dict[str, str]
    """The digest of each rule."""


@dataclass(frozen=True)
class Saved(FromFile):
    """The parts of a saved ruling from which all others follow."""

    edition: str
    elections: tuple[str, ...]
    record: SavedRecord
    source: str = ""
    lang: str | None = None
    voice: str | None = None


def lines(file: str) -> Iterator[tuple[Place, bytes]]:
    """Every line of a file that is not blank, or of standard input for ``-``; InputError when it cannot be had."""
    with nullcontext(sys.stdin.buffer) if file == "-" else reading(file) as stream:
        number, line = 0, stream.readline(MOST_BYTES + 1)
        while line:
            number += 1
            if line.strip():
                yield Place(file, number), line
            if len(line) > MOST_BYTES:  # that one is refused; what is left of it is none
                while line and not line.endswith(b"\n"):
                    line = stream.readline(MOST_BYTES)
            line = stream.readline(MOST_BYTES + 1)


def read_document(given: bytes | str | Mapping[str, Any], place: Place) -> dict[str, Any]:
    """The JSON object of a saved ruling, which may have been read already; InputError when it is none, or too large."""
    try:
        text = json.dumps(given) if isinstance(given, Mapping) else given
        if len(text) > MOST_BYTES:
            raise InputError.of(place, f"this is more than {MOST_BYTES:,} bytes, and no ruling is", _MEND)
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        found = loads_strictly(decoded)
        if depth(found) > MOST_DEPTH:
            raise RecursionError
        json.dumps(found, ensure_ascii=False).encode()  # half a character can be escaped, and not be written
    except UnicodeError as error:
        raise InputError.of(place, f"this is not UTF-8 ({error})", "save it as UTF-8 text") from None
    except RecursionError:
        raise InputError.of(place, "this is nested too deeply for a ruling", _MEND) from None
    except json.JSONDecodeError as error:
        at = replace(place, column=error.colno)
        raise InputError.of(at, "this is no saved ruling: from here on it is no JSON", _MEND) from None
    except ValueError as error:
        raise InputError.of(place, f"this is no saved ruling: {error}", _MEND) from None
    if not isinstance(found, dict):
        raise InputError.of(place, "this is no saved ruling", _MEND)
    return found


def read_saved(document: Mapping[str, Any], place: Place) -> Saved:
    """The parts that a ruling needs; InputError with everything that is wrong with them."""
    known = {key: document[key] for key in keys_of(Saved) if document.get(key) is not None}
    wrong: list[Fault] = []
    for key, wanted in Record(Saved).keys.items():
        faults = Faults()
        if key in known:
            wanted.form.read(node_of(known[key], place), faults)
        elif wanted.required:
            wrong.append(Fault(place, f"{key} is missing", _MEND))
        wrong += (Fault(place, f"{key}: {fault.what}", _MEND) for fault in faults)
    if wrong:
        raise InputError(wrong)
    saved: Saved = read_form(Saved, node_of(known, place), Faults())
    return saved


def depth(value: Json) -> int:
    """How many lists and objects stand within each other."""
    found, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        found += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return found


def loads_strictly(text: str | bytes) -> Any:
    """What JSON says; ValueError where an object says a key twice, and for what is no number, or no ruling's."""

    def said_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise ValueError(f"{key!r:.60} is said twice")
            found[key] = value
        return found

    def whole(digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise ValueError(f"no number in a ruling has {len(digits):,} digits")
        return int(digits)

    def no_number(name: str) -> Any:
        raise ValueError(f"{name} is no number")

    return json.loads(text, object_pairs_hook=said_once, parse_int=whole, parse_constant=no_number)
