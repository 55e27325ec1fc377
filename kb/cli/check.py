"""``revoke check``: every fault of the rule files, at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from facts.errors import InputError
from kb.cli.options import RulesOption, refuse, root_of
from kb.explain.words import load_words
from kb.language.check import check
from kb.language.edition import load_edition
from kb.language.folders import editions
from kb.language.report import one_line, report

app = typer.Typer()


@app.command()
def command(
    folder: Annotated[
        str | None, typer.Argument(help="An edition's id or a folder of your own; all shipped editions when left out.")
    ] = None,
    rules: RulesOption = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="One line for each fault, without the lines of the files.")
    ] = False,
) -> None:
    """Every fault of the rule files, each with its place and how to mend it. Status 1 when there is any."""
    root = root_of(rules)
    try:
        faults = check(root, folder if folder is None or folder in editions(root) else Path(folder))
        if not faults:
            load_words(root, load_edition(root, folder or editions(root)[0]).vocabulary)
    except InputError as error:
        if folder is not None and not Path(folder).exists():
            raise refuse(error) from None
        faults = list(error.faults)
    if plain:
        for fault in faults:
            print(one_line(fault))
    else:
        report(faults, Console(highlight=False))
    print(f"{len(faults)} fault{'s' if len(faults) != 1 else ''}")
    raise typer.Exit(int(bool(faults)))
