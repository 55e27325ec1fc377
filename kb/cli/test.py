"""``revoke test``: the cases written beside the rules."""

from __future__ import annotations

from typing import Annotated

import typer

from facts.errors import EngineError, InputError
from kb.cli.options import EngineOption, RulesOption, refuse, root_of
from kb.cli.rule import engine_named
from kb.explain.words import load_words
from kb.language.folders import editions
from kb.ruling.rule import Laws
from kb.study.cases import read_cases
from kb.study.trial import Trial, case_folders

app = typer.Typer()


@app.command()
def command(
    folders: Annotated[
        list[str] | None,
        typer.Argument(
            help="Editions, drafts or folders of cases; every shipped edition when left out.", metavar="[RULES]..."
        ),
    ] = None,
    rules: RulesOption = None,
    engine: EngineOption = None,
) -> None:
    """Rules on every case and tells where the ruling is not the one expected. Status 1 when there is any."""
    root = root_of(rules)
    laws = Laws(root, engine_named(engine))
    tried = failed = 0
    try:
        words = load_words(root, laws.of(editions(root)[0]).edition.vocabulary)
        for folder in case_folders(root, folders or []):
            for outcome in Trial(laws, words, draft=folder.draft).run(read_cases(folder.path)):
                tried += 1
                if outcome.differences:
                    failed += 1
                    print(f"{outcome.case.place}: {outcome.case.id} under {outcome.edition}")
                    for difference in outcome.differences:
                        print(f"    {difference}")
    except (InputError, EngineError) as error:
        if isinstance(error, EngineError):
            print(error)
            raise typer.Exit(1) from None
        raise refuse(error) from None
    print(f"{tried} expectations of cases, {failed} not met")
    raise typer.Exit(int(bool(failed)))
