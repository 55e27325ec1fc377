"""``revoke equity``: what double dummy gives without each revoke, with the cards at that moment."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from facts.double_dummy import NotComputed
from facts.equity import Evidence
from facts.incident import Incident
from kb.cli.boards import Boards
from kb.cli.options import FORM, EditionOption, ElectionOption, EngineOption, LangOption, RulesOption
from kb.explain.console import PlainConsole
from kb.explain.evidence import proves, replayed, summary
from kb.explain.evidence_json import evidence_json
from kb.explain.hands import diagram
from kb.explain.say import Speaker
from kb.explain.text import title
from kb.ruling.equity import weigh
from kb.ruling.ruling import RevokeRuled, Ruling

app = typer.Typer(add_completion=False)
CORRECTED = "corrected"
"""The status of a revoke that was put right, after which nothing is to be made good."""


@app.command()
def command(
    files: Annotated[
        list[str], typer.Argument(help="Incident, PBN or LIN files; - for standard input.", metavar="FILE...")
    ],
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: Annotated[Literal["text", "json"], FORM] = "text",
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """The cards before each revoke, and the tricks after each card that could legally have been played."""
    boards = Boards(rules, lang, engine, edition, election)
    console = PlainConsole(highlight=False)

    def show(incident: Incident) -> None:
        ruling = boards.ruled(incident)
        found = weigh(ruling, [revoke for revoke in ruling.revokes if revoke.status != CORRECTED])
        weighed = replace(ruling, evidence=found)
        speaker = boards.speaker(ruling)
        if form == "json":
            named = {"source": incident.source, "board": incident.board, "edition": ruling.edition.id}
            print(json.dumps({**named, "evidence": evidence_json(weighed, speaker)}, ensure_ascii=False))
        else:
            _print(console, weighed, speaker)

    raise typer.Exit(int(not boards.each(files, show)))


def _print(console: Console, ruling: Ruling, speaker: Speaker) -> None:
    console.print(title(ruling, speaker), style="bold")
    if not ruling.evidence:
        console.print(speaker.phrase("no-revoke"))
    for revoke in ruling.revokes:
        if revoke.play in ruling.evidence:
            _print_revoke(console, speaker, revoke, ruling.evidence[revoke.play])
    console.print()


def _print_revoke(console: Console, speaker: Speaker, revoke: RevokeRuled, found: Evidence | NotComputed) -> None:
    console.print()
    console.print(summary(speaker, revoke, found))
    if isinstance(found, NotComputed):
        console.print(f"({found.detail})", style="dim")
        return
    console.print()
    console.print(diagram(found.position, speaker))
    console.print()
    table = Table(*map(speaker.phrase, ("equity-card", "equity-tricks", "equity-line")))
    for card in found.cards:
        table.add_row(speaker.value(card.card.text, "card"), speaker.tricks(card.tricks), replayed(speaker, card))
    console.print(table)
    console.print(proves(speaker, revoke.trick), style="dim")
