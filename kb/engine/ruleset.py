"""The C extension of durable-rules, as little of it as is needed: rulesets, facts as their messages, firings."""

from __future__ import annotations

import importlib
import json
import operator
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, Final

from facts.errors import EngineError
from facts.fact import Fact, Value
from kb.engine.native import RECEIPT, Json, Native, NativeRule, native_value
from kb.engine.plans import FieldTest

FIRST_ID: Final = 100_000
"""Facts are numbered from there, with six digits that begin with 1; the C engine takes none of these for another."""
FIRST_RECEIPT: Final = f'{{"id":2,"{RECEIPT}":1}}'
"""The fact that stands last in the first batch."""
_STATE: Final = "0"
"""The one state in which every run takes place, that of facts that name none: the C engine mixes up states."""
_NO_STATE: Final = "309"
MOST_TEXTS: Final = 20_000
_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def library() -> ModuleType:
    """The C extension; EngineError with how to get it when it is missing."""
    try:
        return importlib.import_module("durable_rules_engine")
    except ImportError as error:
        how = "CPPFLAGS='-O3 -DPyEval_CallObject=PyObject_CallObject' pip install --no-binary :all: durable-rules"
        raise EngineError(
            f"durable-rules cannot be used here ({error}); build it with {how}, or choose the engine 'quick'"
        ) from error


class Ruleset:
    """Some rules in the C engine, and ``messages(facts, first id)``: those facts that they read as messages.

    Not for two threads at a time.
    """

    def __init__(self, rules: Sequence[NativeRule], messages: Callable[[Sequence[Fact], int], list[str]]) -> None:
        self._c = library()
        self.messages = messages
        try:
            self._handle = self._create(rules)
        except self._c.error as error:
            raise self._blame(rules, error) from error
        weakref.finalize(self, self._c.delete_ruleset, self._handle).atexit = False
        self._warm_up()

    def firings(self, messages: list[str], batch: int = 0) -> list[str]:
        """Asserts facts, and gives what fires: ``{"rule":{"p0":{...},...}}``; ``batch``: how many were asserted before.

        Every batch gets a receipt as its last fact: the C engine may drop facts in silence, and an empty batch
        or a state in which nothing ever fired can kill the process. EngineError when the receipt does not come back.
        """
        receipt = FIRST_RECEIPT if batch == 0 else f'{{"id":2{batch},"{RECEIPT}":2}}'
        firings: list[str] = []
        try:
            code, state = self._c.assert_facts(self._handle, f"[{','.join([*messages, receipt])}]")
            result = self._c.start_action_for_state(self._handle, state) if code in (0, 1) else None
            firing = result and result[1]
            while firing:
                firings.append(firing)
                firing = self._c.complete_and_start_action(self._handle, state)
        except self._c.error as error:
            raise EngineError(f"durable-rules failed: {error}") from error
        try:
            firings.remove(f'{{"{RECEIPT}":{{"p0":{receipt}}}}}')
        except ValueError:
            raise EngineError(f"durable-rules lost facts of a batch of {len(messages)} (code {code})") from None
        return firings

    def forget(self) -> None:
        """Deletes all facts."""
        try:
            self._c.delete_state(self._handle, _STATE)
        except self._c.error as error:
            if _NO_STATE not in str(error):
                raise EngineError(f"durable-rules failed: {error}") from error

    def _warm_up(self) -> None:
        """Fires once: the C engine frees memory it never set when the very first state ends without a firing."""
        self.firings([])
        self.forget()

    def _create(self, rules: Sequence[NativeRule]) -> int:
        definition: dict[str, Json] = {rule.name: rule.json for rule in rules}
        definition[RECEIPT] = {"dist": 0, "all": [{"p0": {"$and": [{"$gte": {RECEIPT: 1}}]}}]}
        handle: int = self._c.create_ruleset("rules", json.dumps(definition, ensure_ascii=False))
        return handle

    def _blame(self, rules: Sequence[NativeRule], error: Exception) -> EngineError:
        """An error that names the first rule that fails on its own, or else that they do so only together."""
        for rule in rules:
            try:
                self._c.delete_ruleset(self._create([rule]))
            except self._c.error as own:
                return EngineError(f"{rule.plan.rule.place}: durable-rules refuses rule {rule.plan.rule.id}: {own}")
        return EngineError(f"durable-rules refuses {len(rules)} rules together: {error}")


@lru_cache(MOST_TEXTS)
def _text(value: Value) -> str:
    """A value as JSON; the C engine shall not tell true from 1 either."""
    return json.dumps(native_value(value), ensure_ascii=False)


class Messages:
    """Writes facts for the rules of one ruleset; EngineError when a number is too large for the C engine."""

    def __init__(self, native: Native, rules: Iterable[NativeRule]) -> None:
        self._forms: dict[Value, tuple[str, Sequence[int], Sequence[tuple[str, FieldTest]]]] = {}
        """Kind -> how a message begins, the positions of the values in it, and the properties of facts that pass."""
        fields = {field for rule in rules for field in rule.fields}
        flags = {flag for rule in rules for flag in rule.flags}
        for kind in {kind for rule in rules for kind in rule.kinds}:
            positions = sorted(at for of, at in fields if of == kind)
            begin = "".join([f'{{"id":%d,"{native.kinds[kind]}":1', *(f',"f{at}":%s' for at in positions)])
            self._forms[kind] = begin, positions, [(native.flags[of, c], c) for of, c in flags if of == kind]

    def __call__(self, facts: Iterable[Fact], first: int) -> list[str]:
        """Those facts that the rules read; all of them are numbered, from ``first`` on."""
        made, forms = [], self._forms
        for number, fact in enumerate(facts, first):
            if form := forms.get(fact[0]):
                begin, positions, flags = form
                passed = "".join([f',"{name}":1' for name, check in flags if passes(fact[check.position], check)])
                made.append(f"{begin % (number, *[_text(fact[at]) for at in positions])}{passed}}}")
        return made


def passes(value: Value, check: FieldTest) -> bool:
    """Whether a value passes a check without variables; an unknown one passes only in a list that names it."""
    if check.among:
        return value in check.among
    return value is not None and _COMPARE[check.operator](value, check.constant)
