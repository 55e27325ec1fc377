"""What is said of a table in a file: findings and events, each as it is declared."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from facts.cards import Seat, Side, Suit
from facts.errors import Fault, Faults
from facts.form import Form, ReadBy, between, form_of, in_the_form, unknown
from facts.incident import CardText, Finding, Player, RevokeNamed, TrickNumber
from facts.observe.statements import evaluated
from facts.play import Trick
from facts.readers.records import trick_of
from facts.table import NOTHING, UNKNOWN, EventKind, FindingKind, Formula, Table, Type, numbers
from facts.yaml_reader import Mapping as MappingNode
from facts.yaml_reader import Node, Scalar, Sequence

TrickText: TypeAlias = Annotated[Trick, ReadBy(trick_of, in_the_form(r"^\s*[NESWnesw](\s+\S+){1,4}\s*$"))]
NAMING: Final[Mapping[str, Any]] = {"hand": Seat, "player": Player, "trick": TrickNumber}
"""The keys of a finding that say which revoke is meant."""
UNDECLARED: Final[Mapping[str, Any]] = {**NAMING, "cards": TrickText}
"""The keys of a finding that every edition has."""
MOST: Final = 48
"""Revokes on one board: no hand can revoke more than twelve times."""
_PLAIN: Final[Mapping[str, Any]] = {
    "seat": Seat,
    "side": Side,
    "suit": Suit,
    "card": CardText,
    "yes-no": bool,
    "revoke": RevokeNamed,
}


def annotation(kind: Type) -> Any:
    """What a value of a type is in Python."""
    if kind.name == "number":
        return Annotated[int, between(_bound(kind.least), _bound(kind.most))]
    one: Any = Literal.__getitem__(kind.words) if kind.name == "words" else _PLAIN[kind.name]
    return tuple.__class_getitem__((one, ...)) if kind.many else one


def read_findings(node: Node, table: Table, faults: Faults) -> tuple[Finding, ...]:
    """The findings of an incident; faults are added."""
    if not isinstance(node, Sequence):
        faults.append(Fault(node.place, "the revokes are not a list", "write such as - {hand: W, trick: 5}"))
        return ()
    if len(node.items) > MOST:
        faults.append(Fault(node.items[MOST].place, f"there are more than {MOST} revokes", "list each revoke once"))
        return ()
    return tuple(one for item in node.items if (one := _finding(item, table, faults)) is not None)


def _finding(node: Node, table: Table, faults: Faults) -> Finding | None:
    if not isinstance(node, MappingNode):
        faults.append(Fault(node.place, "this is no finding", "write its fields, such as {hand: W, trick: 5}"))
        return None
    before = len(faults)
    faults += unknown(node.keys, (*UNDECLARED, *table.findings))
    given = {
        key: form_of(kind).read(node.entries[key], faults) for key, kind in UNDECLARED.items() if key in node.entries
    }
    if {"hand", "player"} <= given.keys():
        faults.append(Fault(node.keys["player"], "the hand says whose card it was", "leave player out"))
    found = [(table.findings[key], one) for key, one in node.entries.items() if key in table.findings]
    said = {
        kind.id: _value(kind, one, faults)
        for kind, one in found
        if kind.not_stated != NOTHING or not isinstance(one, Scalar) or one.value != UNKNOWN  # or it is left out
    }
    return Finding(**given, said=said) if len(faults) == before else None


def read_event(kind: EventKind, node: MappingNode, faults: Faults) -> dict[str, Any] | None:
    """The fields of an event; None, and faults added, where something is wrong."""
    before = len(faults)
    faults += unknown(node.keys, kind.fields)
    for name, (_, needed) in kind.fields.items():
        if needed and name not in node.entries:
            faults.append(Fault(node.place, f"{name} is missing", f"add {name}: with its value"))
    said = {
        name: _form(type_).read(node.entries[name], faults)
        for name, (type_, _) in kind.fields.items()
        if name in node.entries
    }
    if kind.one_of and len(said.keys() & set(kind.one_of)) != 1:
        either = " or a ".join(kind.one_of)
        what = f"a {either} is required, not both and not neither"
        faults.append(Fault(node.place, what, "give one of them"))
    return said if len(faults) == before else None


def _value(kind: FindingKind, node: Node, faults: Faults) -> Any:
    """The value, the name of an answer that is no value itself, or ``unknown``."""
    if isinstance(node, Scalar) and node.value == UNKNOWN:
        return UNKNOWN
    if isinstance(node, Scalar) and node.value in kind.answers and node.value not in words_of(kind.type):
        return node.value
    if kind.type.name == "words" and isinstance(node, Sequence):
        return _form(kind.type).read(_as_one_word(node, kind.type.words), faults)
    if kind.type.name == "number" and isinstance(node, Scalar) and ".." in str(node.value):
        return _range(kind.type, node, faults)
    return _form(kind.type).read(node, faults)


def _as_one_word(node: Sequence, words: tuple[str, ...]) -> Scalar:
    """A list of words as the one word that stands for all of them, in the order in which they are declared."""
    place = {word: at for at, word in enumerate(words)}
    said = [str(one.value) if isinstance(one, Scalar) else "a list" for one in node.items]
    return Scalar(" ".join(sorted(said, key=lambda word: place.get(word, -1))), node.place, quoted=True)


def _range(kind: Type, node: Scalar, faults: Faults) -> str:
    """A range of numbers, as it is written."""
    among, can_be = numbers(node.value), range(_bound(kind.least), _bound(kind.most) + 1)
    if not among or not {among[0], among[-1]} <= set(can_be):
        what = f"{node.value} is no range within {can_be[0]}..{can_be[-1]}"
        faults.append(Fault(node.place, what, "write the least and the most, such as 2..4"))
    return str(node.value)


def words_of(kind: Type) -> tuple[Any, ...]:
    """The words that are values of a type."""
    plain = _PLAIN.get(kind.name)
    return kind.words if kind.name == "words" else get_args(plain) if plain in (Seat, Side, Suit) else ()


@lru_cache(maxsize=500)
def _form(kind: Type) -> Form:
    return form_of(annotation(kind))


def _bound(bound: Formula | None) -> int:
    """The widest that a bound can be."""
    values = [evaluated(bound, {"trick": trick}, _NO_TABLE) for trick in (1, 13)]
    return max(value for value in values if isinstance(value, int))


_NO_TABLE: Final = Table({}, {}, {}, {}, (), {})
