"""``revoke chart``: the decision chart of an edition, made from the rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from facts.errors import InputError
from kb.chart.chart import ordinary_chart
from kb.chart.telling import BoxSpeech, listing, mermaid, page
from kb.cli.boards import Boards
from kb.cli.files import make_folder, write
from kb.cli.options import ElectionOption, LangOption, RulesOption, refuse
from kb.explain.say import Speaker
from kb.interview.counsel import Counsel
from kb.language.folders import DEFAULT_EDITION

app = typer.Typer(add_completion=False)
ChartForm: TypeAlias = Literal["html", "text", "mermaid"]
FORMS: Final = {"html": (page, ".html"), "text": (listing, ".txt"), "mermaid": (mermaid, ".mmd")}


@app.command()
def command(
    edition: Annotated[str, typer.Argument(help="An edition's id, or the folder of a draft.")] = DEFAULT_EDITION,
    form: Annotated[
        ChartForm, typer.Option("--format", help="html: a page that prints on one A4; text: a list; mermaid: slides.")
    ] = "html",
    folder: Annotated[Path | None, typer.Option("--write", help="Write it into this folder.")] = None,
    election: ElectionOption = None,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """The ordinary case of an edition on one page, each box with its law."""
    try:
        boards = Boards(rules, lang, None, edition, election)
        counsel = Counsel.of(boards.laws.of(edition, election or (), "quick"))
        code = counsel.law.edition
        speech = BoxSpeech(Speaker(boards.words, code.vocabulary, lang), counsel.interview, code)
        make, suffix = FORMS[form]
        made = make(ordinary_chart(counsel).chart, speech)
        if folder is None:
            print(made, end="")
            return
        make_folder(folder)
        file = folder / f"{'-'.join((code.id, *code.elections))}{suffix}"
        write(file, made)
        print(file, file=sys.stderr)
    except InputError as error:
        raise refuse(error) from None
