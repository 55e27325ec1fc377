"""The ruling for a slip of paper: what it is and why in reported speech, and what is still to be done."""

from __future__ import annotations

from kb.explain.hinge import hinge
from kb.explain.page import Line, Page, Part
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.explain.text import entry_lines, why
from kb.ruling.report import Report


def slip(report: Report, speaker: Speaker) -> Page:
    """The headline; why; what is done now, and what is left to the director, or the question on which it hinges."""
    decisive = {*report.decisive, *(law for one in report.ruling.revokes for law in one.status_by)}
    told = tuple(dict.fromkeys(line for line in why(report, speaker) if decisive.intersection(_laws(line))))
    left = (line for one in (*report.now, *report.entries("director")) for line in entry_lines(one, speaker))
    to_do = tuple(dict.fromkeys((*hinge(report, speaker, 1), *left)))
    return Page("", (Line(Announcement(report, speaker).head),), (Part("why", told), Part("to do", to_do)))


def _laws(line: Line) -> tuple[str, ...]:
    return (*line.laws, *(law for one in line.under for law in one.laws))
