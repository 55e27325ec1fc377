"""Saved rulings, honest ones made by the quick engine, and forged ones made from them by changing one thing."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final, TypeAlias

from facts.errors import InputError
from facts.incident import Incident
from facts.readers.incident_file import incident_of
from facts.yaml_reader import read_yaml
from kb.explain.words import Speaker, load_words
from kb.ruling.make_ruling import rule
from kb.voices import Voice, saved
from support.boards import random_board
from support.cases import incidents
from support.partial import drawn
from support.ruling import ROOT, laws
from support.tables import shipped

Document: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str | int, ...]
EDITIONS: Final = ("duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912")
LANGS: Final = ("en", "de")
VOICES: Final = (None, *Voice)
_HEARD: Final = (*VOICES, None, None, None, Voice.TABLE, Voice.APPEAL, Voice.EDITOR)
"""The teacher seldom: he looks at every clause that does not apply as well, and that takes a second."""
NOT_CHECKED: Final = ("source", "evidence")
"""What a ruling says as it likes, and what is taken on trust."""
_WORDS: Final[Sequence[Sequence[str]]] = (
    ("N", "E", "S", "W"),
    ("NS", "EW"),
    ("established", "must-correct", "corrected", "none-yet", "open"),
    ("declarer", "dummy", "defender"),
    ("major", "minor"),
    (*EDITIONS, "dbv-2007"),
    ("en", "de", *Voice),
)


def document(incident: Incident, lang: str = "en", voice: Voice | None = None) -> Document:
    """The ruling on an incident as ``revoke rule --format json`` prints it; InputError when there can be none."""
    (made,) = documents(incident, [(lang, voice)])
    return made


def documents(incident: Incident, heard: Sequence[tuple[str, Voice | None]]) -> list[Document]:
    """The same in several languages and voices."""
    law = laws().of(incident.edition, incident.elections)
    ruling = rule(law, incident)
    return [json.loads(json.dumps(saved(ruling, _speaker(law.edition.id, lang), voice))) for lang, voice in heard]


@cache
def _speaker(edition: str, lang: str) -> Speaker:
    vocabulary = laws().of(edition).edition.vocabulary
    return Speaker(load_words(ROOT, vocabulary), vocabulary, lang)


def is_honest(told: Document) -> bool:
    """Whether a document says just what the engine rules on its incident, in its language and voice."""
    record = told["record"]["incident"]
    table = laws().of(told["edition"], told["elections"]).edition.table
    incident = incident_of(read_yaml(json.dumps(record), "record"), lambda _: table)
    voice = None if told["voice"] is None else Voice(told["voice"])
    return _text({**document(incident, told["lang"], voice), "source": ""}) == _text({**told, "source": ""})


def honest(
    chance: Random,
    sources: Sequence[Callable[[Random], Incident]] = (),
    voices: Sequence[Voice | None] = (),
    each: int = 1,
) -> Iterator[Document]:
    """Documents without end, from cases, partial findings and records, in every edition, language and voice; ``each``:
    so many on end of one incident."""
    while True:
        incident = chance.choice(sources or SOURCES)(chance)
        try:
            yield from documents(
                incident, [(chance.choice(LANGS), chance.choice(voices or _HEARD)) for _ in range(each)]
            )
        except InputError:
            continue  # drawn findings may contradict each other


def a_case(chance: Random) -> Incident:
    _, incident = chance.choice(incidents())
    return incident


def some_findings(chance: Random) -> Incident:
    return drawn(chance, chance.choice(EDITIONS), 1 + (chance.random() < 0.1))


def a_board(chance: Random) -> Incident:
    board = incident_of(read_yaml(json.dumps(random_board(chance.randrange(10**6))), "board"), shipped)
    return replace(board, edition=chance.choice(EDITIONS))


SOURCES: Final[Sequence[Callable[[Random], Incident]]] = (a_case, a_case, some_findings, some_findings, a_board)


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The way to each value that holds no others, but for those that nobody checks."""
    if path and path[0] in NOT_CHECKED:
        return
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(one, (*path, key))
    else:
        yield path


