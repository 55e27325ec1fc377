"""What each sort of rule file may hold. What stands inside a rule is read by ``rule.py``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from facts.days import DATE_PATTERN, span
from facts.errors import MisreadError, Place
from facts.form import Described, Entries, FromFile, OneOrMore, Placed, ReadBy, in_the_form, no_entries, plain_text
from facts.yaml_reader import Node
from kb.language.model import Encoding
from kb.language.vocabulary import StatedBy


def _text(given: Any) -> str:
    if isinstance(given, int):
        raise MisreadError(f"{str(given).lower()} is not text", "put it in quotes")
    if given == "":
        raise MisreadError("the text is missing", "write it")
    return plain_text(given)


NOT_YET: Final = "not yet"
"""When a draft comes into force."""


def _date(given: object) -> str:
    if isinstance(given, int):
        raise MisreadError(f"{str(given).lower()} is not text", "put it in quotes")
    text = plain_text(given)
    span(text)
    return text


def _date_or_not_yet(given: object) -> str:
    if given == NOT_YET:
        return NOT_YET
    if isinstance(given, int):
        return _date(given)
    try:
        return _date(given)
    except MisreadError as error:
        what, mend = error.wrong[0]
        raise MisreadError(what, f'{mend}, or "{NOT_YET}"') from None


DateText: TypeAlias = Annotated[str, ReadBy(_date, in_the_form(DATE_PATTERN), lambda _: "")]
"""As much of a date as is known."""
InForce: TypeAlias = Annotated[
    str, ReadBy(_date_or_not_yet, {"anyOf": [in_the_form(DATE_PATTERN), {"enum": [NOT_YET]}]}, lambda _: "")
]


Text: TypeAlias = Annotated[str, ReadBy(_text, anyway=lambda _: "")]
LawNumber: TypeAlias = Annotated[str, ReadBy(_text, anyway=str)]
PlacedText: TypeAlias = Placed[Text]
Names: TypeAlias = tuple[PlacedText, ...]
Sentences: TypeAlias = Annotated[Entries[PlacedText], Described("texts")]
"""A sentence in each language."""
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
    says: Sentences
    stated_by: StatedBy
    one_per: Names | None = None
    asks: Sentences | None = None
    happened: Sentences | None = None
    untold: bool = False
    ruling: SectionForm | None = None


@dataclass(frozen=True, kw_only=True)
class MoreVocabularyForm(FromFile):
    """vocabulary.yaml of a draft; its words are told as it says"""

    words: Entries[Placed[Names | Entries[Sentences]]] = field(default_factory=no_entries)
    kinds: Entries[KindForm] = field(default_factory=no_entries)
    sections: Entries[Sentences] = field(default_factory=no_entries)
    """Parts of a ruling that the draft adds, with their headings."""


@dataclass(frozen=True, kw_only=True)
class VocabularyForm(PlacedForm):
    """vocabulary.yaml"""

    languages: Names
    words: Entries[Placed[Names]] = field(default_factory=no_entries)
    kinds: Entries[KindForm]
    sections: Entries[Sentences] = field(default_factory=no_entries)
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
    because: Sentences


def _link(given: Any) -> str:
    if not re.match(r"https?://\S+$", _text(given)):
        raise MisreadError(f"{given!r:.60} is no address of a page", "write such as https://example.org/laws")
    return plain_text(given)


Link: TypeAlias = Annotated[str, ReadBy(_link, in_the_form(r"^https?://\S+$"), lambda _: "")]


@dataclass(frozen=True, kw_only=True)
class SourceForm(FromFile):
    """Where the text of a clause was found, and whether it was read there or is only recalled."""

    read: Literal["recalled", "seen"] = "seen"
    in_: Text = ""
    page: Text = ""
    link: Link = ""


@dataclass(frozen=True, kw_only=True)
class MinuteForm(PlacedForm):
    """What a body has decided about a clause."""

    date: DateText
    by: Text
    says: Sentences
    link: Link = ""


@dataclass(frozen=True, kw_only=True)
class NoteForm(PlacedForm):
    """A note with its author and its day."""

    meant_by: ClassVar[frozenset[str]] = frozenset({"says"})

    says: Sentences
    by: Text = ""
    date: DateText = ""
    link: Link = ""


Minutes: TypeAlias = Annotated[tuple[MinuteForm, ...], OneOrMore()]
Notes: TypeAlias = Annotated[tuple[NoteForm | Sentences, ...], OneOrMore()]
"""One or several, each with its author or simply what it says."""


@dataclass(frozen=True, kw_only=True)
class DefinitionForm(FromFile):
    """Machinery that no law owns."""

    new: New = None
    says: Sentences
    notes: Notes = ()
    rules: tuple[RuleForm, ...]


@dataclass(frozen=True, kw_only=True)
class ClauseForm(FromFile):
    """One clause of the law."""

    new: New = None
    says: Sentences
    encoded_as: Encoding
    source: Literal["recalled", "seen"] | SourceForm = "seen"
    reason: Sentences | None = None
    minutes: Minutes = ()
    notes: Notes = ()
    rules: tuple[RuleForm, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RepealForm(FromFile):
    """A clause that an amendment takes away."""

    meant_by: ClassVar[frozenset[str]] = frozenset({"repealed"})

    repealed: Literal[True]


Sayings: TypeAlias = Entries[Placed[dict[str, str]]]


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

    title: Sentences | None = None
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
    title: Sentences
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
    title: Sentences
    authority: Text
    jurisdiction: str = ""
    in_force: DateText = ""
    until: DateText = ""
    of: Names
    under: Text
    clauses: Clauses
