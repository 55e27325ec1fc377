"""The vocabulary of the rules: kinds of fact, the types of their fields, lists of words, and how these are said."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final, TypeAlias

from facts.cards import DECK, OTHER_SIDE, SEATS, SUITS
from facts.errors import Faults, Place
from facts.fact import Fact, Value
from facts.form import Entries, FromFile, Names, PlacedForm, PlacedText, Text, Texts, form_of, no_entries
from facts.table import numbers
from facts.yaml_reader import Node, Scalar
from kb.language.folders import languages_named
from kb.language.texts import Translations

TIMES: Final = ("moment", "play", "trick")
"""The types of whole numbers that only order what happened; a play is named by its moment."""
NUMBER_TYPES: Final = ("integer", *TIMES)
"""The types of whole numbers."""
BASE_TYPES: Final = ("seat", "side", "suit", "card", *NUMBER_TYPES, "yes-no", "text")
TRICKS_OF_A_BOARD: Final = (1, 13)
VALUES: Final[Mapping[str, tuple[Value, ...]]] = {
    "seat": SEATS,
    "side": tuple(OTHER_SIDE),
    "suit": SUITS,
    "card": tuple(card.text for card in DECK),
    "yes-no": (True, False),
}
"""The values of the types that the game itself gives."""


def said_as(type_: str) -> str:
    """The type in whose words anything of a type is said: any time is said as any number."""
    return "integer" if type_ in TIMES else type_


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a kind of fact."""

    name: str
    type: str
    """One of BASE_TYPES, or the name of a list of words of the vocabulary."""
    unknown: bool = False
    """Whether the value may be None; such a field is never joined on."""
    bounds: tuple[int, int] | None = None
    """The least and the most that it can be; None for no bounds."""

    @property
    def is_number(self) -> bool:
        """Whether it holds whole numbers, which can be compared and added."""
        return self.type in NUMBER_TYPES


