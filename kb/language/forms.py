"""What each sort of rule file may hold. What stands inside a rule is read by ``rule.py``."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, TypeAlias

from facts.calendar import DateText, InForce
from facts.errors import Place
from facts.form import (
    Entries,
    FromFile,
    Names,
    OneOrMore,
    Placed,
    PlacedForm,
    PlacedText,
    ReadBy,
    Text,
    Texts,
    no_entries,
    text,
)
from kb.language.model import Encoding, Minute, Note, Rule, Source
from kb.language.rule import Conclusions, Conditions, Exceptions

LawNumber: TypeAlias = Annotated[str, ReadBy(text, anyway=str)]
New: TypeAlias = Literal[True] | None
"""Of a clause in an amendment: it is added, and takes the place of none."""


@dataclass(frozen=True, kw_only=True)
class BareRuleForm(FromFile):
    """A rule of which nothing is said at the table."""

    place: Place
    whole: bool
    when: Conditions
    unless: Exceptions = ()
    then: Conclusions

    def rule(self, id: str, clause: str) -> Rule:
        """The rule of that id."""
        whole = self.whole and bool(self.when and self.then)
        return Rule(id, clause, self.when, self.unless, self.then, {}, self.place, whole)


@dataclass(frozen=True, kw_only=True)
class RuleForm(BareRuleForm):
    """One rule."""

    because: Texts

    def of(self, clause: str, number: int) -> Rule:
        """The rule, which is that of this number in a clause."""
        return replace(self.rule(f"{clause}.{number}", clause), because=self.because)


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
