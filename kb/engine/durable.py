"""The reference engine: durable-rules, asked about the rules that may fire, stage by stage, each in a fresh state."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from threading import Lock
from typing import NamedTuple, TypeAlias

from facts.errors import EngineError
from facts.ground import Fact, Value
from kb.engine.native import Native, NativeRule, native_value
from kb.engine.program import MOST_FIRINGS, Number, Plan, Program
from kb.engine.proof import Proof, RawStep
from kb.engine.ruleset import RECEIPT, SID, Ruleset, library
from kb.engine.sift import sift_function
from kb.engine.source import by_kind, check_source, functions, number_functions, term_source

Found: TypeAlias = Sequence[Fact]
"""What fired a native rule: its token, if it has one, and a fact for each pattern, in their order."""

MOST_STAGES = 2_000
"""Sets of rules kept ready for the C engine, some 10 kB each; beyond them each rule is asked on its own."""
MOST_TEXTS = 20_000
FIRST_ID = 100_000
"""Facts are numbered from there, with six digits, in each stage; the C engine takes none of these for another."""


class DurableEngine:
    """Runs a program on durable-rules. Runs of one engine from several threads wait for each other.

    EngineError, then or when it is run, when durable-rules is not installed or refuses the rules.
    """

    def __init__(self, program: Program) -> None:
        library()
        self.program = program
        self.sift = sift_function(program)
        self.native = Native(program)
        self.actions = _actions(self.native)
        self._stages: dict[tuple[int, ...], _Stage] = {}
        self._texts = _Texts()
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[DurableEngine], tuple[Program]]:
        return DurableEngine, (self.program,)

    def run(self, facts: Iterable[Fact]) -> Proof:
        """The proof of everything that follows; EngineError when there is no end to it or durable-rules fails."""
        ground = facts if isinstance(facts, frozenset) else tuple(facts)
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
        read = {kind for ruleset in rulesets for kind in ruleset.encode}
        circle: set[Value] = read.intersection(kind for number in live for kind, _ in self.program.plans[number].heads)
        return _Stage(rulesets, {token: () for ruleset in rulesets for token in ruleset.tokens}, circle)

    def _ruleset(self, rules: Sequence[NativeRule]) -> Ruleset:
        sources = {kind: _message_source(self.native, kind, rules) for rule in rules for kind in rule.kinds}
        return Ruleset(rules, functions("number, fact", sources, text=self._texts))


class _Stage(NamedTuple):
    """Rules that may fire together."""

    rulesets: Sequence[Ruleset]
    tokens: Mapping[Fact, Fact]
    """The tokens that some of them wait for, each with nothing to show."""
    circle: Collection[Value]
    """The kinds that some of them conclude and some read."""


class _Run:
    """One run: the steps taken and the facts known, by kind."""

    def __init__(self, engine: DurableEngine, ground: Iterable[Fact]) -> None:
        self.actions = engine.actions
        self.steps: list[RawStep] = []
        self.kinds = by_kind(ground)
        self.known = {fact for kind in engine.program.concluded & self.kinds.keys() for fact in self.kinds[kind]}
        """The facts of kinds that rules conclude."""
        self.new: dict[Fact, Fact] = {}
        """The facts to be asserted next -> what a step shall show for each; nothing for tokens and receipts."""
        for live, of_use in engine.sift(self.kinds):
            self.stage = engine.stage(live)
            self.new = dict(zip(of_use, of_use, strict=True))
            self.new.update(self.stage.tokens)
            try:
                self._settle(self.stage.rulesets)
            finally:
                for ruleset in self.stage.rulesets:
                    ruleset.forget()

    def _settle(self, rulesets: Sequence[Ruleset]) -> None:
        """Lets the rules of one stage fire until nothing new follows."""
        shown: list[Fact] = []
        actions = self.actions
        while self.new:
            new, self.new = self.new, {}
            new[RECEIPT] = ()
            first = FIRST_ID + len(shown)
            shown += new.values()
            if len(shown) >= FIRST_ID:
                raise EngineError(f"more than {FIRST_ID} facts at a time")
            for ruleset in rulesets:
                encode = ruleset.encode.get
                messages = [write(id_, fact) for id_, fact in enumerate(new, first) if (write := encode(fact[0]))]
                for firing in ruleset.firings(messages) if len(messages) > 1 else ():
                    name, *facts = firing.split('{"id":')
                    actions[name[2 : name.index('"', 2)]](self, [shown[int(fact[1:6])] for fact in facts])
            if len(self.steps) > MOST_FIRINGS:
                raise EngineError(f"more than {MOST_FIRINGS} firings; look for a rule whose sum feeds itself")

    def conclude(self, number: int, facts: Iterable[Fact], premises: tuple[Fact, ...]) -> None:
        """Notes the conclusions of a firing, and hands on those that are new."""
        for fact in facts:
            self.steps.append((fact, number, premises))
            if fact not in self.known:
                self.known.add(fact)
                self.kinds[fact[0]].append(fact)
                if fact[0] in self.stage.circle:
                    self.new[fact] = fact


class _Conclude:
    """Records a firing and adds its conclusions."""

    def __init__(self, plan: Plan, values: Callable[[Found], tuple[tuple[Fact, ...], tuple[Fact, ...]]]) -> None:
        self.number = plan.number
        self.values = values

    def __call__(self, run: _Run, found: Found) -> None:
        run.conclude(self.number, *self.values(found))


class _Ask:
    """Computes a number that a rule waits for, and answers with a hidden fact."""

    def __init__(self, number: Number, key: Callable[[Found], Fact], tally: Callable[..., Fact]) -> None:
        self.kind = number.name
        self.of = number.of.kind
        self.key = key
        self.tally = tally

    def __call__(self, run: _Run, found: Found) -> None:
        key = self.key(found)
        premise = self.tally(run.kinds.get(self.of, ()), *key)
        run.new[self.kind, premise[1], *key] = premise


def _actions(native: Native) -> dict[str, _Ask | _Conclude]:
    """What to do when a rule fires, by its name in the ruleset."""
    every = [rule for rules in native.rules.values() for rule in rules]
    done = functions("found", {rule.name: _values_source(rule) for rule in every})
    tallies = number_functions(native.program.plans)
    return {
        rule.name: _Ask(rule.number, done[rule.name], tallies[rule.name])
        if rule.number
        else _Conclude(rule.plan, done[rule.name])
        for rule in every
    }


def _values_source(rule: NativeRule) -> str:
    """The conclusions of a firing and its premises, or the key of the number it asks for."""
    plan, number = rule.plan, rule.number
    numbers = plan.numbers if number is None else plan.numbers[: plan.numbers.index(number)]
    patterns = {**plan.patterns, **{number.slot: number.result for number in numbers}}
    found = {slot: f"found[{at}]" for at, slot in enumerate(rule.order, 0 if rule.token is None else 1)}
    names = {name: f"{found[slot]}[{at}]" for slot, pattern in patterns.items() for at, name in pattern.shares}
    if number is not None:
        return _tuple_source(names[name] for name in number.key)
    heads = ((repr(kind), *(term_source(term, names) for term in terms)) for kind, terms in plan.heads)
    premises = _tuple_source(found[slot] for slot in sorted(found))
    return f"({_tuple_source(map(_tuple_source, heads))}, {premises})"


def _tuple_source(items: Iterable[str]) -> str:
    return "(" + "".join(f"{item}, " for item in items) + ")"


class _Texts(dict[Value, str]):
    """Each value as JSON, once written kept; the C engine shall not tell true from 1 either."""

    def __missing__(self, value: Value) -> str:
        if len(self) >= MOST_TEXTS:
            self.clear()
        text = self[value] = json.dumps(native_value(value), ensure_ascii=False)
        return text


def _message_source(native: Native, kind: str, rules: Iterable[NativeRule]) -> str:
    """A fact of the kind as a message, with the properties that these rules read."""
    fields = sorted({at for rule in rules for of, at in rule.fields if of == kind})
    checks = {native.flags[of, check]: check for rule in rules for of, check in rule.flags if of == kind}
    properties = "".join(f',"f{at}":{{text[fact[{at}]]}}' for at in fields)
    message = f"""f'{{{{"id":{{number}},"sid":"{SID}","{native.kinds[kind]}":1{properties}'"""
    for name, check in checks.items():
        message += f""" + (',"{name}":1' if {check_source(check, "fact", {})} else '')"""
    return message + " + '}'"
