"""What can be said of a table beside its cards: findings, events, moments, and what is impossible, as ``table.yaml``
declares them. What a finding means for the law is in the rules; what it states and what follows if it is not said is
here, and how a formula, a type, a value and the fields of an event are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from facts.cards import Role
from facts.errors import Faults, MisreadError, Place
from facts.form import (
    ONE_OR_MORE,
    TEXT,
    Described,
    Entries,
    FromFile,
    ReadBy,
    Schema,
    Texts,
    cannot_stand,
    form_of,
    no_entries,
    plain_text,
)
from facts.printable import whole
from facts.yaml_reader import Node

REVOKE: Final = "revoke"
"""The matter that is meant where none is named."""
BY_PLACE: Final = ("trick", "hand")
"""What tells one card played from another."""
UNKNOWN: Final = "unknown"
NOTHING: Final = "nothing"
OTHER_REVOKES: Final = ("another", "earlier")
NAME_SUFFIXES: Final = ("-side", "-suit", "-rank", "-own")


@dataclass(frozen=True, slots=True)
class Formula:
    """Products that are added or taken away: ``13 - $trick - $value``."""

    products: tuple[tuple[int, tuple[str | int, ...]], ...]
    """The sign, then the factors; a name has its ``$``."""

    @property
    def names(self) -> frozenset[str]:
        """The names in it, without ``$``."""
        return frozenset(factor[1:] for _, factors in self.products for factor in factors if isinstance(factor, str))


TemplateTerm: TypeAlias = str | int | bool | Formula | None
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


def numbers(value: Any) -> range:
    """The numbers of a range such as ``2..4``, or of one number; none of anything else."""
    ends = [whole(end) for end in str(value).split("..")]
    least, most = ends[0], ends[-1]
    return range(0) if least is None or most is None or len(ends) > 2 else range(least, most + 1)


def spelled(value: Any) -> str:
    """A value as it stands in a file."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


TYPES: Final = ("seat", "side", "suit", "card", "yes-no", "revoke")
_NAME: Final = re.compile(r"\$[a-z][a-z-]*")
_RANGE: Final = re.compile(r"(.+?)\.\.(.+)")
MOST_NUMBER: Final = 1_000
"""Of a range."""
_ZERO: Final = Formula(((1, (0,)),))
"""Taken for what cannot be read."""
_SCALAR: Final[Schema] = {"anyOf": [TEXT, {"type": "integer"}, {"type": "boolean"}]}
_WORDS: Final[Schema] = {"type": "array", "items": _SCALAR, "minItems": 1}


def _formula(text: str) -> Formula:
    products: list[tuple[int, tuple[str | int, ...]]] = []
    sign = 1
    for part in re.split(r" ([+-]) ", text.strip()):
        if part in ("+", "-"):
            sign = 1 if part == "+" else -1
            continue
        factors = tuple(factor if (number := whole(factor)) is None else number for factor in part.split(" * "))
        if not all(isinstance(factor, int) or _NAME.fullmatch(factor) for factor in factors):
            raise MisreadError(f"{text} is no sum of numbers and names", "write such as 13 - $trick")
        products.append((sign, factors))
    return Formula(tuple(products))


def _scalar(value: Any) -> Any:
    if isinstance(value, list | dict) or value == "":
        raise MisreadError(*cannot_stand(value, "write a value"))
    return _formula(value) if isinstance(value, str) and "$" in value else value


def _value(value: Any) -> Any:
    return tuple(map(_value, value)) if isinstance(value, list) else _scalar(value)


def _term(value: Any) -> TemplateTerm:
    term: TemplateTerm = _scalar(value)
    return None if term == "none" else term


def _less(value: Any) -> tuple[Formula, Formula]:
    first, less, second = plain_text(value).partition(" < ")
    if not less:
        raise MisreadError(*cannot_stand(value, "write such as $tricks < $tricks-left"))
    return _formula(first), _formula(second)


