"""The checked model of a code of law: its clauses and rules.

Everything is immutable and carries its place in the YAML, so that a proof or an error can point at the line.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias

from facts.calendar import DateText
from facts.errors import InputError, Place
from facts.fact import Value
from facts.form import FromFile, Text, Texts
from facts.suggestions import brief, did_you_mean
from facts.table import Table
from kb.language.digest import digest
from kb.language.terms import Term
from kb.language.vocabulary import Vocabulary

NOWHERE = Place("", 1)
"""The place of what stands in no file."""

Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
COMPARE: Final[Mapping[Operator, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
Encoding: TypeAlias = Literal["rules", "definition", "procedure", "director", "not-encoded"]


@dataclass(frozen=True, slots=True)
class Test:
    """What a condition demands of one field: compared with a term, or one of several literals."""

    field: str
    operator: Operator
    term: Term
    place: Place
    among: tuple[Value, ...] = ()
    """Not empty: the field is one of these, and operator and term (``=`` and no value) say nothing."""

    __test__ = False  # not a pytest class

    @property
    def binds(self) -> str | None:
        """The variable that the field simply is: neither compared nor part of a sum."""
        return self.term.alone if self.operator == "=" else None

    @property
    def inclusive(self) -> tuple[Operator, int] | None:
        """«more than 1» as «at least 2», of a number that stands there; None where it cannot be said so."""
        if self.operator not in ("<", ">") or self.term.variables:
            return None
        number = self.term.value_in({})
        if not isinstance(number, int):
            return None
        return (">=", number + 1) if self.operator == ">" else ("<=", number - 1)

    @property
    def demand(self) -> str:
        """What is demanded, as it stands in the file."""
        if self.among:
            return f"[{', '.join(map(str, self.among))}]"
        return {"=": "", "!=": "not "}.get(self.operator, f"{self.operator} ") + str(self.term)

    @property
    def said(self) -> str:
        """What a digest is made of: neither places nor sentences matter."""
        return f"{self.field} {self.operator} {self.term!r} {self.among!r}"

    def __str__(self) -> str:
        """The test as it stands in the file."""
        return f"{self.field}: {self.demand}"


@dataclass(frozen=True, slots=True)
class Condition:
    """A fact of this kind that passes every test."""

    kind: str
    tests: tuple[Test, ...]
    place: Place

    @property
    def condition(self) -> Condition:
        """What says which facts are read, as of a tally."""
        return self

    @property
    def terms(self) -> Iterator[Term]:
        """The terms it compares fields with."""
        return (test.term for test in self.tests)

    @property
    def bound(self) -> frozenset[str]:
        """The variables that some field simply is."""
        return frozenset(name for test in self.tests if (name := test.binds))

    @property
    def said(self) -> str:
        """What a digest is made of."""
        return f"{self.kind} {' '.join(test.said for test in self.tests)}"


@dataclass(frozen=True, slots=True)
class Tally:
    """``count`` or ``total`` over the facts that fit ``of``; 0 when none does."""

    how: Literal["count", "total"]
    of: Condition
    field: str | None
    """The integer field summed by ``total``; None for ``count``."""
    number: Test
    """What is demanded of the number; ``=`` and a variable found nowhere else binds it."""
    place: Place

    @property
    def condition(self) -> Condition:
        """What says which facts are read."""
        return self.of

    @property
    def terms(self) -> Iterator[Term]:
        """The terms it compares fields and its number with."""
        return chain(self.of.terms, [self.number.term])

    @property
    def said(self) -> str:
        """What a digest is made of."""
        return f"{self.how} {self.of.said} {self.field} {self.number.operator} {self.number.term!r}"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A fact to be concluded; every field of its kind has a term."""

    kind: str
    terms: Mapping[str, Term]
    place: Place
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)
    """Where the value of each field stands."""

    def place_of(self, name: str) -> Place:
        """Where the value of a field stands, or else the conclusion."""
        return self.places.get(name, self.place)

    @property
    def said(self) -> str:
        """What a digest is made of."""
        return f"{self.kind} {sorted((name, repr(term)) for name, term in self.terms.items())}"


