"""Facts as the messages that a ruleset of durable-rules reads: only the properties that its rules ask for."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from facts.fact import Fact, Value
from kb.engine.native import Native, NativeRule, native_value
from kb.engine.plans import FieldTest

MOST_TEXTS: Final = 20_000
_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Texts(dict[Value, str]):
    """Each value as JSON, once written kept; the C engine shall not tell true from 1 either."""

    def __missing__(self, value: Value) -> str:
        if len(self) >= MOST_TEXTS:
            self.clear()
        text = self[value] = json.dumps(native_value(value), ensure_ascii=False)
        return text


class Messages:
    """Writes facts for the rules of one ruleset; EngineError when a number is too large for the C engine."""

    def __init__(self, native: Native, rules: Iterable[NativeRule], texts: Texts) -> None:
        self._texts = texts
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
        made, texts, forms = [], self._texts, self._forms
        for number, fact in enumerate(facts, first):
            if form := forms.get(fact[0]):
                begin, positions, flags = form
                passed = "".join([f',"{name}":1' for name, check in flags if passes(fact[check.position], check)])
                made.append(f"{begin % (number, *[texts[fact[at]] for at in positions])}{passed}}}")
        return made


def passes(value: Value, check: FieldTest) -> bool:
    """Whether a value passes a check without variables; an unknown one passes only in a list that names it."""
    if check.among:
        return value in check.among
    return value is not None and _COMPARE[check.operator](value, check.constant)
