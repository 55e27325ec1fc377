"""The ruling as it is said at the table: to whoever must act, the outcome first, the law in brackets."""

from __future__ import annotations

from kb.explain.page import Page
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.explain.text import title
from kb.ruling.report import Report


def table(report: Report, speaker: Speaker) -> Page:
    """What is said, sentence by sentence; before it the law, if an authority has chosen in it, or the day is known."""
    ruling = report.ruling
    named = title(ruling, speaker) if ruling.edition.elections or ruling.incident.date else ""
    return Page(named, Announcement(report, speaker).lines)
