"""The ruling on what happened, and how it is explained: ``revoke rule``, ``why-not``, ``what-if`` and ``unfold``."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from facts.errors import InputError, did_you_mean
from facts.incident import Incident
from kb.cli.common import (
    FORM,
    Boards,
    ClauseArgument,
    EditionOption,
    ElectionOption,
    EngineOption,
    FileArgument,
    LangOption,
    PageFormOption,
    RulesOption,
    page_text,
    refuse,
)
from kb.drafting.new_draft import as_case
from kb.explain.headline import headline
from kb.explain.page import Page
from kb.explain.unfold import unfold
from kb.explain.unfold import unfold_page as unfolding_page
from kb.explain.words import Speaker
from kb.ruling.ruling import Ruling
from kb.voices import Voice, saved, told
from kb.why_not.what_if import what_if, what_if_json
from kb.why_not.what_if import what_if_text as both_told
from kb.why_not.why_not import answer_page as why_not_page
from kb.why_not.why_not import why_not

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
            parts = (Path(ruling.incident.place.file).stem, ruling.incident.board)
            print(as_case(ruling, "-".join(filter(None, parts)), headline(ruling, boards.speaker(ruling))))
        else:
            printer.say(ruling)

    well = boards.each(files, say)
    printer.close()
    raise typer.Exit(UNDECIDED if well and printer.undecided else int(not well))


class Printer:
    """Says rulings in one language, voice and form."""

    def __init__(self, boards: Boards, form: RulingForm, voice: Voice | None) -> None:
        self.boards, self.form, self.voice = boards, form, voice
        self.kept: list[tuple[Ruling, Page, Speaker]] = []
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
            self.kept.append((ruling, told(ruling, speaker, self.voice), speaker))
        else:
            if self.said > 1:
                print()
            print(page_text(told(ruling, speaker, self.voice), speaker, self.form), end="")

    def close(self) -> None:
        """Prints the file that holds all rulings, if they go into one."""
        if self.kept:
            from kb.explain.html import document  # noqa: PLC0415 - it loads what makes pages

            print(document(self.kept), end="")


def why_not_command(
    file: FileArgument,
    law: ClauseArgument,
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: PageFormOption = "text",
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """Why a clause does not apply: the fewest things that would have to be otherwise, or the conditions not met."""
    boards = Boards(rules, lang, engine, edition, election)

    def tell(incident: Incident) -> None:
        ruling = boards.ruled(incident)
        if law not in ruling.edition.clauses:
            problem = f"{ruling.edition.id} has no clause {law}"
            raise refuse(InputError.of(law, problem, did_you_mean(law, ruling.edition.clauses)))
        answer, speaker = why_not(ruling, law), boards.speaker(ruling)
        print(page_text(why_not_page(ruling, answer, speaker), speaker, form), end="")

    raise typer.Exit(int(not boards.each([file], tell)))


def what_if_command(
    file: FileArgument,
    changes: Annotated[
        list[str],
        typer.Argument(
            help="won-by=W, revoke-2.noticed=not-yet, event-1= (drops it), card-5.3=H7, +attention:by=S,after=5.3, "
            "edition=duplicate-2007 and the like.",
            metavar="CHANGE...",
        ),
    ],
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: Annotated[Literal["text", "markdown", "json"], FORM] = "text",
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """The new ruling and the clauses that came and went; then both rulings in full."""
    boards = Boards(rules, lang, engine, edition, election)

    def tell(incident: Incident) -> None:
        ruling = boards.ruled(incident)
        try:
            both = what_if(ruling, changes, boards.tables, boards.ruled)
        except InputError as error:
            raise refuse(error) from None
        voices = boards.speaker(both.before), boards.speaker(both.after)
        if form == "json":
            print(json.dumps(what_if_json(both, *voices, changes), ensure_ascii=False))
        else:
            print(both_told(both, *voices, partial(page_text, form=form)), end="")

    raise typer.Exit(int(not boards.each([file], tell)))


def unfold_command(
    file: FileArgument,
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: PageFormOption = "text",
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """The moments at which the ruling changed, and since when each law applies."""
    boards = Boards(rules, lang, engine, edition, election)

    def tell(incident: Incident) -> None:
        turns = unfold(boards.laws.for_incident(incident), incident)
        speaker = boards.speaker(turns[-1].ruling)
        print(page_text(unfolding_page(turns, speaker), speaker, form), end="")

    raise typer.Exit(int(not boards.each([file], tell)))
