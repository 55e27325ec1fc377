"""Reading vocabulary.yaml: the kinds of fact, their fields, and the lists of words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from facts.errors import Faults, Place
from facts.fact import Value
from facts.form import Entries, Placed, Texts, read_form
from facts.suggestions import did_you_mean
from facts.yaml_reader import Node, Scalar
from kb.language.forms import KindForm, MoreVocabularyForm, Names, VocabularyForm
from kb.language.vocabulary import BASE_TYPES, TRICKS_OF_A_BOARD, Field, Kind, Vocabulary

RESERVED_KINDS = ("total", "count")
RESERVED_FIELDS = ("id", "sid")
UNKNOWN_TYPE = ""
"""Of a field whose type is a fault; nothing more is said about it."""
_RANGE = re.compile(r"([0-9]{1,15})\.\.([0-9]{1,15})")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def read_vocabulary(node: Node, faults: Faults, base: Vocabulary | None = None) -> Vocabulary:
    """The vocabulary in ``node``; what is wrong with it is added to ``faults``, and left out where it must be.

    ``base``: the vocabulary that it adds to, words to its lists too; its languages stand.
    """
    form: VocabularyForm | MoreVocabularyForm
    if base is None:
        faults.languages = languages_named(node)
    form = read_form(VocabularyForm if base is None else MoreVocabularyForm, node, faults)
    languages = base.languages if base else _languages(form, faults)
    lists: Entries[Any] = form.words
    words = dict(base.words) if base else {}
    for name, list_ in lists.items():
        words[name] = tuple(dict.fromkeys((*words.get(name, ()), *_words(name, list_, faults))))
    kinds = dict(base.kinds) if base else {}
    for name, kind in form.kinds.items():
        place = form.kinds.places[name]
        if not _NAME.fullmatch(name) or name in RESERVED_KINDS:
            faults.add(place, f"{name} cannot be the name of a kind", _name_mend(RESERVED_KINDS))
        kinds[name] = KindReader(words, languages, faults).read(name, kind, place)
    places = {**(base.word_places if base else {}), **lists.places}
    names = dict(base.names) if base else {}
    names |= {name: {**names.get(name, {}), **own} for name, own in _names(lists, languages, faults).items()}
    sections = dict(base.sections) if base else {}
    sections |= form.sections
    read = Vocabulary(words, kinds, languages, places, names, sections=sections)
    return replace(read, phrases=base.phrases, translations=base.translations) if base else read


def languages_named(node: Node) -> tuple[str, ...]:
    """Those in which every text is given."""
    named = node.entries.get("languages")
    return tuple(str(one.plain()) for one in named.items) if named is not None else ()


def _languages(form: Any, faults: Faults) -> tuple[str, ...]:
    if not form.languages and "languages" in form.places:
        mend = "name those that every text is given in: [en, de]"
        faults.add(form.places["languages"], "no language is named", mend)
    return tuple(one.value for one in form.languages if one.value)


def _names(lists: Entries[Any], languages: tuple[str, ...], faults: Faults) -> dict[str, dict[str, Texts]]:
    """How words are said, where the list gives each with its texts."""
    return {name: dict(list_.value) for name, list_ in lists.items() if isinstance(list_.value, Entries)}


def _name_mend(reserved: tuple[str, ...]) -> str:
    return f"use small letters, digits and dashes, and none of {', '.join(reserved)}"


def _words(name: str, written: Placed[Names | Entries[Any]], faults: Faults) -> tuple[str, ...]:
    if name in BASE_TYPES:
        faults.add(written.place, f"{name} is a type of its own", "give the list of words another name")
    if isinstance(written.value, Entries):
        return tuple(written.value)
    seen: dict[str, Place] = {}
    for word in written.value:
        if word.value in seen:
            there = (seen[word.value], "first here")
            faults.add(word.place, f"{word.value} stands twice in {name}", "keep one of the two", there)
        seen.setdefault(word.value, word.place)
    return tuple(filter(None, seen))


def _bounds(type_: str) -> tuple[int, int] | None:
    """The least and the most of a range such as ``0..13``, or of the numbers of tricks."""
    found = _RANGE.fullmatch(type_.removesuffix("?"))
    if found:
        return int(found[1]), int(found[2])
    return TRICKS_OF_A_BOARD if type_ == "trick" else None


class KindReader:
    """Reads kinds of fact, whose fields may be of these lists of words; gathers what is wrong with them."""

    def __init__(self, words: Mapping[str, tuple[str, ...]], languages: tuple[str, ...], faults: Faults) -> None:
        self.types = (*BASE_TYPES, *words)
        self.words = words
        self.languages = languages
        self.faults = faults

    def read(self, name: str, form: KindForm, place: Place) -> Kind:
        """The kind of that name."""
        fields = self.fields(form.fields)
        for one in form.one_per or ():
            self._known(one.value, one.place, fields)
        return Kind(
            name,
            fields,
            form.says,
            form.stated_by or "both",
            place,
            None if form.one_per is None else tuple(one.value for one in form.one_per if one.value),
            form.ruling.section or None if form.ruling else None,
            self._shows(form.ruling.shows, fields) if form.ruling else {},
            form.ruling is not None and form.ruling.cites,
            frozenset(self._first(form.ruling.first, fields) if form.ruling else ()),
            form.asks,
            form.happened,
            form.untold,
        )

    def fields(self, written: Entries[Placed[str]]) -> tuple[Field, ...]:
        """The fields with their types."""
        for name, place in written.places.items():
            if not _NAME.fullmatch(name) or name in RESERVED_FIELDS:
                self.faults.add(place, f"{name} cannot be the name of a field", _name_mend(RESERVED_FIELDS))
        return tuple(
            Field(name, self._type(one), one.value.endswith("?"), _bounds(one.value)) for name, one in written.items()
        )

    def _type(self, written: Placed[str]) -> str:
        type_ = written.value.removesuffix("?")
        if _RANGE.fullmatch(type_):
            return "integer"
        if type_ in self.types:
            return type_
        if type_:
            self.faults.add(written.place, f"unknown type {type_}", did_you_mean(type_, self.types))
        return UNKNOWN_TYPE

    def _shows(self, stated: Mapping[str, Node], fields: tuple[Field, ...]) -> dict[str, str | Value]:
        shown: dict[str, str | Value] = {}
        for key, value in stated.items():
            if not isinstance(value, Scalar):
                self.faults.add(value.place, f"{key} must show one value", "write $field or a constant")
                continue
            if isinstance(value.value, str) and value.value.startswith("$"):
                self._known(value.value[1:], value.place, fields)
            shown[key] = value.value
        return shown

    def _first(self, stated: tuple[Placed[str], ...], fields: tuple[Field, ...]) -> Iterator[str]:
        words = [word for field in fields for word in self.words.get(field.type, ())]
        for one in stated:
            if one.value not in words:
                self.faults.add(one.place, f"no field of it can be {one.value}", did_you_mean(one.value, words))
            yield one.value

    def _known(self, name: str, place: Place, fields: tuple[Field, ...]) -> None:
        names = [field.name for field in fields]
        if name and name not in names:
            self.faults.add(place, f"unknown field {name}", did_you_mean(name, names))
