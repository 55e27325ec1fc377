"""The reference engine: durable-rules, asked stage by stage, each in a fresh state.

All matching is done by durable-rules, but for rules that count: it finds the facts for their conditions, and what is
counted is the definition's. It is spared only what cannot matter: a rule that needs a kind of which
there is no fact, and facts of kinds that none of the others reads.

It cannot be interrupted, and its time grows faster than the facts. So the quick engine says first whether a board comes
to too much, and one of very many facts is handed to it.
"""

from __future__ import annotations

import importlib
import json
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from threading import Lock
from types import ModuleType
from typing import Final, TypeAlias

from facts.errors import EngineError
from facts.fact import Fact, Value, by_kind
from kb.engine.native import RECEIPT, Flags, NativeRule, RuleJson, marked, native_value, rulesets
from kb.engine.plain import Bindings, Firing, facts_concluded, way_with
from kb.engine.proof import Program, Proof
from kb.engine.sets import Run
from kb.language.rule import COMPARE, Test

FIRST_ID: Final = 100_000
"""Facts are numbered from there, with six digits that begin with 1, as there are never so many at a time; the C engine
takes none of these for another."""
FIRST_RECEIPT: Final = f'{{"id":2,"{RECEIPT}":1}}'
"""The fact that stands last in the first batch."""
_STATE: Final = "0"
"""The one state in which every run takes place, that of facts that name none: the C engine mixes up states."""
_NO_STATE: Final = "309"
MOST_TEXTS: Final = 20_000
FactsSoFar: TypeAlias = dict[str, dict[Fact, None]]


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
    """Some rules in the C engine; not for two threads at a time."""

    def __init__(self, rules: Sequence[NativeRule]) -> None:
        self._c = library()
        self.rules = rules
        self._kinds = {item.kind for rule in rules for item in rule.items}
        self._handle = self._create()
        weakref.finalize(self, self._c.delete_ruleset, self._handle).atexit = False
        self.firings([])  # the C engine frees memory it never set when the very first state ends without a firing
        self.forget()

    def messages(self, facts: Iterable[Fact], texts: Mapping[Fact, str]) -> list[str]:
        """Those of the facts that the rules read."""
        return [texts[fact] for fact in facts if fact[0] in self._kinds]

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

    def _create(self) -> int:
        definition: dict[str, RuleJson] = {str(number): rule.json for number, rule in enumerate(self.rules)}
        definition[RECEIPT] = {"dist": 0, "all": [{"p0": {"$and": [{"$gte": {RECEIPT: 1}}]}}]}
        try:
            handle: int = self._c.create_ruleset("rules", json.dumps(definition, ensure_ascii=False))
        except self._c.error as error:
            first, last = self.rules[0].rule, self.rules[-1].rule
            problem = f"durable-rules refuses a rule from {first.id} to {last.id}"
            raise EngineError(f"{first.place}: {problem}: {error}") from error
        return handle


@lru_cache(MOST_TEXTS)
def _text(value: Value) -> str:
    """A value as JSON; the C engine shall not tell true from 1 either."""
    return json.dumps(native_value(value), ensure_ascii=False)


def passes(value: Value, test: Test) -> bool:
    """Whether a value passes a test without variables; an unknown one passes only in a list that names it."""
    if test.among:
        return value in test.among
    return value is not None and COMPARE[test.operator](value, test.term.value_in({}))


MOST_MADE: Final = 2_000
"""Sets of rules kept ready for the C engine, some 10 kB each; when there are more, all are made anew."""
LARGE_RUN: Final = 1_000
"""From more facts on, a run is for the quick engine alone."""
_FACT: Final = '{"id":1'
"""How a fact begins in what the C engine tells of a firing; receipts begin otherwise, and quotes are escaped."""


