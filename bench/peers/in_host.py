"""The rules of a program under durable-rules' own Host, in the same native form, stratum by stratum with tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from durable.engine import Host, MessageNotHandledException

from facts.observe import Fact
from kb.engine.durable import passes
from kb.engine.native import Native, NativeRule, native_value
from kb.engine.plain import fits
from kb.engine.proof import Program

NAME = "rules"


class _Quiet(Host):  # type: ignore[misc]
    """Without the threads that look for work: they crash when a state is deleted."""

    def _run(self) -> None:
        pass


class QuietHost:
    """One ruleset in a Host; one state, deleted after each run."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.native = Native(program)
        every = [rule for number in range(len(program.rules)) for rule in self.native.rules(number)]
        rules = [rule for rule in every if rule.task != "count"]  # a Host does not tell when all of them have fired
        self.read = {kind: self._useful(kind) for kind in program.kinds}
        self.tokens = sorted({program.strata[rule.number] for rule in rules if rule.waits})
        self.checks = {
            kind: [
                (self.native.index[kind][c.field], c, name) for (of, c), name in self.native.flags.items() if of == kind
            ]
            for kind in program.kinds
        }
        definition = {
            rule.name: {**_with_token(rule, program.strata[rule.number]), "run": self._action(rule)} for rule in rules
        }
        self.host = _Quiet({NAME: definition})
        self.by_id: list[Fact] = []
        self.known: set[Fact] = set()
        self.kinds: dict[Any, list[Fact]] = {}

    def derive(self, facts: Iterable[Fact]) -> set[Fact]:
        """The facts that follow."""
        self.by_id = [(), ()]
        self.kinds = {}
        ground = {fact for fact in facts if fact[0] in self.program.kinds}
        for fact in ground:
            self.kinds.setdefault(fact[0], []).append(fact)
        self.known = set(ground)
        try:
            self._tell([self._message(fact) for fact in ground if self.read[str(fact[0])](fact)])
            for stratum in self.tokens:
                self.by_id.append(())
                self._tell([{"id": len(self.by_id) - 1, "sid": "1", _token(stratum): 1}])
        finally:
            self.host.delete_state(NAME, "1")
        return {fact for fact in self.known if str(fact[0]) in self.program.vocabulary.kinds} - ground

    def _tell(self, messages: list[dict[str, Any]]) -> None:
        with suppress(MessageNotHandledException):
            self.host.assert_facts(NAME, messages)

    def _message(self, fact: Fact) -> dict[str, Any]:
        kind = str(fact[0])
        message: dict[str, Any] = {"id": len(self.by_id), "sid": "1", self.native.kinds[kind]: 1}
        message.update({f"f{at}": native_value(value) for at, value in enumerate(fact[1:], 1)})
        message.update({name: 1 for at, check, name in self.checks.get(kind, ()) if passes(fact[at], check)})
        self.by_id.append(fact)
        return message

    def _action(self, rule: NativeRule) -> Callable[[Any], None]:
        def act(c: Any) -> None:
            for made in rule.facts([self.by_id[int(c._m[label]["id"])] for label in rule.labels if label[0] == "p"]):
                fact = self._answer(made) if rule.task == "ask" else made
                if fact not in self.known:
                    self.known.add(fact)
                    self.kinds.setdefault(fact[0], []).append(fact)
                    if fact[0] in self.native.kinds:
                        with suppress(MessageNotHandledException):
                            c.assert_fact(self._message(fact))

        return act

    def _answer(self, question: Fact) -> Fact:
        asked, index = str(question[0]), self.native.index
        tally = self.native.tallies[asked]
        values = {name.removeprefix("$"): question[at] for name, at in index[asked].items()}
        found = [f for f in self.kinds.get(tally.of.kind, ()) if fits(self.program.vocabulary, tally.of, f, values)]
        at = None if tally.field is None else index[tally.of.kind][tally.field]
        amount = len(found) if at is None else sum(int(fact[at] or 0) for fact in found)
        return (asked.removesuffix("?"), amount, *question[1:])

    def _useful(self, kind: str) -> Callable[[Fact], bool]:
        """Whether some condition's constant tests hold; a fact that nothing matches is an error to the Host."""
        index = self.native.index[kind]
        read = [item for rule in self.program.rules for item in rule.conditions() if item.kind == kind]
        some = [[test for test in item.tests if not test.term.variables] for item in read]
        return lambda fact: any(all(passes(fact[index[test.field]], test) for test in tests) for tests in some)


def _token(stratum: int) -> str:
    return f"stratum{stratum}"


def _with_token(rule: NativeRule, stratum: int) -> Any:
    """The rule with the token of its stratum where it waits for the receipt of its stage."""
    token, json = {"g": {"$and": [{_token(stratum): 1}]}}, rule.json
    return {**json, "all": [token, *json["all"][1:]]} if rule.waits else json
