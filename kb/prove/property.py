"""What is claimed of a law: of every situation, of every two that differ in one answer, or beside another edition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from facts.errors import Place
from facts.form import Texts
from kb.language.model import Rule
from kb.language.vocabulary import Field, Kind
from kb.space.interview import Needs

REFUTED: Final = "property-refuted"
"""The kind of fact by which a property's rules say that it does not hold: its name."""
APPLIES: Final = "property-applies"
"""By it they say that the property speaks of a situation."""
EXCEPTED: Final = "property-excepted"
"""By it they say that it is not expected to hold: its name, and the number of the exception."""
NOWHERE: Final = Place("", 1)
KINDS: Final = {
    kind: Kind(kind, fields, {}, "rules", NOWHERE)
    for kind, fields in {
        REFUTED: (Field("property", "text"),),
        APPLIES: (Field("property", "text"),),
        EXCEPTED: (Field("property", "text"), Field("number", "integer")),
    }.items()
}

RULING: Final = "ruling"
"""Everything that a ruling says and a director acts on."""
WHOLE: Final = "burden"
"""Every part of what a ruling weighs."""
Demand: TypeAlias = Literal["never-more", "never-less", "the-same"]


@dataclass(frozen=True)
class Weighed:
    """What is demanded of the second of two rulings, beside the first."""

    demand: Demand
    parts: tuple[str, ...]
    """Parts of the measures; none: all of them."""
    ruling: bool = False
    """Whether everything that the rulings say is compared."""


@dataclass(frozen=True)
class Pairing:
    """Situations that differ in one answer only."""

    steps: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Each question with the answers of the first and of the second."""
    alike: bool
    """Only situations in which the same questions are asked."""


@dataclass(frozen=True)
class Expected:
    """Where a property is not expected to hold."""

    number: int
    because: Texts
    place: Place
    among: Needs = ()
    rules: tuple[Rule, ...] = ()
    """They say which facts make it one; none: any."""
    clauses: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    @property
    def only_cases(self) -> bool:
        """Whether it speaks of no situation."""
        return bool(self.cases) and not self.among and not self.rules


@dataclass(frozen=True)
class Property:
    """One property of a law."""

    id: str
    says: Texts
    because: Texts
    """Why it ought to hold."""
    laws: tuple[str, ...]
    """The clauses that it speaks of."""
    place: Place
    sort: str
    """The key that says what is claimed: ``never``, ``always``, ``if`` …"""
    among: Needs = ()
    """The answers to which it is confined; none: to no answers."""
    rules: tuple[Rule, ...] = ()
    """Its own, those that refute it, and those that say where it applies."""
    weighed: Weighed | None = None
    pairing: Pairing | None = None
    against: str | None = None
    """The edition that it compares with."""
    expected: tuple[Expected, ...] = ()

    @property
    def of_cases(self) -> bool:
        """Whether cases can be asked: it names no answers, and speaks of one ruling."""
        return not self.among and self.weighed is None and self.sort != "decides"

    @property
    def applies(self) -> bool:
        """Whether its rules say where it applies; else it does everywhere."""
        return any(then.kind == APPLIES for rule in self.rules for then in rule.then)

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """With those of its exceptions."""
        return (*self.rules, *(rule for one in self.expected for rule in one.rules))
