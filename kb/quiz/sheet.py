"""Exercises on a sheet to print."""

from __future__ import annotations

from collections.abc import Sequence

from kb.explain.html.templates import render
from kb.explain.say import Speaker
from kb.quiz.exercise import Exercise
from kb.quiz.telling import answer_lines, statement
from kb.space.interview import Interview


def sheet(exercises: Sequence[Exercise], interview: Interview, speaker: Speaker) -> str:
    """A page to print: the exercises, at least one, and the answers on a page of their own."""
    edition = exercises[0].ruling.edition.called(speaker.lang)
    return render(
        "quiz/sheet.html",
        lang=speaker.lang,
        title=f"{speaker.phrase('quiz-title')} – {edition}",
        speaker=speaker,
        exercises=[(statement(one, interview, speaker), answer_lines(one, speaker)) for one in exercises],
    )
