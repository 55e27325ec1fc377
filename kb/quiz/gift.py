"""Exercises as Moodle reads them: GIFT, each a choice between outcomes, the reason as feedback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from kb.explain.say import Speaker
from kb.quiz.telling import ExerciseTold, statement

CHOICES: Final = 3


def gift(told: Sequence[ExerciseTold], speaker: Speaker, edition: str) -> str:
    """The file; its first line says what it is."""
    blocks = [f"// {speaker.phrase('quiz-title')} – {edition}"]
    for number, one in enumerate(told, 1):
        blocks.append("\n".join(_question(number, one, told, speaker)))
    return "\n\n".join(blocks) + "\n"


def choices(one: ExerciseTold, told: Sequence[ExerciseTold]) -> list[str]:
    """The right outcome first, then others: what it might be taken for, and what others of the set come to."""
    others = (*one.others, *(other for each in told for other in (each.outcome, *each.others)))
    return [*dict.fromkeys((one.outcome, *others))][:CHOICES]


def _question(number: int, one: ExerciseTold, told: Sequence[ExerciseTold], speaker: Speaker) -> Iterator[str]:
    lines = (*statement(one), speaker.phrase("class-choice"))
    yield f"::{_plain(speaker.phrase('quiz-number', n=number))}::[html]{'<br>'.join(map(_text, lines))} {{"
    listed = choices(one, told)
    for outcome in Random(number).sample(listed, len(listed)):
        right = outcome == one.outcome
        feedback = one.tempts if not right and outcome in one.others[:1] else ""
        yield f"{'=' if right else '~'}{_text(outcome)}{'#' + _text(feedback) if feedback else ''}"
    yield f"####{_text(one.why)}"
    yield "}"


def _text(text: str) -> str:
    """As HTML, as the whole question is, and then as GIFT."""
    return _plain(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def _plain(text: str) -> str:
    """With a backslash before each sign that GIFT takes for its own."""
    return re.sub(r"([\\~=#{}:])", r"\\\1", text.replace("\n", " "))
