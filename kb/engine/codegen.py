"""Python source for the terms and checks of a program, shared by everything that compiles one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

from facts.errors import EngineError
from facts.fact import Fact, Value, order_key
from kb.engine.program import FieldTest, Number, Pattern, Program
from kb.language.terms import Term

_OPERATORS: Final[Mapping[str, str]] = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""What becomes of each operator of the rule language; no other text gets into code."""
Names = Mapping[str, str]
"""Variable of a rule -> the Python expression that holds its value."""


def compare_source(value: str, operator: str, term: Term, names: Names) -> str:
    """``value operator term`` as a Python expression; EngineError when there is no such operator."""
    if operator not in _OPERATORS:
        raise EngineError(f"there is no operator {operator!r}")
    return f"{value} {_OPERATORS[operator]} {term_source(term, names)}"


def term_source(term: Term, names: Names) -> str:
    """A term as a Python expression."""
    return term.spelt(names.__getitem__, value_source)


def value_source(value: Value) -> str:
    """A value as Python writes it; EngineError for anything but text, a number, yes or no, and the unknown."""
    if value is not None and type(value) not in (str, int, bool):
        raise EngineError(f"a {type(value).__name__} is no value of a fact")
    return repr(value)


def check_source(check: FieldTest, fact: str, names: Names) -> str:
    """Whether the fact of that name passes a check, as a Python expression."""
    value = f"{fact}[{check.position}]"
    if check.among:
        return f"{value} in ({''.join(f'{value_source(one)}, ' for one in check.among)})"
    compared = compare_source(value, check.operator, check.term, names)
    return f"{value} is not None and {compared}" if check.unknown and check.operator != "=" else compared


def fit_source(pattern: Pattern, fact: str, names: Names) -> str:
    """Whether the fact of that name fits a pattern whose outer variables are known; empty: it always does."""
    inner, wanted = dict(names), []
    for position, name in pattern.shares:
        value = f"{fact}[{position}]"
        if name in inner:
            wanted.append(f"{value} == {inner[name]}")
        else:
            inner[name] = value
    wanted += [check_source(check, fact, inner) for check in (*pattern.literals, *pattern.comparisons)]
    return " and ".join(wanted)


def compiled(source: str, **given: Any) -> dict[str, Any]:
    """The names that a piece of generated source defines."""
    space: dict[str, Any] = {"defaultdict": defaultdict, **given}
    exec(compile(source, "<rules>", "exec"), space)
    return space


def functions(parameters: str, bodies: Mapping[str, str], **given: Any) -> dict[Value, Callable[..., Any]]:
    """Functions of the same parameters by name, each an expression, compiled at one go: that is much the quickest."""
    lines = "".join(f"{name!r}: lambda {parameters}: {body},\n" for name, body in bodies.items())
    found: dict[Value, Callable[..., Any]] = compiled(f"functions = {{\n{lines}}}", **given)["functions"]
    return found


def number_functions(numbers: Iterable[Number]) -> dict[Value, Callable[..., Fact]]:
    """``number.name`` -> ``f(facts, *key)``: the premise ``(how, number, *facts that were counted, sorted)``."""
    return functions(
        "facts, *key",
        {number.name: _number_source(number) for number in numbers},
        answer=_answer,
    )


def _number_source(number: Number) -> str:
    fits = fit_source(number.of, "fact", {name: f"key[{i}]" for i, name in enumerate(number.key)})
    found = f"[fact for fact in facts{' if ' + fits if fits else ''}]"
    return f"answer({number.how!r}, {number.summed!r}, {found})"


def _answer(how: str, summed: int | None, found: list[Fact]) -> tuple[object, ...]:
    if len(found) > 1:
        found = sorted(set(found), key=order_key)
    return (how, len(found) if summed is None else sum([cast(int, fact[summed]) for fact in found]), *found)


def open_kinds(given: Mapping[Value, list[Fact]], program: Program) -> dict[Value, list[Fact]]:
    """The facts of each kind; those of kinds that rules conclude are in lists that may be added to."""
    kinds: dict[Value, list[Fact]] = {kind: [] for kind in program.concluded}
    kinds.update(given)
    for kind in program.concluded & given.keys():
        kinds[kind] = [*given[kind]]
    return kinds
