"""Reading ``table.yaml``: every fault in it at once, each with its place.

What a draft declares is laid over what the shipped file does: findings and events of its own come last, one of the same
name takes the place of the other, and what it calls impossible comes in addition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from facts.cards import Part
from facts.errors import Fault, InputError, MisreadError, Place, RulesError
from facts.form import (
    TEXT,
    Described,
    Entries,
    FromFile,
    OneOrMore,
    ReadBy,
    Schema,
    cannot_stand,
    keys_of,
    no_entries,
    plain_text,
    read_form,
    unknown,
)
from facts.table import (
    NOTHING,
    UNKNOWN,
    EventKind,
    FindingKind,
    Follows,
    Formula,
    Impossible,
    InEveryLanguage,
    SaidInStory,
    Table,
    Template,
    Term,
    Type,
    ValueSaid,
    written,
)
from facts.whole_numbers import whole
from facts.yaml_reader import Node, read_text, read_yaml
from kb.language.folders import TABLE, VOCABULARY, rules_root

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


_SAME: Final = (
    "means",
    "place",
    "asks",
    "asks_of",
    "about",
    "each",
    "help",
    "finds_out",
    "when",
    "beside",
    "instead_of",
    "told_by",
    "known",
    "if_",
)
"""What a finding has just as the file states it."""


def read_table(nodes: Iterable[Node], vocabularies: Iterable[Node], faults: list[Fault]) -> Table:
    """The declarations of these files, the first of them the shipped one; faults are added."""
    findings: dict[str, FindingKind] = {}
    events: dict[str, EventKind] = {}
    yes_no: dict[YesOrNo, Texts] = {}
    of_a_trick: dict[str, int] = {}
    of_a_board: dict[str, int] = {}
    impossible: list[Impossible] = []
    parts: tuple[str, ...] = ()
    for node in nodes:
        form: TableForm = read_form(TableForm, node, faults)
        yes_no |= form.yes_no
        of_a_trick |= form.moments.get("of-a-trick", {})
        of_a_board |= form.moments.get("of-a-board", {})
        findings |= {name: _finding(name, one, yes_no, faults) for name, one in form.findings.items()}
        events |= {name: _event(name, one) for name, one in form.events.items()}
        impossible += [Impossible(**vars(one)) for one in form.impossible]
        parts = form.parts or parts
    kinds = (kind for one in vocabularies for kind in _entries(one, "kinds").items())
    fields = {kind: tuple(_entries(one, "fields")) for kind, one in kinds}
    return Table(findings, events, of_a_trick, of_a_board, tuple(impossible), fields, parts)


def _entries(node: Node, key: str) -> dict[str, Node]:
    """What stands under a key, if there is any."""
    return node.entries[key].entries if key in node.entries else {}


def _finding(id_: str, form: FindingForm, yes_no: Mapping[YesOrNo, Texts], faults: list[Fault]) -> FindingKind:
    kind = form.is_
    return FindingKind(
        id_,
        kind,
        **{key: stated for key, stated in vars(form).items() if key in _SAME},
        **_if_unsaid(form.not_stated, kind),
        answers=_answers(form, yes_no),
        tells={name: SaidInStory(one.says, one.also, one.of) for name, one in form.tells.items()},
        follows=tuple(Follows(_meant(one.is_, kind), one.when, one.stated) for one in form.follows),
        record=form.record or "",
        before=_meant(form.before, kind),
        states=_templates(form.states),
        by_value=_by_value(form, faults),
    )


def _answers(form: FindingForm, yes_no: Mapping[YesOrNo, Texts]) -> dict[str, ValueSaid]:
    """Those of a finding; of one that is yes or no and names none, those of all of them."""
    if form.answers or form.is_.name != "yes-no":
        return {name: ValueSaid(name, _values(name, one, form.is_), one.says) for name, one in form.answers.items()}
    return {word: ValueSaid(word, (word == "yes",), yes_no[word]) for word in get_args(YesOrNo) if word in yes_no}


def _values(name: str, form: SaidForm, kind: Type) -> tuple[Any, ...]:
    if isinstance(form.is_, Type):
        return (form.is_,)
    return tuple(_meant(one, kind) for one in ((name,) if form.is_ is None else form.is_))


def _if_unsaid(form: PresumedForm | str, kind: Type) -> dict[str, Any]:
    """What it means if nobody says it."""
    if not isinstance(form, PresumedForm):
        return {"not_stated": form}
    return {
        "not_stated": "presumed",
        "presumed": _meant(form.presumed, kind),
        "presumed_says": form.says,
        "yields": form.yields,
        "unless": form.unless,
    }


def _meant(value: Any, kind: Type) -> Any:
    """A value as a finding of the type has it: yes and no are true and false there, and words are text."""
    if isinstance(value, tuple):
        return tuple(_meant(one, kind) for one in value)
    if value is None or isinstance(value, Formula):
        return value
    if kind.name == "yes-no":
        return {"yes": True, "no": False}.get(value, value)
    return written(value) if kind.name == "words" else value


def _by_value(form: FindingForm, faults: list[Fault]) -> dict[str, tuple[Template, ...]]:
    """What values state that have a key of their own."""
    kind = form.is_
    own = (*kind.words, *(get_args(YesOrNo) if kind.name == "yes-no" else ()), *filter(str.isdecimal, form.rest))
    if kind.name:
        faults += unknown(form.rest.places, (*keys_of(FindingForm), *own))
    return {
        word: _templates(read_form(States, form.rest[word], faults)) for word in dict.fromkeys(own) if word in form.rest
    }


def _templates(forms: Iterable[TemplateForm]) -> tuple[Template, ...]:
    return tuple(one for form in forms for one in _of_each_kind(form))


def _of_each_kind(form: TemplateForm) -> Iterable[Template]:
    given, less = (form.if_, None) if isinstance(form.if_, str | None) else (None, form.if_)
    for kind, fields in form.rest.items():
        yield Template(kind, tuple(fields.items()), form.place, given, form.unless, less)


def _event(id_: str, form: EventForm) -> EventKind:
    return EventKind(id_, **{**vars(form), "states": _templates(form.states)})


@lru_cache(maxsize=1)
def shipped_table() -> Table:
    """What can be said by the shipped rules; RulesError with every fault."""
    return load_table([rules_root()])


def load_table(folders: Sequence[Path]) -> Table:
    """What can be said by the files of these folders, each laid over those before it; RulesError with every fault."""
    faults: list[Fault] = []
    table = table_of(folders, faults)
    if faults:
        raise RulesError(sorted(faults))
    return table


def table_of(folders: Sequence[Path], faults: list[Fault], translated: Callable[[Node], Node] | None = None) -> Table:
    """The same as far as it can be read; faults are added. ``translated`` gives its texts in more languages."""
    from kb.language.table import read_table  # noqa: PLC0415 - of no use where an edition has been stored

    nodes = _nodes(folders, TABLE, faults)
    more = nodes if translated is None else [*map(translated, nodes)]
    table = read_table(more, _nodes(folders, VOCABULARY, faults), faults)
    return replace(table, root=str(folders[0]))


def _nodes(folders: Sequence[Path], name: str, faults: list[Fault]) -> list[Node]:
    found: list[Node] = []
    for file in (folder / name for folder in folders):
        if file.is_file():
            try:
                found.append(read_yaml(read_text(file), str(file)))
            except InputError as error:
                faults += error.faults
    return found
