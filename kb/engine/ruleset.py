"""The C extension of durable-rules, as little of it as is needed: rulesets, batches of facts, firings."""

from __future__ import annotations

import importlib
import json
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import TypeAlias

from facts.errors import EngineError
from facts.ground import Fact, Value
from kb.engine.native import END, TOKEN, Json, NativeRule

Encoders: TypeAlias = Mapping[Value, Callable[[int, Fact], str]]
SID = "1"
"""The one state in which every run takes place: the C engine mixes up states."""
RECEIPT: Fact = (-1,)
"""The last fact of every batch. Receipts and tokens have numbers for kinds."""
_NO_STATE = "309"


def library() -> ModuleType:
    """The C extension; EngineError with how to get it when it is missing."""
    try:
        return importlib.import_module("durable_rules_engine")
    except ImportError as error:
        how = "CPPFLAGS='-O3 -DPyEval_CallObject=PyObject_CallObject' pip install --no-binary :all: durable-rules"
        raise EngineError(
            f"durable-rules cannot be used here ({error}); build it with {how}, or choose the engine 'python'"
        ) from error


def _word(word: str, number: int, _: Fact) -> str:
    """A fact that only says this word."""
    return f'{{"id":{number},"sid":"{SID}","{word}":1}}'


class Ruleset:
    """Some rules in the C engine. Not for two threads at a time."""

    def __init__(self, rules: Sequence[NativeRule], encoders: Encoders) -> None:
        self._c = library()
        strata = sorted({rule.token for rule in rules if rule.token is not None})
        self.tokens: list[Fact] = [(stratum,) for stratum in strata]
        """The tokens that some rule waits for."""
        words: dict[Value, str] = {RECEIPT[0]: END} | {stratum: f"{TOKEN}{stratum}" for stratum in strata}
        self.encode: Encoders = {**encoders, **{kind: partial(_word, word) for kind, word in words.items()}}
        """Kind -> ``f(id, fact)``: the fact as a message. There are no others that these rules read."""
        try:
            self._handle = self._create(rules)
        except self._c.error as error:
            raise self._blame(rules, error) from error
        weakref.finalize(self, self._c.delete_ruleset, self._handle).atexit = False
        self._warm_up()

    def firings(self, messages: Sequence[str]) -> list[str]:
        """Asserts facts, and gives what fires: ``{"rule":{"p0":{...},...}}``.

        Every batch needs a receipt as its last fact: the C engine may drop facts in silence, and an empty batch
        or a state in which nothing ever fired can kill the process. EngineError when the receipt does not come back.
        """
        receipt = f'{{"{END}":{{"p0":{messages[-1]}}}}}'
        firings: list[str] = []
        try:
            code, state = self._c.assert_facts(self._handle, f"[{','.join(messages)}]")
            result = self._c.start_action_for_state(self._handle, state) if code in (0, 1) else None
            firing = result and result[1]
            while firing:
                firings.append(firing)
                firing = self._c.complete_and_start_action(self._handle, state)
        except self._c.error as error:
            raise EngineError(f"durable-rules failed: {error}") from error
        if receipt not in firings:
            raise EngineError(f"durable-rules lost facts of a batch of {len(messages)} (code {code})")
        firings.remove(receipt)
        return firings

    def _warm_up(self) -> None:
        """Fires once: the C engine frees memory it never set when the very first state ends without a firing."""
        self.firings([_word(END, 2, RECEIPT)])
        self.forget()

    def forget(self) -> None:
        """Deletes all facts."""
        try:
            self._c.delete_state(self._handle, SID)
        except self._c.error as error:
            if _NO_STATE not in str(error):
                raise EngineError(f"durable-rules failed: {error}") from error

    def _create(self, rules: Sequence[NativeRule]) -> int:
        definition: dict[str, Json] = {rule.name: rule.json for rule in rules}
        definition[END] = {"dist": 0, "all": [{"p0": {"$and": [{END: 1}]}}]}
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
