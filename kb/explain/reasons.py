"""The steps to be told for a conclusion: the first step of each fact behind it, in the order of the proof."""

from __future__ import annotations

from collections.abc import Iterable

from facts.fact import Fact
from kb.engine.proof import Proof, Step, counted
from kb.explain.say import Speaker
from kb.language.model import Condition
from kb.ruling.citations import Citations


def reasons(proof: Proof, citations: Citations, conclusions: Iterable[Fact]) -> tuple[Step, ...]:
    """The law's steps that lead to the conclusions, one for each fact on the way."""
    told = [step for step in first_steps(proof, conclusions) if citations.is_law(step.rule.clause)]
    return tuple(told)


def first_steps(proof: Proof, conclusions: Iterable[Fact]) -> tuple[Step, ...]:
    """The first step of every fact behind the conclusions, premises before what rests on them."""
    steps: dict[Fact, Step] = {}
    waiting = list(conclusions)
    while waiting:
        fact = waiting.pop()
        step = None if fact in steps else proof.first_step(fact)
        if step is not None:
            steps[fact] = step
            for premise in step.premises:
                facts = counted(premise)
                waiting += (premise,) if facts is None else facts
    order = {rule.id: number for number, rule in enumerate(proof.program.rules)}
    return tuple(sorted(steps.values(), key=lambda step: (*proof.rank(step.fact)[:2], order[step.rule.id])))


def absences(speaker: Speaker, proof: Proof, step: Step) -> tuple[str, ...]:
    """What had to be missing for a step, each as «and not: …»; where it only came at another time, that is said."""
    told = (speaker.phrase("unless", fact=lacking(speaker, item, proof, step)) for item in step.rule.unless)
    return tuple(said[:1] + speaker.smooth(said)[1:] for said in told)


def lacking(speaker: Speaker, item: Condition, proof: Proof, step: Step) -> str:
    """A fact that had to be missing, with «earlier» or «later» where the rule looks for one of a kind it has met."""
    said = speaker.pattern(item, proof.bindings(step), proof)
    if item.kind in {one.kind for one in step.rule.wanted}:
        for test in item.tests:
            if test.field == "at" and test.operator in ("<", ">"):
                return f"{said} ({speaker.phrase('earlier' if test.operator == '<' else 'later')})"
    return said