@dataclass(frozen=True)
class Kind:
    """A kind of fact."""

    name: str
    fields: tuple[Field, ...]
    says: Texts
    """How a fact reads in a sentence, with ``{field}`` places."""
    place: Place
    one_per: tuple[str, ...] | None = None
    """Two facts that agree in these fields are a fault."""
    section: str | None = None
    """The part of the ruling that facts of this kind fill; None: not part of the ruling."""
    shows: Mapping[str, str | Value] = field(default_factory=dict)
    """Key of the ruling's item -> field of the fact (``$name``) or a constant."""
    cites: bool = False
    """Whether the clauses behind such a fact are cited by the ruling."""
    first: frozenset[str] = frozenset()
    """Words: a fact that holds one of them leaves to the other side a choice that comes before all else."""
    asks: Texts = field(default_factory=dict)
    """The question that such a fact answers, and why a director asks it; empty when nobody asks."""
    happened: Texts = field(default_factory=dict)
    """How it is told as something that happened; empty where that is what it says."""
    untold: bool = False
    """Whether it is not told as something that happened: others tell it."""

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Field name -> position in the fact tuple (the kind itself stands at 0)."""
        return {f.name: i for i, f in enumerate(self.fields, 1)}

    @property
    def signature(self) -> str:
        """Its fields as the vocabulary writes them: ``hand: seat, card: card?``."""
        return ", ".join(f"{field.name}: {field.type}{'?' if field.unknown else ''}" for field in self.fields)

    def field_named(self, name: str) -> Field:
        """The field of that name; KeyError if there is none."""
        return self.fields[self.index[name] - 1]


@dataclass(frozen=True)
class Vocabulary:
    """Every kind of fact and every list of words."""

    words: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, Kind]
    languages: tuple[str, ...] = ("en", "de")
    """Every sentence of the rules must be given in each of these."""
    word_places: Mapping[str, Place] = field(default_factory=dict, compare=False)
    """Where each list of words stands."""
    names: Mapping[str, Mapping[str, Texts]] = field(default_factory=dict, compare=False)
    """How a draft says the words of its own lists, and others otherwise than words.yaml does."""
    phrases: Mapping[str, Texts] = field(default_factory=dict, compare=False)
    """Phrases that a draft says otherwise than words.yaml does."""
    translations: Translations = field(default_factory=Translations, compare=False)
    """What its sentences, and all others of the rules, are in further languages."""

    @property
    def all_languages(self) -> tuple[str, ...]:
        """Those that every sentence is given in, then those into which some are translated."""
        return (*self.languages, *self.translations.languages)

    sections: Mapping[str, Texts] = field(default_factory=dict, compare=False)
    """Parts of a ruling beside those that every ruling has -> their headings, in the order in which they are told."""

    belonging: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    """Field of facts -> those that belong to it wherever they stand beside it: of a play its trick and hand."""

    @cached_property
    def fields(self) -> Mapping[str, Collection[str]]:
        """Kind -> the names of its fields."""
        return {name: kind.index for name, kind in self.kinds.items()}

    def kind_of(self, fact: Fact) -> Kind:
        """The kind of a fact; KeyError when it is not known."""
        return self.kinds[str(fact[0])]

    def field(self, fact: Fact, name: str) -> Value:
        """What stands in a field of a fact; KeyError when its kind has none of that name."""
        return fact[self.kind_of(fact).index[name]]

    @property
    def outcomes(self) -> Mapping[str, str]:
        """Each word for what becomes of something in a part of its own, with the list that it is in."""
        kinds = (kind for kind in self.kinds.values() if kind.section in self.sections and "is" in kind.index)
        lists = (kind.field_named("is").type for kind in kinds)
        return {str(word): name for name in lists for word in self.values_of(name)}

    def values_of(self, type_: str) -> tuple[Value, ...]:
        """The values that a field of a type may have, in their order; none for a type without bounds."""
        return VALUES.get(type_) or self.words.get(type_, ())


@dataclass(frozen=True, kw_only=True)
class SectionForm(FromFile):
    """Where facts of a kind stand in the ruling."""

    section: Text
    shows: Entries[Node] = field(default_factory=no_entries)
    cites: bool = True
    first: tuple[PlacedText, ...] = ()


@dataclass(frozen=True, kw_only=True)
class KindForm(FromFile):
    """A kind of fact."""

    gone: ClassVar = {"stated-by": "it went with 0.2.0: table.yaml and the rules say it"}

    fields: Entries[PlacedText]
    says: Texts
    one_per: Names | None = None
    asks: Texts = field(default_factory=dict)
    happened: Texts = field(default_factory=dict)
    untold: bool = False
    ruling: SectionForm | None = None


@dataclass(frozen=True, kw_only=True)
class VocabularyForm(PlacedForm):
    """vocabulary.yaml; that of a draft names no languages, and its words may be told as it says"""

    languages: Names = ()
    words: Entries[Names | Entries[Texts]] = field(default_factory=no_entries)
    kinds: Entries[KindForm] = field(default_factory=no_entries)
    sections: Entries[Texts] = field(default_factory=no_entries)
    """Parts of a ruling that a draft adds, with their headings."""
    belonging: Entries[Names] = field(default_factory=no_entries)
    """Fields that belong to another, wherever they stand beside it: of a play its trick and hand."""


Sayings: TypeAlias = Entries[Texts]


@dataclass(frozen=True)
class WordsForm(FromFile):
    """words.yaml"""

    names: Entries[Sayings] = field(default_factory=no_entries)
    phrases: Sayings = field(default_factory=no_entries)


RESERVED_KINDS = ("total", "count")
RESERVED_FIELDS = ("id", "sid")
UNKNOWN_TYPE = ""
"""Of a field whose type is a fault; nothing more is said about it."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def read_vocabulary(node: Node, faults: Faults, base: Vocabulary | None = None) -> Vocabulary:
    """The vocabulary in ``node``; what is wrong with it is added to ``faults``, and left out where it must be.

    ``base``: the vocabulary that it adds to, words to its lists too; its languages stand.
    """
    faults.languages = base.languages if base else languages_named(node)
    form: VocabularyForm = form_of(VocabularyForm).read(node, faults)
    if base is None and not form.languages:
        mend = "name those that every text is given in: languages: [en, de]"
        faults.add(form.place_of("languages"), "no language is named", mend)
    elif base is not None and form.languages:
        faults.add(form.place_of("languages"), "the rules say in which languages texts are given", "take it away")
    base = base or Vocabulary({}, {}, faults.languages)
    words, names = dict(base.words), dict(base.names)
    for name, list_ in form.words.items():
        if name in BASE_TYPES:
            problem = f"{name} is a type of its own"
            faults.add(form.words.places[name], problem, "give the list of words another name")
        words[name] = tuple(dict.fromkeys((*words.get(name, ()), *_words(name, list_, faults))))
        if isinstance(list_, Entries):  # each with how it is said
            names[name] = {**names.get(name, {}), **list_}
    kinds = dict(base.kinds)
    for name, kind in form.kinds.items():
        place = form.kinds.places[name]
        if not _NAME.fullmatch(name) or name in RESERVED_KINDS:
            faults.add(place, f"{name} cannot be the name of a kind", _name_mend(RESERVED_KINDS))
        kinds[name] = _kind(name, kind, place, words, faults)
    fields = {name for kind in kinds.values() for name in kind.index}
    for owner, parts in form.belonging.items():
        for name, place in ((owner, form.belonging.places[owner]), *((part, part.place) for part in parts)):
            faults.demand("field", name, place, fields)
    return replace(
        base,
        words=words,
        kinds=kinds,
        word_places={**base.word_places, **form.words.places},
        names=names,
        sections={**base.sections, **form.sections},
        belonging={**base.belonging, **{name: tuple(filter(None, parts)) for name, parts in form.belonging.items()}},
    )


