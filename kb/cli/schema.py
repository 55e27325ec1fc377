"""``revoke schema``: JSON Schema of the files written by hand, from which editors complete what is typed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from facts.errors import InputError
from kb.cli.options import RulesOption, refuse, root_of
from kb.language.library import Library
from kb.study.schemas import Sort, all_schemas, schema_text

app = typer.Typer()


@app.command()
def command(
    sort: Annotated[Sort | None, typer.Argument(help="The sort of file.")] = None,
    write: Annotated[
        Path | None, typer.Option("--write", help="Write the schema of every sort into this folder.", metavar="FOLDER")
    ] = None,
    rules: RulesOption = None,
) -> None:
    """Prints the JSON Schema of one sort of file, or writes them all into a folder."""
    library = Library(root_of(rules))
    if library.faults:
        raise refuse(InputError(library.faults))
    made = all_schemas(library.rules.vocabulary)
    if write is not None:
        write.mkdir(parents=True, exist_ok=True)
        for name, schema in made.items():
            (write / f"{name}.json").write_text(schema_text(schema), encoding="utf-8")
        print(f"{len(made)} schemas written to {write}")
    elif sort is not None:
        print(json.dumps(made[sort], ensure_ascii=False, indent=2))
    else:
        print(f"name a sort of file ({', '.join(Sort)}), or --write FOLDER for all of them", file=sys.stderr)
        raise typer.Exit(2)
