"""Sentences in several languages, and the ``{places}`` in them.

``{n}`` is a value; ``{n|trick|tricks}`` a number with the word that goes with it: «1 trick», «2 tricks».
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from facts.errors import Place
from facts.form import Entries, Placed
from facts.suggestions import did_you_mean
from kb.language.faults import Faults
from kb.language.vocabulary import Texts

_HOLE = re.compile(r"\{(?P<name>[A-Za-z][\w-]*)(?:\|(?P<one>[^{}|]+)\|(?P<many>[^{}|]+))?\}")


class PlacedTexts(dict[str, str]):
    """Texts that know where each of them stands."""

    def __init__(self, texts: Mapping[str, str], places: Mapping[str, Place]) -> None:
        super().__init__(texts)
        self.places = places

    def __reduce__(self) -> tuple[object, ...]:
        return PlacedTexts, (dict(self), dict(self.places))


def read_texts(said: Entries[Placed[str]] | None, languages: tuple[str, ...], faults: Faults) -> PlacedTexts:
    """The sentences that a file holds; a language that is missing, empty or unknown is a fault."""
    if said is None or not said.place.file:
        return PlacedTexts({}, {})
    for language, one in said.items():
        if languages and language not in languages:
            faults.add(said.places[language], f"unknown language {language}", did_you_mean(language, languages))
        elif one.value.isspace():
            faults.add(one.place, f"the text in {language} is empty", "write it")
    for language in languages:
        if language not in said:
            faults.add(said.place, f"the text in {language} is missing", f'add {language}: "…"')
    return PlacedTexts(
        {language: one.value for language, one in said.items()}, {language: one.place for language, one in said.items()}
    )


def each(texts: Texts, default: Place) -> Iterator[tuple[str, str, Place]]:
    """Language, sentence and place of each; ``default`` where the place is not known."""
    places = texts.places if isinstance(texts, PlacedTexts) else {}
    for language, text in texts.items():
        yield language, text, places.get(language, default)


def holes(text: str) -> list[str]:
    """The names in braces, in their order."""
    return [hole["name"] for hole in _HOLE.finditer(text)]


def stray_brace(text: str) -> bool:
    """Whether a brace is left that belongs to no ``{name}``."""
    rest = _HOLE.sub("", text)
    return "{" in rest or "}" in rest


def fill(text: str, values: Mapping[str, str], plain: Callable[[str], str] = str) -> str:
    """The sentence with its places filled; KeyError for one without a value.

    ``plain`` readies what the sentence itself says for the page; the values are ready.
    """
    said, at = "", 0
    for hole in _HOLE.finditer(text):
        value = values[hole["name"]]
        word = "" if hole["one"] is None else f" {hole['one' if value == '1' else 'many']}"
        said += plain(text[at : hole.start()]) + value + plain(word)
        at = hole.end()
    return said + plain(text[at:])
