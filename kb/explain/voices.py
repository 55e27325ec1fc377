"""The voices in which one ruling can be told."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module

from kb.explain.page import Page
from kb.explain.say import Voice
from kb.explain.text import page
from kb.ruling.ruling import Ruling


class VoiceName(StrEnum):
    """Whom the ruling is told to."""

    TABLE = "table"
    APPEAL = "appeal"
    TEACHING = "teaching"
    EDITOR = "editor"


def told(ruling: Ruling, voice: Voice, name: VoiceName | None = None) -> Page:
    """The ruling in a voice; in full, for anyone, when none is named."""
    voice = voice.of(ruling)
    if name is None:
        return page(ruling, voice)
    told_so: Page = getattr(import_module(f"kb.explain.{name}"), name)(ruling, voice)  # only the voice that is heard
    return told_so
