"""What may stand in ``table.yaml``, and how a formula, a type, a value and the fields of an event are written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import prod
from typing import Annotated, Any, Final, Literal, TypeAlias

from facts.cards import Part
from facts.errors import MisreadError, Place
from facts.form import TEXT, Described, Entries, FromFile, OneOrMore, ReadBy, Schema, no_entries
from facts.readers.bare_values import cannot_stand, plain_text
from facts.table import NOTHING, UNKNOWN, Formula, InEveryLanguage, Term, Type, written
from facts.texts import whole
from facts.yaml_nodes import Node

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
        factors = tuple(one if (number := whole(one)) is None else number for one in part.split(" * "))
        if not all(isinstance(one, int) or _NAME.fullmatch(one) for one in factors):
            raise MisreadError(f"{text} is no sum of numbers and names", "write such as 13 - $trick")
        products.append((sign, factors))
    return Formula(tuple(products))


def _scalar(given: Any) -> Any:
    if isinstance(given, list | dict) or given == "":
        raise MisreadError(*cannot_stand(given, "write a value"))
    return _formula(given) if isinstance(given, str) and "$" in given else given


def _value(given: Any) -> Any:
    return tuple(map(_value, given)) if isinstance(given, list) else _scalar(given)


def _term(given: Any) -> Term:
    term: Term = _scalar(given)
    return None if term == "none" else term


def _condition(given: Any) -> str | tuple[Formula, Formula]:
    text = plain_text(given)
    first, less, second = text.partition(" < ")
    return (_formula(first), _formula(second)) if less else text


def _type(given: Any) -> Type:
    if given and isinstance(given, list):
        words = tuple(written(_scalar(one)) for one in given)
        return Type(words[0], many=True) if len(words) == 1 and words[0] in TYPES else Type("words", words)
    if isinstance(given, str) and (found := _RANGE.fullmatch(given)):
        least, most = _formula(found[1]), _formula(found[2])
        if max(map(_reach, (least, most))) > MOST_NUMBER:
            mend = "nothing at a table comes to so many: write such as 0..12"
            raise MisreadError(f"{given[:40]} holds numbers beyond {MOST_NUMBER}", mend)
        return Type("number", least=least, most=most)
    if given in TYPES:
        return Type(given)
    mend = f"write one of {', '.join(TYPES)}, a list of words, or a range such as 0..12"
    raise MisreadError(f"{written(given) if isinstance(given, str | int) and given else 'this'} is no type", mend)


def _reach(formula: Formula) -> int:
    """The most that it can come to, added or taken away, if no name in it stands for more than a suit has cards."""
    return sum(prod(one if isinstance(one, int) else 13 for one in factors) for _, factors in formula.products)


def _almost(given: Any) -> Type:
    return Type("number", least=_ZERO, most=_ZERO) if ".." in str(given) else Type("")


def _field(given: Any) -> tuple[Type, bool]:
    whole = given.removesuffix("?") if isinstance(given, str) else given
    if isinstance(whole, str) and whole.startswith("["):
        return Type("words", tuple(word.strip() for word in whole.strip("[]").split(","))), whole == given
    return _type(whole), whole == given


def _unsaid(given: Any) -> str:
    if given in (UNKNOWN, NOTHING):
        return str(given)
    raise MisreadError(*cannot_stand(given, "write unknown, nothing, or {presumed: …, says: …}"))


YesOrNo: TypeAlias = Literal["no", "yes"]
Texts: TypeAlias = Annotated[dict[str, str], Described("texts", InEveryLanguage)]
OfType: TypeAlias = Annotated[Type, ReadBy(_type, {"anyOf": [TEXT, _WORDS]}, _almost)]
Field: TypeAlias = Annotated[tuple[Type, bool], ReadBy(_field, anyway=lambda given: (_almost(given), True))]
"""The type of a field of an event, and whether it must be stated."""
Value: TypeAlias = Annotated[Any, ReadBy(_value, {"anyOf": [_SCALAR, {"type": "array"}]}, lambda _: _ZERO)]
Names: TypeAlias = dict[str, Annotated[tuple[Value, ...], OneOrMore()]]
Statements: TypeAlias = Annotated[tuple[Names | str, ...], OneOrMore()]
Condition: TypeAlias = Annotated[str | tuple[Formula, Formula], ReadBy(_condition)]
Fields: TypeAlias = dict[str, Annotated[Any, ReadBy(_term, _SCALAR, lambda _: _ZERO)]]


@dataclass(frozen=True, kw_only=True)
class TemplateForm(FromFile):
    """Facts that are stated."""

    place: Place
    if_: Condition | None = None
    unless: Annotated[tuple[str, ...], OneOrMore()] = ()
    rest: Entries[Fields] = field(default_factory=no_entries)
    """Kinds of fact."""


States: TypeAlias = Annotated[tuple[TemplateForm, ...], OneOrMore()]


@dataclass(frozen=True, kw_only=True)
class SaidForm(FromFile):
    """Values as people say them."""

    is_: tuple[Value, ...] | OfType | None = None
    says: Texts = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ToldForm(FromFile):
    """A value told in a story."""

    says: Texts
    also: dict[str, Value] = field(default_factory=dict)
    of: Annotated[tuple[Part, ...], OneOrMore()] = ()


@dataclass(frozen=True, kw_only=True)
class PresumedForm(FromFile):
    """What is presumed of a finding."""

    presumed: Value
    yields: bool = False
    unless: Names = field(default_factory=dict)
    says: Texts = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FollowsForm(FromFile):
    """The value that other statements give a finding."""

    is_: Value
    when: Names = field(default_factory=dict)
    stated: Statements


@dataclass(frozen=True, kw_only=True)
class FindingForm(FromFile):
    """Something that can be found out about a revoke."""

    place: Place
    is_: OfType
    means: Texts
    asks: Texts = field(default_factory=dict)
    asks_of: Texts = field(default_factory=dict)
    about: Texts = field(default_factory=dict)
    each: Texts = field(default_factory=dict)
    help: Texts = field(default_factory=dict)
    finds_out: Texts = field(default_factory=dict)
    answers: dict[str, SaidForm] = field(default_factory=dict)
    tells: dict[str, ToldForm] = field(default_factory=dict)
    if_: dict[str, Texts] = field(default_factory=dict)
    when: Annotated[tuple[Names, ...], OneOrMore()] = ()
    not_stated: PresumedForm | Annotated[str, ReadBy(_unsaid, {"enum": [UNKNOWN, NOTHING]}, str)]
    beside: Literal["another", "earlier"] | None = None
    instead_of: str | None = None
    record: Literal["may-lack", "may-stop", "may-hide"] | None = None
    told_by: tuple[str, ...] = ()
    follows: tuple[FollowsForm, ...] = ()
    known: str = "revoked"
    before: Value | None = None
    states: States = ()
    rest: Entries[Annotated[Node, Described("states")]] = field(default_factory=no_entries)
    """What single values state."""


@dataclass(frozen=True, kw_only=True)
class EventForm(FromFile):
    """Something that can happen and is not a card played."""

    place: Place
    fields: dict[str, Field] = field(default_factory=dict)
    means: Texts
    one_of: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    ends_play: bool = False
    settled_by: str | None = None
    says: Texts = field(default_factory=dict)
    states: States = ()


@dataclass(frozen=True, kw_only=True)
class ImpossibleForm(FromFile):
    """What cannot be."""

    place: Place
    when: Names = field(default_factory=dict)
    stated: Statements = ()
    facts: Node | None = None
    unless: Node | None = None
    because: Texts


@dataclass(frozen=True, kw_only=True)
class TableForm(FromFile):
    """table.yaml"""

    moments: dict[Literal["of-a-trick", "of-a-board"], dict[str, int]] = field(default_factory=dict)
    yes_no: dict[YesOrNo, Texts] = field(default_factory=dict)
    findings: dict[str, FindingForm] = field(default_factory=dict)
    events: dict[str, EventForm] = field(default_factory=dict)
    impossible: tuple[ImpossibleForm, ...] = ()
    parts: tuple[Part, ...] = ()
