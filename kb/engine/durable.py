"""The reference engine: durable-rules, asked about the rules that may fire, stage by stage, each in a fresh state.

All matching is done by durable-rules. It is spared only what cannot matter: a rule that needs a kind of which there is
no fact, and facts of kinds that none of the others reads. It finds the facts that a ``count`` or ``total`` is taken of;
they are added up here. With the quick engine it shares nothing but the order of rules and of the numbers in them.

It cannot be interrupted, and its time grows faster than the facts. So the quick engine says first whether a board comes
to too much, and one of very many facts is handed to it.
"""

from __future__ import annotations

import importlib
import json
import weakref
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from threading import Lock
from types import ModuleType
from typing import Final, NamedTuple, cast

from facts.errors import EngineError
from facts.fact import Fact, Value, by_kind, order_key
from kb.engine.native import RECEIPT, Json, Native, NativeRule, concluded, native_value, stages
from kb.engine.plain import Firing
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

    def __init__(self, native: Native, rules: Sequence[NativeRule]) -> None:
        self._c = library()
        self._program = native.program
        self._forms: dict[Value, tuple[str, Sequence[int], Sequence[tuple[str, int, Test]]]] = {}
        """Kind -> how a message begins, the positions of the values in it, and the properties of facts that pass."""
        fields = {field for rule in rules for field in rule.fields}
        flags = {flag for rule in rules for flag in rule.flags}
        for kind in {item.kind for rule in rules for item in rule.items}:
            positions = sorted(at for of, at in fields if of == kind)
            begin = "".join([f'{{"id":%d,"{native.kinds[kind]}":1', *(f',"f{at}":%s' for at in positions)])
            tests = [(native.flags[of, test], native.index[of][test.field], test) for of, test in flags if of == kind]
            self._forms[kind] = begin, positions, tests
        try:
            self._handle = self._create(rules)
        except self._c.error as error:
            raise self._blame(rules, error) from error
        weakref.finalize(self, self._c.delete_ruleset, self._handle).atexit = False
        self.firings([])  # the C engine frees memory it never set when the very first state ends without a firing
        self.forget()

    def messages(self, facts: Iterable[Fact], first: int) -> list[str]:
        """Those facts that the rules read; all are numbered, from ``first`` on; EngineError for too large a number."""
        made, forms = [], self._forms
        for number, fact in enumerate(facts, first):
            if form := forms.get(fact[0]):
                begin, positions, flags = form
                passed = "".join([f',"{name}":1' for name, at, test in flags if passes(fact[at], test)])
                made.append(f"{begin % (number, *[_text(fact[at]) for at in positions])}{passed}}}")
        return made

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
                named = self._program.rules[rule.number]
                return EngineError(f"{named.place}: durable-rules refuses rule {named.id}: {own}")
        return EngineError(f"durable-rules refuses {len(rules)} rules together: {error}")


@lru_cache(MOST_TEXTS)
def _text(value: Value) -> str:
    """A value as JSON; the C engine shall not tell true from 1 either."""
    return json.dumps(native_value(value), ensure_ascii=False)


def passes(value: Value, test: Test) -> bool:
    """Whether a value passes a test without variables; an unknown one passes only in a list that names it."""
    if test.among:
        return value in test.among
    return value is not None and COMPARE[test.operator](value, test.term.value_in({}))


LARGE: Final = 1_000
"""From more facts on, a run is for the quick engine alone."""
MOST_STAGES: Final = 2_000
"""Sets of rules kept ready for the C engine, some 10 kB each; when there are more, all are made anew."""
_FACT: Final = '{"id":1'
"""How a fact begins in what the C engine tells of a firing; receipts begin otherwise, and quotes are escaped."""


