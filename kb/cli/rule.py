"""``revoke rule``: the ruling on each board of each file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import typer

from facts.incident import Incident
from kb.cli.common import (
    FORM,
    Boards,
    EditionOption,
    ElectionOption,
    EngineOption,
    LangOption,
    RulesOption,
)
from kb.explain.headline import headline
from kb.explain.page import as_markdown, as_text
from kb.ruling.ruling import Ruling
from kb.voices import Voice, saved, told

if TYPE_CHECKING:
    from kb.explain.html import Article

RulingForm: TypeAlias = Literal["text", "markdown", "html", "json"]
UNDECIDED: Final = 3
"""The exit status where every board is ruled on, and some ruling hinges on what is not known."""


def rule_command(  # noqa: PLR0913, PLR0917 - each is an option
    files: Annotated[
        list[str], typer.Argument(help="Incident, PBN or LIN files; - for standard input.", metavar="FILE...")
    ],
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: Annotated[RulingForm, FORM] = "text",
    voice: Annotated[
        Voice | None, typer.Option("--voice", help="Whom it is told to; the ruling in full when left out.")
    ] = None,
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
    equity: Annotated[
        bool, typer.Option("--equity", help="Ask double dummy what would have been without each revoke.")
    ] = False,
    case: Annotated[
        bool, typer.Option("--as-case", help="Write each ruling as a case that expects it, to be put beside the rules.")
    ] = False,
) -> None:
    """The ruling on what happened at a table, with the law for every step.

    Exit status: 0 every ruling is certain; 3 one hinges on what is not known; 1 some board could not be ruled on; 2 the
    command line is wrong.
    """
    boards = Boards(rules, lang, engine, edition, election)
    printer = Printer(boards, form, voice)

    def say(incident: Incident) -> None:
        ruling = boards.ruled(incident, equity)
        if case:
            from kb.drafting.new_draft import as_case  # noqa: PLC0415 - only this option needs it

            parts = (Path(ruling.incident.place.file).stem, ruling.incident.board)
            print(as_case(ruling, "-".join(filter(None, parts)), headline(ruling, boards.speaker(ruling))))
        else:
            printer.say(ruling)

    well = boards.each(files, say)
    printer.close()
    raise typer.Exit(UNDECIDED if well and printer.undecided else int(not well))


class Printer:
    """Says rulings in one language, voice and form; what only one form needs is loaded for it."""

    def __init__(self, boards: Boards, form: RulingForm, voice: Voice | None) -> None:
        self.boards, self.form, self.voice = boards, form, voice
        self.articles: list[Article] = []
        self.said = 0
        self.undecided = False

    def say(self, ruling: Ruling) -> None:
        """Prints one ruling; for HTML, keeps it until ``close``."""
        speaker = self.boards.speaker(ruling)
        self.said += 1
        self.undecided |= ruling.is_open
        if self.form == "json":
            print(json.dumps(saved(ruling, speaker, self.voice), ensure_ascii=False))
        elif self.form == "html":
            from kb.explain.html import Article  # noqa: PLC0415
            from kb.explain.unfold import unfold  # noqa: PLC0415

            unfolding = unfold(self.boards.laws.for_incident(ruling.incident), ruling.incident)
            self.articles.append(Article(ruling, unfolding, told(ruling, speaker, self.voice), speaker))
        else:
            if self.said > 1:
                print()
            write = as_markdown if self.form == "markdown" else as_text
            print(write(told(ruling, speaker, self.voice), speaker), end="")

    def close(self) -> None:
        """Prints the file that holds all rulings, if they go into one."""
        if self.articles:
            from kb.explain.html import document  # noqa: PLC0415

            print(document(self.articles), end="")
