"""The ruling for whoever writes the rules: each step with its rule, the rule's place, the values and the premises."""

from __future__ import annotations

from collections.abc import Iterator

from facts.ground import Fact
from kb.engine.proof import Step, counted
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part
from kb.explain.reasons import absences
from kb.explain.say import Voice
from kb.explain.text import foot, title
from kb.ruling.ruling import Ruling


def editor(ruling: Ruling, voice: Voice) -> Page:
    """Every step behind the ruling, in the order of the proof."""
    steps = (_step(ruling, voice, step) for step in ruling.citations.support())
    lead = (Line(headline(ruling, voice)),)
    return Page(title(ruling, voice), lead, part(voice.phrase("editor-steps"), steps), foot(ruling, voice))


def _step(ruling: Ruling, voice: Voice, step: Step) -> Line:
    bindings = ", ".join(f"${name} = {value}" for name, value in ruling.proof.bindings(step).items())
    law = (step.rule.clause,) if ruling.citations.is_law(step.rule.clause) else ()
    under = (
        Line(voice.because(ruling.proof, step)),
        *((Line(bindings),) if bindings else ()),
        *(Line(f"← {raw(premise)}") for one in step.premises for premise in _facts(one)),
        *(Line(f"← {words}") for words in absences(voice, ruling.proof, step)),
        Line(f"→ {raw(step.fact)}"),
    )
    return Line(f"{step.rule.id}  {step.rule.place}", law, under)


def _facts(premise: Fact) -> Iterator[Fact]:
    facts = counted(premise)
    yield from (premise,) if facts is None else facts


def raw(fact: Fact) -> str:
    """A fact as it is: «won: 5, W, EW»."""
    return f"{fact[0]}: {', '.join('–' if value is None else str(value) for value in fact[1:])}"
