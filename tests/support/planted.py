"""Mistakes to be planted one at a time: in each place where rules become something that runs, the same ones."""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from kb.engine import codegen, loops, messages, native, program, set_joins
from kb.engine.program import FieldTest, Pattern, Plan

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]
"""Plants a mistake for as long as the patch lasts; what was made before does not have it."""
Change: TypeAlias = Callable[[FieldTest], FieldTest]
Function: TypeAlias = Callable[..., Any]


def _wrapped(owner: object, name: str, make: Callable[[Function], Function]) -> Plant:
    """Puts ``make(what stands there)`` in its place."""
    return lambda patch: patch.setattr(owner, name, make(getattr(owner, name)))


def _both(one: Plant, other: Plant) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        one(patch)
        other(patch)

    return plant


def _misread(old: str, new: str) -> Change:
    return lambda check: replace(check, operator=new) if check.operator == old else check  # type: ignore[arg-type]


def _short(check: Any) -> Any:
    return replace(check, among=check.among[:-1]) if len(check.among) > 1 else check


def _unshared(pattern: Pattern, known: Container[str]) -> Pattern:
    """The pattern, which no longer compares one of the variables that have their values from elsewhere."""
    last = next((share for share in reversed(pattern.shares) if share[1] in known), None)
    return replace(pattern, shares=tuple(share for share in pattern.shares if share != last))


def _planned(change: Callable[[Plan], Plan]) -> Plant:
    return _wrapped(program._Planner, "plan", lambda plan: lambda self, stratum: change(plan(self, stratum)))


def _checks_planned(change: Change) -> Plant:
    def pattern(one: Pattern) -> Pattern:
        return replace(one, literals=(*map(change, one.literals),), comparisons=(*map(change, one.comparisons),))

    return _planned(
        lambda plan: replace(
            plan,
            patterns={slot: pattern(one) for slot, one in plan.patterns.items()},
            numbers=tuple(replace(one, of=pattern(one.of), result=pattern(one.result)) for one in plan.numbers),
            absent=tuple(map(pattern, plan.absent)),
        )
    )


def _join_unplanned(plan: Plan) -> Plan:
    patterns = dict(plan.patterns)
    if patterns:
        slot, last = patterns.popitem()
        known = {name for one in patterns.values() for _, name in one.shares}
        patterns[slot] = _unshared(last, known)
    return replace(plan, patterns=patterns)


PLANNER: Mapping[str, Plant] = {
    ">= as >": _checks_planned(_misread(">=", ">")),
    "> as >=": _checks_planned(_misread(">", ">=")),
    "< as <=": _checks_planned(_misread("<", "<=")),
    "a join dropped": _planned(_join_unplanned),
    "last item of unless dropped": _planned(lambda plan: replace(plan, absent=plan.absent[:-1])),
    "last word of a list dropped": _checks_planned(_short),
    "not forgotten": _checks_planned(_misread("!=", "=")),
}


def _compared(old: str, new: str) -> Plant:
    def make(compare: Function) -> Function:
        return lambda value, how, *rest: compare(value, new if how == old else how, *rest)

    return _wrapped(codegen, "compare_source", make)


def _checked(change: Change) -> Plant:
    def make(check_source: Function) -> Function:
        return lambda check, *rest: check_source(change(check), *rest)

    return _both(_wrapped(codegen, "check_source", make), _wrapped(loops, "check_source", make))


def _unjoined(take: Function) -> Function:
    def taken(self: loops.JoinWriter, slot: int, pattern: Pattern, *rest: Any) -> None:
        last = slot == max(self.plan.patterns, default=None)
        take(self, slot, _unshared(pattern, self.names) if last else pattern, *rest)

    return taken


def _without_last(init: Function) -> Function:
    def made(self: loops.JoinWriter, *given: Any) -> None:
        init(self, *given)
        self.absent = self.absent[:-1]

    return made


