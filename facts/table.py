"""What can be said of a table beside its cards: findings, events, moments, and what is impossible, as ``table.yaml``
declares them. What a finding means for the law is in the rules; what it states and what follows if it is not said is
here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias

from facts.errors import Place
from facts.texts import whole
from facts.yaml_nodes import Node

Texts: TypeAlias = Mapping[str, str]

"""A sentence in each language."""
Names: TypeAlias = Mapping[str, tuple[Any, ...]]
"""Findings, or ``trick``, each with the values of which one is meant; a value with ``$`` is a name."""

UNKNOWN: Final = "unknown"
NOTHING: Final = "nothing"
PRESUMED: Final = "presumed"
BESIDE: Final = ("another", "earlier")
SUFFIXES: Final = ("-side", "-suit", "-rank", "-own")
AROUND: Final = ("hand", "left", "partner", "right", "side", "other-side")
"""The names in a question about a hand that is known."""


class InEveryLanguage(dict[str, str]):
    """A sentence by language; in a language that it is not given in, it is said as in the first.

    >>> said = InEveryLanguage({"en": "a card", "de": "eine Karte"})
    >>> said["de"], said["fr"], said.get("fr")
    ('eine Karte', 'a card', None)
    """

    def __missing__(self, language: str) -> str:
        for first in self.values():
            return first
        raise KeyError(language)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (dict(self),)


@dataclass(frozen=True, slots=True)
class Formula:
    """Products that are added or taken away: ``13 - $trick - $value``."""

    products: tuple[tuple[int, tuple[str | int, ...]], ...]
    """The sign, then the factors; a name has its ``$``."""

    @property
    def names(self) -> frozenset[str]:
        """The names in it, without ``$``."""
        return frozenset(one[1:] for _, factors in self.products for one in factors if isinstance(one, str))


Term: TypeAlias = str | int | bool | Formula | None
"""A word or number as it is; ``none``, the value that is not known, is None; everything with a name is a Formula."""


@dataclass(frozen=True, slots=True)
class Type:
    """What a value may be."""

    name: str
    """``seat``, ``side``, ``suit``, ``card``, ``yes-no``, ``revoke``, ``words`` or ``number``."""
    words: tuple[str, ...] = ()
    least: Formula | None = None
    most: Formula | None = None
    many: bool = False
    """Whether it is a list of such values."""


@dataclass(frozen=True)
class Template:
    """A fact that a value states."""

    kind: str
    terms: tuple[tuple[str, Term], ...]
    """Each field with its value."""
    place: Place
    given: str | None = None
    """The field of an event that must be stated."""
    lacking: tuple[str, ...] = ()
    """Fields of an event that must not be stated."""
    less: tuple[Formula, Formula] | None = None
    """The first must be less than the second."""

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that it uses, without ``$``."""
        return frozenset(name for _, term in self.terms if isinstance(term, Formula) for name in term.names)


@dataclass(frozen=True, slots=True)
class ValueSaid:
    """Values as people say them."""

    id: str
    values: tuple[Any, ...]
    """Words, numbers, lists, or Sums of names seen from the hand that revoked; one Type where it is a range."""
    says: Texts


@dataclass(frozen=True, slots=True)
class SaidInStory:
    """A value told in a story."""

    says: Texts
    """With the names of the hands and cards in it."""
    also: Mapping[str, Any] = field(default_factory=dict)
    """Other findings that the sentence tells, as a file writes them."""
    of: tuple[str, ...] = ()
    """The parts of which it can be told: declarer, dummy or defender; empty: of any."""


@dataclass(frozen=True, slots=True)
class Follows:
    """The value of a finding that other statements give it."""

    value: Any
    when: Names
    stated: tuple[str | Names, ...]
    """Any one of these is stated: a finding, a key of the board, or some values of a finding."""


