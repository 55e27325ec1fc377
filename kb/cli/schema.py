"""``revoke schema``: JSON Schema of the files written by hand, and what an incident file can say, as a document."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from facts.errors import InputError
from kb.cli.files import make_folder
from kb.cli.files import write as write_file
from kb.cli.options import EditionOption, RulesOption, refuse, root_of
from kb.language.edition import load_edition
from kb.language.folders import DEFAULT_EDITION
from kb.schemas.described import described
from kb.schemas.schemas import Sort, all_schemas, schema_text

app = typer.Typer(add_completion=False)


@app.command()
def command(
    sort: Annotated[Sort | None, typer.Argument(help="The sort of file.")] = None,
    write: Annotated[
        Path | None, typer.Option("--write", help="Write the schema of every sort into this folder.", metavar="FOLDER")
    ] = None,
    tell: Annotated[
        bool, typer.Option("--tell", help="What can be found out and what can happen, as Markdown tables.")
    ] = False,
    edition: EditionOption = None,
    rules: RulesOption = None,
) -> None:
    """Prints the JSON Schema of one sort of file, or writes them all into a folder."""
    try:
        law = load_edition(root_of(rules), edition or DEFAULT_EDITION)
    except InputError as error:
        raise refuse(error) from None
    made = all_schemas(law.vocabulary, law.table)
    if tell:
        print(described(law.table), end="")
    elif write is not None:
        make_folder(write)
        for name, schema in made.items():
            write_file(write / f"{name}.json", schema_text(schema))
        print(f"{len(made)} schemas written to {write}")
    elif sort is not None:
        print(json.dumps(made[sort], ensure_ascii=False, indent=2))
    else:
        what = f"a sort of file ({', '.join(Sort)}), --write FOLDER for all of them, or --tell"
        print(f"name {what}", file=sys.stderr)
        raise typer.Exit(2)
