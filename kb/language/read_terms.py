"""Reading the value of a field: a literal, a list of them, ``$t``, ``> $t``, ``not $h``, ``$t + 1``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from facts.errors import Place
from facts.fact import Value
from facts.yaml_reader import Node, Scalar, Sequence
from kb.language.faults import Faults
from kb.language.model import Operator
from kb.language.terms import NOTHING, Constant, Sum, Term, Variable

_COMPARED = re.compile(r"(<=|>=|<|>|not(?=\s))\s*(.*)", re.DOTALL)
_NAME = r"\$([A-Za-z][A-Za-z0-9_]*)"
_VARIABLE = re.compile(_NAME)
_SUM = re.compile(rf"{_NAME}\s*\+\s*(?:{_NAME}|(\d{{1,15}}))")
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,14})")
_FORMS = 'a value, a list of values, $t, "> $t", "not $h" or "$t + 1"'


@dataclass(frozen=True, slots=True)
class Written:
    """The value of a field, read without regard to what kind of fact it belongs to."""

    operator: Operator
    term: Term
    among: tuple[Value, ...]
    place: Place


def read_test(node: Node, faults: Faults) -> Written | None:
    """What a condition demands of a field; None, and a fault, when it cannot be read."""
    if isinstance(node, Sequence):
        return _one_of(node, faults)
    if not isinstance(node, Scalar):
        faults.add(node.place, "a mapping stands where the value of a field belongs", f"write {_FORMS}")
        return None
    operator: Operator = "="
    rest: Value = node.value
    if isinstance(rest, str) and (compared := _COMPARED.fullmatch(rest.strip())):
        operator = "!=" if compared[1] == "not" else cast(Operator, compared[1])
        rest = _bare(compared[2])
    term = _term(rest, node.place, faults)
    return None if term is None else Written(operator, term, (), node.place)


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


def _one_of(node: Sequence, faults: Faults) -> Written | None:
    values: list[Value] = []
    for item in node.items:
        if not isinstance(item, Scalar) or (isinstance(item.value, str) and _looks_like_term(item.value)):
            faults.add(item.place, "a list may hold values only", "take variables and comparisons out of it")
        elif item.value in values:
            faults.add(item.place, f"{item.value} stands twice in the list", "keep one of the two")
        else:
            values.append(item.value)
    if not node.items:
        mend = "write the values that are allowed, or leave the field out"
        faults.add(node.place, "the list is empty: no value can be in it", mend)
    return Written("=", NOTHING, tuple(values), node.place) if values else None


def _looks_like_term(text: str) -> bool:
    return "$" in text or _COMPARED.fullmatch(text) is not None


def _bare(text: str) -> Value:
    if _INTEGER.fullmatch(text):
        return int(text)
    return text == "true" if text in ("true", "false") else text


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