class DurableEngine:
    """Runs a program on durable-rules. Runs of one engine from several threads wait for each other.

    EngineError, then or when it is run, when durable-rules is not installed or refuses the rules.
    """

    def __init__(self, program: Program) -> None:
        library()
        self.program = program
        self.stages: list[list[tuple[NativeRule, Collection[str]]]] = []
        """Rules that may fire together, as few times as can be, each with the kinds without which it cannot fire; what
        its own circle concludes may still come."""
        self._flags: Flags = {}
        of_kind: dict[str, int] = {}
        for step in program.sets.steps:
            added = [NativeRule(program.vocabulary, program.rules[nth], nth, self._flags) for nth in step.joins]
            stage = max((of_kind.get(kind, 0) for kind in step.reads), default=0)
            if stage == len(self.stages):
                self.stages.append([])
            self.stages[stage] += [
                (native, {item.kind for item in native.rule.wanted} - {*step.concludes}) for native in added
            ]
            of_kind.update({kind: max(stage + 1, of_kind.get(kind, 0)) for kind in step.concludes})
        self._made: dict[tuple[NativeRule, ...], tuple[Sequence[str], Collection[str], Sequence[Ruleset]]] = {}
        self._lock = Lock()
        self._forms: dict[Value, tuple[str, Sequence[int], Sequence[tuple[str, int, Test]]]] = {}
        """Kind -> how a message begins, the positions of the values in it, and the properties of facts that pass."""
        rules = [rule for stage in self.stages for rule, _ in stage]
        fields = {field for rule in rules for field in rule.fields}
        for kind in {item.kind for rule in rules for item in rule.items}:
            positions = sorted(position for read_kind, position in fields if read_kind == kind)
            begin = "".join([f'{{"id":%d,"{marked(kind)}":1', *(f',"f{position}":%s' for position in positions)])
            index = program.vocabulary.kinds[kind].index
            tests = [(name, index[test.field], test) for (tested, test), name in self._flags.items() if tested == kind]
            self._forms[kind] = begin, positions, tests

    def __reduce__(self) -> tuple[type[DurableEngine], tuple[Program]]:
        return DurableEngine, (self.program,)

    def run(self, facts: Iterable[Fact], settled: Run | None = None) -> Proof:
        """The proof of everything that follows; BoundsError when it comes to too much, EngineError when it fails."""
        ground = tuple(facts)
        if len(ground) > LARGE_RUN:
            return self.program.run(ground, settled)
        if settled is None:
            self.program.settled(ground)
        with self._lock:
            steps, of_kind, texts = list[Firing](), by_kind(ground), dict[Fact, str]()
            for stage in self.stages:
                if live := tuple([rule for rule, needs in stage if all(map(of_kind.get, needs))]):
                    steps += self._settled(live, of_kind, texts)
            return Proof(self.program, ground, steps)

    def _settled(self, live: tuple[NativeRule, ...], of_kind: FactsSoFar, texts: dict[Fact, str]) -> Iterator[Firing]:
        """The steps of one stage, whose rules fire until nothing new follows; notes what they conclude, and each fact
        told for the first time, in the order of its number, with its message."""
        reads, circle, ready = self.ready(live)
        facts = [fact for kind in reads for fact in of_kind.get(kind, ())]
        try:
            for batch in count():
                for fact in facts:
                    if fact not in texts:
                        texts[fact] = self._message(fact, FIRST_ID + len(texts))
                shown, new, facts = [*texts], facts, []
                for ruleset in ready:
                    messages = ruleset.messages(new, texts)
                    firings = ruleset.firings(messages, batch) if messages or batch == 0 else ()
                    for step in self._steps(ruleset, firings, shown, of_kind):
                        yield step
                        fact, kind = step[0], str(step[0][0])
                        if fact not in of_kind.setdefault(kind, {}):
                            of_kind[kind][fact] = None
                            if kind in circle:
                                facts.append(fact)
                if not facts:
                    return
        finally:
            for ruleset in ready:
                ruleset.forget()

    def _message(self, fact: Fact, number: int) -> str:
        """With all that any rule looks at; empty where none does. EngineError for too large a number."""
        begin, positions, flags = self._forms.get(fact[0], ("", (), ()))
        passed = "".join([f',"{name}":1' for name, position, test in flags if passes(fact[position], test)])
        return begin and f"{begin % (number, *[_text(fact[position]) for position in positions])}{passed}}}"

    def _steps(
        self, ruleset: Ruleset, firings: Iterable[str], shown: Sequence[Fact], of_kind: Mapping[str, Collection[Fact]]
    ) -> Iterator[Firing]:
        """What each firing concludes."""
        vocabulary = self.program.vocabulary
        for firing in firings:
            which, *ids = firing.split(_FACT)
            native, facts = ruleset.rules[int(which[2 : which.index('"', 2)])], [shown[int(id_[:5])] for id_ in ids]
            values: Bindings = {name: facts[place][position] for name, (place, position) in native.homes.items()}
            premises = tuple(facts)
            if native.rule.tallies:
                way = way_with(vocabulary, native.rule, of_kind, facts)
                if way is None:
                    continue
                values, premises = way
            yield from ((fact, native.number, premises) for fact in facts_concluded(vocabulary, native.rule, values))

    def ready(self, live: tuple[NativeRule, ...]) -> tuple[Sequence[str], Collection[str], Sequence[Ruleset]]:
        """The kinds that some rules of a stage read, those of them that they conclude, and the rules, ready; made when
        first asked for, as most sets of them never are."""
        if live not in self._made:
            if len(self._made) >= MOST_MADE:
                self._made.clear()  # not a cache of functools: with it the engine, and its rulesets, were a circle
            read = {item.kind for native in live for item in native.rule.conditions()}
            circle = read & {then.kind for native in live for then in native.rule.then}
            self._made[live] = sorted(read), circle, [Ruleset(group) for group in rulesets(live)]
        return self._made[live]
