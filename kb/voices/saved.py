"""A ruling as it is saved and sent: one JSON object, its text in a voice, and the record that it rests on."""

from __future__ import annotations

from typing import Any

from kb.explain.as_json import as_json
from kb.explain.page import as_text
from kb.explain.say import Speaker
from kb.ruling.record import record
from kb.ruling.ruling import Ruling
from kb.voices.voices import Voice, told


def saved(ruling: Ruling, speaker: Speaker, voice: Voice | None = None) -> dict[str, Any]:
    """The object that ``revoke rule --format json`` prints and ``revoke verify`` checks."""
    text = as_text(told(ruling, speaker, voice), speaker)
    return {**as_json(ruling, speaker, text), "voice": voice, "record": record(ruling)}
