"""``revoke unfold``: the ruling after every card and event."""

from __future__ import annotations

import json

import typer

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
)
from kb.explain.page import as_markdown, as_text
from kb.explain.unfold import as_json, page, unfold

app = typer.Typer(add_completion=False)


@app.command()
def command(
    file: FileArgument,
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: PageFormOption = "text",
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """The moments at which the ruling changed, how long it could be corrected, since when each law applies."""
    boards = Boards(rules, lang, engine, edition, election)

    def tell(incident: Incident) -> None:
        unfolding = unfold(boards.laws.for_incident(incident), incident)
        speaker = boards.speaker(unfolding.turns[-1].ruling)
        if form == "json":
            print(json.dumps(as_json(unfolding, speaker), ensure_ascii=False))
        else:
            write = as_markdown if form == "markdown" else as_text
            print(write(page(unfolding, speaker), speaker), end="")

    raise typer.Exit(int(not boards.each([file], tell)))