@dataclass(frozen=True)
class FindingKind:
    """Something that can be found out about a revoke."""

    id: str
    type: Type
    means: Texts
    place: Place
    asks: Texts = field(default_factory=dict)
    asks_of: Texts = field(default_factory=dict)
    """The same question about a ``{hand}`` that is known; empty where it is asked in the same words."""
    about: Texts = field(default_factory=dict)
    each: Texts = field(default_factory=dict)
    """Of a list of seats: that ``{hand}`` is one of them; empty where it is not told so."""
    help: Texts = field(default_factory=dict)
    finds_out: Texts = field(default_factory=dict)
    """How it is found out at a table, where there is a way."""
    answers: Mapping[str, ValueSaid] = field(default_factory=dict)
    tells: Mapping[str, SaidInStory] = field(default_factory=dict)
    """By answer, or by value where it has none, or ``unknown``: how a story tells it; what is left out is unsaid."""
    if_: Mapping[str, Texts] = field(default_factory=dict)
    """The same as a condition, of what a person could mistake."""
    when: tuple[Names, ...] = ()
    not_stated: str = UNKNOWN
    """``unknown``, ``nothing`` or ``presumed``."""
    presumed: Any = None
    presumed_says: Texts = field(default_factory=dict)
    yields: bool = False
    unless: Names = field(default_factory=dict)
    """Nothing is presumed there: it is unknown."""
    beside: str | None = None
    """It says something only where the same hand revoked ``another`` time, or an ``earlier`` one."""
    instead_of: str | None = None
    """The finding instead of which it is asked where no revoke of the hand states that."""
    follows: tuple[Follows, ...] = ()
    record: str = ""
    """``may-lack``: a record that shows the revoke may end before; ``may-stop``: it may lack it if the play is over and
    it stops with the trick of the revoke; ``may-hide``: where a card, a hand or a trick is not known it may be
    otherwise, and is presumed. Of anything else a record tells by itself."""
    told_by: tuple[str, ...] = ()
    """Events that tell it."""
    known: str = "revoked"
    """The stage from which on it is so."""
    before: Any = None
    """Its value before that; None: none."""
    states: tuple[Template, ...] = ()
    by_value: Mapping[str, tuple[Template, ...]] = field(default_factory=dict)
    """For values, as a file writes them, that state something else."""

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of all facts that its values state."""
        return frozenset(one.kind for some in (self.states, *self.by_value.values()) for one in some)

    @cached_property
    def depends_on(self) -> frozenset[str]:
        """The findings on which it depends what it may be, or states; hand and trick may be among them."""
        conditions = (*self.when, self.unless, *(one.when for one in self.follows))
        stated = (one.names for some in (self.states, *self.by_value.values()) for one in some)
        return frozenset().union(*conditions, *stated)

    def templates(self, value: Any) -> tuple[Template, ...]:
        """What a value states."""
        return self.by_value.get(written(value), self.states)


@dataclass(frozen=True)
class EventKind:
    """Something that can happen and is not a card played."""

    id: str
    means: Texts
    place: Place
    fields: Mapping[str, tuple[Type, bool]] = field(default_factory=dict)
    """Type, and whether it must be stated."""
    one_of: tuple[str, ...] = ()
    """Of these fields exactly one is stated."""
    answers: tuple[str, ...] = ()
    """It can only come after one of these."""
    ends_play: bool = False
    settled_by: str | None = None
    """The event that has followed if the play is over and nothing answered this one."""
    says: Texts = field(default_factory=dict)
    states: tuple[Template, ...] = ()


@dataclass(frozen=True, slots=True)
class Impossible:
    """What cannot be."""

    because: Texts
    place: Place
    when: Names = field(default_factory=dict)
    stated: tuple[str | Names, ...] = ()
    facts: Node | None = None
    """Conditions on facts, as in a rule; None: it is about the findings of one revoke."""
    unless: Node | None = None
    """Facts that must not be there."""


@dataclass(frozen=True)
class Table:
    """Everything that can be said."""

    findings: Mapping[str, FindingKind]
    events: Mapping[str, EventKind]
    of_a_trick: Mapping[str, int]
    """Moments after the beginning of a trick, in thousandths of one."""
    of_a_board: Mapping[str, int]
    """Moments after the play."""
    impossible: Sequence[Impossible]
    fields: Mapping[str, tuple[str, ...]]
    """The fields of every kind of fact, in their order."""
    parts: tuple[str, ...] = ()
    """What the hand that revoked first may be: declarer, dummy, defender."""
    root: str = ""
    """The folder of the rules that it belongs to."""


def numbers(said: Any) -> range:
    """The numbers of a range such as ``2..4``, or of one number; none of anything else."""
    ends = [whole(end) for end in str(said).split("..")]
    least, most = ends[0], ends[-1]
    return range(0) if least is None or most is None or len(ends) > 2 else range(least, most + 1)


def written(value: Any) -> str:
    """A value as it stands in a file."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
