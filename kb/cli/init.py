"""``revoke init``: a draft amendment to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facts.errors import InputError
from kb.cli.options import RulesOption, refuse, root_of
from kb.drafting.new_draft import clauses_added, clauses_named, new_draft, write_draft
from kb.language.edition import load_edition
from kb.language.folders import DEFAULT_EDITION, editions

app = typer.Typer(add_completion=False)


@app.command()
def command(
    folder: Annotated[Path, typer.Argument(help="The draft's folder, which is not there yet; it bears its name.")],
    clauses: Annotated[
        list[str] | None, typer.Argument(help="Clauses to start from, as they stand.", metavar="[CLAUSE]...")
    ] = None,
    amends: Annotated[
        str, typer.Option("--amends", help="The edition that it amends, or the folder of another draft.")
    ] = DEFAULT_EDITION,
    new: Annotated[list[str] | None, typer.Option("--new", help="A clause that it adds; may be repeated.")] = None,
    rules: RulesOption = None,
) -> None:
    """Writes a draft: what it amends, the clauses named with the cases that cite them, and the schema for an editor."""
    root = root_of(rules)
    try:
        if folder.name in editions(root):
            raise InputError.of(folder, f"{folder.name} is the name of an edition", "give the draft a name of its own")
        base = load_edition(root, amends)
        files = new_draft(folder, base, clauses_named(base, clauses or []), clauses_added(base, new or []))
        write_draft(folder, files)
    except InputError as error:
        raise refuse(error) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse(InputError.of(folder, f"the draft cannot be written: {reason}", "choose another folder")) from None
    for name in sorted(files):
        print(folder / name)
    print(f"Next: revoke check {folder} --watch")