def _type(value: Any) -> Type:
    if value and isinstance(value, list):
        words = tuple(spelled(_scalar(word)) for word in value)
        return Type(words[0], many=True) if len(words) == 1 and words[0] in TYPES else Type("words", words)
    if isinstance(value, str) and (match := _RANGE.fullmatch(value)):
        least, most = _formula(match[1]), _formula(match[2])
        most_of = (
            sum(prod(factor if isinstance(factor, int) else 13 for factor in factors) for _, factors in bound.products)
            for bound in (least, most)
        )  # if no name stands for more than a suit has cards
        if max(most_of) > MOST_NUMBER:
            mend = "nothing at a table comes to so many: write such as 0..12"
            raise MisreadError(f"{value[:40]} holds numbers beyond {MOST_NUMBER}", mend)
        return Type("number", least=least, most=most)
    if value in TYPES:
        return Type(value)
    mend = f"write one of {', '.join(TYPES)}, a list of words, or a range such as 0..12"
    raise MisreadError(f"{spelled(value) if isinstance(value, str | int) and value else 'this'} is no type", mend)


def _almost(value: Any) -> Type:
    return Type("number", least=_ZERO, most=_ZERO) if ".." in str(value) else Type("")


def _field(value: Any) -> tuple[Type, bool]:
    whole = value.removesuffix("?") if isinstance(value, str) else value
    if isinstance(whole, str) and whole.startswith("["):
        return Type("words", tuple(word.strip() for word in whole.strip("[]").split(","))), whole == value
    return _type(whole), whole == value


YesOrNo: TypeAlias = Literal["no", "yes"]
OfType: TypeAlias = Annotated[Type, ReadBy(_type, {"anyOf": [TEXT, _WORDS]}, _almost)]
EventField: TypeAlias = Annotated[tuple[Type, bool], ReadBy(_field, anyway=lambda value: (_almost(value), True))]
"""The type of a field of an event, and whether it must be stated."""
FileValue: TypeAlias = Annotated[Any, ReadBy(_value, {"anyOf": [_SCALAR, {"type": "array"}]}, lambda _: _ZERO)]
FindingValues: TypeAlias = dict[str, Annotated[tuple[FileValue, ...], ONE_OR_MORE]]
"""Findings, or ``trick``, each with the values of which one is meant; a value with ``$`` is a name."""
Statements: TypeAlias = Annotated[tuple[FindingValues | str, ...], ONE_OR_MORE]
Less: TypeAlias = Annotated[tuple[Formula, Formula], ReadBy(_less)]
"""The first is less than the second."""
Fields: TypeAlias = dict[str, Annotated[Any, ReadBy(_term, _SCALAR, lambda _: _ZERO)]]


