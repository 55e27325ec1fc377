"""Python source for the terms and checks of a program, shared by everything that compiles one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from facts.ground import Fact, Value
from kb.engine.program import Check, Number, Pattern, Plan
from kb.language.model import Sum, Term, Variable

Names = Mapping[str, str]
"""Variable of a rule -> the Python expression that holds its value."""


def term_source(term: Term, names: Names) -> str:
    """A term as a Python expression."""
    if isinstance(term, Variable):
        return names[term.name]
    if isinstance(term, Sum):
        return f"{term_source(term.left, names)} + {term_source(term.right, names)}"
    return repr(term)


def compare_source(value: str, operator: str, term: Term, names: Names) -> str:
    """``value operator term`` as a Python expression."""
    return f"{value} {'==' if operator == '=' else operator} {term_source(term, names)}"


def check_source(check: Check, fact: str, names: Names) -> str:
    """Whether the fact of that name passes a check, as a Python expression."""
    value = f"{fact}[{check.position}]"
    if check.among:
        return f"{value} in {check.among!r}"
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
    space: dict[str, Any] = dict(given)
    exec(compile(source, "<rules>", "exec"), space)
    return space


def order_key(fact: Fact) -> tuple[tuple[bool, Value], ...]:
    """A key that orders facts of one kind by their values, the unknown first."""
    return tuple([(value is not None, value) for value in fact])


def number_function(number: Number) -> Callable[..., Fact]:
    """``f(facts, *key)``: the premise ``(how, number, *facts that were counted, sorted)``."""
    names = {name: f"k{i}" for i, name in enumerate(number.key)}
    fits = fit_source(number.of, "fact", names)
    amount = "len(found)" if number.summed is None else f"sum([fact[{number.summed}] for fact in found])"
    source = f"""
def tally(facts, {", ".join(names.values())}):
    found = [fact for fact in facts{" if " + fits if fits else ""}]
    if len(found) > 1:
        found.sort(key=order_key)
    return ({number.how!r}, {amount}, *found)
"""
    function: Callable[..., Fact] = compiled(source, order_key=order_key)["tally"]
    return function


def useful_function(plans: Iterable[Plan]) -> Callable[[Fact], bool]:
    """Whether any rule can use a fact: some rule reads its kind and all constant tests of one condition hold."""
    wanted: dict[str, set[str]] = {}
    for plan in plans:
        for pattern in (*plan.patterns.values(), *plan.absent, *(number.of for number in plan.numbers)):
            alone = Pattern(pattern.kind, (), pattern.literals, ())
            wanted.setdefault(pattern.kind, set()).add(fit_source(alone, "fact", {}))
    tests = {
        kind: compiled(f"useful = lambda fact: {' or '.join(f'({s})' for s in sorted(sources))}")["useful"]
        for kind, sources in wanted.items()
        if "" not in sources
    }
    always = frozenset(wanted) - frozenset(tests)
    return lambda fact: fact[0] in always or (fact[0] in tests and tests[fact[0]](fact))
