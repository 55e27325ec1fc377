"""The C extension of durable-rules, as little of it as is needed: rulesets, batches of facts, firings."""

from __future__ import annotations

import importlib
import json
import weakref
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Final

from facts.errors import EngineError
from facts.fact import Fact
from kb.engine.native import RECEIPT, Json, NativeRule

FIRST_ID: Final = 100_000
"""Facts are numbered from there, with six digits that begin with 1; the C engine takes none of these for another."""
FIRST_RECEIPT: Final = f'{{"id":2,"{RECEIPT}":1}}'
"""The fact that stands last in the first batch."""
_STATE: Final = "0"
"""The one state in which every run takes place, that of facts that name none: the C engine mixes up states."""
_NO_STATE: Final = "309"


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