def at(value: Any, path: Path) -> Any:
    """What stands there."""
    for key in path:
        value = value[key]
    return value


def other(value: Any, chance: Random) -> Any:
    """Another value of about the same sort."""
    if isinstance(value, bool):
        return chance.choice([not value, int(value)])
    if isinstance(value, int | float):
        return chance.choice([value + 1, value - 1, -value - 1, float(value), str(value), None])
    if value is None:
        return chance.choice([0, False, "N", "N 5"])
    for words in _WORDS:
        if value in words:
            return chance.choice([one for one in words if one != value])
    return _reworded(str(value), chance)


def _reworded(text: str, chance: Random) -> str:
    """A text of which one word or letter is another, or gone."""
    words = text.split(" ")
    if len(words) > 1 and chance.random() < 0.5:
        number = chance.randrange(len(words))
        words[number : number + 1] = chance.choice([[], ["not", words[number]], [words[number], words[number]]])
        return " ".join(words)
    number = chance.randrange(len(text) + 1)
    return chance.choice([text[:number] + "x" + text[number:], text[:number] + "7" + text[number + 1 :], f"{text} "])


def changed_leaf(told: Document, chance: Random) -> Document:
    """One value is another."""
    path = chance.choice([*leaves(told)])
    return _with(told, path, other(at(told, path), chance))


def changed_part(told: Document, chance: Random) -> Document:
    """A step, or an entry of anything else, is left out, said twice, exchanged or made up; or a key is gone."""
    ways = {path[:n] for path in leaves(told) for n in range(1, len(path))}
    lists = [path for path in sorted(ways, key=str) if isinstance(at(told, path), list)]
    steps: Path = ("proof", "steps")
    path = steps if told["proof"]["steps"] and chance.random() < 0.3 else chance.choice(lists)
    entries = copy.deepcopy(at(told, path))
    number = chance.randrange(len(entries))
    match chance.choice(["drop", "twice", "turn", "make up"]):
        case "drop":
            del entries[number]
        case "twice":
            entries.insert(number, entries[number])
        case "turn":
            entries.reverse()
        case "make up":
            entries.append(changed_leaf({"x": entries[number]}, chance)["x"] if entries[number] else "N")
    return _with(told, path, entries)


def lacking_key(told: Document, chance: Random) -> Document:
    """One key is gone."""
    ways = [path for path in leaves(told) if isinstance(path[-1], str)]
    *way, key = chance.choice(ways)
    made = copy.deepcopy(told)
    del at(made, tuple(way))[key]
    return made


def with_more(told: Document, chance: Random) -> Document:
    """Something more is said."""
    ways = sorted({path[:-1] for path in leaves(told) if isinstance(path[-1], str)}, key=str)
    path = (*chance.choice(ways), "more")
    return _with(told, path, chance.choice([1, "x", True, []]))


def exchanged(told: Document, with_: Document, chance: Random) -> Document:
    """A part of another ruling stands for its own: the receipt, the text, the incident, the facts."""
    parts: list[Path] = [(key,) for key in told if key not in NOT_CHECKED and key in with_]
    path = chance.choice([*parts, ("record", "incident"), ("record", "facts"), ("record", "rules")])
    return _with(told, path, at(with_, path))


def forged(told: Document, with_: Document, chance: Random) -> Document:
    """A document that is not as it was: one thing is altered."""
    while True:
        forge = chance.choice([changed_leaf] * 6 + [changed_part] * 3 + [lacking_key, with_more])
        made = exchanged(told, with_, chance) if chance.random() < 0.08 else forge(told, chance)
        if _text(made) != _text(told) and not _without_default(made, told):
            return made


def _without_default(made: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    """Whether it lacks only a language or voice that is the usual one."""
    return all(_text(made.get(key, {"lang": "en"}.get(key))) == _text(told[key]) for key in told) and len(made) <= len(
        told
    )


def _with(told: Document, path: Path, value: Any) -> Document:
    made = copy.deepcopy(told)
    at(made, path[:-1])[path[-1]] = copy.deepcopy(value)
    return made


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
