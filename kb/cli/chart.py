"""``revoke chart``: the decision chart of an edition, made from the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from facts.errors import InputError
from kb.chart.chart import chart
from kb.chart.mermaid import mermaid
from kb.chart.parts import ChartPart
from kb.chart.svg import svg
from kb.chart.telling import Speech
from kb.cli.ask import write
from kb.cli.boards import Boards
from kb.cli.options import ElectionOption, LangOption, RulesOption, refuse
from kb.explain.say import Speaker
from kb.interview.counsel import Counsel
from kb.language.folders import DEFAULT_EDITION

app = typer.Typer(add_completion=False)
ChartForm: TypeAlias = Literal["svg", "mermaid"]
SUFFIXES: Final[dict[ChartForm, str]] = {"svg": ".svg", "mermaid": ".mmd"}
PartName: TypeAlias = Literal["not-established", "established"]


@app.command()
def command(
    edition: Annotated[str, typer.Argument(help="An edition's id, or the folder of a draft.")] = DEFAULT_EDITION,
    part: Annotated[PartName, typer.Option("--part", help="The part to print.")] = "not-established",
    page: Annotated[int, typer.Option("--page", min=1, help="Which page of it, where SVG takes several.")] = 1,
    form: Annotated[ChartForm, typer.Option("--format", help="Form of the chart.")] = "svg",
    folder: Annotated[
        Path | None, typer.Option("--write", help="Write every page into this folder, instead of printing one.")
    ] = None,
    election: ElectionOption = None,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """The decision chart of an edition on A4 pages for each of its two parts, each box with its law."""
    try:
        boards = Boards(rules, lang, None, edition, election)
        counsel = Counsel.of(boards.laws.of(edition, election or (), "python"))
    except InputError as error:
        raise refuse(error) from None
    code = counsel.law.edition
    speech = Speech(Speaker(boards.words, code.vocabulary, lang), counsel.adviser.survey.interview, code)
    parts = {made.name: made for made in chart(counsel)}
    if folder is not None:
        _write_all(folder, "-".join((code.id, *code.elections)), parts.values(), form, speech)
        return
    pages = _pages(parts[part], form, speech)
    if page > len(pages):
        print(f"--page {page}: this part has {len(pages)}", file=sys.stderr)
        raise typer.Exit(2)
    print(pages[page - 1], end="")


def _pages(part: ChartPart, form: ChartForm, speech: Speech) -> tuple[str, ...]:
    return svg(part, speech) if form == "svg" else (mermaid(part, speech),)


def _write_all(folder: Path, name: str, parts: Iterable[ChartPart], form: ChartForm, speech: Speech) -> None:
    """Every page into a file of its own, numbered where a part has several."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"{folder}: {error.strerror}", file=sys.stderr)
        raise typer.Exit(2) from None
    for part in parts:
        pages = _pages(part, form, speech)
        for number, page in enumerate(pages, 1):
            ending = f"-{number}" if len(pages) > 1 else ""
            file = folder / f"{name}-{part.name}{ending}.{'svg' if form == 'svg' else 'mmd'}"
            write(file, page)
            print(file, file=sys.stderr)
