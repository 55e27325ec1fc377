"""Exercises as Anki reads them: a text file, its head first, with the question and the answer on each line."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import escape

from kb.explain.say import Speaker
from kb.quiz.telling import ExerciseTold, answer_lines, statement
from kb.voices.teaching import questions


def anki(told: Sequence[ExerciseTold], speaker: Speaker, edition: str) -> str:
    """The file: separated by tabs, in HTML; every field in quotes."""
    asked = " ".join(questions(speaker))
    columns = "\t".join((speaker.phrase("quiz-question"), speaker.phrase("quiz-answer")))
    head = ["#separator:Tab", "#html:true", f"#deck:{edition}", f"#columns:{columns}"]
    rows = ("\t".join(map(_field, ([*statement(one), asked], answer_lines(one)))) for one in told)
    return "\n".join([*head, *rows]) + "\n"


def _field(lines: Sequence[str]) -> str:
    text = "<br>".join(str(escape(line)) for line in lines)
    return '"' + text.replace('"', '""').replace("\t", " ").replace("\n", " ") + '"'
