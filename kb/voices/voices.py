"""The voices in which one ruling can be told: what there is to choose from, wherever a voice is chosen."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Self, TypeAlias

from kb.explain.page import Page
from kb.explain.say import Speaker
from kb.explain.text import in_full
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling

Tell: TypeAlias = Callable[[Report, Speaker], Page]
"""Tells a ruling; the speaker is one that says its seats."""


def _table(report: Report, speaker: Speaker) -> Page:
    from kb.voices.table import table  # noqa: PLC0415 - only the voice that is heard is loaded

    return table(report, speaker)


def _appeal(report: Report, speaker: Speaker) -> Page:
    from kb.voices.appeal import appeal  # noqa: PLC0415

    return appeal(report, speaker)


def _teaching(report: Report, speaker: Speaker) -> Page:
    from kb.voices.teaching import teaching  # noqa: PLC0415

    return teaching(report, speaker)


def _editor(report: Report, speaker: Speaker) -> Page:
    from kb.voices.editor import editor  # noqa: PLC0415

    return editor(report, speaker)


class Voice(StrEnum):
    """Whom the ruling is told to; what each is called stands in ``words.yaml`` among the names of ``voice``."""

    tell: Tell

    TABLE = "table", _table
    APPEAL = "appeal", _appeal
    TEACHING = "teaching", _teaching
    EDITOR = "editor", _editor

    def __new__(cls, name: str, tell: Tell) -> Self:
        """A voice is its name, and knows what tells a ruling in it."""
        voice = str.__new__(cls, name)
        voice._value_, voice.tell = name, tell
        return voice


def told(ruling: Ruling, speaker: Speaker, voice: Voice | None = None) -> Page:
    """The ruling in a voice; in full, for anyone, when none is named."""
    return (in_full if voice is None else voice.tell)(Report(ruling), speaker.of(ruling))
