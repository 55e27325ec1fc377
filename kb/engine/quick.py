"""The quick engine: sets find what holds, and the proof is every way in which a rule fits it by its definition."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from facts.errors import EngineError
from facts.fact import Fact, by_kind
from kb.engine.bounds import Effort, demand_few
from kb.engine.plain import conclusions, ways
from kb.engine.program import Program
from kb.engine.proof import Proof, RawStep
from kb.engine.sets import Run, Sets


class QuickEngine:
    """Runs a program on the facts of one situation."""

    def __init__(self, program: Program, sets: Sets | None = None) -> None:
        """``sets``: its rules, if they are ready."""
        self.program = program
        self.sets = sets or Sets(program.vocabulary, program.rules)

    def __reduce__(self) -> tuple[type[QuickEngine], tuple[Program]]:
        return QuickEngine, (self.program,)

    def run(self, facts: Iterable[Fact]) -> Proof:
        """The proof of everything that follows; BoundsError when it comes to too much."""
        ground = facts if isinstance(facts, frozenset | tuple) else tuple(facts)
        run = self.settled(ground)
        effort = Effort(self.program.rules)
        return Proof(self.program, ground, [step for number in run.fired for step in self._steps(number, run, effort)])

    def settled(self, ground: Collection[Fact]) -> Run:
        """What follows, without its proof; BoundsError when it comes to too much."""
        demand_few(ground)
        return self.sets.run({str(kind): dict.fromkeys(some, 1) for kind, some in by_kind(ground).items()}, 1)

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
