"""The ruling for an appeals committee: facts found, law, application, ruling, what was left to judgement."""

from __future__ import annotations

from kb.explain.hinge import hinge
from kb.explain.page import Line, Page, part, sentence
from kb.explain.say import Speaker
from kb.explain.text import because, foot, judgement, lead, now, title
from kb.ruling.report import Report


def appeal(report: Report, speaker: Speaker) -> Page:
    """Numbered findings of fact, each law in the edition's words, how it was applied, and what was ruled."""
    ruling, clauses = report.ruling, report.ruling.edition.clauses
    found = (Line(sentence(speaker.fact(fact))) for fact in report.findings)
    law = (Line(f"{speaker.laws([ref])}: {clauses[ref].says[speaker.lang]}") for ref in ruling.cited)
    applied = (because(reason, speaker) for reason in report.reasons)
    return Page(
        title(ruling, speaker),
        (),
        (
            *part(speaker.phrase("appeal-facts"), found, numbered=True),
            *part(speaker.phrase("appeal-law"), law),
            *part(speaker.phrase("appeal-application"), applied, numbered=True),
            *part(speaker.phrase("appeal-ruling"), (*lead(report, speaker), *now(report, speaker))),
            *part(speaker.phrase("hinges"), hinge(report, speaker)),
            *judgement(report, speaker),
        ),
        foot(report, speaker),
    )
