"""The reference engine: durable-rules, driven stratum by stratum, one fresh state for each run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from threading import Lock
from typing import TypeAlias

from facts.errors import EngineError
from facts.ground import Fact, Value
from kb.engine.native import END, TOKEN, Native, NativeRule, native_value
from kb.engine.program import MOST_FIRINGS, Number, Plan, Program
from kb.engine.proof import Proof, RawStep
from kb.engine.ruleset import SID, Ruleset
from kb.engine.source import check_source, functions, number_functions, term_source, useful_function

Found: TypeAlias = Mapping[int, Fact]
"""Place among the conditions of the rule -> premise."""

_PREMISE = re.compile(r'"p(\d+)":\{"id":(\d+)')


class DurableEngine:
    """Runs a program on durable-rules. Runs of one engine from several threads wait for each other.

    Raises EngineError when durable-rules is not installed or refuses the rules.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        native = Native(program)
        self.useful = useful_function(program.plans)
        self.rulesets = [Ruleset(rules) for rules in native.rulesets()]
        messages = {kind: _encoder_source(native, kind) for kind in native.kinds}
        self.encoders = functions("number, fact", messages, json=_json)
        """Kind -> ``f(id, fact)``: the fact as a message."""
        self.actions = _actions(native)
        self.counted = frozenset(number.of.kind for plan in program.plans for number in plan.numbers)
        self.tokens = sorted({stratum for ruleset in self.rulesets for stratum in ruleset.strata})
        """The strata that wait for a token."""
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[DurableEngine], tuple[Program]]:
        return DurableEngine, (self.program,)

    def run(self, facts: Iterable[Fact]) -> Proof:
        """The proof of everything that follows; EngineError when there is no end to it or durable-rules fails."""
        ground = facts if isinstance(facts, frozenset) else tuple(facts)
        with self._lock:
            try:
                return Proof(self.program, ground, _Run(self).derive(ground))
            finally:
                for ruleset in self.rulesets:
                    ruleset.forget()


class _Run:
    """One run: the facts asserted so far, and the steps taken."""

    def __init__(self, engine: DurableEngine) -> None:
        self.engine = engine
        self.steps: list[RawStep] = []
        self.by_id: list[Fact] = [(), ()]
        """What a step shall show for the fact of that number; nothing for tokens and receipts."""
        self.counted: dict[str, list[Fact]] = {kind: [] for kind in engine.counted}
        self.asserted: set[Fact] = set()
        self.pending: list[list[str]] = [[] for _ in engine.rulesets]

    def derive(self, ground: Iterable[Fact]) -> list[RawStep]:
        """Everything that follows, stratum by stratum."""
        for fact in ground:
            if self.engine.useful(fact):
                self.add(fact, fact)
        self._settle()
        for stratum in self.engine.tokens:
            for ruleset, pending in zip(self.engine.rulesets, self.pending, strict=True):
                if stratum in ruleset.strata:
                    pending.append(self._mark(f"{TOKEN}{stratum}"))
            self._settle()
        return self.steps

    def add(self, fact: Fact, premise: Fact) -> None:
        """Asserts a fact with the next batch, unless that has been done; a step will show ``premise`` for it."""
        if fact in self.asserted:
            return
        self.asserted.add(fact)
        kind = str(fact[0])
        if kind in self.counted:
            self.counted[kind].append(fact)
        if encode := self.engine.encoders.get(kind):
            message = encode(len(self.by_id), fact)
            self.by_id.append(premise)
            for ruleset, pending in zip(self.engine.rulesets, self.pending, strict=True):
                if kind in ruleset.kinds:
                    pending.append(message)

    def _mark(self, word: str) -> str:
        """A fact that only says this word."""
        self.by_id.append(())
        return f'{{"id":{len(self.by_id) - 1},"sid":"{SID}","{word}":1}}'

    def _settle(self) -> None:
        """Lets the rules fire until nothing new follows."""
        actions, by_id = self.engine.actions, self.by_id
        while any(self.pending):
            for number, ruleset in enumerate(self.engine.rulesets):
                if messages := self.pending[number]:
                    self.pending[number] = []
                    for firing in ruleset.firings([*messages, self._mark(END)]):
                        found = {int(slot): by_id[int(id_)] for slot, id_ in _PREMISE.findall(firing)}
                        actions[firing[2 : firing.index('"', 2)]](self, found)
            if len(self.steps) > MOST_FIRINGS:
                raise EngineError(f"more than {MOST_FIRINGS} firings; look for a rule whose sum feeds itself")


class _Conclude:
    """Records a firing and adds its conclusions."""

    def __init__(self, plan: Plan, heads: Callable[[Found], tuple[Fact, ...]]) -> None:
        self.number = plan.number
        self.slots = range(len(plan.rule.when))
        self.heads = heads

    def __call__(self, run: _Run, found: Found) -> None:
        premises = tuple([found[slot] for slot in self.slots])
        for fact in self.heads(found):
            run.steps.append((fact, self.number, premises))
            if fact[0] in run.engine.program.kinds:
                run.add(fact, fact)


class _Ask:
    """Computes a number that a rule waits for, and answers with a hidden fact."""

    def __init__(self, number: Number, key: Callable[[Found], Fact], tally: Callable[..., Fact]) -> None:
        self.kind = number.name
        self.of = number.of.kind
        self.key = key
        self.tally = tally

    def __call__(self, run: _Run, found: Found) -> None:
        key = self.key(found)
        premise = self.tally(run.counted[self.of], *key)
        run.add((self.kind, premise[1], *key), premise)


def _actions(native: Native) -> dict[str, _Ask | _Conclude]:
    """What to do when a rule fires, by its name in the ruleset."""
    done = functions("found", {rule.name: _values_source(rule) for rule in native.rules})
    tallies = number_functions(native.program.plans)
    return {
        rule.name: _Ask(rule.number, done[rule.name], tallies[rule.name])
        if rule.number
        else _Conclude(rule.plan, done[rule.name])
        for rule in native.rules
    }


def _values_source(rule: NativeRule) -> str:
    """The conclusions of a firing, or the key of the number it asks for."""
    plan, number = rule.plan, rule.number
    numbers = plan.numbers if number is None else plan.numbers[: plan.numbers.index(number)]
    patterns = {**plan.patterns, **{number.slot: number.result for number in numbers}}
    names = {
        name: f"found[{slot}][{position}]" for slot, pattern in patterns.items() for position, name in pattern.shares
    }
    if number is not None:
        return _tuple_source(names[name] for name in number.key)
    heads = ((repr(kind), *(term_source(term, names) for term in terms)) for kind, terms in plan.heads)
    return _tuple_source(map(_tuple_source, heads))


def _tuple_source(items: Iterable[str]) -> str:
    return "(" + "".join(f"{item}, " for item in items) + ")"


@lru_cache(maxsize=4096)
def _json(value: Value) -> str:
    return json.dumps(native_value(value), ensure_ascii=False)


def _encoder_source(native: Native, kind: str) -> str:
    """A fact of the kind as a message, with the properties that some rule reads."""
    fixed = f',"sid":"{SID}","{native.kinds[kind]}":1'
    fields = "".join(f',"f{at}":{{json(fact[{at}])}}' for at in sorted(native.fields.get(kind, ())))
    flags = "".join(
        f" + (',\"{name}\":1' if {check_source(check, 'fact', {})} else '')"
        for check, name in native.flags.get(kind, {}).items()
    )
    return f"""f'{{{{"id":{{number}}{fixed}{fields}'{flags} + '}}'"""
