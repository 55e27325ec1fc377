"""``revoke quiz``: exercises with answers, graded on the ruling and on the laws cited."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from facts.errors import InputError
from kb.cli.boards import Boards
from kb.cli.files import write
from kb.cli.options import ElectionOption, LangOption, RulesOption, refuse
from kb.explain.console import PlainConsole
from kb.explain.page import as_text
from kb.explain.say import Speaker
from kb.language.folders import DEFAULT_EDITION
from kb.language.model import Edition
from kb.quiz.exercise import NO_REVOKE, Exercise, Reply, grade
from kb.quiz.forms import QuizForm
from kb.quiz.session import Level, session
from kb.quiz.telling import all_told, graded, statement, status_words, told

app = typer.Typer(add_completion=False)


@app.command()
def command(  # noqa: PLR0913, PLR0917 - each is an option
    edition: Annotated[str, typer.Argument(help="An edition's id, or the folder of a draft.")] = DEFAULT_EDITION,
    size: Annotated[
        int | None,
        typer.Option("--questions", min=1, max=200, help="How many exercises; else as many as bring up every clause."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The same number gives the same exercises.")] = None,
    level: Annotated[Level | None, typer.Option("--level", help="Only exercises of this level.")] = None,
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="LAW", help="Only those that rest on it, or in which it tempts."),
    ] = None,
    form: Annotated[
        QuizForm | None, typer.Option("--format", help="Write all exercises with their answers, and ask nothing.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--sheet", help="Write them to this file; without --format, a sheet to print."),
    ] = None,
    election: ElectionOption = None,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """Exercises, easy ones first; each reply is graded, and the first step where it leaves the proof is explained."""
    boards = Boards(rules, lang, None, edition, election)
    try:
        law = boards.laws.of(edition, election or (), "quick")
        speaker = Speaker(boards.words, law.edition.vocabulary, lang)
        with PlainConsole(stderr=True).status(speaker.phrase("quiz-choosing")):
            exercises = session(law, Random(seed), size, level, about)
    except InputError as error:
        raise refuse(error) from None
    if file is not None or form is not None:
        text = (form or QuizForm.HTML).write(
            all_told(exercises, speaker, about or ""), speaker, law.edition.called(lang)
        )
        write(file, text) if file is not None else print(text, end="")
        return
    right = sum(_asked(number, one, law.edition, speaker) for number, one in enumerate(exercises, 1))
    print(speaker.phrase("quiz-score", right=right, of=len(exercises)))


def _asked(number: int, exercise: Exercise, edition: Edition, speaker: Speaker) -> bool:
    """Whether the reply to one exercise is right in everything."""
    speaker = speaker.of(exercise.ruling)
    print()
    print(speaker.phrase("quiz-number", n=number))
    for line in statement(told(exercise, speaker)):
        print(f"  {line}")
    words = (*edition.vocabulary.words["status-word"], NO_REVOKE)
    status = words[_number(speaker.phrase("quiz-status"), [status_words(word, speaker) for word in words])]
    tricks = {side: _tricks(speaker.phrase("quiz-tricks", side=speaker.value(side, "side"))) for side in ("NS", "EW")}
    laws = re.findall(r"[0-9]+[A-Za-z0-9]*", _read(speaker.phrase("quiz-laws")))
    found = grade(exercise, Reply(status, tricks, frozenset(laws)))  # type: ignore[arg-type]
    print()
    print(as_text(graded(exercise, found, speaker), speaker))
    return found.right


def _number(question: str, choices: list[str]) -> int:
    """The place of the choice made."""
    print(question)
    for n, choice in enumerate(choices, 1):
        print(f"  {n}  {choice}")
    while True:
        said = _read("")
        if said.isdecimal() and 0 < int(said) <= len(choices):
            return int(said) - 1


def _tricks(question: str) -> int:
    said = _read(question)
    return int(said) if said.isdecimal() else 0


def _read(question: str) -> str:
    try:
        return input(f"{question}> " if not question else f"{question} > ").strip()
    except (EOFError, KeyboardInterrupt):
        print(file=sys.stderr)
        raise typer.Exit(130) from None
