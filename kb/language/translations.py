"""The texts of the rules in further languages, each in a file of its own: ``translations/fr.yaml``.

Every text stands in the rules in the complete languages, English and German. A translation gives as many of them as it
has, by what they say in English, so that it holds wherever that is said; what it lacks is said in English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from facts.errors import Place
from facts.yaml_reader import Mapping as MappingNode
from facts.yaml_reader import Node, Scalar, Sequence, Steps

Said: TypeAlias = tuple[str, ...]
"""A text in the complete languages, in their order; or in the first of them alone."""


@dataclass(frozen=True, slots=True)
class Translation:
    """What a text is in another language."""

    text: str
    place: Place


@dataclass(frozen=True)
class Translations:
    """What is translated, by language."""

    complete: tuple[str, ...] = ()
    """The languages in which every text is given."""
    languages: Mapping[str, Mapping[Said, Translation]] = field(default_factory=dict)
    digest: str = ""
    """Of the files that they are from."""

    def of(self, said: Said, language: str) -> Translation | None:
        """A text in another language: of texts that are alike in English, the one that is alike in German as well."""
        known = self.languages.get(language, {})
        return known.get(said) or known.get(said[:1])

    def over(self, node: Node) -> Node:
        """What a file holds, with each of its texts in every language that there is."""
        return self._over(node) if any(self.languages.values()) else node

    def _over(self, node: Node) -> Node:
        if isinstance(node, Sequence):
            return replace(node, items=tuple(map(self._over, node.items)))
        if not isinstance(node, MappingNode):
            return node
        said = said_in(node, self.complete)
        if said is None:
            return replace(node, entries={key: self._over(one) for key, one in node.entries.items()})
        found = {language: self.of(said, language) for language in self.languages if language not in node.entries}
        more = {language: one for language, one in found.items() if one is not None}
        first = str(node.entries[self.complete[0]].plain())
        entries = {language: Scalar(_spaced(one.text, first), one.place, quoted=True) for language, one in more.items()}
        keys = {language: one.place for language, one in more.items()}
        return replace(node, entries={**node.entries, **entries}, keys={**node.keys, **keys})


def texts_in(node: Node, complete: tuple[str, ...], path: Steps = ()) -> Iterator[tuple[Steps, Said]]:
    """Every text that a file holds, and the keys and numbers that lead to it."""
    said = said_in(node, complete)
    if said is not None:
        yield path, said
        return
    for key, one in node.entries.items():
        yield from texts_in(one, complete, (*path, key))
    for number, one in enumerate(node.items, 1):
        yield from texts_in(one, complete, (*path, number))


def said_in(node: Node, complete: tuple[str, ...]) -> Said | None:
    """What a part of a file says in the complete languages, if it is a text."""
    if not complete or not {*node.entries}.issuperset(complete):
        return None
    said = [node.entries[language] for language in complete]
    if not all(isinstance(one, Scalar) for one in said):
        return None
    return tuple(in_one_line(str(one.plain())) for one in said)


def _spaced(text: str, like: str) -> str:
    """The text with the spaces around it that another has: in a file of translations they are not seen."""
    before, after = like[: len(like) - len(like.lstrip())], like[len(like.rstrip()) :]
    return f"{before}{text.strip()}{after}" if like.strip() else text


def in_one_line(text: str) -> str:
    """The text however it is broken into lines."""
    return " ".join(text.split())
