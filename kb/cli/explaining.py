"""A ruling explained: ``revoke why-not``, ``what-if`` and ``unfold``."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from facts.errors import InputError
from facts.incident import Incident
from facts.suggestions import did_you_mean
from kb.cli.common import (
    Boards,
    ClauseArgument,
    EditionOption,
    ElectionOption,
    EngineOption,
    FileArgument,
    LangOption,
    PageForm,
    PageFormOption,
    RulesOption,
    refuse,
)
from kb.explain.page import Page, as_markdown, as_text
from kb.explain.say import Speaker
from kb.explain.unfold import as_json as unfolding_json
from kb.explain.unfold import page as unfolding_page
from kb.explain.unfold import unfold
from kb.why_not.telling import as_json as why_not_json
from kb.why_not.telling import page as why_not_page
from kb.why_not.what_if import as_json as what_if_json
from kb.why_not.what_if import told as both_told
from kb.why_not.what_if import what_if
from kb.why_not.why_not import why_not


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
            what = f"{ruling.edition.id} has no clause {law}"
            raise refuse(InputError.of(law, what, did_you_mean(law, ruling.edition.clauses)))
        answer, speaker = why_not(ruling, law), boards.speaker(ruling)
        if form == "json":
            print(json.dumps(why_not_json(ruling, answer, speaker), ensure_ascii=False))
        else:
            _print_page(why_not_page(ruling, answer, speaker), form, speaker)

    raise typer.Exit(int(not boards.each([file], tell)))


def _print_page(page: Page, form: PageForm, speaker: Speaker) -> None:
    print((as_markdown if form == "markdown" else as_text)(page, speaker), end="")


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
    form: PageFormOption = "text",
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """The new ruling and the clauses that came and went; then both rulings in full."""
    boards = Boards(rules, lang, engine, edition, election)

    def tell(incident: Incident) -> None:
        before = boards.ruled(incident)
        try:
            both = what_if(before, changes, boards.tables, boards.ruled)
        except InputError as error:
            raise refuse(error) from None
        voices = boards.speaker(both.before), boards.speaker(both.after)
        if form == "json":
            print(json.dumps(what_if_json(both, *voices, changes), ensure_ascii=False))
        else:
            print(both_told(both, *voices, as_markdown if form == "markdown" else as_text), end="")

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
        unfolding = unfold(boards.laws.for_incident(incident), incident)
        speaker = boards.speaker(unfolding.turns[-1].ruling)
        if form == "json":
            print(json.dumps(unfolding_json(unfolding, speaker), ensure_ascii=False))
        else:
            _print_page(unfolding_page(unfolding, speaker), form, speaker)

    raise typer.Exit(int(not boards.each([file], tell)))
