"""The ruling for whoever writes the rules: each step with its rule, the rule's place, the values and the premises."""

from __future__ import annotations

from collections.abc import Iterator

from facts.fact import Fact
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part
from kb.explain.say import Speaker
from kb.explain.text import foot, of_its_day, title
from kb.ruling.reasons import Firing
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling


def editor(report: Report, speaker: Speaker) -> Page:
    """Every step behind the ruling, in the order of the proof."""
    steps = (_step(report, speaker, one) for one in report.support)
    head = (Line(headline(report.ruling, speaker)),)
    ruling = report.ruling
    parts = (
        *part(speaker.phrase("editor-steps"), steps),
        *part(speaker.phrase("law-of-the-day"), map(Line, of_its_day(ruling, speaker))),
        *part(speaker.phrase("editor-provenance"), _provenance(ruling, speaker)),
    )
    return Page(title(ruling, speaker), head, parts, foot(report, speaker))


def _provenance(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """Where the text of each clause that is cited was found, as far as it is told, and what was decided about it."""
    for ref in ruling.cited:
        clause = ruling.edition.clauses[ref]
        if clause.source.recalled:
            yield Line(speaker.phrase("book-recalled"), (ref,))
        if where := " ".join(filter(None, (str(clause.source), clause.source.link))):
            yield Line(f"{speaker.phrase('book-source')}: {where}", (ref,))
        for one in clause.minutes:
            yield Line(f"{speaker.phrase('book-minute')} ({one.signed}): {one.says[speaker.lang]}", (ref,))


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
