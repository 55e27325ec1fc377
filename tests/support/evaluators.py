"""Everything that runs rules, each from a program and facts, so that all can be asked alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from facts.observe import Fact
from kb.engine.durable import DurableEngine
from kb.engine.plain import evaluate
from kb.engine.proof import Program
from kb.engine.sets import Sets


def in_sets(program: Program, facts: Iterable[Fact]) -> None:
    """In one situation, as a set of situations."""
    kinds: dict[str, dict[Fact, int]] = {}
    for fact in facts:
        kinds.setdefault(str(fact[0]), {})[fact] = 1
    Sets(program.vocabulary, program.rules).run(kinds, 1)


RUN: dict[str, Callable[[Program, Iterable[Fact]], object]] = {
    "durable": lambda program, facts: DurableEngine(program).run(facts),
    "quick": lambda program, facts: program.run(facts),
    "plain": lambda program, facts: evaluate(program.vocabulary, program.rules, facts),
    "sets": in_sets,
}
