"""The ruling for a class: three questions, the answers folded where they can be, and the answer that tempts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kb.explain.page import Line, Page, Part
from kb.explain.say import Speaker
from kb.explain.text import foot, judgement, now, result_line, title
from kb.ruling.report import Report
from kb.voices.lesson import lesson, questions, temptation
from kb.why_not.rivals import rivals


def teaching(report: Report, speaker: Speaker) -> Page:
    """It asks before it answers."""
    taught = lesson(report, speaker)
    answers = ((taught.established,), (taught.tricks, *result_line(report, speaker)), (taught.laws,))
    asked = zip(questions(speaker), answers, strict=True)
    parts = [Part(f"{n}. {question}", answer, folded=True) for n, (question, answer) in enumerate(asked, 1)]
    if tempting := tuple(_tempting(report, speaker)):
        parts.append(Part(speaker.phrase("class-tempts"), tempting, folded=True))
    if done := tuple(dict.fromkeys(now(report, speaker))):
        parts.append(Part(speaker.phrase("now"), done, folded=True))
    judged = (replace(part, folded=True) for part in judgement(report, speaker))
    return Page(title(report.ruling, speaker), (), (*parts, *judged), foot(report, speaker))


def _tempting(report: Report, speaker: Speaker) -> Iterator[Line]:
    """One for each thing that could be mistaken."""
    ruling, told = report.ruling, set[object]()
    for rival in rivals(ruling):
        for revoke in (*ruling.revokes, *rival.ruling.revokes)[:1] if rival.key not in told else ():
            told.add(rival.key)
            yield temptation(rival, revoke, ruling, speaker)