class DurableEngine:
    """Runs a program on durable-rules. Runs of one engine from several threads wait for each other.

    EngineError, then or when it is run, when durable-rules is not installed or refuses the rules.
    """

    def __init__(self, program: Program) -> None:
        library()
        self.program = program
        self.native = Native(program)
        self.rules: dict[str, NativeRule] = {}
        """What to do when a rule fires, by how the C engine tells of it, up to its first fact."""
        self.needs: list[list[tuple[int, set[str]]]] = []
        """Stage by stage the number of each rule, and the kinds without which it cannot fire; what its own circle
        concludes may still come."""
        for stage in stages(program.rules):
            self.needs.append([])
            for component in stage:
                coming = concluded(program.rules[number] for number in component)
                wanted = [(number, {item.kind for item in program.rules[number].wanted}) for number in component]
                self.needs[-1] += [(number, kinds - coming) for number, kinds in wanted]
        self._stages: dict[tuple[int, ...], Stage] = {}
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[DurableEngine], tuple[Program]]:
        return DurableEngine, (self.program,)

    def run(self, facts: Iterable[Fact], settled: Run | None = None) -> Proof:
        """The proof of everything that follows; BoundsError when it comes to too much, EngineError when it fails."""
        ground = tuple(facts)
        if len(ground) > LARGE:
            return self.program.run(ground, settled)
        if settled is None:
            self.program.settled(ground)
        with self._lock:
            return Proof(self.program, ground, _Run(self, ground).steps)

    def stage(self, live: tuple[int, ...]) -> Stage:
        """The rules of these numbers, of one stage; made when first asked for, as most sets of them never are."""
        stage = self._stages.get(live)
        if stage is None:
            if len(self._stages) >= MOST_STAGES:
                self._stages.clear()  # not a cache of functools: with it the engine, and its rulesets, were a circle
            rules = [self.program.rules[number] for number in live]
            read = {item.kind for rule in rules for item in rule.conditions()}
            rulesets = []
            for some in self.native.rulesets(live):
                self.rules.update((_beginning(rule), rule) for rule in some)
                rulesets.append(Ruleset(self.native, some))
            stage = self._stages[live] = Stage(rulesets, tuple(sorted(read)), read & concluded(rules))
        return stage


class Stage(NamedTuple):
    """Rules that may fire together."""

    rulesets: Sequence[Ruleset]
    kinds: Sequence[str]
    """The kinds that they read."""
    circle: Collection[Value]
    """Those of them that they conclude themselves."""


class _Run:
    """One run: the steps taken and the facts known, by kind."""

    def __init__(self, engine: DurableEngine, ground: Iterable[Fact]) -> None:
        self.engine = engine
        self.steps: list[Firing] = []
        self.kinds = by_kind(ground)
        self.counted: dict[Fact, list[Fact]] = {}
        """Hidden fact that asks for a number -> the facts found for it."""
        self.answers: dict[Fact, Fact] = {}
        """Hidden fact that answers -> what a step shows for it."""
        for needs in engine.needs:
            live = tuple([rule for rule, kinds in needs if all(map(self.kinds.get, kinds))])
            if live:
                self._settle(engine.stage(live))

    def _settle(self, stage: Stage) -> None:
        """Lets the rules of one stage fire until nothing new follows."""
        facts = [fact for kind in stage.kinds for fact in self.kinds.get(kind, ())]
        shown: list[Fact] = []
        try:
            for batch in count():
                first = FIRST_ID + len(shown)
                shown += facts
                new: list[Fact] = []
                for ruleset in stage.rulesets:
                    messages = ruleset.messages(facts, first)
                    if messages or batch == 0:
                        new += self._fire(ruleset.firings(messages, batch), shown, stage.circle)
                new += [self._answer(fact) for fact in facts if fact in self.counted]
                if not new:
                    return
                facts = new
        finally:
            for ruleset in stage.rulesets:
                ruleset.forget()

    def _fire(self, firings: Iterable[str], shown: Sequence[Fact], circle: Collection[Value]) -> Iterator[Fact]:
        """Notes what each firing concludes, asks or counts; gives what is new to the rules of the stage."""
        for firing in firings:
            which, *ids = firing.split(_FACT)
            rule, found = self.engine.rules[which], [shown[int(id_[:5])] for id_ in ids]
            if rule.task == "count":
                question, fact = found
                self.counted[question].append(fact)
            elif rule.task == "ask":
                for question in rule.facts(found):
                    if question not in self.counted:
                        self.counted[question] = []
                        yield question
            else:
                premises = tuple([self.answers.get(premise, premise) for premise in found])
                for fact in rule.facts(found):
                    self.steps.append((fact, rule.number, premises))
                    known = self.kinds.setdefault(str(fact[0]), {})
                    if fact not in known:
                        known[fact] = None
                        if fact[0] in circle:
                            yield fact

    def _answer(self, question: Fact) -> Fact:
        """The hidden fact that answers, once everything is found that counts."""
        asked, native = str(question[0]), self.engine.native
        tally, found = native.tallies[asked], sorted(self.counted[question], key=order_key)
        at = None if tally.field is None else native.index[tally.of.kind][tally.field]
        amount = len(found) if at is None else sum(cast(int, fact[at]) for fact in found)
        answer = (asked.removesuffix("?"), amount, *question[1:])
        self.answers[answer] = cast(Fact, (tally.how, amount, *found))
        return answer


def _beginning(rule: NativeRule) -> str:
    receipt = f'"g":{FIRST_RECEIPT}' if rule.waits else ""
    first = '"p0":' if "p0" in rule.labels else "}}"
    return f'{{"{rule.name}":{{{receipt}{"," if receipt and "p0" in rule.labels else ""}{first}'
