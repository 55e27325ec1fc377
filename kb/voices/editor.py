"""The ruling for whoever writes the rules: each step with its rule, the rule's place, the values and the premises."""

from __future__ import annotations

from facts.fact import Fact
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part
from kb.explain.say import Speaker
from kb.explain.text import foot, title
from kb.ruling.reasons import Firing
from kb.ruling.report import Report


def editor(report: Report, speaker: Speaker) -> Page:
    """Every step behind the ruling, in the order of the proof."""
    steps = (_step(report, speaker, one) for one in report.support)
    head = (Line(headline(report.ruling, speaker)),)
    return Page(title(report.ruling, speaker), head, part(speaker.phrase("editor-steps"), steps), foot(report, speaker))


def _step(report: Report, speaker: Speaker, one: Firing) -> Line:
    rule, said = one.reason.rule, report.without_unsaid(one)
    bindings = ", ".join(f"${name} = {value}" for name, value in said.reason.bindings.items())
    under = (
        Line(speaker.reason(one.reason)),
        *((Line(bindings),) if bindings else ()),
        *(Line(f"← {raw(fact)}") for fact in said.facts),
        *(Line(f"← {speaker.lacking(lacking)}") for lacking in one.lacking),
        Line(f"→ {raw(said.reason.fact)}"),
    )
    return Line(f"{rule.id}  {rule.place}", () if one.law is None else (one.law,), under)


def raw(fact: Fact) -> str:
    """A fact as it is: «won: 5, W, EW»."""
    return f"{fact[0]}: {', '.join('–' if value is None else str(value) for value in fact[1:])}"
