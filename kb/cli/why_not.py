"""``revoke why-not``: why a clause does not apply, and the nearest ways in which it would."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from facts.errors import InputError
from facts.incident import Incident
from facts.suggestions import did_you_mean
from kb.cli.boards import Boards
from kb.cli.options import (
    EditionOption,
    ElectionOption,
    EngineOption,
    FileArgument,
    LangOption,
    PageFormOption,
    RulesOption,
    refuse,
)
from kb.explain.page import as_markdown, as_text
from kb.why_not.telling import as_json, page
from kb.why_not.why_not import why_not

app = typer.Typer(add_completion=False)


@app.command()
def command(
    file: FileArgument,
    law: Annotated[str, typer.Argument(help="A clause, by its number in the book.")],
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: PageFormOption = "text",
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """Why a clause does not apply: the fewest things that would have to be otherwise, or the conditions not met."""
    boards = Boards(rules, lang, engine, edition, election)

    def tell(incident: Incident) -> None:
        ruling = boards.ruled(incident)
        if law not in ruling.edition.clauses:
            what = f"{ruling.edition.id} has no clause {law}"
            raise refuse(InputError.of(law, what, did_you_mean(law, ruling.edition.clauses)))
        answer, speaker = why_not(ruling, law), boards.speaker(ruling)
        if form == "json":
            print(json.dumps(as_json(ruling, answer, speaker), ensure_ascii=False))
        else:
            write = as_markdown if form == "markdown" else as_text
            print(write(page(ruling, answer, speaker), speaker), end="")

    raise typer.Exit(int(not boards.each([file], tell)))
