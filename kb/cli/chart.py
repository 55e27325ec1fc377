"""``revoke chart``: the decision chart of an edition, made from the rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from facts.errors import InputError
from kb.chart.chart import chart
from kb.chart.listing import listing
from kb.chart.making import ordinary_chart
from kb.chart.mermaid import mermaid, mermaid_of_boxes
from kb.chart.sheet import sheet
from kb.chart.svg import svg
from kb.chart.telling import Speech
from kb.chart.wording import BoxSpeech
from kb.cli.boards import Boards
from kb.cli.files import make_folder, write
from kb.cli.options import ElectionOption, LangOption, RulesOption, refuse
from kb.explain.say import Speaker
from kb.interview.counsel import Counsel
from kb.language.folders import DEFAULT_EDITION

app = typer.Typer(add_completion=False)
ChartForm: TypeAlias = Literal["svg", "text", "mermaid"]
SUFFIXES: Final[dict[ChartForm, str]] = {"svg": ".svg", "text": ".txt", "mermaid": ".mmd"}
PartName: TypeAlias = Literal["not-established", "established"]


@app.command()
def command(
    edition: Annotated[str, typer.Argument(help="An edition's id, or the folder of a draft.")] = DEFAULT_EDITION,
    complete: Annotated[bool, typer.Option("--complete", help="The appendix: every case of one revoke.")] = False,
    part: Annotated[PartName, typer.Option("--part", help="The part of it to print.")] = "not-established",
    page: Annotated[int, typer.Option("--page", min=1, help="Which page of it, where SVG takes several.")] = 1,
    form: Annotated[ChartForm, typer.Option("--format", help="Form of the chart; text: a list.")] = "svg",
    folder: Annotated[
        Path | None, typer.Option("--write", help="Write the page and every page of the appendix into this folder.")
    ] = None,
    election: ElectionOption = None,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """The ordinary case of an edition on one page, each box with its law; the complete chart as an appendix."""
    try:
        boards = Boards(rules, lang, None, edition, election)
        counsel = Counsel.of(boards.laws.of(edition, election or (), "quick"))
        printed = _Printing(counsel, Speaker(boards.words, counsel.law.edition.vocabulary, lang), form)
        _print(printed, folder, part if complete else None, page)
    except InputError as error:
        raise refuse(error) from None


def _print(printed: _Printing, folder: Path | None, part: PartName | None, page: int) -> None:
    """Into a folder all of it; else a page of a part, or the ordinary case where no part is named."""
    if folder is not None:
        _write_all(folder, printed)
        return
    if part is None:
        print(printed.ordinary(), end="")
        return
    pages = printed.parts()[part]
    if page > len(pages):
        print(f"--page {page}: this part has {len(pages)}", file=sys.stderr)
        raise typer.Exit(2)
    print(pages[page - 1], end="")


class _Printing:
    """The charts of one edition in one form."""

    def __init__(self, counsel: Counsel, speaker: Speaker, form: ChartForm) -> None:
        self.counsel, self.speaker, self.form = counsel, speaker, form
        self.edition = counsel.law.edition

    def ordinary(self) -> str:
        """The one page."""
        speech = BoxSpeech(self.speaker, self.counsel.interview, self.edition)
        forms = {"svg": sheet, "text": listing, "mermaid": mermaid_of_boxes}
        return forms[self.form](ordinary_chart(self.counsel).chart, speech)

    def parts(self) -> dict[str, tuple[str, ...]]:
        """The pages of the appendix, by its parts."""
        if self.form == "text":
            print("--format text: the complete chart has svg and mermaid", file=sys.stderr)
            raise typer.Exit(2)
        speech = Speech(self.speaker, self.counsel.interview, self.edition)
        parts = chart(self.counsel)
        return {part.name: svg(part, speech) if self.form == "svg" else (mermaid(part, speech),) for part in parts}


def _write_all(folder: Path, printed: _Printing) -> None:
    """Every page into a file of its own, numbered where a part has several."""
    make_folder(folder)
    name = "-".join((printed.edition.id, *printed.edition.elections))
    pages = {name: printed.ordinary()}
    for part, made in printed.parts().items() if printed.form != "text" else ():
        ending = [f"-{number}" if len(made) > 1 else "" for number in range(1, len(made) + 1)]
        pages |= {f"{name}-{part}{end}": one for end, one in zip(ending, made, strict=True)}
    for called, one in pages.items():
        file = folder / f"{called}{SUFFIXES[printed.form]}"
        write(file, one)
        print(file, file=sys.stderr)
