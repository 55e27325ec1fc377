"""``revoke what-if``: the ruling before and after a change of the facts."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from facts.errors import InputError
from facts.incident import Incident
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
from kb.what_if.telling import as_json, as_markdown, print_sides
from kb.what_if.what_if import what_if

app = typer.Typer(add_completion=False)


@app.command()
def command(
    file: FileArgument,
    changes: Annotated[
        list[str],
        typer.Argument(
            help="won-by=W, revoke-2.noticed=not-yet, event-1= (drops it), card-5.3=H7, +attention:by=S,after=5.3, "
            "edition=duplicate-2007 and the like.",
            metavar="CHANGE...",
        ),
    ],
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: PageFormOption = "text",
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """Both rulings side by side, and the clauses that came and went."""
    boards = Boards(rules, lang, engine, edition, election)

    def tell(incident: Incident) -> None:
        before = boards.ruled(incident)
        try:
            both = what_if(before, changes, boards.tables, boards.ruled)
        except InputError as error:
            raise refuse(error) from None
        voices = boards.speaker(both.before), boards.speaker(both.after)
        if form == "json":
            print(json.dumps(as_json(both, *voices, changes), ensure_ascii=False))
        elif form == "markdown":
            print(as_markdown(both, *voices, changes), end="")
        else:
            print_sides(both, *voices)

    raise typer.Exit(int(not boards.each([file], tell)))