def _demanded(self: loops.JoinWriter, pattern: Pattern, waiting: dict[int, Pattern]) -> None:
    fits = codegen.fit_source(pattern, "other", self.names) or "True"
    self._under([f"any({fits} for other in {self.writer.lists[pattern.kind]})"], waiting)


GENERATOR: Mapping[str, Plant] = {
    ">= as >": _compared(">=", ">"),
    "> as >=": _compared(">", ">="),
    "< as <=": _compared("<", "<="),
    "a join dropped": _wrapped(loops.JoinWriter, "_take", _unjoined),
    "last item of unless dropped": _wrapped(loops.JoinWriter, "__init__", _without_last),
    "unless inverted": _wrapped(loops.JoinWriter, "_write_absent", lambda _: _demanded),
    "last word of a list dropped": _checked(_short),
    "not forgotten": _compared("!=", "="),
}


def _tested(old: str, new: str) -> Plant:
    change = _misread(old, new)

    def test(made: Function) -> Function:
        return lambda self, subject, how, *rest: made(self, subject, new if how == old else how, *rest)

    def constant(made: Function) -> Function:
        return lambda self, kind, check: made(self, kind, change(check))

    translation = native._Translation
    return _both(_wrapped(translation, "_test", test), _wrapped(translation, "_constant", constant))


def _untested(translate: Function) -> Function:
    def translated(self: native._Translation, place: int, homes: Mapping[str, tuple[int, int]]) -> None:
        pattern = self.patterns[place]
        if place == len(self.order) - 1:
            self.patterns[place] = _unshared(pattern, {name for name, home in homes.items() if home[0] < place})
        translate(self, place, homes)
        self.patterns[place] = pattern

    return translated


def _labelled(absent: Function) -> Function:
    def demanded(self: native._Translation, *given: Any) -> None:
        absent(self, *given)
        self.labels[-1] = self.labels[-1].removesuffix("$not")

    return demanded


def _native_without_last(made: Function) -> Function:
    return lambda self, plan, *rest: made(self, replace(plan, absent=plan.absent[:-1]), *rest)


NATIVE: Mapping[str, Plant] = {
    ">= as >": _tested(">=", ">"),
    "> as >=": _tested(">", ">="),
    "< as <=": _tested("<", "<="),
    "< not turned round": lambda patch: patch.setitem(native._TURNED, "<", "<"),
    "a join dropped": _wrapped(native._Translation, "_translate", _untested),
    "last item of unless dropped": _wrapped(native.Native, "_native", _native_without_last),
    "unless inverted": _wrapped(native._Translation, "_absent", _labelled),
    "last word of a list dropped": _wrapped(
        messages, "_passes", lambda passes: lambda value, check: passes(value, _short(check))
    ),
    "not forgotten": _tested("!=", "="),
}


def _read_as(old: str, new: Function) -> Plant:
    return lambda patch: patch.setitem(set_joins._COMPARE, old, new)


def _not_looked_up(init: Function) -> Function:
    def made(self: set_joins._Pattern, *given: Any) -> None:
        init(self, *given)
        self.positions, self.values = (), []

    return made


def _set_without_last(init: Function) -> Function:
    return lambda self, words, rule: init(self, words, replace(rule, unless=rule.unless[:-1]))


def _where_present(self: set_joins._Pattern, ways: Any, facts: Any) -> Any:
    for env, bits in ways:
        for _, held in self.fitting(env, facts):
            yield env, bits & held


SETS: Mapping[str, Plant] = {
    ">= as >": _read_as(">=", operator.gt),
    "> as >=": _read_as(">", operator.ge),
    "< as <=": _read_as("<", operator.le),
    "a join dropped": _wrapped(set_joins._Pattern, "__init__", _not_looked_up),
    "last item of unless dropped": _wrapped(set_joins.SetJoin, "__init__", _set_without_last),
    "unless inverted": _wrapped(set_joins._Pattern, "missing", lambda _: _where_present),
    "last word of a list dropped": _wrapped(
        set_joins, "_check", lambda check: lambda test, *rest: check(_short(test), *rest)
    ),
    "not forgotten": _read_as("!=", operator.eq),
}