def _name_mend(reserved: tuple[str, ...]) -> str:
    return f"use small letters, digits and dashes, and none of {', '.join(reserved)}"


def _words(name: str, written: Names | Entries[Any], faults: Faults) -> tuple[str, ...]:
    if isinstance(written, Entries):
        return tuple(written)
    seen: dict[str, Place] = {}
    for word in written:
        if word in seen:
            faults.add(word.place, f"{word} stands twice in {name}", "keep one of the two", (seen[word], "first here"))
        seen.setdefault(word, word.place)
    return tuple(filter(None, seen))


def read_fields(
    written: Entries[PlacedText], words: Mapping[str, tuple[str, ...]], faults: Faults
) -> tuple[Field, ...]:
    """The fields of a kind with their types, which may be any of these lists of words."""
    types, fields = (*BASE_TYPES, *words), list[Field]()
    for name, written_type in written.items():
        if not _NAME.fullmatch(name) or name in RESERVED_FIELDS:
            faults.add(written.places[name], f"{name} cannot be the name of a field", _name_mend(RESERVED_FIELDS))
        type_ = written_type.removesuffix("?")
        among = numbers(type_) if ".." in type_ else range(0)
        if not among:
            faults.demand("type", type_, written_type.place, types)
        bounds = TRICKS_OF_A_BOARD if type_ == "trick" else None
        field_type = type_ if type_ in types else UNKNOWN_TYPE
        if among:
            field_type, bounds = "integer", (among[0], among[-1])
        fields.append(Field(name, field_type, written_type.endswith("?"), bounds))
    return tuple(fields)


def _kind(name: str, form: KindForm, place: Place, words: Mapping[str, tuple[str, ...]], faults: Faults) -> Kind:
    fields = read_fields(form.fields, words, faults)
    field_names = [field.name for field in fields]
    mentioned = [(str(field_name), field_name.place) for field_name in form.one_per or ()]
    shows: dict[str, str | Value] = {}
    for key, node in form.ruling.shows.items() if form.ruling else ():
        if not isinstance(node, Scalar):
            faults.add(node.place, f"{key} must show one value", "write $field or a constant")
            continue
        shows[key] = node.value
        if isinstance(node.value, str) and node.value.startswith("$"):
            mentioned.append((node.value[1:], node.place))
    for field_name, mention_place in mentioned:
        faults.demand("field", field_name, mention_place, field_names)
    may_be = [word for field in fields for word in words.get(field.type, ())]
    first = form.ruling.first if form.ruling else ()
    for word in first:
        faults.demand("word", word, word.place, may_be)
    return Kind(
        name,
        fields,
        form.says,
        place,
        None if form.one_per is None else tuple(filter(None, form.one_per)),
        form.ruling.section or None if form.ruling else None,
        shows,
        form.ruling is not None and form.ruling.cites,
        frozenset(first),
        form.asks,
        form.happened,
        form.untold,
    )


def read_words(node: Node, faults: Faults) -> tuple[dict[str, dict[str, Texts]], dict[str, Texts]]:
    """The names by type and the phrases by key."""
    form: WordsForm = form_of(WordsForm).read(node, faults)
    return {kind: dict(sayings) for kind, sayings in form.names.items()}, dict(form.phrases)
