"""The reference engine: durable-rules, asked about the rules that may fire, stage by stage, each in a fresh state."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import count
from threading import Lock
from typing import NamedTuple, TypeAlias

from facts.errors import EngineError
from facts.ground import Fact, Value
from kb.engine.native import Native, NativeRule, native_value
from kb.engine.program import MOST_FIRINGS, Number, Program
from kb.engine.proof import Proof, RawStep
from kb.engine.ruleset import FIRST_ID, FIRST_RECEIPT, Ruleset, library
from kb.engine.sift import sift_function
from kb.engine.source import by_kind, check_source, compiled, functions, number_functions, open_kinds, term_source

Found: TypeAlias = Sequence[Fact]
"""What fired a native rule: a fact for each pattern, in their order."""

MOST_STAGES = 2_000
"""Sets of rules kept ready for the C engine, some 10 kB each; beyond them each rule is asked on its own."""
MOST_TEXTS = 20_000
_FACT = '{"id":1'
"""How a fact begins in what the C engine tells of a firing; receipts begin otherwise, and quotes are escaped."""


class DurableEngine:
    """Runs a program on durable-rules. Runs of one engine from several threads wait for each other.

    EngineError, then or when it is run, when durable-rules is not installed or refuses the rules.
    """

    def __init__(self, program: Program) -> None:
        library()
        self.program = program
        self.sift = sift_function(program)
        self.native = Native(program)
        self.actions: dict[str, _Action] = {}
        """What to do when a rule fires, by how the C engine tells of it, up to its first fact."""
        self._stages: dict[tuple[int, ...], _Stage] = {}
        self._texts = _Texts()
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[DurableEngine], tuple[Program]]:
        return DurableEngine, (self.program,)

    def run(self, facts: Iterable[Fact]) -> Proof:
        """The proof of everything that follows; EngineError when there is no end to it or durable-rules fails."""
        ground = facts if isinstance(facts, frozenset | tuple) else tuple(facts)
        with self._lock:
            return Proof(self.program, ground, _Run(self, ground).steps)

    def stage(self, live: tuple[int, ...]) -> _Stage:
        """The rules of these numbers, of one stage; made when first asked for, as most rules seldom may fire."""
        stage = self._stages.get(live)
        if stage is None:
            if len(live) > 1 and len(self._stages) >= MOST_STAGES:
                return self._joined(live, [ruleset for number in live for ruleset in self.stage((number,)).rulesets])
            stage = self._joined(live, [*map(self._ruleset, self.native.rulesets(live))])
            self._stages[live] = stage
        return stage

    def _joined(self, live: tuple[int, ...], rulesets: Sequence[Ruleset]) -> _Stage:
        plans = [self.program.plans[number] for number in live]
        read = {kind for plan in plans for kind in plan.kinds}
        return _Stage(rulesets, read.intersection(kind for plan in plans for kind, _ in plan.heads))

    def _ruleset(self, rules: Sequence[NativeRule]) -> Ruleset:
        self.actions.update(_actions(rules))
        return Ruleset(rules, compiled(_messages_source(self.native, rules), text=self._texts)["messages"])


class _Stage(NamedTuple):
    """Rules that may fire together."""

    rulesets: Sequence[Ruleset]
    circle: Collection[Value]
    """The kinds that some of them conclude and some read."""


class _Run:
    """One run: the steps taken and the facts known, by kind."""

    def __init__(self, engine: DurableEngine, ground: Iterable[Fact]) -> None:
        self.actions = engine.actions
        self.steps: list[RawStep] = []
        given = by_kind(ground)
        self.kinds = open_kinds(given, engine.program)
        self.known = {fact for kind in engine.program.concluded & given.keys() for fact in given[kind]}
        """The facts of kinds that rules conclude."""
        for live, of_use in engine.sift(self.kinds):
            stage = engine.stage(live)
            try:
                self._settle(stage, [*dict.fromkeys(of_use)])
            finally:
                for ruleset in stage.rulesets:
                    ruleset.forget()

    def _settle(self, stage: _Stage, facts: list[Fact]) -> None:
        """Lets the rules of one stage fire until nothing new follows."""
        shown = facts
        for batch in count():
            new: dict[Fact, Fact] = {}
            first = FIRST_ID + len(shown) - len(facts)
            for ruleset in stage.rulesets:
                messages = ruleset.messages(facts, first)
                if messages or batch == 0:
                    self._fire(ruleset.firings(messages, batch), shown, stage.circle, new)
            if not new:
                return
            facts = [*new]
            shown += new.values()
            if len(shown) >= FIRST_ID:
                raise EngineError(f"more than {FIRST_ID} facts at a time")
            if len(self.steps) > MOST_FIRINGS:
                raise EngineError(f"more than {MOST_FIRINGS} firings; look for a rule whose sum feeds itself")

    def _fire(self, firings: Iterable[str], shown: Found, circle: Collection[Value], new: dict[Fact, Fact]) -> None:
        """Notes what each firing concludes or asks; ``new``: what is to be asserted -> what steps show for it."""
        actions, known, kinds = self.actions, self.known, self.kinds
        for firing in firings:
            which, *ids = firing.split(_FACT)
            action, found = actions[which], [shown[int(id_[:5])] for id_ in ids]
            if isinstance(action, _Ask):
                new.update([action.answer(found, kinds)])
                continue
            steps = action(found)
            self.steps += steps
            for fact, _, _ in steps:
                before = len(known)
                known.add(fact)
                if len(known) > before:
                    kinds[fact[0]].append(fact)
                    if fact[0] in circle:
                        new[fact] = fact


class _Ask:
    """Computes a number that a rule waits for."""

    def __init__(self, number: Number, key: Callable[[Found], Fact], tally: Callable[..., Fact]) -> None:
        self.kind = number.name
        self.of = number.of.kind
        self.key = key
        self.tally = tally

    def answer(self, found: Found, kinds: Mapping[Value, Sequence[Fact]]) -> tuple[Fact, Fact]:
        """The hidden fact that answers, and what a step shows for it."""
        key = self.key(found)
        premise = self.tally(kinds.get(self.of, ()), *key)
        return (self.kind, premise[1], *key), premise


_Action: TypeAlias = Callable[[Found], tuple[RawStep, ...]] | _Ask
"""Gives the steps of a firing, or is asked for a number."""


def _actions(rules: Iterable[NativeRule]) -> dict[str, _Action]:
    done = functions("found", {rule.name: values_source(rule) for rule in rules})
    tallies = number_functions(rule.number for rule in rules if rule.number)
    return {
        _beginning(rule): _Ask(rule.number, done[rule.name], tallies[rule.name]) if rule.number else done[rule.name]
        for rule in rules
    }


def _beginning(rule: NativeRule) -> str:
    receipt = f'"g":{FIRST_RECEIPT}' if rule.waits else ""
    first = f'"p{rule.order[0]}":' if rule.order else "}}"
    return f'{{"{rule.name}":{{{receipt}{"," if receipt and rule.order else ""}{first}'


def values_source(rule: NativeRule) -> str:
    """The steps of a firing, or the key of the number it asks for."""
    plan, number = rule.plan, rule.number
    numbers = plan.numbers if number is None else plan.numbers[: plan.numbers.index(number)]
    patterns = {**plan.patterns, **{number.slot: number.result for number in numbers}}
    found = {slot: f"found[{at}]" for at, slot in enumerate(rule.order)}
    names = {name: f"{found[slot]}[{at}]" for slot, pattern in patterns.items() for at, name in pattern.shares}
    if number is not None:
        return _tuple_source(names[name] for name in number.key)
    premises = _tuple_source(found[slot] for slot in sorted(found))
    heads = (_tuple_source((repr(kind), *(term_source(term, names) for term in terms))) for kind, terms in plan.heads)
    return _tuple_source(f"({head}, {plan.number}, {premises})" for head in heads)


def _tuple_source(items: Iterable[str]) -> str:
    return "(" + "".join(f"{item}, " for item in items) + ")"


class _Texts(dict[Value, str]):
    """Each value as JSON, once written kept; the C engine shall not tell true from 1 either."""

    def __missing__(self, value: Value) -> str:
        if len(self) >= MOST_TEXTS:
            self.clear()
        text = self[value] = json.dumps(native_value(value), ensure_ascii=False)
        return text


def _messages_source(native: Native, rules: Iterable[NativeRule]) -> str:
    """``messages(facts, first)``: those facts that these rules read as messages, but all of them numbered."""
    kinds = sorted({kind for rule in rules for kind in rule.kinds})
    tests = [f"if kind == {kind!r}: made.append({_message_source(native, kind, rules)})" for kind in kinds]
    lines = ["made = []", "for number, fact in enumerate(facts, first):", "    kind = fact[0]"]
    lines += [f"    {'el' if place else ''}{test}" for place, test in enumerate(tests)]
    return "\n    ".join(["def messages(facts, first):", *lines, "return made"])


def _message_source(native: Native, kind: str, rules: Iterable[NativeRule]) -> str:
    """A fact of the kind as a message, with the properties that these rules read."""
    fields = sorted({at for rule in rules for of, at in rule.fields if of == kind})
    checks = {native.flags[of, check]: check for rule in rules for of, check in rule.flags if of == kind}
    properties = "".join(f',"f{at}":{{text[fact[{at}]]}}' for at in fields)
    message = f"""f'{{{{"id":{{number}},"{native.kinds[kind]}":1{properties}'"""
    for name, check in checks.items():
        message += f""" + (',"{name}":1' if {check_source(check, "fact", {})} else '')"""
    return message + " + '}'"