@dataclass(frozen=True)
class Rule:
    """When every condition of ``when`` holds and none of ``unless``, conclude ``then``."""

    id: str
    """``7A1.1``: the clause and the number of the rule in it."""
    clause: str
    when: tuple[Condition | Tally, ...]
    unless: tuple[Condition, ...]
    then: tuple[Conclusion, ...]
    because: Texts
    """What is said at the table; ``{t}`` is the value of ``$t``."""
    place: Place
    whole: bool = field(default=True, compare=False)
    """Whether all of it could be read: what else is missing in it says nothing otherwise."""

    def items(self) -> tuple[Condition | Tally, ...]:
        """All that it reads, in the order of the file."""
        return (*self.when, *self.unless)

    def conditions(self) -> Iterator[Condition]:
        """What says which facts are read, in the order of the file: what tallies count is among it."""
        return (item.condition for item in self.items())

    def terms(self) -> Iterator[Term]:
        """Every term, in the order of the file."""
        for item in self.items():
            yield from item.terms
        for conclusion in self.then:
            yield from conclusion.terms.values()

    @cached_property
    def wanted(self) -> tuple[Condition, ...]:
        """The conditions of ``when`` that want a fact each: all but tallies."""
        return tuple(item for item in self.when if isinstance(item, Condition))

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """The conditions of ``when`` that want a number."""
        return tuple(item for item in self.when if isinstance(item, Tally))

    @property
    def said(self) -> Iterator[str]:
        """What a digest is made of, line by line."""
        yield f"rule {self.id} of {self.clause}"
        yield from (f"when {item.said}" for item in self.when)
        yield from (f"unless {item.said}" for item in self.unless)
        yield from (f"then {conclusion.said}" for conclusion in self.then)

    @cached_property
    def digest(self) -> str:
        """A short id of what it says."""
        return digest(self.said)


@dataclass(frozen=True, slots=True)
class SpokenRule:
    """What a director says to the players wherever its conditions hold."""

    rule: Rule
    """Concludes nothing."""
    says: Texts
    """Empty: it only gives the ruling its name."""
    head: Texts
    """The ruling in a few words, if it is told by this; may be empty."""
    perhaps: bool = False
    """Whether it tells what is not certain but may be so: its conditions may be met by such facts, and one must be."""


@dataclass(frozen=True)
class SpokenRules:
    """All that a director says, in the order in which he says it."""

    sayings: tuple[SpokenRule, ...] = ()
    unspoken: frozenset[str] = frozenset()
    """Kinds of fact of which players are told nothing: what comes of them later is in the written ruling."""

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Kinds of fact of which it is settled what is said."""
        return self.unspoken.union(item.kind for saying in self.sayings for item in saying.rule.wanted)


@dataclass(frozen=True)
class Source(FromFile):
    """Where the text of a clause was found, and whether it was read there or is only recalled."""

    read: Literal["recalled", "seen"] = "seen"
    in_: Text = ""
    page: Text = ""

    @property
    def recalled(self) -> bool:
        """Whether it is known from memory only."""
        return self.read == "recalled"

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.in_, self.page)))


@dataclass(frozen=True)
class Note(FromFile):
    """A doubt or a choice that the text of a clause leaves open, with author and day as far as they are known."""

    meant_by: ClassVar[frozenset[str]] = frozenset({"says"})

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

    meant_by: ClassVar[frozenset[str]] = frozenset()

    by: Text = field()
    date: DateText = field()


@dataclass(frozen=True)
class Clause:
    """One clause of the law, in our own words, with the rules that encode it."""

    ref: str
    law: str
    says: Texts
    encoded_as: Encoding
    place: Place
    rules: tuple[Rule, ...] = ()
    reason: Texts = field(default_factory=dict)
    """Why it is not encoded; empty when it is."""
    source: Source = Source()
    minutes: tuple[Note, ...] = ()
    """What bodies have decided about it."""
    notes: tuple[Note, ...] = ()


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
    lineage: tuple[str, ...] = ()
    """The id, then the edition it amends, then the one that amends, and so on."""
    folders: tuple[Path, ...] = ()
    """Where its files lie, each laid over those before it: the rules, what is amended, its own."""
    place: Place = NOWHERE
    """Where ``edition.yaml`` gives the id."""
    table: Table = field(default_factory=lambda: Table({}, {}, {}, {}, (), {}), compare=False)
    """What can be said of a table."""
    spoken: SpokenRules = field(default_factory=SpokenRules, compare=False)
    """What is said to the players."""

    @cached_property
    def digest(self) -> str:
        """A short id of what the rules say, and of the elections."""
        return digest([self.id, *self.elections, *(line for rule in self.rules for line in rule.said)])

    def called(self, lang: str) -> str:
        """The title, with the elections that were made."""
        elected = ", ".join(self.elected[name][lang] for name in self.elections if name in self.elected)
        return f"{self.title[lang]} ({elected})" if elected else self.title[lang]

    def clause(self, ref: str) -> Clause:
        """The clause of that number; InputError with the nearest one where there is none."""
        if ref not in self.clauses:
            what = f"{self.id} has no clause {brief(ref)}"
            raise InputError.of("law", what, did_you_mean(brief(ref), self.clauses))
        return self.clauses[ref]

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, in the order of the book."""
        return tuple(rule for clause in self.clauses.values() for rule in clause.rules)
