"""The steps of a proof that are told of a conclusion: filters from steps to steps, which know no form and no words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from facts.fact import Fact, Value
from kb.engine.proof import Proof, Step, counted, rests_on
from kb.language.known import AT, HAND, PLAY, PLAYED, TRICK
from kb.language.rule import Condition, Operator
from kb.ruling.certain import Reason, reason_of
from kb.ruling.citations import Citations


@dataclass(frozen=True, slots=True)
class Lacking:
    """What had to be missing for a step: no fact of a kind that passes every test."""

    condition: Condition
    """The item of ``unless``."""
    tests: Mapping[str, tuple[Operator, Value | tuple[Value, ...]]]
    """Field -> operator and value, or ``=`` and the values it might be one of; what may be anything is left out."""
    bindings: Mapping[str, Value]
    """The values of the step's variables."""
    play: Mapping[str, Value]
    """What the proof knows of the play that the condition names."""
    then: str | None
    """``earlier`` or ``later``, where the rule looks for one of a kind that it has met at another time."""


@dataclass(frozen=True, slots=True)
class Firing:
    """A step with everything it rests on."""

    reason: Reason
    premises: tuple[Fact, ...]
    """As of ``Step``."""
    lacking: tuple[Lacking, ...]
    law: str | None
    """The clause; None for a definition."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The premises, those of a tally one by one; a tally of nothing stands for itself."""
        return tuple(fact for premise in self.premises for fact in counted(premise) or (premise,))


def reasons(proof: Proof, citations: Citations, conclusions: Iterable[Fact]) -> tuple[Reason, ...]:
    """The law's steps that lead to the conclusions, one for each fact on the way."""
    return tuple(one for one in first_steps(proof, conclusions) if citations.is_law(one.rule.clause))


def first_steps(proof: Proof, conclusions: Iterable[Fact]) -> tuple[Reason, ...]:
    """The first step of every fact behind the conclusions, premises before what rests on them."""
    steps: dict[Fact, Step] = {}
    waiting = list(conclusions)
    while waiting:
        fact = waiting.pop()
        step = None if fact in steps else proof.first_step(fact)
        if step is not None:
            steps[fact] = step
            waiting += rests_on(step.premises)
    order = {rule.id: number for number, rule in enumerate(proof.program.rules)}
    ordered = sorted(steps.values(), key=lambda step: (*proof.rank(step.fact)[:2], order[step.rule.id]))
    return tuple(reason_of(proof, step) for step in ordered)


def grounds(
    proof: Proof, citations: Citations, conclusions: tuple[Fact, ...]
) -> tuple[tuple[Reason, tuple[str, ...]], ...]:
    """Each way to each conclusion with its own clause; one that no clause states, with the laws that it rests on."""
    told: list[tuple[Reason, tuple[str, ...]]] = []
    for one in first_steps(proof, conclusions):
        if one.fact in conclusions:
            by_clause = {step.rule.clause: step for step in reversed(proof.steps_for(one.fact))}
            laws = citations.sort(ref for ref in by_clause if citations.is_law(ref))
            told += [(reason_of(proof, by_clause[ref]), (ref,)) for ref in laws]
            told += [] if laws else [(one, citations.laws(one.fact))]
    return tuple(told)


def premises(citations: Citations) -> Iterator[Fact]:
    """The facts that the steps behind the conclusions rest on, those of a tally one by one; some of them repeated."""
    for step in citations.support():
        yield from rests_on(step.premises)


def support(proof: Proof, citations: Citations) -> tuple[Firing, ...]:
    """Every step behind the conclusions, in the order of the proof."""
    return tuple(_firing(proof, citations, step) for step in citations.support())


def known_of_play(proof: Proof, condition: Condition, bindings: Mapping[str, Value]) -> Mapping[str, Value]:
    """What a proof knows of the play that a condition names by a variable: trick, hand, seat and side."""
    play = next((test.binds for test in condition.tests if test.field == PLAY), None)
    if play is not None and play in bindings:
        for one, trick, hand, side in proof.read(PLAYED, PLAY, TRICK, HAND, "side"):
            if one == bindings[play]:
                return {TRICK: trick, HAND: hand, "seat": hand, "side": side}
    return {}


def _firing(proof: Proof, citations: Citations, step: Step) -> Firing:
    reason, clause = reason_of(proof, step), step.rule.clause
    return Firing(reason, step.premises, lacking(proof, reason), clause if citations.is_law(clause) else None)


def lacking(proof: Proof, reason: Reason) -> tuple[Lacking, ...]:
    """What had to be missing for a step: one for each item of ``unless``, in its order."""
    found: list[Lacking] = []
    for item in reason.rule.unless:
        tests = {
            test.field: (test.operator, test.among or test.term.value_in(reason.bindings))
            for test in item.tests
            if all(name in reason.bindings for name in test.term.variables)
        }
        then = None
        if item.kind in {one.kind for one in reason.rule.wanted}:
            times = [test.operator for test in item.tests if test.field == AT and test.operator in ("<", ">")]
            then = ("earlier" if times[0] == "<" else "later") if times else None
        play = known_of_play(proof, item, reason.bindings)
        found.append(Lacking(item, tests, reason.bindings, play, then))
    return tuple(found)
