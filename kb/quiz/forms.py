"""The forms in which a set of exercises is handed on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Self, TypeAlias

from kb.explain.html.templates import render
from kb.explain.say import Speaker
from kb.quiz.anki import anki
from kb.quiz.gift import gift
from kb.quiz.telling import ExerciseTold, answer_lines, statement
from kb.voices.teaching import questions

Write: TypeAlias = Callable[[Sequence[ExerciseTold], Speaker, str], str]
"""The exercises, who says them, and what the edition is called."""


def _text(told: Sequence[ExerciseTold], speaker: Speaker, _: str) -> str:
    """All the questions, then all the answers."""
    lines: list[str] = []
    for number, one in enumerate(told, 1):
        lines += [speaker.phrase("quiz-number", n=number), *statement(one), " ".join(questions(speaker)), ""]
    lines += [speaker.phrase("quiz-answers"), ""]
    for number, one in enumerate(told, 1):
        first, *rest = answer_lines(one)
        lines += [f"{number}. {first}", *(f"   {line}" for line in rest), ""]
    return "\n".join(lines)


def _page(template: str) -> Write:
    def made(told: Sequence[ExerciseTold], speaker: Speaker, edition: str) -> str:
        title = f"{speaker.phrase('quiz-title')} – {edition}"
        return render(template, lang=speaker.lang, title=title, speaker=speaker, told=told, asked=questions(speaker))

    return made


class QuizForm(StrEnum):
    """What a set of exercises can be written as."""

    write: Write
    suffix: str
    media: str

    TEXT = "text", _text, "txt", "text/plain"
    HTML = "html", _page("quiz/sheet.html"), "html", "text/html"
    SLIDES = "slides", _page("quiz/slides.html"), "html", "text/html"
    GIFT = "gift", gift, "gift", "text/plain"
    ANKI = "anki", anki, "txt", "text/plain"

    def __new__(cls, name: str, write: Write, suffix: str, media: str) -> Self:
        """A form is its name, and knows how it is written and what such a file is."""
        form = str.__new__(cls, name)
        form._value_, form.write, form.suffix, form.media = name, write, suffix, media
        return form
