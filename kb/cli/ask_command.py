"""The director's questions at the terminal: ``revoke ask``, one question of the flow after another."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from rich.text import Text

from facts.errors import InputError
from facts.incident import DEFAULT_EDITION, Incident
from facts.table import REVOKE
from facts.to_yaml import as_yaml
from kb.cli.common import FORM, Boards, EditionOption, ElectionOption, EngineOption, LangOption, RulesOption, write
from kb.cli.ruling_commands import UNDECIDED, Printer, RulingForm
from kb.cli.terminal import tell
from kb.explain.console import PlainConsole
from kb.explain.words import Speaker
from kb.interview.address import MATTER, seated
from kb.interview.adviser import Counsel
from kb.interview.question import AskedPage, what_happened
from kb.language.folders import apart
from kb.ruling.laws import Law

Taps: TypeAlias = dict[str, tuple[str, dict[str, str]]]
"""Key -> its words, and what has been said once it is typed, as an address says it."""


def taps_of(shown: Mapping[str, Any]) -> Taps:
    """The seats or rows of a question, in their order, and what closes it."""
    rows = [*shown["compass"], *shown["rows"], *filter(None, [shown["closing"]])]
    return {
        row.key: (" ".join(filter(None, ["✓" * row.ticked, row.says, row.more and f"– {row.more}"])), {**row.query})
        for row in rows
        if row.query
    }


class Talk:
    """A conversation on standard error, so that standard output holds nothing but the ruling."""

    def __init__(self, law: Law, speaker: Speaker) -> None:
        self.law, self.speaker = law, speaker
        self.console = PlainConsole(stderr=True, highlight=False)
        self.counsel = cache(partial(Counsel.of, law))
        """The interview of a matter."""

    def asked(self, query: Mapping[str, str]) -> AskedPage:
        """What is asked after what an address says."""
        return AskedPage(self.counsel(query.get(MATTER, REVOKE)), query, self.speaker)

    def held(self) -> AskedPage:
        """Asks until nothing is left to be asked; typer.Exit when the director leaves."""
        way: list[dict[str, str]] = [{}]
        keys = {name: self.speaker.phrase(f"ask-key-{name}") for name in ("law", "back", "restart", "quit")}
        while (root := what_happened(self.law.edition, way[-1], self.speaker)) or self.asked(way[-1]).step is not None:
            asked = None if root else self.asked(way[-1])
            shown = asked.context() if asked else root
            taps = taps_of(shown)
            self._ask(asked, shown, taps, len(way))
            while (typed := self._read()) not in {*taps, *keys.values()} - {keys["law"]}:
                if typed == keys["law"]:
                    for law, clause in self.law.edition.clauses.items():
                        if law in shown["band"]["laws"] and clause.says:
                            self.console.print(Text(f"{law}  {clause.says[self.speaker.lang].strip()}"))
                else:
                    self.console.print(self.speaker.phrase("ask-not-a-key"))
            if typed == keys["quit"]:
                raise typer.Exit(130)
            if typed in taps:
                way.append(taps[typed][1])
            else:
                way = way[: -1 if typed == keys["back"] else 1] or way[:1]
        return self.asked(way[-1])

    def _ask(self, asked: AskedPage | None, shown: Mapping[str, Any], taps: Taps, number: int) -> None:
        speaker, band = self.speaker, shown["band"]
        self.console.print()
        if asked and asked.dropped:
            self.console.print(Text(asked.dropped, "yellow"))
        if chips := [one.says for one in asked.chips()] if asked else []:
            self.console.print(Text(" · ".join(chips), "dim"))
        if band["text"]:
            laws = f" [{speaker.laws(band['laws'])}]" if band["laws"] else ""
            self.console.print(Text(f"{band['title']}: {band['text']}{laws}", "green"))
        self.console.print(Text(f"{speaker.phrase('ask-number', n=number)}: {shown['asks']}", "bold"))
        if shown["help"]:
            self.console.print(Text(str(shown["help"]), "dim"))
        for key, (says, _) in taps.items():
            self.console.print(Text(f"  {key:>2}  {says}"))

    def _read(self) -> str:
        self.console.print(Text(self.speaker.phrase("ask-keys"), "dim"))
        self.console.print("> ", end="")
        try:
            return input().strip().lower()
        except (EOFError, KeyboardInterrupt):
            raise typer.Exit(130) from None


def ask_command(
    edition: EditionOption = None,
    election: ElectionOption = None,
    lang: LangOption = "en",
    save: Annotated[Path | None, typer.Option("--save", help="Write the incident into this file.")] = None,
    form: Annotated[RulingForm, FORM] = "text",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """Asks what the desk asks, a key for each tap, until the ruling is as certain as answers can make it.

    Exit status: 0 the ruling is certain; 3 it hinges on what is not known; 1 the answers cannot all be true.
    """
    boards = Boards(rules, lang, engine, edition, election)
    law_name = edition or DEFAULT_EDITION
    law = boards.laws.of(law_name, election or (), "quick")
    speaker = Speaker(boards.words, law.edition.vocabulary, lang)
    try:
        asked = Talk(law, speaker).held()
        incident = seated(asked.counsel, asked.settled)
    except InputError as error:
        tell(error.faults)
        raise typer.Exit(1) from None
    incident = replace(incident, edition=apart(law_name)[0], elections=law.edition.elections)
    ruling, printer = boards.ruled(incident), Printer(boards, form, None)
    printer.say(ruling)
    printer.close()
    if save is not None:
        write(save, incident_file(incident))
        print(speaker.phrase("ask-saved", file=save), file=sys.stderr)
    raise typer.Exit(UNDECIDED if printer.undecided else 0)


def incident_file(incident: Incident) -> str:
    """The incident with the law it is to be ruled by."""
    elections = f"elections: [{', '.join(incident.elections)}]\n" if incident.elections else ""
    return f"edition: {json.dumps(incident.edition, ensure_ascii=False)}\n{elections}{as_yaml(incident)}"
