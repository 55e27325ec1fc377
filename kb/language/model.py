"""The checked model of a code of law: its vocabulary, clauses and rules.

Everything is immutable and carries its place in the YAML, so that a proof or an error can point at the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Final, Literal, TypeAlias

from facts.cards import DECK, OTHER_SIDE, SEATS, SUITS
from facts.errors import Place
from facts.fact import Fact, Value
from facts.table import Table
from kb.language.digest import digest
from kb.language.terms import Term

Texts: TypeAlias = Mapping[str, str]
"""A sentence in each language: ``{"en": "...", "de": "..."}``."""

NOWHERE = Place("", 1)
"""The place of what stands in no file."""

Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
Encoding: TypeAlias = Literal["rules", "definition", "procedure", "director", "not-encoded"]
StatedBy: TypeAlias = Literal["incident", "rules", "both"]
TIMES: Final = ("moment", "play", "trick")
"""The types of whole numbers that only order what happened; a play is named by its moment."""
NUMBERS: Final = ("integer", *TIMES)
"""The types of whole numbers."""
BASE_TYPES: Final = ("seat", "side", "suit", "card", *NUMBERS, "yes-no", "text")
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
    asks: Texts = field(default_factory=dict)
    """The question that such a fact answers, and why a director asks it; empty when nobody asks."""

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
    """How the words of a draft's own lists are said."""

    def kind_of(self, fact: Fact) -> Kind:
        """The kind of a fact; KeyError when it is not known."""
        return self.kinds[str(fact[0])]

    def field(self, fact: Fact, name: str) -> Value:
        """What stands in a field of a fact; KeyError when its kind has none of that name."""
        return fact[self.kind_of(fact).index[name]]

    def values_of(self, type_: str) -> tuple[Value, ...]:
        """The values that a field of a type may have, in their order; none for a type without bounds."""
        return VALUES.get(type_) or self.words.get(type_, ())


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

    @property
    def title(self) -> str:
        """What it is called among the items of its rule."""
        return self.kind


@dataclass(frozen=True, slots=True)
class Tally:
    """``count`` or ``total`` over the facts that fit ``of``; 0 when none does."""

    how: Literal["count", "total"]
    of: Condition
    field: str | None
    """The integer field summed by ``total``; None for ``count``."""
    operator: Operator
    term: Term
    """What the number is compared with; ``=`` and a variable found nowhere else binds it."""
    place: Place
    is_place: Place | None = None

    @property
    def number_place(self) -> Place:
        """Where the number stands that it is compared with."""
        return self.is_place or self.place

    @property
    def number(self) -> Test:
        """What is demanded of the number."""
        return Test("is", self.operator, self.term, self.number_place)

    @property
    def condition(self) -> Condition:
        """What says which facts are read."""
        return self.of

    @property
    def terms(self) -> Iterator[Term]:
        """The terms it compares fields and its number with."""
        return chain(self.of.terms, [self.term])

    @property
    def said(self) -> str:
        """What a digest is made of."""
        return f"{self.how} {self.of.said} {self.field} {self.operator} {self.term!r}"

    @property
    def title(self) -> str:
        """What it is called among the items of its rule."""
        return f"{self.how} {self.of.kind}"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A fact to be concluded; every field of its kind has a term."""

    kind: str
    terms: Mapping[str, Term]
    place: Place
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)
    """Where the value of each field stands."""

    @property
    def title(self) -> str:
        """What it is called among the conclusions of its rule."""
        return self.kind

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
    """``7A1.1``: the clause and the number of the rule in it, unless the file names it."""
    clause: str
    when: tuple[Condition | Tally, ...]
    unless: tuple[Condition, ...]
    then: tuple[Conclusion, ...]
    because: Texts
    """What is said at the table; ``{t}`` is the value of ``$t``."""
    place: Place

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

    @property
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

    @property
    def digest(self) -> str:
        """A short id of what it says."""
        return digest(self.said)


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
    recalled: bool = False
    """Whether the clause is known from memory only (``source: recalled``)."""
    notes: Texts = field(default_factory=dict)
    """A doubt or a choice that the text leaves open."""


@dataclass(frozen=True)
class Edition:
    """A code of law, amendments and elections applied."""

    id: str
    title: Texts
    authority: str
    in_force: str
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
    scored: str = "duplicate"
    """``duplicate``: by the score of duplicate bridge; ``otherwise``: in a way that is not worked out here."""
    offers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Clause -> the elections it allows an authority to make."""
    lineage: tuple[str, ...] = ()
    """The id, then the edition it amends, then the one that amends, and so on."""
    place: Place = NOWHERE
    """Where ``edition.yaml`` gives the id."""
    table: Table = field(default_factory=lambda: Table({}, {}, {}, {}, (), {}), compare=False)
    """What can be said of a table."""

    @cached_property
    def digest(self) -> str:
        """A short id of what the rules say, and of the elections."""
        return digest([self.id, *self.elections, *(line for rule in self.rules for line in rule.said)])

    def called(self, lang: str) -> str:
        """The title, with the elections that were made."""
        elected = ", ".join(self.elected[name][lang] for name in self.elections if name in self.elected)
        return f"{self.title[lang]} ({elected})" if elected else self.title[lang]

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, in the order of the book."""
        return tuple(rule for clause in self.clauses.values() for rule in clause.rules)
