"""``revoke coverage``: each clause of an edition, how it is encoded, and which cases reach it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.table import Table

from facts.errors import InputError
from kb.cases.cases import hearings
from kb.cases.coverage import Reach, coverage
from kb.cli.options import FORM, RulesOption, refuse, root_of
from kb.explain.console import PlainConsole
from kb.language.folders import DEFAULT_EDITION
from kb.ruling.law import Laws
from kb.space.read_interview import INTERVIEW, load_interview
from kb.space.universe import Universe

app = typer.Typer(add_completion=False)
HEADINGS = ("Law", "encoded as", "rules", "situations", "cited by", "named by", "close, and rightly not")
WIDTHS = (6, 14, 5, 10, None, None, None)
"""Of the columns of a table; the last share what is left."""
SHOWN = 3
"""How many cases are named before the rest is only counted."""


@app.command()
def command(
    edition: Annotated[str, typer.Argument(help="An edition's id, or the folder of a draft.")] = DEFAULT_EDITION,
    form: Annotated[Literal["table", "markdown", "json"], FORM] = "table",
    cases: Annotated[
        list[Path] | None, typer.Option("--cases", help="A further folder of cases to count; repeatable.")
    ] = None,
    rules: RulesOption = None,
) -> None:
    """Clause by clause: how it is encoded, its rules, the cases that cite it, those that come close. Status 1 when a
    clause has rules that no case needs."""
    laws = Laws(root_of(rules), "quick")
    try:
        code = laws.of(edition).edition
        asked = (laws.root / INTERVIEW).is_file()
        universe = Universe(load_interview(laws.root, code)) if asked else None
        reached = coverage(code, hearings(laws, edition, cases or ()), universe)
    except InputError as error:
        raise refuse(error) from None
    orphans = [reach.clause for reach in reached if reach.orphan]
    if form == "json":
        print(json.dumps([_entry(reach) for reach in reached], ensure_ascii=False, indent=2))
    elif form == "markdown":
        print("\n".join(_markdown(reached)))
    else:
        _print_table(code.title["en"], reached)
    if form != "json":
        print(f"{len(reached)} clauses, {sum(len(reach.clause.rules) for reach in reached)} rules, ", end="")
        print(f"{len(orphans)} clause{'s' if len(orphans) != 1 else ''} with rules that no case needs")
        for clause in orphans:
            print(f"{clause.place}: {clause.ref} has rules, and no case needs them; write one that does")
    raise typer.Exit(int(bool(orphans)))


def _cells(reach: Reach) -> tuple[str, ...]:
    clause = reach.clause
    return (
        clause.ref,
        clause.encoded_as + ("" if reach.own else " (base)"),
        str(len(clause.rules) or ""),
        str(reach.situations or ""),
        "none" if reach.orphan else _some(reach.cited_by),
        _some(reach.pointed_to_by),
        _some([near.case for near in reach.near]),
    )


def _some(cases: Sequence[str]) -> str:
    """The first few, and how many there are."""
    if not cases:
        return ""
    more = ", …" if len(cases) > SHOWN else ""
    return f"{len(cases)}: {', '.join(cases[:SHOWN])}{more}"


def _print_table(title: str, reached: Sequence[Reach]) -> None:
    table = Table(title=title, expand=True)
    for heading, width in zip(HEADINGS, WIDTHS, strict=True):
        table.add_column(heading, overflow="ellipsis", no_wrap=True, width=width, ratio=None if width else 1)
    for reach in reached:
        table.add_row(*_cells(reach), style="bold red" if reach.orphan else None)
    PlainConsole().print(table)


def _markdown(reached: Sequence[Reach]) -> list[str]:
    rows = [HEADINGS, tuple("---" for _ in HEADINGS), *map(_cells, reached)]
    return [f"| {' | '.join(row)} |" for row in rows] + [""]


def _entry(reach: Reach) -> dict[str, Any]:
    clause = reach.clause
    return {
        "law": clause.ref,
        "encoded-as": clause.encoded_as,
        "own": reach.own,
        "place": str(clause.place),
        "rules": [rule.id for rule in clause.rules],
        "situations": reach.situations,
        "cited-by": list(reach.cited_by),
        "named-by": list(reach.pointed_to_by),
        "near": [{"case": near.case, "why": near.why} for near in reach.near],
        "orphan": reach.orphan,
    }
