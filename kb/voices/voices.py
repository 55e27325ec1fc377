"""The voices in which one ruling can be told."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module

from kb.explain.page import Page
from kb.explain.say import Speaker
from kb.explain.text import page
from kb.ruling.ruling import Ruling


class Voice(StrEnum):
    """Whom the ruling is told to."""

    TABLE = "table"
    APPEAL = "appeal"
    TEACHING = "teaching"
    EDITOR = "editor"


def told(ruling: Ruling, speaker: Speaker, voice: Voice | None = None) -> Page:
    """The ruling in a voice; in full, for anyone, when none is named."""
    speaker = speaker.of(ruling)
    if voice is None:
        return page(ruling, speaker)
    told_so: Page = getattr(import_module(f"kb.voices.{voice}"), voice)(ruling, speaker)  # only the voice that is heard
    return told_so
