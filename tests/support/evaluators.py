"""Everything that runs rules, each from a program and facts, so that all can be asked alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from facts.fact import Fact, by_kind
from kb.engine.bounds import Effort
from kb.engine.durable import DurableEngine
from kb.engine.plain import Firing, facts_concluded, ways_to_fire
from kb.engine.proof import Program
from kb.language.rule import Rule
from kb.language.strata import strata
from kb.language.vocabulary import Vocabulary


def evaluate(
    vocabulary: Vocabulary, rules: tuple[Rule, ...], ground: Iterable[Fact], effort: Effort | None = None
) -> set[Firing]:
    """Everything that follows, in every way; BoundsError when ``effort`` comes to too much."""
    numbers = {id(rule): number for number, rule in enumerate(rules)}
    facts, firings, effort = set(ground), set[Firing](), effort or Effort(rules)
    for layer in strata(rules):
        before = -1
        while len(firings) != before:
            before, known = len(firings), by_kind(facts)
            for rule in layer:
                found = set[Firing]()
                for way in ways_to_fire(vocabulary, rule, known, effort):
                    concluded = facts_concluded(vocabulary, rule, way.values)
                    found.update((fact, numbers[id(rule)], way.premises) for fact in concluded)
                    effort.fire(rule, len(found))
                firings |= found
            facts.update(fact for fact, _, _ in firings)
    return firings


def in_sets(program: Program, facts: Iterable[Fact]) -> None:
    """In one situation, as a set of situations."""
    Program(program.vocabulary, program.rules).settled([*facts])


RUN: dict[str, Callable[[Program, Iterable[Fact]], object]] = {
    "durable": lambda program, facts: DurableEngine(program).run(facts),
    "quick": lambda program, facts: program.run(facts),
    "plain": lambda program, facts: evaluate(program.vocabulary, program.rules, facts),
    "sets": in_sets,
}
