"""One program on every evaluator: each must give exactly what the definition, ``kb.engine.plain``, does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from facts.fact import Fact, by_kind
from kb.engine.bounds import Effort
from kb.engine.durable import DurableEngine
from kb.engine.plain import Firing
from kb.engine.proof import Engine, Program, Proof, proof_faults
from kb.engine.sets import Facts, Kinds, Sets

from .evaluators import evaluate

MOST = 1_500
"""Firings of one run; BoundsError where there are more."""
FEW = 100
"""The same for rules written by hand."""

EVALUATORS: Mapping[str, Callable[[Program, Sequence[Fact]], set[Fact]]] = {
    "plain": lambda program, facts: {
        fact for fact, _, _ in evaluate(program.vocabulary, program.rules, facts, Effort(program.rules, most_fired=FEW))
    },
    "quick": lambda program, facts: {fact for fact, _, _ in program.run(facts).firings},
    "durable": lambda program, facts: {fact for fact, _, _ in DurableEngine(program).run(facts).firings},
    "sets": lambda program, facts: {
        fact
        for held in Sets(program.vocabulary, program.rules).run(_together([facts]), 1).fired.values()
        for fact in held
    },
}
"""Every evaluator, made anew: what it concludes."""


class Agreement:
    """Every evaluator, ready for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.engines: Sequence[Engine] = [program, DurableEngine(program)]
        self.sets = Sets(program.vocabulary, program.rules)

    def proof(self, facts: Sequence[Fact], situations: Iterable[Sequence[Fact]], most: int = MOST) -> Proof:
        """The proof of what follows from the facts; AssertionError where an evaluator differs.

        ``situations``: other facts, to be run on sets together with these.
        """
        wanted = Proof(self.program, facts, [*self._by_definition(facts, most)])
        for engine in self.engines:
            proof, name = engine.run(facts), type(engine).__name__
            steps, expected = set(map(_key, proof.steps)), set(map(_key, wanted.steps))
            assert steps == expected, f"{name}: too many {steps - expected}, missing {expected - steps}"
            assert proof == wanted, f"{name}: the same steps in another order"
            assert [*map(str, proof_faults(proof))] == []
        self._on_sets([facts, *situations], most)
        return wanted

    def _by_definition(self, facts: Sequence[Fact], most: int) -> set[Firing]:
        effort = Effort(self.program.rules, most_fired=most)
        return evaluate(self.program.vocabulary, self.program.rules, facts, effort)

    def _on_sets(self, situations: Sequence[Sequence[Fact]], most: int) -> None:
        """All situations at once, compared one by one: each rule concludes what it does by the definition."""
        fired = self.sets.run(_together(situations), (1 << len(situations)) - 1).fired
        for number, facts in enumerate(situations):
            wanted = {(rule, fact) for fact, rule, _ in self._by_definition(facts, most)}
            found = {(rule, fact) for rule, held in fired.items() for fact, bits in held.items() if bits >> number & 1}
            assert found == wanted, f"Sets, situation {number}: too many {found - wanted}, missing {wanted - found}"


def _together(situations: Sequence[Sequence[Fact]]) -> Kinds:
    """The facts of each kind, with the situations in which they hold."""
    held: dict[Fact, int] = {}
    for number, facts in enumerate(situations):
        held |= {fact: held.get(fact, 0) | 1 << number for fact in facts}
    return {kind: Facts({fact: held[fact] for fact in facts}) for kind, facts in by_kind(held).items()}


def _key(step: tuple[Fact, object, tuple[Fact, ...]]) -> tuple[object, ...]:
    fact, rule, premises = step
    return fact, rule.id, premises  # type: ignore[attr-defined]
