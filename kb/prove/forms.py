"""What ``properties.yaml`` may hold: what is claimed of a law, in the words of its rules and of the interview."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from facts.form import Described, Entries, FromFile, Names, OneOrMore, PlacedForm, PlacedText, Texts, no_entries
from facts.yaml_reader import Node
from kb.language.beside import BesideForm
from kb.language.folders import Droppable
from kb.language.forms import BareRuleForm
from kb.space.read_interview import NeedsForm

Conditions: TypeAlias = Annotated[Node | None, Described("conditions")]
Exceptions: TypeAlias = Annotated[Node | None, Described("exceptions")]
Parts: TypeAlias = Annotated[Names, OneOrMore()]
"""Parts of the measures; ``burden`` for all of them, ``ruling`` for everything that a ruling says."""


@dataclass(frozen=True, kw_only=True)
class ExceptionForm(PlacedForm):
    """Where a property is known not to hold, and why the law means it so."""

    among: NeedsForm | None = None
    when: Conditions = None
    clauses: Names = ()
    cases: Names = ()
    not_elected: Annotated[Names, OneOrMore()] = ()
    """Elections under which it is no exception."""
    because: Texts


@dataclass(frozen=True, kw_only=True)
class MostForm(FromFile):
    """At most so many facts, or so many in all of one of their fields."""

    of: Annotated[Node, Described("exceptions")]
    total: PlacedText | None = None
    is_: int


@dataclass(frozen=True, kw_only=True)
class PropertyForm(PlacedForm, Droppable):
    """One property."""

    says: Texts
    because: Texts
    laws: Names = ()
    not_elected: Annotated[Names, OneOrMore()] = ()
    """Elections under which it is not claimed."""
    among: NeedsForm | None = None
    rules: tuple[BareRuleForm, ...] = ()

    never: Conditions = None
    always: Exceptions = None
    disjoint: Exceptions = None
    equivalent: Exceptions = None
    if_: Conditions = None
    unless: Exceptions = None
    then: Exceptions = None
    one_of: Exceptions = None
    exactly_one: Exceptions = None
    at_most: MostForm | None = None

    when_only: Annotated[Names, OneOrMore()] = ()
    from_to: Names = ()
    asked_alike: bool = False
    against: PlacedText | None = None
    never_more: Parts = ()
    never_less: Parts = ()
    the_same: Parts = ()

    decides: Literal["every-clause"] | None = None
    expected: tuple[ExceptionForm, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PropertiesFile(BesideForm):
    """properties.yaml"""

    properties: Entries[PropertyForm] = field(default_factory=no_entries)
