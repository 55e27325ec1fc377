"""``revoke quiz``: exercises with their answers, to print, to show, for Moodle and for Anki."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Annotated

import typer

from facts.errors import InputError
from kb.cli.boards import Boards
from kb.cli.files import write
from kb.cli.options import ElectionOption, LangOption, RulesOption, refuse
from kb.explain.console import PlainConsole
from kb.explain.say import Speaker
from kb.language.folders import DEFAULT_EDITION
from kb.quiz.forms import QuizForm
from kb.quiz.session import Level, session
from kb.quiz.telling import all_told

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
    form: Annotated[QuizForm, typer.Option("--format", help="What they are written as.")] = QuizForm.HTML,
    file: Annotated[Path | None, typer.Option("--sheet", help="Write them to this file.")] = None,
    election: ElectionOption = None,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """Exercises with their answers, easy ones first: a sheet to print, slides, a file for Moodle or Anki."""
    boards = Boards(rules, lang, None, edition, election)
    try:
        law = boards.laws.of(edition, election or (), "quick")
        speaker = Speaker(boards.words, law.edition.vocabulary, lang)
        with PlainConsole(stderr=True).status(speaker.phrase("quiz-choosing")):
            exercises = session(law, Random(seed), size, level, about)
    except InputError as error:
        raise refuse(error) from None
    text = form.write(all_told(exercises, speaker, about or ""), speaker, law.edition.called(lang))
    write(file, text) if file is not None else print(text, end="")
