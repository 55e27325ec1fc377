"""Reading vocabulary.yaml: the kinds of fact, their fields, and the lists of words."""

from __future__ import annotations

import re
from typing import cast

from facts.fact import Value
from facts.suggestions import did_you_mean
from facts.yaml_reader import Mapping, Node, Scalar
from kb.language.faults import Faults
from kb.language.file_shapes import MoreVocabularyShape, VocabularyShape
from kb.language.model import BASE_TYPES, Field, Kind, StatedBy, Texts, Vocabulary
from kb.language.nodes import entries, items, string, strings
from kb.language.shape import shape_faults
from kb.language.texts import read_texts

RESERVED_KINDS = ("total", "count")
RESERVED_FIELDS = ("id", "sid")
UNKNOWN_TYPE = ""
"""Of a field whose type is a fault; nothing more is said about it."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def read_vocabulary(node: Node, faults: Faults, base: Vocabulary | None = None) -> Vocabulary:
    """The vocabulary in ``node``; what is wrong with it is added to ``faults``, and left out where it must be.

    ``base``: the vocabulary that it adds to; its languages stand.
    """
    faults.extend(shape_faults(node, VocabularyShape if base is None else MoreVocabularyShape))
    top = entries(node)
    languages = strings(top.get("languages")) if base is None else base.languages
    if "languages" in top and not languages:
        faults.add(top["languages"].place, "no language is named", "name those that every text is given in: [en, de]")
    words = dict(base.words) if base else {}
    words |= {name: _words(name, list_, faults) for name, list_ in entries(top.get("words")).items()}
    kinds = dict(base.kinds) if base else {}
    if isinstance(kinds_node := top.get("kinds"), Mapping):
        for name, kind in kinds_node.entries.items():
            if not _NAME.fullmatch(name) or name in RESERVED_KINDS:
                faults.add(kinds_node.keys[name], f"{name} cannot be the name of a kind", _name_mend(RESERVED_KINDS))
            kinds[name] = _KindReader(tuple(words), languages, faults).read(name, kind, kinds_node)
    lists = top.get("words")
    places = {**(base.word_places if base else {}), **(lists.keys if isinstance(lists, Mapping) else {})}
    names = {**(base.names if base else {}), **_names(lists, languages, faults)}
    return Vocabulary(words, kinds, languages, places, names)


def _names(lists: Node | None, languages: tuple[str, ...], faults: Faults) -> dict[str, dict[str, Texts]]:
    """How words are said, where the list gives each with its texts."""
    return {
        name: {word: read_texts(said, languages, faults) for word, said in entries(list_).items()}
        for name, list_ in entries(lists).items()
        if isinstance(list_, Mapping)
    }


def _name_mend(reserved: tuple[str, ...]) -> str:
    return f"use small letters, digits and dashes, and none of {', '.join(reserved)}"


def _words(name: str, node: Node, faults: Faults) -> tuple[str, ...]:
    if name in BASE_TYPES:
        faults.add(node.place, f"{name} is a type of its own", "give the list of words another name")
    if isinstance(node, Mapping):
        return tuple(node.entries)
    seen: dict[str, Node] = {}
    for item in items(node):
        word = string(item)
        if word in seen:
            there = (seen[word].place, "first here")
            faults.add(item.place, f"{word} stands twice in {name}", "keep one of the two", there)
        seen.setdefault(word, item)
    return tuple(filter(None, seen))


class _KindReader:
    def __init__(self, lists: tuple[str, ...], languages: tuple[str, ...], faults: Faults) -> None:
        self.types = (*BASE_TYPES, *lists)
        self.languages = languages
        self.faults = faults

    def read(self, name: str, node: Node, parent: Mapping) -> Kind:
        at = entries(node)
        fields = self.fields(at.get("fields"))
        ruling = entries(at.get("ruling"))
        return Kind(
            name,
            fields,
            read_texts(at.get("says"), self.languages, self.faults),
            cast(StatedBy, string(at.get("stated-by")) or "both"),
            parent.keys[name],
            self.one_per(at.get("one-per"), fields),
            string(ruling.get("section")) or None,
            self.shows(ruling.get("shows"), fields),
            bool(ruling) and self.cites(ruling.get("cites")),
            read_texts(at.get("asks"), self.languages, self.faults),
        )

    def fields(self, node: Node | None) -> tuple[Field, ...]:
        fields = []
        if isinstance(node, Mapping):
            for name, written in node.entries.items():
                if not _NAME.fullmatch(name) or name in RESERVED_FIELDS:
                    what = f"{name} cannot be the name of a field"
                    self.faults.add(node.keys[name], what, _name_mend(RESERVED_FIELDS))
                fields.append(Field(name, self.type(written), string(written).endswith("?")))
        return tuple(fields)

    def type(self, written: Node) -> str:
        type_ = string(written).removesuffix("?")
        if type_ in self.types:
            return type_
        if type_:
            self.faults.add(written.place, f"unknown type {type_}", did_you_mean(type_, self.types))
        return UNKNOWN_TYPE

    def one_per(self, node: Node | None, fields: tuple[Field, ...]) -> tuple[str, ...] | None:
        for item in items(node):
            self.known(item, string(item), fields)
        return strings(node) if node else None

    def shows(self, node: Node | None, fields: tuple[Field, ...]) -> dict[str, str | Value]:
        shown: dict[str, str | Value] = {}
        for key, value in entries(node).items():
            if not isinstance(value, Scalar):
                self.faults.add(value.place, f"{key} must show one value", "write $field or a constant")
                continue
            if isinstance(value.value, str) and value.value.startswith("$"):
                self.known(value, value.value[1:], fields)
            shown[key] = value.value
        return shown

    def cites(self, node: Node | None) -> bool:
        return not isinstance(node, Scalar) or node.value is True

    def known(self, node: Node, name: str, fields: tuple[Field, ...]) -> None:
        names = [field.name for field in fields]
        if name and name not in names:
            self.faults.add(node.place, f"unknown field {name}", did_you_mean(name, names))
