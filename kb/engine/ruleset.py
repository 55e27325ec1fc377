"""The C extension of durable-rules, as little of it as is needed: rulesets, batches of facts, firings."""

from __future__ import annotations

import importlib
import json
import weakref
from collections.abc import Iterator, Sequence
from types import ModuleType

from facts.errors import EngineError
from kb.engine.native import END, Json, NativeRule

SID = "1"
"""The one state in which every run takes place: the C engine mixes up states."""
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


class Ruleset:
    """Some rules in the C engine. Not for two threads at a time."""

    def __init__(self, rules: Sequence[NativeRule]) -> None:
        self._c = library()
        self.kinds = frozenset(kind for rule in rules for kind in rule.kinds)
        """The kinds these rules read, hidden ones included."""
        self.strata = frozenset(rule.plan.stratum for rule in rules if rule.token)
        """The strata whose token some rule waits for."""
        try:
            self._handle = self._create(rules)
        except self._c.error as error:
            raise self._blame(rules, error) from error
        weakref.finalize(self, self._c.delete_ruleset, self._handle).atexit = False
        self._warm_up()

    def firings(self, messages: Sequence[str]) -> Iterator[str]:
        """Asserts facts, then yields what fires: ``{"rule":{"p0":{...},...}}``.

        Every batch needs a receipt (END) as its last fact: the C engine may drop facts in silence, and an empty batch
        or a state in which nothing ever fired can kill the process. EngineError when the receipt does not come back.
        """
        receipt = f'{{"{END}":{{"p0":{messages[-1]}}}}}'
        received = False
        try:
            code, state = self._c.assert_facts(self._handle, f"[{','.join(messages)}]")
            result = self._c.start_action_for_state(self._handle, state) if code in (0, 1) else None
            firing = result and result[1]
            while firing:
                if firing == receipt:
                    received = True
                else:
                    yield firing
                firing = self._c.complete_and_start_action(self._handle, state)
        except self._c.error as error:
            raise EngineError(f"durable-rules failed: {error}") from error
        if not received:
            raise EngineError(f"durable-rules lost facts of a batch of {len(messages)} (code {code})")

    def _warm_up(self) -> None:
        """Fires once: the C engine frees memory it never set when the very first state ends without a firing."""
        for _ in self.firings([f'{{"id":2,"sid":"{SID}","{END}":1}}']):
            pass
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
