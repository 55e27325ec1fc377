"""The vocabulary of the rules: kinds of fact, the types of their fields, and lists of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypeAlias

from facts.cards import DECK, OTHER_SIDE, SEATS, SUITS
from facts.errors import Place
from facts.fact import Fact, Value
from facts.form import Texts
from kb.language.translations import Translations

StatedBy: TypeAlias = Literal["incident", "rules", "both"]
TIMES: Final = ("moment", "play", "trick")
"""The types of whole numbers that only order what happened; a play is named by its moment."""
NUMBERS: Final = ("integer", *TIMES)
"""The types of whole numbers."""
BASE_TYPES: Final = ("seat", "side", "suit", "card", *NUMBERS, "yes-no", "text")
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
        return self.type in NUMBERS

    @property
    def is_time(self) -> bool:
        """Whether it says when something was: a moment, a play or a trick."""
        return self.type in TIMES


@dataclass(frozen=True)
class Kind:
    """A kind of fact."""

    name: str
    fields: tuple[Field, ...]
    says: Texts
    """How a fact reads in a sentence, with ``{field}`` places."""
    stated_by: StatedBy
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
        return ", ".join(f"{one.name}: {one.type}{'?' if one.unknown else ''}" for one in self.fields)

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

    def kind_of(self, fact: Fact) -> Kind:
        """The kind of a fact; KeyError when it is not known."""
        return self.kinds[str(fact[0])]

    def field(self, fact: Fact, name: str) -> Value:
        """What stands in a field of a fact; KeyError when its kind has none of that name."""
        return fact[self.kind_of(fact).index[name]]

    def values_of(self, type_: str) -> tuple[Value, ...]:
        """The values that a field of a type may have, in their order; none for a type without bounds."""
        return VALUES.get(type_) or self.words.get(type_, ())
