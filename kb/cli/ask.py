"""``revoke ask``: the director's questions, each with the law that makes it matter, until the ruling is certain."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from facts.errors import InputError
from facts.incident import Incident
from facts.to_yaml import as_yaml
from kb.cli.answers import read_answers
from kb.cli.boards import Boards
from kb.cli.files import write
from kb.cli.options import EditionOption, ElectionOption, EngineOption, LangOption, RulesOption, refuse
from kb.cli.talk import Talk
from kb.explain.as_json import as_json
from kb.explain.page import as_text
from kb.explain.say import Speaker
from kb.interview.counsel import Counsel
from kb.interview.session import Consultation
from kb.interview.telling import answer_text, ending_page
from kb.language.folders import DEFAULT_EDITION
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling

app = typer.Typer(add_completion=False)
AskForm: TypeAlias = Literal["text", "json"]


@app.command()
def command(
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
    form: Annotated[AskForm, typer.Option("--format", help="Form of the ruling.")] = "text",
    engine: EngineOption = None,
    rules: RulesOption = None,
) -> None:
    """Asks as few questions as it can, each with the law that makes it matter, until the ruling is certain."""
    boards = Boards(rules, lang, engine, edition, election)
    named = edition or DEFAULT_EDITION
    try:
        counsel = Counsel.of(boards.laws.of(named, election or (), "quick"))
        speaker = Speaker(boards.words, counsel.law.edition.vocabulary, lang)
        if export is not None:
            write(export, _exported(counsel, speaker))
            return
        begun = counsel.adviser.begin()
        talk = Talk(counsel, speaker)
        ended = talk.held(begun) if answers is None else read_answers(begun, answers)
        ruling = _end(boards, counsel, ended, speaker, form, named, save)
        if answers is None and form == "text":
            _offer(talk, ended, ruling)
    except InputError as error:
        raise refuse(error) from None


def _exported(counsel: Counsel, speaker: Speaker) -> str:
    """The whole interview as a page; a progress bar on standard error tells how far it is."""
    from rich.progress import Progress  # noqa: PLC0415 - only for this

    from kb.explain.console import PlainConsole  # noqa: PLC0415
    from kb.interview.page import interview_page  # noqa: PLC0415

    with Progress(console=PlainConsole(stderr=True), transient=True) as shown:
        task = shown.add_task(speaker.phrase("ask-exporting"))
        return interview_page(counsel, speaker, lambda done, of: shown.update(task, completed=done, total=of))


def _end(
    boards: Boards,
    counsel: Counsel,
    ended: Consultation,
    speaker: Speaker,
    form: AskForm,
    edition: str,
    save: Path | None,
) -> Ruling:
    """Tells the ruling, and saves the incident."""
    incident = replace(counsel.stated(ended), edition=edition, elections=counsel.law.edition.elections)
    ruling = rule(boards.laws.for_incident(incident), incident)
    settled = counsel.settled(ended)
    if form == "json":
        print(json.dumps(as_json(ruling, speaker), ensure_ascii=False))
    else:
        print(as_text(ending_page(ended, ruling, speaker, answered=False), speaker), end="")
    if save is not None and settled:
        write(save, incident_file(incident))
        print(speaker.phrase("ask-saved", file=save), file=sys.stderr)
    elif save is not None:
        print(speaker.phrase("ask-not-saved"), file=sys.stderr)
        raise typer.Exit(1)
    return ruling


def _offer(talk: Talk, ended: Consultation, ruling: Ruling) -> None:
    """Proof, law and answers, so that the ruling stays in view until they are wanted."""
    from kb.explain.console import print_proof  # noqa: PLC0415 - not for JSON

    speaker = talk.speaker

    def law() -> None:
        says = ruling.edition.clauses
        print("\n".join(f"{law}  {says[law].says[speaker.lang].strip()}" for law in ruling.cited))

    def answers() -> None:
        interview = talk.counsel.interview
        print("\n".join(answer_text(interview, *one, speaker.lang) for one in ended.given))

    pages = {speaker.phrase("ask-key-law"): law, speaker.phrase("ask-key-answers"): answers}
    if talk.counsel.settled(ended):
        pages = {speaker.phrase("ask-key-proof"): lambda: print_proof(ruling, speaker), **pages}
    talk.more(pages)


def incident_file(incident: Incident) -> str:
    """The incident with the law it is to be ruled by."""
    elections = f"elections: [{', '.join(incident.elections)}]\n" if incident.elections else ""
    return f"edition: {json.dumps(incident.edition, ensure_ascii=False)}\n{elections}{as_yaml(incident)}"
