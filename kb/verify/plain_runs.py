"""Rules run by their plain definition alone: on the facts of one situation, and on many situations.

It is slow, short, and shares nothing with the engines: no plans, no joins, no code made from rules. One set of facts is
``evaluate`` of ``kb.engine.plain``, and every proof so made goes through the pass of ``kb.engine.verify`` as well. For
many situations, each rule is asked once for each different set of facts that could matter to it, and what it concludes
of them stands in all situations that have just these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from operator import is_
from typing import Final, cast

from facts.fact import Fact
from kb.engine.bounds import Effort, demand_few
from kb.engine.plain import by_kind, conclusions, evaluate, fits, ways
from kb.engine.program import Program
from kb.engine.proof import Proof
from kb.engine.set_joins import Bits, Facts, Held
from kb.engine.sets import Kinds, Run
from kb.engine.verify import demand_whole
from kb.language.model import Condition, Rule
from kb.language.strata import strata
from kb.language.vocabulary import Vocabulary
from kb.space.bits import parts, union

MOST_ASKED: Final = 10_000
"""So many answers of each rule are kept."""
MOST_PROOFS: Final = 100
_NOTHING: Final[Held] = {}


class PlainEngine:
    """Runs the rules on the facts of one situation."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._of = lru_cache(MOST_PROOFS)(self._proof_of)

    def run(self, facts: Iterable[Fact]) -> Proof:
        """The proof of everything that follows; BoundsError when it comes to too much."""
        ground = frozenset(facts)
        demand_few(ground)
        return self._of(ground)

    def _proof_of(self, ground: frozenset[Fact]) -> Proof:
        firings = evaluate(self.program.vocabulary, self.program.rules, ground)
        proof = Proof(self.program, ground, firings)
        demand_whole(proof, "these facts")
        return proof


class PlainSets:
    """Runs the rules on many situations."""

    def __init__(self, vocabulary: Vocabulary, rules: Iterable[Rule]) -> None:
        self.vocabulary, self.rules = vocabulary, tuple(rules)
        self._asked = [_AskedRule(vocabulary, rule) for rule in self.rules]
        numbers = {id(rule): number for number, rule in enumerate(self.rules)}
        self._layers = [[numbers[id(rule)] for rule in layer] for layer in strata(self.rules)]

    def run(self, ground: Kinds, everything: Bits, before: Run | None = None) -> Run:
        """What follows from these facts; BoundsError when it comes to too much; ``before`` is not looked at."""
        run, read = Run(self.rules, everything, {}, {}, {}), dict[int, list[Held]]()
        effort = Effort(self.rules, everything.bit_length())
        for kind, held in ground.items():
            _add(run.facts, kind, {fact: bits & everything for fact, bits in held.items() if bits & everything})
        for layer in self._layers:
            while [number for number in layer if self._grown(number, run, read, effort)]:
                pass
        return run

    def _grown(self, number: int, run: Run, known: dict[int, list[Held]], effort: Effort) -> bool:
        """Asks one rule; whether something holds in more situations than before. ``known``: what each has read."""
        asked = self._asked[number]
        read: list[Held] = [run.facts.get(item.kind, _NOTHING) for item in asked.read]
        if number in known and all(map(is_, read, known[number])):
            return False
        known[number] = read
        found = asked.concluded(run.facts, run.everything, effort)
        if found:
            run.fired[number] = found
        new = {fact: bits for fact, bits in found.items() if bits & ~run.facts.get(str(fact[0]), _NOTHING).get(fact, 0)}
        for fact, bits in new.items():
            _add(run.facts, cast(str, fact[0]), {fact: bits})
        return bool(new)


class _AskedRule:
    """A rule, and what it concludes of each set of facts that it has been asked about."""

    def __init__(self, vocabulary: Vocabulary, rule: Rule) -> None:
        self.vocabulary, self.rule = vocabulary, rule
        conditions = [item for item in rule.when if isinstance(item, Condition)]
        self.wanted = len(conditions)
        """So many of the conditions that it reads must be met, the first ones."""
        self.read = (*conditions, *(tally.of for tally in rule.tallies), *rule.unless)
        self._of = lru_cache(MOST_ASKED)(self._concluded_of)
        self._may_fit = lru_cache(MOST_ASKED)(lambda item, fact: fits(vocabulary, self.read[item], fact, {}))

    def concluded(self, facts: Mapping[str, Held], everything: Bits, effort: Effort) -> Held:
        """What it concludes, and in which situations. Facts that fit none of its conditions, whatever the values of
        its variables, cannot matter to it; where one that must be met has none, it does not apply. What it looks
        at, and how often it fires, counts for the situation in which that is the most."""
        where, matter = everything, dict[Fact, Bits]()
        for number, item in enumerate(self.read):
            fitting = {
                fact: bits for fact, bits in facts.get(item.kind, _NOTHING).items() if self._may_fit(number, fact)
            }
            if number < self.wanted:
                where &= union(fitting.values())
                if not where:
                    return {}
            matter |= fitting
        found, looked, fired = dict[Fact, Bits](), 0, 0
        for having, bits in parts(where, matter):
            facts_of, at, firings = self._of(having)
            looked, fired = max(looked, at), max(fired, firings)
            for fact in facts_of:
                found[fact] = found.get(fact, 0) | bits
        effort.look(self.rule, looked)
        effort.fire(self.rule, max(fired, len(found)))
        return found

    def _concluded_of(self, having: frozenset[Fact]) -> tuple[Collection[Fact], int, int]:
        """What it concludes where these of the facts that matter hold, and no others; at how many facts it has looked,
        and how often it fires."""
        effort = Effort((self.rule,))
        found = ways(self.vocabulary, self.rule, by_kind(having), effort)
        fired = [fact for way in found for fact in conclusions(self.vocabulary, self.rule, way.values)]
        return dict.fromkeys(fired), effort.looked, len(fired)


def _add(facts: dict[str, Facts], kind: str, more: Held) -> None:
    held = dict(facts.get(kind, _NOTHING))
    for fact, bits in more.items():
        held[fact] = held.get(fact, 0) | bits
    facts[kind] = Facts(held)
