"""The ruling for whoever writes the rules: each step with its rule, the rule's place, the values and the premises."""

from __future__ import annotations

from facts.fact import Fact
from kb.engine.proof import Step, counted
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part
from kb.explain.reasons import absences
from kb.explain.say import Speaker
from kb.explain.text import foot, title
from kb.ruling.ruling import Ruling


def editor(ruling: Ruling, speaker: Speaker) -> Page:
    """Every step behind the ruling, in the order of the proof."""
    steps = (_step(ruling, speaker, step) for step in ruling.citations.support())
    lead = (Line(headline(ruling, speaker)),)
    return Page(title(ruling, speaker), lead, part(speaker.phrase("editor-steps"), steps), foot(ruling, speaker))


def _step(ruling: Ruling, speaker: Speaker, step: Step) -> Line:
    said = step._replace(
        fact=_said(ruling, step.fact), premises=tuple(_said(ruling, premise) for premise in step.premises)
    )
    bindings = ", ".join(f"${name} = {value}" for name, value in ruling.proof.bindings(said).items())
    law = (step.rule.clause,) if ruling.citations.is_law(step.rule.clause) else ()
    under = (
        Line(speaker.because(ruling.proof, step)),
        *((Line(bindings),) if bindings else ()),
        *(Line(f"← {raw(fact)}") for premise in said.premises for fact in counted(premise) or [premise]),
        *(Line(f"← {words}") for words in absences(speaker, ruling.proof, step)),
        Line(f"→ {raw(said.fact)}"),
    )
    return Line(f"{step.rule.id}  {step.rule.place}", law, under)


def _said(ruling: Ruling, premise: Fact) -> Fact:
    """A fact, or the facts that were counted, without what nobody has said."""
    facts = counted(premise)
    told = tuple(ruling.unsaid.facts([premise] if facts is None else facts, ruling.edition.vocabulary))
    return told[0] if facts is None else (*premise[:2], *told)  # type: ignore[arg-type]


def raw(fact: Fact) -> str:
    """A fact as it is: «won: 5, W, EW»."""
    return f"{fact[0]}: {', '.join('–' if value is None else str(value) for value in fact[1:])}"
