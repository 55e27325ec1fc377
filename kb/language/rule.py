"""Reading one rule: its conditions, its exceptions and its conclusions.

The value of a field is a literal, a list of them, ``$t``, ``> $t``, ``not $h`` or ``$t + 1``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias, cast

from facts.errors import Faults, Place
from facts.fact import Value
from facts.form import Described, cannot_stand
from facts.suggestions import did_you_mean
from facts.yaml_reader import Mapping, Node, Scalar, Sequence
from kb.language.model import Conclusion, Condition, Operator, Tally, Test
from kb.language.terms import NOTHING, Constant, Sum, Term, Variable

_COMPARED = re.compile(r"(<=|>=|<|>|not(?=\s))\s*(.*)", re.DOTALL)
_NAME = r"\$([A-Za-z][A-Za-z0-9_]*)"
_VARIABLE = re.compile(_NAME)
_SUM = re.compile(rf"{_NAME}\s*\+\s*(?:{_NAME}|(\d{{1,15}}))")
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,14})")
_FORMS = 'a value, a list of values, $t, "> $t", "not $h" or "$t + 1"'


def read_test(field: str, node: Node, faults: Faults) -> Test | None:
    """What a condition demands of a field; None, and a fault, when it cannot be read."""
    if isinstance(node, Sequence):
        values = _values(node, faults)
        return Test(field, "=", NOTHING, node.place, values) if values else None
    if not isinstance(node, Scalar):
        faults.add(node.place, "a mapping stands where the value of a field belongs", f"write {_FORMS}")
        return None
    operator: Operator = "="
    rest: Value = node.value
    if isinstance(rest, str) and (compared := _COMPARED.fullmatch(rest.strip())):
        operator = "!=" if compared[1] == "not" else cast(Operator, compared[1])
        rest = compared[2]
        if _INTEGER.fullmatch(rest):
            rest = int(rest)
        elif rest in ("true", "false"):
            rest = rest == "true"
    term = _term(rest, node.place, faults)
    return None if term is None else Test(field, operator, term, node.place)


def read_term(node: Node, faults: Faults) -> Term | None:
    """What a conclusion gives a field; None, and a fault, when it cannot be read."""
    if isinstance(node, Scalar) and isinstance(node.value, str) and _COMPARED.fullmatch(node.value.strip()):
        what = f"{node.value} compares, but a conclusion must give one value"
        faults.add(node.place, what, 'write a value, $t or "$t + 1"')
        return None
    if not isinstance(node, Scalar):
        faults.add(node.place, "a conclusion must give one value for a field", 'write a value, $t or "$t + 1"')
        return None
    return _term(node.value, node.place, faults)


def _values(node: Sequence, faults: Faults) -> tuple[Value, ...]:
    """Those of a list."""
    values: list[Value] = []
    for item in node.items:
        text = item.value if isinstance(item, Scalar) and isinstance(item.value, str) else ""
        if not isinstance(item, Scalar) or "$" in text or _COMPARED.fullmatch(text):
            faults.add(item.place, "a list may hold values only", "take variables and comparisons out of it")
        elif item.value in values:
            faults.add(item.place, f"{item.value} stands twice in the list", "keep one of the two")
        else:
            values.append(item.value)
    if not node.items:
        mend = "write the values that are allowed, or leave the field out"
        faults.add(node.place, "the list is empty: no value can be in it", mend)
    return tuple(values)


def _term(value: Value, place: Place, faults: Faults) -> Term | None:
    if not isinstance(value, str):
        return None if value is None else Constant(value)
    text = value.strip()
    if variable := _VARIABLE.fullmatch(text):
        return Variable(variable[1])
    if found := _SUM.fullmatch(text):
        return Sum(Variable(found[1]), Variable(found[2]) if found[2] else Constant(int(found[3])))
    if "$" in text or text[:1] in ("<", ">", "=", "!"):
        faults.add(place, f"{text} is not a value that the rule language knows", f"write {_FORMS}")
        return None
    if text == "":
        faults.add(place, "the value is missing", f"write {_FORMS}")
        return None
    return Constant(text)


_TALLIES = ("total", "count")


def read_when(node: Node, faults: Faults) -> tuple[Condition | Tally, ...]:
    """The conditions of a list."""
    found: list[Condition | Tally] = []
    if not isinstance(node, Sequence):
        faults.add(node.place, *cannot_stand(node.plain(), "write a list"))
    for item in node.items:
        for kind, key, value in _named(item, faults):
            if kind in _TALLIES:
                found += _tally(cast(Literal["total", "count"], kind), key, value, faults)
            else:
                found.append(_condition(kind, key, value, faults))
    if isinstance(node, Sequence) and not node.items:
        faults.add(node.place, "there is no condition: the rule would always hold", "write a condition")
    return tuple(found)


def read_unless(node: Node, faults: Faults) -> tuple[Condition, ...]:
    """The exceptions of a list or a mapping."""
    found: list[Condition] = []
    if isinstance(node, Scalar):
        faults.add(node.place, "a value stands where conditions belong", "write - kind: {field: value}")
    pairs = _pairs(node, faults) if isinstance(node, Mapping) else (p for i in node.items for p in _named(i, faults))
    for kind, key, value in pairs:
        if kind in _TALLIES:
            faults.add(key, f"{kind} cannot stand under unless", f"put {kind} under when, with what it must be")
        else:
            found.append(_condition(kind, key, value, faults))
    return tuple(found)


def _read_then(node: Node, faults: Faults) -> tuple[Conclusion, ...]:
    if isinstance(node, Scalar) or not (node.entries or node.items):
        faults.add(node.place, "nothing is concluded", "write kind: {field: value}")
    nodes = (node,) if isinstance(node, Mapping) else node.items
    return tuple(_conclusion(*pair, faults) for item in nodes for pair in _pairs(item, faults))


Conditions: TypeAlias = Annotated[tuple[Condition | Tally, ...], Described("conditions", read_when)]
Exceptions: TypeAlias = Annotated[tuple[Condition, ...], Described("exceptions", read_unless)]
Conclusions: TypeAlias = Annotated[tuple[Conclusion, ...], Described("conclusions", _read_then)]


def _named(item: Node, faults: Faults) -> Iterator[tuple[str, Place, Node]]:
    """The one kind that an item of a list names."""
    found = list(_pairs(item, faults))
    if len(found) > 1:
        faults.add(found[1][1], "two kinds stand in one item of the list", "begin each with a dash of its own")
    yield from found


def _pairs(item: Node, faults: Faults) -> Iterator[tuple[str, Place, Node]]:
    if not isinstance(item, Mapping) or not item.entries:
        faults.add(item.place, "no kind of fact is named here", "write kind: {field: value}")
        return
    for kind, value in item.entries.items():
        yield kind, item.keys[kind], value


def _condition(name: str, place: Place, node: Node, faults: Faults) -> Condition:
    tests = [read_test(field, value, faults) for field, value in _fields(name, place, node, faults).items()]
    return Condition(name, tuple(filter(None, tests)), place)


def _conclusion(name: str, place: Place, node: Node, faults: Faults) -> Conclusion:
    if name in _TALLIES:
        faults.add(place, f"{name} cannot be concluded", f"conclude a kind of fact, and read it with {name}")
    terms: dict[str, Term] = {}
    places: dict[str, Place] = {}
    for field, value in _fields(name, place, node, faults).items():
        if (term := read_term(value, faults)) is not None:
            terms[field], places[field] = term, value.place
    return Conclusion(name, terms, place, places)


def _fields(name: str, place: Place, node: Node, faults: Faults) -> dict[str, Node]:
    """What is said of the fields of a kind; a kind or a field that is not known leaves the rest readable."""
    kinds = faults.kinds
    if kinds is not None and name not in (*kinds, *_TALLIES):
        faults.aside(place, f"unknown kind {name}", did_you_mean(name, kinds))
    if not isinstance(node, Mapping):
        known = ", ".join(kinds[name] if kinds is not None and name in kinds else ["field"])
        mend = f"write {name}: {{}} for any at all, or name fields ({known})"
        faults.add(node.place, f"the fields of {name} are missing", mend)
    for field, key in node.keys.items():
        demand_field(name, field, key, faults)
    return node.entries


def demand_field(kind: str, name: str, place: Place, faults: Faults) -> None:
    """A fault where a kind that is known has no field of that name."""
    known = None if faults.kinds is None else faults.kinds.get(kind)
    if known is not None and name not in known:
        faults.aside(place, f"{kind} has no field {name}", did_you_mean(name, known))


def _tally(how: Literal["total", "count"], place: Place, node: Node, faults: Faults) -> Iterator[Tally]:
    at = node.entries
    wanted = ("of", "field", "is") if how == "total" else ("of", "is")
    _demand_keys(how, place, node, wanted, faults)
    if "of" not in at or "is" not in at:
        return
    of: list[Condition] = []
    for kind, key, value in _named(at["of"], faults):
        if kind in _TALLIES:
            faults.add(key, f"a {kind} cannot be taken of another", "name a kind of fact")
        else:
            of.append(_condition(kind, key, value, faults))
    number = read_test("is", at["is"], faults)
    if number and number.among:
        faults.add(number.place, "a number cannot be one of a list here", "write one value or a comparison")
    elif of and number:
        field = at.get("field") if how == "total" else None
        summed = str(field.value) if isinstance(field, Scalar) else "" if how == "total" else None
        if field is not None:
            demand_field(of[0].kind, str(summed), field.place, faults)
        yield Tally(how, of[0], summed, number, place)


def _demand_keys(how: str, place: Place, node: Node, wanted: tuple[str, ...], faults: Faults) -> None:
    if not isinstance(node, Mapping):
        mend = f"write {how}: {{{', '.join(f'{key}: …' for key in wanted)}}}"
        faults.add(place, f"{how} does not say of what", mend)
        return
    for key in node.entries:
        if key not in wanted:
            faults.add(node.keys[key], f"{how} knows no {key}", did_you_mean(key, wanted))
    for key in wanted:
        if key not in node.entries:
            faults.add(place, f"{how} lacks {key}", f"add {key}:")