@dataclass(frozen=True)
class Template(FromFile):
    """A fact that a value states."""

    place: Place
    if_: Less | None = None
    unless: Annotated[tuple[str, ...], ONE_OR_MORE] = ()
    """Fields of an event that must not be stated."""
    rest: Entries[Fields] = field(default_factory=no_entries)
    """Its kind, with each field and its value."""

    @cached_property
    def kind(self) -> str:
        return [*self.rest][0]

    @property
    def terms(self) -> Mapping[str, TemplateTerm]:
        """Each field with its value."""
        return self.rest[self.kind]

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name that it uses, without ``$``."""
        return frozenset(name for term in self.terms.values() if isinstance(term, Formula) for name in term.names)


AllStated: TypeAlias = Annotated[tuple[Template, ...], ONE_OR_MORE]


def read_states(node: Node, faults: Faults) -> tuple[Template, ...]:
    """The facts that are stated; none where the file has an empty mapping."""
    stated: tuple[Template, ...] = form_of(AllStated).read(node, faults)
    for template in stated:
        if len(template.rest) > 1:
            faults.add(template.place, "two kinds stand in one item of the list", "begin each with a dash of its own")
    return tuple(template for template in stated if template.rest)


States: TypeAlias = Annotated[tuple[Template, ...], Described("states", read_states)]


@dataclass(frozen=True)
class ValueSaid(FromFile):
    """Values as people say them."""

    unstated: ClassVar[frozenset[str]] = frozenset({"id"})

    id: str
    says: Texts
    is_: tuple[FileValue, ...] | OfType | None = None
    """As the file has it; once it is read, the values."""
    says_of: Texts = field(default_factory=dict)
    """What is said of a hand that is known."""

    @property
    def values(self) -> tuple[Any, ...]:
        """Words, numbers, lists, or Formulas of names seen from the hand that revoked; one Type where it is a range."""
        assert isinstance(self.is_, tuple)
        return self.is_


@dataclass(frozen=True)
class SaidInStory(FromFile):
    """A value told in a story."""

    says: Texts
    """With the names of the hands and cards in it."""
    also: dict[str, FileValue] = field(default_factory=dict)
    """Other findings that the sentence tells, as a file writes them."""
    of: Annotated[tuple[Role, ...], ONE_OR_MORE] = ()
    """The parts of which it can be told: declarer, dummy or defender; empty: of any."""


@dataclass(frozen=True)
class Presumption(FromFile):
    """What is presumed of a finding."""

    presumed: FileValue
    says: Texts
    """How it is told that it is."""
    yields: bool = False
    unless: FindingValues = field(default_factory=dict)
    """Nothing is presumed there: it is unknown."""


_NOTHING_PRESUMED: Final = Presumption(None, {})


@dataclass(frozen=True)
class Follows(FromFile):
    """The value of a finding that other statements give it."""

    is_: FileValue
    stated: Statements
    """Any one of these is stated: a finding, a key of the board, or some values of a finding."""
    when: FindingValues = field(default_factory=dict)


@dataclass(frozen=True)
class FindingKind(FromFile):
    """Something that can be found out about a revoke."""

    unstated: ClassVar[frozenset[str]] = frozenset({"id", "by_value"})

    id: str
    is_: OfType
    means: Texts
    not_stated: Presumption | Literal["unknown", "nothing"]
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
    answers: dict[str, ValueSaid] = field(default_factory=dict)
    tells: dict[str, SaidInStory] = field(default_factory=dict)
    """By answer, or by value where it has none, or ``unknown``: how a story tells it; what is left out is unsaid."""
    if_: dict[str, Texts] = field(default_factory=dict)
    """The same as a condition, of what a person could mistake."""
    when: Annotated[tuple[FindingValues, ...], ONE_OR_MORE] = ()
    once: bool = False
    """It is of the board: of several of its matter one says it, or is asked."""
    beside: Literal["another", "earlier", "none-of-theirs"] | None = None
    """It says something only where the same hand revoked ``another`` time, or an ``earlier`` one, or where no revoke of
    the other side is listed."""
    instead_of: str | None = None
    """The finding instead of which it is asked where no revoke of the hand states that."""
    follows: tuple[Follows, ...] = ()
    record: Literal["may-lack", "may-stop", "may-hide"] | None = None
    """``may-lack``: a record that shows the revoke may end before; ``may-stop``: it may lack it if the play is over and
    it stops with the trick of the revoke; ``may-hide``: where a card, a hand or a trick is not known it may be
    otherwise, and is presumed. Of anything else a record tells by itself."""
    told_by: tuple[str, ...] = ()
    """Events that tell it."""
    known: str = "revoked"
    """The stage from which on it is so."""
    before: FileValue | None = None
    """Its value before that; None: none."""
    states: States = ()
    rest: Entries[Annotated[Node, Described("states")]] = field(default_factory=no_entries)
    """What single values state, as the file has it."""
    by_value: Mapping[str, tuple[Template, ...]] = field(default_factory=dict)
    """For values, as a file writes them, that state something else."""

    @property
    def type(self) -> Type:
        """What its value may be."""
        return self.is_

    @property
    def presumption(self) -> Presumption:
        """What is presumed if nobody states it: None where nothing is."""
        return self.not_stated if isinstance(self.not_stated, Presumption) else _NOTHING_PRESUMED

    @property
    def presumed(self) -> Any:
        """The value that is presumed."""
        return self.presumption.presumed

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of all facts that its values state."""
        return frozenset(template.kind for group in (self.states, *self.by_value.values()) for template in group)

    @cached_property
    def depends_on(self) -> frozenset[str]:
        """The findings on which it depends what it may be, or states; hand and trick may be among them."""
        conditions = (*self.when, self.presumption.unless, *(following.when for following in self.follows))
        stated = (template.names for group in (self.states, *self.by_value.values()) for template in group)
        return frozenset().union(*conditions, *stated)

    def templates(self, value: Any) -> tuple[Template, ...]:
        """What a value states."""
        return self.by_value.get(spelled(value), self.states)


