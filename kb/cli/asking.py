"""The director's questions at the terminal: ``revoke ask``, one question of the flow after another."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit

import typer
from rich.text import Text

from facts.errors import InputError, Place
from facts.incident import Incident
from facts.to_yaml import as_yaml
from facts.yaml_reader import read_text, read_yaml
from kb.cli.common import (
    FORM,
    Boards,
    EditionOption,
    ElectionOption,
    EngineOption,
    LangOption,
    RulesOption,
    write,
)
from kb.cli.rule import UNDECIDED, Printer, RulingForm
from kb.cli.terminal import tell
from kb.explain.console import PlainConsole, at_work
from kb.explain.say import Speaker
from kb.interview.address import LAWS, seated
from kb.interview.asked import AskedPage, TapRow
from kb.interview.counsel import Counsel
from kb.language.folders import DEFAULT_EDITION
from kb.ruling.law import apart
from kb.ruling.ruling import Ruling

Taps: TypeAlias = dict[str, tuple[str, dict[str, str]]]
"""Key -> its words, and what has been said once it is typed, as an address says it."""


def taps_of(shown: Mapping[str, Any]) -> Taps:
    """The seats or rows of a question, in their order, and what closes it."""
    rows = [*shown["compass"], *shown["rows"], *filter(None, [shown["closing"]])]
    marked = {row: isinstance(row, TapRow) and row.ticked for row in rows if row.at}
    return {
        row.key: (" ".join(filter(None, ["✓" * ticked, row.says, row.more and f"– {row.more}"])), _said(row.at))
        for row, ticked in marked.items()
    }


def _said(at: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(at).query))


def _text(value: Any) -> str:
    """A value of a file as an address states it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def read_answers(counsel: Counsel, file: Path, speaker: Speaker) -> dict[str, str]:
    """The answers of a file, as an address says them; InputError with the place of each that will not do, or where
    something is still asked."""
    node = read_yaml(read_text(file), str(file))
    query = {key: _text(one.plain()) for key, one in node.entries.items()}
    if LAWS in query:
        what = "answers do not choose the law"
        raise InputError.of(node.entries[LAWS].place, what, f"leave it out, and say --edition {query[LAWS]}")
    try:
        asked = AskedPage(counsel, query, speaker)
    except InputError as error:
        keys = [one.place.file.partition("=")[0] for one in error.faults]
        places: list[Place] = [node.entries[key].place if key in node.entries else node.place for key in keys]
        raise InputError(replace(one, place=at) for one, at in zip(error.faults, places, strict=True)) from error
    if asked.step is not None:
        said = [{*then.items()} - {*query.items()} for _, then in taps_of(asked.context()).values()]
        able = [", ".join(f"{key}: {value}" for key, value in sorted(one)) for one in said]
        what = f"{asked.telling.asks(asked.step)} is asked and not answered"
        raise InputError.of(node.place, what, f"add one of: {' · '.join(dict.fromkeys(filter(None, able)))}")
    return query


