"""What each sort of rule file may hold. What stands inside a rule is read by ``rule.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeAlias

from facts.calendar import DateText, InForce
from facts.errors import Place
from facts.form import (
    Described,
    Entries,
    FromFile,
    OneOrMore,
    Placed,
    ReadBy,
    Text,
    Texts,
    no_entries,
    text,
)
from facts.yaml_reader import Node
from kb.language.model import Encoding, Minute, Note, Source
from kb.language.vocabulary import StatedBy

LawNumber: TypeAlias = Annotated[str, ReadBy(text, anyway=str)]
PlacedText: TypeAlias = Placed[Text]
Names: TypeAlias = tuple[PlacedText, ...]
New: TypeAlias = Literal[True] | None
"""Of a clause in an amendment: it is added, and takes the place of none."""


@dataclass(frozen=True, kw_only=True)
class PlacedForm(FromFile):
    """A form that knows where it stands."""

    place: Place
    places: Mapping[str, Place]
    """Where the value of each key stands that is stated."""

    def place_of(self, key: str) -> Place:
        """Where the value of a key stands, or else all of it."""
        return self.places.get(key, self.place)


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

    fields: Entries[PlacedText]
    says: Texts
    stated_by: StatedBy
    one_per: Names | None = None
    asks: Texts = field(default_factory=dict)
    happened: Texts = field(default_factory=dict)
    untold: bool = False
    ruling: SectionForm | None = None


@dataclass(frozen=True, kw_only=True)
class MoreVocabularyForm(FromFile):
    """vocabulary.yaml of a draft; its words are told as it says"""

    words: Entries[Placed[Names | Entries[Texts]]] = field(default_factory=no_entries)
    kinds: Entries[KindForm] = field(default_factory=no_entries)
    sections: Entries[Texts] = field(default_factory=no_entries)
    """Parts of a ruling that the draft adds, with their headings."""


@dataclass(frozen=True, kw_only=True)
class VocabularyForm(PlacedForm):
    """vocabulary.yaml"""

    languages: Names
    words: Entries[Placed[Names]] = field(default_factory=no_entries)
    kinds: Entries[KindForm]
    sections: Entries[Texts] = field(default_factory=no_entries)
    """Parts of a ruling beside those that every ruling has, with their headings."""


@dataclass(frozen=True, kw_only=True)
class BareRuleForm(PlacedForm):
    """A rule of which nothing is said at the table."""

    when: Annotated[Node, Described("conditions")]
    unless: Annotated[Node | None, Described("exceptions")] = None
    then: Annotated[Node, Described("conclusions")]


@dataclass(frozen=True, kw_only=True)
class RuleForm(BareRuleForm):
    """One rule."""

    id: Text | None = None
    once_with: Names = ()
    because: Texts


Minutes: TypeAlias = Annotated[tuple[Minute, ...], OneOrMore()]
Notes: TypeAlias = Annotated[tuple[Note | Texts, ...], OneOrMore()]
"""One or several, each with its author or simply what it says."""


@dataclass(frozen=True, kw_only=True)
class DefinitionForm(FromFile):
    """Machinery that no law owns."""

    encoded_as: ClassVar[Encoding] = "definition"
    source: ClassVar[Source] = Source()
    reason: ClassVar[Texts] = {}
    minutes: ClassVar[tuple[Note, ...]] = ()

    new: New = None
    says: Texts
    notes: Notes = ()
    rules: tuple[RuleForm, ...]


@dataclass(frozen=True, kw_only=True)
class ClauseForm(FromFile):
    """One clause of the law."""

    new: New = None
    says: Texts
    encoded_as: Encoding
    source: Literal["recalled", "seen"] | Source = "seen"
    reason: Texts = field(default_factory=dict)
    minutes: Minutes = ()
    notes: Notes = ()
    rules: tuple[RuleForm, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RepealForm(FromFile):
    """A clause that an amendment takes away."""

    meant_by: ClassVar[frozenset[str]] = frozenset({"repealed"})

    repealed: Literal[True]


Sayings: TypeAlias = Entries[Texts]


@dataclass(frozen=True)
class WordsForm(FromFile):
    """words.yaml"""

    names: Entries[Sayings] = field(default_factory=no_entries)
    phrases: Sayings = field(default_factory=no_entries)


Clauses: TypeAlias = Entries[RepealForm | ClauseForm]
Definitions: TypeAlias = Entries[RepealForm | DefinitionForm]


@dataclass(frozen=True, kw_only=True)
class LawForm(FromFile):
    """One law; an amendment need not repeat its title."""

    title: Texts = field(default_factory=dict)
    clauses: Clauses


@dataclass(frozen=True, kw_only=True)
class LawFile(LawForm):
    """A file about one law."""

    meant_by: ClassVar[frozenset[str]] = frozenset({"law", "clauses"})

    law: Placed[LawNumber]
    definitions: Definitions = field(default_factory=no_entries)


@dataclass(frozen=True, kw_only=True)
class LawsFile(FromFile):
    """A file about several laws, or of definitions alone."""

    laws: Entries[LawForm] = field(default_factory=no_entries)
    definitions: Definitions = field(default_factory=no_entries)


@dataclass(frozen=True, kw_only=True)
class EditionForm(PlacedForm):
    """edition.yaml"""

    edition: Text
    title: Texts
    authority: Text
    in_force: InForce
    until: DateText = ""
    game: Text = ""
    """Editions of one game follow each other; those of two may be in force together."""
    adopted: Entries[DateText] = field(default_factory=no_entries)
    amends: PlacedText | None = None
    renames: Entries[PlacedText] = field(default_factory=no_entries)
    """Number of a clause in what it amends -> its number here."""
    clauses: Names | None = None
    offers: Entries[Names] = field(default_factory=no_entries)
    scored: Literal["duplicate", "otherwise"] | None = None


@dataclass(frozen=True, kw_only=True)
class ElectionForm(PlacedForm):
    """What an authority chose where its edition left a choice."""

    election: Text
    title: Texts
    authority: Text
    jurisdiction: str = ""
    in_force: DateText = ""
    until: DateText = ""
    of: Names
    under: Text
    clauses: Clauses