@dataclass(frozen=True)
class EventKind(FromFile):
    """Something that can happen and is not a card played."""

    unstated: ClassVar[frozenset[str]] = frozenset({"id"})

    id: str
    means: Texts
    place: Place
    fields: dict[str, EventField] = field(default_factory=dict)
    one_of: tuple[str, ...] = ()
    """Of these fields exactly one is stated."""
    answers: tuple[str, ...] = ()
    """It can only come after one of these."""
    ends_play: str | None = None
    """The moment of a board at which it comes, where the play is over by then."""
    settled_by: str | None = None
    """The event that has followed if the play is over and nothing answered this one."""
    says: Texts = field(default_factory=dict)
    states: States = ()


@dataclass(frozen=True)
class Impossible(FromFile):
    """What cannot be."""

    because: Texts
    place: Place
    when: FindingValues = field(default_factory=dict)
    stated: Statements = ()
    facts: Node | None = None
    """Conditions on facts, as in a rule; None: it is about the findings of one revoke."""
    unless: Node | None = None
    """Facts that must not be there."""


MomentsOf: TypeAlias = Literal["of-a-trick", "of-a-board"]


def _as_it_is(incident: Any) -> Any:
    return incident


@dataclass(frozen=True)
class Table(FromFile):
    """table.yaml: everything that can be said."""

    unstated: ClassVar[frozenset[str]] = frozenset({"fields", "of_its_day", "of", "matters"})

    moments: dict[MomentsOf, dict[str, int]] = field(default_factory=dict)
    yes_no: dict[YesOrNo, Texts] = field(default_factory=dict)
    findings: dict[str, FindingKind] = field(default_factory=dict)
    events: dict[str, EventKind] = field(default_factory=dict)
    impossible: tuple[Impossible, ...] = ()
    parts: tuple[Role, ...] = ()
    """What the hand that revoked first may be: declarer, dummy, defender."""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The fields of every kind of fact, in their order."""
    of_its_day: Callable[[Any], Any] = field(default=_as_it_is, compare=False)
    """An incident as the rules that this belongs to take it by its day and its jurisdiction; InputError."""
    called: Texts = field(default_factory=dict)
    """What the matter is called, where somebody asks what happened."""
    found_by: str = ""
    """The kind of fact by which a record or an event shows it; its fields are names of it, and findings."""
    named_by: tuple[str, ...] = ()
    """What tells one from another: ``trick``, ``hand``, findings; of these a number stands for one nobody states."""
    of: str = REVOKE
    """The matter of which this can be said."""
    matters: Mapping[str, Table] = field(default_factory=dict)
    """What can be said of the other matters."""

    @property
    def names(self) -> tuple[str, ...]:
        """What tells one from another: trick and hand where nothing else is declared."""
        return self.named_by or BY_PLACE

    def about(self, of: str) -> Table:
        """What can be said of one matter."""
        return self if of == self.of else self.matters[of]

    @cached_property
    def every(self) -> tuple[Table, ...]:
        """This one and those of the other matters."""
        return (self, *self.matters.values())

    @cached_property
    def of_a_trick(self) -> Mapping[str, int]:
        """Moments after the beginning of a trick, in thousandths of one."""
        return self.moments.get("of-a-trick", {})

    @cached_property
    def of_a_board(self) -> Mapping[str, int]:
        """Moments after the play."""
        return self.moments.get("of-a-board", {})