class Talk:
    """A conversation on standard error, so that standard output holds nothing but the ruling."""

    def __init__(self, counsel: Counsel, speaker: Speaker) -> None:
        self.counsel, self.speaker = counsel, speaker
        self.console = PlainConsole(stderr=True, highlight=False)

    def held(self) -> dict[str, str]:
        """Asks until nothing is left to be asked; typer.Exit when the director leaves."""
        way: list[dict[str, str]] = [{}]
        keys = {name: self.speaker.phrase(f"ask-key-{name}") for name in ("law", "back", "restart", "quit")}
        while (asked := AskedPage(self.counsel, way[-1], self.speaker)).step is not None:
            shown = asked.context()
            taps = taps_of(shown)
            self._ask(asked, shown, taps, len(way))
            while (said := self._read(self.speaker.phrase("ask-keys"))) not in {*taps, *keys.values()} - {keys["law"]}:
                if said == keys["law"]:
                    self.console.print("\n".join(self.laws(shown["band"]["laws"])))
                else:
                    self.console.print(self.speaker.phrase("ask-not-a-key"))
            if said == keys["quit"]:
                raise typer.Exit(130)
            if said in taps:
                way.append(taps[said][1])
            else:
                way = way[: -1 if said == keys["back"] else 1] or way[:1]
        return way[-1]

    def _ask(self, asked: AskedPage, shown: Mapping[str, Any], taps: Taps, number: int) -> None:
        speaker, band = self.speaker, shown["band"]
        self.console.print()
        if asked.dropped:
            self.console.print(Text(asked.dropped, "yellow"))
        if chips := [one.says for one in asked.telling.chips()]:
            self.console.print(Text(" · ".join(chips), "dim"))
        if band["text"]:
            laws = f" [{speaker.laws(band['laws'])}]" if band["laws"] else ""
            self.console.print(Text(f"{band['title']}: {band['text']}{laws}", "green"))
        self.console.print(Text(f"{speaker.phrase('ask-number', n=number)}: {shown['asks']}", "bold"))
        if shown["help"]:
            self.console.print(Text(str(shown["help"]), "dim"))
        for key, (says, _) in taps.items():
            self.console.print(Text(f"  {key:>2}  {says}"))

    def laws(self, cited: tuple[str, ...]) -> list[str]:
        """What these clauses say."""
        clauses = self.counsel.law.edition.clauses
        return [
            f"{law}  {one.says[self.speaker.lang].strip()}" for law, one in clauses.items() if law in cited and one.says
        ]

    def more(self, pages: Mapping[str, Callable[[], None]]) -> None:
        """After the ruling: what is behind it, each on its key; any other key ends."""
        while (said := self._read(self.speaker.phrase("ask-more"), ended="")) in pages:
            pages[said]()

    def _read(self, keys: str, ended: str | None = None) -> str:
        self.console.print(Text(keys, "dim"))
        self.console.print("> ", end="")
        try:
            return input().strip().lower()
        except (EOFError, KeyboardInterrupt):
            if ended is not None:
                return ended
            raise typer.Exit(130) from None


def ask_command(
    edition: EditionOption = None,
    election: ElectionOption = None,
    lang: LangOption = "en",
    answers: Annotated[
        Path | None, typer.Option("--answers", help="A YAML file of answers, «question: answer», instead of asking.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Write the incident into this file.")] = None,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the whole interview into one HTML file, and ask nothing.")
    ] = None,
    form: Annotated[RulingForm, FORM] = "text",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """Asks what the desk asks, a key for each tap, until the ruling is as certain as answers can make it.

    Exit status: 0 the ruling is certain; 3 it hinges on what is not known; 1 an answer will not do.
    """
    boards = Boards(rules, lang, engine, edition, election)
    named = edition or DEFAULT_EDITION
    counsel = Counsel.of(boards.laws.of(named, election or (), "quick"))
    speaker = Speaker(boards.words, counsel.law.edition.vocabulary, lang)
    if export is not None:
        write(export, _exported(counsel, speaker))
        return
    talk = Talk(counsel, speaker)
    try:
        query = talk.held() if answers is None else read_answers(counsel, answers, speaker)
        incident = seated(counsel, AskedPage(counsel, query, speaker).settled)
    except InputError as error:
        tell(error.faults)
        raise typer.Exit(1) from None
    incident = replace(incident, edition=apart(named)[0], elections=counsel.law.edition.elections)
    ruling, printer = boards.ruled(incident), Printer(boards, form, None)
    printer.say(ruling)
    printer.close()
    if save is not None:
        write(save, incident_file(incident))
        print(speaker.phrase("ask-saved", file=save), file=sys.stderr)
    if answers is None and form == "text":
        _offer(talk, query, ruling)
    raise typer.Exit(UNDECIDED if printer.undecided else 0)


def _exported(counsel: Counsel, speaker: Speaker) -> str:
    """The whole interview as a page."""
    from kb.interview.page import interview_data, interview_page  # noqa: PLC0415 - only for this

    with at_work():
        data = interview_data(counsel, speaker.words)
    return interview_page(data, speaker)


def _offer(talk: Talk, query: Mapping[str, str], ruling: Ruling) -> None:
    """Law and answers, so that the ruling stays in view until they are wanted."""
    speaker = talk.speaker
    answers = [one.says for one in AskedPage(talk.counsel, query, speaker).telling.chips()]
    pages: dict[str, Callable[[], None]] = {
        speaker.phrase("ask-key-law"): lambda: print("\n".join(talk.laws(ruling.cited))),
        speaker.phrase("ask-key-answers"): lambda: print("\n".join(answers)),
    }
    talk.more(pages)


def incident_file(incident: Incident) -> str:
    """The incident with the law it is to be ruled by."""
    elections = f"elections: [{', '.join(incident.elections)}]\n" if incident.elections else ""
    return f"edition: {json.dumps(incident.edition, ensure_ascii=False)}\n{elections}{as_yaml(incident)}"
