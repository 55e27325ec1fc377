"""The quick engine: sets find what holds, and the proof is every way in which a rule fits it by its definition.

Beside it the pass over a proof, straight from the rules: whether it is all that follows, and only that. Every way in
which a rule fits the settled facts must be a firing, and every firing such a way; a proof whose steps rest on each
other tells itself that it has no order. For rules in strata only one set of facts is like that. So what an engine left
out is found as well as what it made up, wherever the mistake lies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from facts.errors import BoundsError, EngineError
from facts.fact import Fact, by_kind
from kb.engine.bounds import MOST_FACTS, Effort
from kb.engine.plain import Firing, conclusions, ways
from kb.engine.proof import Program, Proof, RawStep
from kb.engine.sets import Run


class QuickEngine:
    """Runs a program on the facts of one situation."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def run(self, facts: Iterable[Fact]) -> Proof:
        """The proof of everything that follows; BoundsError when it comes to too much."""
        ground = facts if isinstance(facts, frozenset | tuple) else tuple(facts)
        run = self.settled(ground)
        effort = Effort(self.program.rules)
        return Proof(self.program, ground, [step for number in run.fired for step in self._steps(number, run, effort)])

    def settled(self, ground: Collection[Fact]) -> Run:
        """What follows, without its proof; BoundsError when it comes to too much."""
        if len(ground) > MOST_FACTS:
            what = f"this comes to {len(ground):,} facts, and a ruling is given on up to {MOST_FACTS:,}"
            raise BoundsError(what, "leave out what has no part in it")
        return self.program.sets.run({kind: dict.fromkeys(some, 1) for kind, some in by_kind(ground).items()}, 1)

    def _steps(self, number: int, run: Run, effort: Effort) -> list[RawStep]:
        """The steps of a rule; EngineError where its definition concludes something else than the sets."""
        vocabulary, rule = self.program.vocabulary, self.program.rules[number]
        steps = [
            (fact, number, way.premises)
            for way in ways(vocabulary, rule, run.facts, effort)
            for fact in conclusions(vocabulary, rule, way.values)
        ]
        if run.fired[number].keys() != {fact for fact, _, _ in steps}:
            raise EngineError(f"{rule.place}: rule {rule.id} concludes something else by its definition")
        return steps


def verify(proof: Proof) -> Iterator[str]:
    """What is wrong with a proof: firings that no rule gives, and ways that did not fire."""
    vocabulary, rules = proof.program.vocabulary, proof.program.rules
    fired = set(proof.firings)
    settled = by_kind([*proof.ground, *(fact for fact, _, _ in fired)])
    fitting, effort = set[Firing](), Effort(rules)
    for number, rule in enumerate(rules):
        for way in ways(vocabulary, rule, settled, effort):
            fitting.update((fact, number, way.premises) for fact in conclusions(vocabulary, rule, way.values))
    found = {"should conclude, and does not,": fitting - fired, "cannot conclude, and does,": fired - fitting}
    for what, firings in found.items():
        for fact, number, premises in sorted(firings, key=str):
            yield f"rule {rules[number].id} {what} {_told(fact)} from {', '.join(map(_told, premises)) or 'nothing'}"


def demand_whole(proof: Proof, where: object) -> None:
    """EngineError naming the first discrepancy, if there is one; ``where``: what was ruled on."""
    for discrepancy in verify(proof):
        raise EngineError(f"{where}: the proof is not what the rules say: {discrepancy}")


def _told(fact: Fact) -> str:
    return f"{fact[0]}({', '.join(_told(value) if isinstance(value, tuple) else str(value) for value in fact[1:])})"
