"""A code of law: its clauses, its editions and elections, as they stand in their files and as they are ruled by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias

from facts.dates import DateText, InForce
from facts.errors import InputError, Place, brief, did_you_mean
from facts.form import (
    NOWHERE,
    ONE_OR_MORE,
    Entries,
    FromFile,
    Names,
    PlacedForm,
    PlacedText,
    ReadBy,
    Text,
    Texts,
    WithPlace,
    no_entries,
    text,
)
from facts.observe import OBSERVED
from facts.table import REVOKE, Table
from kb.language.cache import digest
from kb.language.folders import law_name
from kb.language.rule import Rule, SpokenRules
from kb.language.vocabulary import Vocabulary

Encoding: TypeAlias = Literal["rules", "definition", "procedure", "director", "not-encoded"]
LawNumber: TypeAlias = Annotated[PlacedText, WithPlace(ReadBy(text, anyway=str))]
New: TypeAlias = Literal[True] | None
"""Of a clause in an amendment: it is added, and takes the place of none."""


@dataclass(frozen=True)
class Note(FromFile):
    """A doubt or a choice that the text of a clause leaves open, with author and day as far as they are known."""

    gone: ClassVar = {"link": "it went with 0.2.0: the text can hold it"}

    says: Texts
    by: Text = ""
    date: DateText = ""

    @property
    def signed(self) -> str:
        """Who said it and when; empty where neither is known."""
        return ", ".join(filter(None, (self.by, self.date)))


@dataclass(frozen=True)
class Minute(Note):
    """What a body has decided about a clause."""

    by: Text = field()
    date: DateText = field()


@dataclass(frozen=True)
class Clause(FromFile):
    """One clause of the law, in our own words, with the rules that encode it."""

    unstated: ClassVar[frozenset[str]] = frozenset({"ref", "law"})

    place: Place
    says: Texts
    encoded_as: Encoding
    rules: tuple[Rule, ...] = ()
    reason: Texts = field(default_factory=dict)
    """Why it is not encoded; empty when it is."""
    source: Literal["recalled", "seen"] = "seen"
    """Whether its text was seen, or is known from memory only."""
    minutes: Annotated[tuple[Minute, ...], ONE_OR_MORE] = ()
    """What bodies have decided about it."""
    notes: Annotated[tuple[Note, ...], ONE_OR_MORE] = ()
    new: New = None
    ref: str = ""
    law: str = ""

    @property
    def recalled(self) -> bool:
        """Whether its text is known from memory only."""
        return self.source == "recalled"


@dataclass(frozen=True)
class Definition(Clause):
    """Machinery that no law owns."""

    unstated: ClassVar[frozenset[str]] = Clause.unstated | {"encoded_as", "reason", "source", "minutes"}

    encoded_as: Encoding = "definition"


@dataclass(frozen=True, kw_only=True)
class Repeal(FromFile):
    """A clause that an amendment takes away."""

    repealed: Literal[True]


Clauses: TypeAlias = Entries[Repeal | Clause]
Definitions: TypeAlias = Entries[Repeal | Definition]


@dataclass(frozen=True, kw_only=True)
class LawForm(FromFile):
    """One law; an amendment need not repeat its title."""

    title: Texts = field(default_factory=dict)
    clauses: Clauses


@dataclass(frozen=True, kw_only=True)
class LawFile(FromFile):
    """A file about one law, about several, or of definitions alone."""

    law: LawNumber | None = None
    title: Texts = field(default_factory=dict)
    clauses: Clauses = field(default_factory=no_entries)
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
    format: Literal[1] = 1
    """In which its files are written."""
    amends: PlacedText | None = None
    renames: Entries[PlacedText] = field(default_factory=no_entries)
    """Number of a clause in what it amends -> its number here."""
    clauses: Names | None = None
    offers: Entries[Names] = field(default_factory=no_entries)
    scored: Literal["duplicate", "otherwise"] | None = None


@dataclass(frozen=True, kw_only=True)
class ElectionForm(PlacedForm):
    """What an authority chose where its edition left a choice."""

    gone: ClassVar = dict.fromkeys(("of", "under", "in-force", "until"), "it went with 0.2.0: edition.yaml says it")

    election: Text
    title: Texts
    authority: Text
    jurisdiction: str = ""
    clauses: Clauses


@dataclass(frozen=True)
class Edition:
    """A code of law, amendments and elections applied."""

    id: str
    title: Texts
    authority: str
    in_force: str
    """A date as far as it is known, or ``not yet``."""
    vocabulary: Vocabulary
    laws: Mapping[str, Texts]
    """Law number -> title."""
    clauses: Mapping[str, Clause]
    """In the order of the book; then the definitions, machinery that no law owns: their ``law`` is empty, and their
    steps are in the proof but never cited."""
    amends: str | None = None
    elections: tuple[str, ...] = ()
    """Elections applied, sorted."""
    elected: Mapping[str, Texts] = field(default_factory=dict)
    """What each of them is called."""
    until: str = ""
    """Its last day as far as that is known; empty: until the next edition is in force."""
    scored: str = "duplicate"
    """``duplicate``: by the score of duplicate bridge; ``otherwise``: in a way that is not worked out here."""
    offers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Clause -> the elections it allows an authority to make."""
    renames: Mapping[str, str] = field(default_factory=dict)
    """Number of a clause in the edition it amends -> its number here, for those that bear another."""
    numbers: Mapping[Path, Mapping[str, str]] = field(default_factory=dict)
    """Folder of an edition that it goes back to -> number of a clause there, unless that is gone -> its number here."""
    repealed: frozenset[str] = field(default=frozenset(), compare=False)
    """The clauses that it, or what it amends, takes away."""
    lineage: tuple[str, ...] = ()
    """The id, then the edition it amends, then the one that amends, and so on."""
    folders: tuple[Path, ...] = ()
    """Where its files lie, each laid over those before it: the rules, what is amended, its own."""
    place: Place = NOWHERE
    """Where ``edition.yaml`` gives the id."""
    table: Table = field(default_factory=Table, compare=False)
    """What can be said of a table."""
    spoken: SpokenRules = field(default_factory=SpokenRules, compare=False)
    """What is said to the players."""
    whole: bool = field(default=True, compare=False)
    """Whether all its law files could be read: else what is missing in it says nothing."""

    @cached_property
    def digest(self) -> str:
        """A short id of what the rules say, and of the elections."""
        return digest([self.id, *self.elections, *(line for rule in self.rules for line in rule.said)])

    @property
    def named(self) -> str:
        """As commands name it: ``duplicate-2007+dbv-2007``."""
        return law_name(self.id, self.elections)

    def called(self, lang: str) -> str:
        """The title, with the elections that were made."""
        elected = ", ".join(self.elected[name][lang] for name in self.elections if name in self.elected)
        return f"{self.title[lang]} ({elected})" if elected else self.title[lang]

    def clause(self, ref: str) -> Clause:
        """The clause of that number; InputError with the nearest one where there is none."""
        if ref in self.repealed:
            raise InputError.of("law", f"{ref} is repealed in {self.named}", f"ask it of {self.amends or self.id}")
        if ref not in self.clauses:
            problem = f"{self.id} has no clause {brief(ref)}"
            raise InputError.of("law", problem, did_you_mean(brief(ref), self.clauses))
        return self.clauses[ref]

    @cached_property
    def stated(self) -> frozenset[str]:
        """The kinds of fact that an incident states: its play, its findings and its events; rules may conclude some."""
        of_events = (template.kind for event in self.table.events.values() for template in event.states)
        findings = (finding for table in self.table.every for finding in table.findings.values())
        return frozenset(OBSERVED).union(of_events, *(finding.kinds for finding in findings))

    @cached_property
    def matters(self) -> tuple[str, ...]:
        """Those that it has rules on, the revoke first."""
        read = {condition.kind for rule in self.rules for condition in rule.conditions()}
        return tuple(table.of for table in self.table.every if table.of == REVOKE or table.found_by in read)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, in the order of the book."""
        return tuple(rule for clause in self.clauses.values() for rule in clause.rules)
