"""``revoke rule``: the ruling on each board of each file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from facts.errors import EngineError, InputError
from facts.incident import Incident
from facts.readers.read import read_file
from kb.cli.options import (
    EditionOption,
    ElectionOption,
    Engine,
    EngineOption,
    LangOption,
    RulesOption,
    refuse,
    root_of,
    tell,
)
from kb.engine import EngineName
from kb.explain.as_json import as_json
from kb.explain.say import Voice
from kb.explain.text import text
from kb.explain.words import Words, load_words
from kb.ruling.law import default_engine
from kb.ruling.rule import Laws, rule
from kb.ruling.ruling import Ruling

app = typer.Typer()


class Format(StrEnum):
    """Forms of output."""

    TEXT = "text"
    JSON = "json"


class Speaker:
    """Says rulings in one language and form."""

    def __init__(self, words: Words, lang: str, form: Format, proof: bool) -> None:
        self.words, self.lang, self.form, self.proof = words, lang, form, proof
        self.first = True

    def say(self, ruling: Ruling) -> None:
        """Prints one ruling."""
        voice = Voice(self.words, ruling.edition.vocabulary, self.lang)
        if self.form is Format.JSON:
            print(json.dumps(as_json(ruling, voice), ensure_ascii=False))
            return
        if not self.first:
            print()
        self.first = False
        print(text(ruling, voice), end="")
        if self.proof:
            from kb.explain.tree import print_proof  # noqa: PLC0415 - rich is needed for nothing else

            print_proof(ruling, voice)


@app.command()
def command(
    files: Annotated[
        list[str], typer.Argument(help="Incident, PBN or LIN files; - for standard input.", metavar="FILE...")
    ],
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: Annotated[Format, typer.Option("--format", help="Form of the output.")] = Format.TEXT,
    lang: LangOption = "en",
    engine: EngineOption = None,
    rules: RulesOption = None,
    proof: Annotated[bool, typer.Option("--proof", help="Show the whole proof as a tree as well.")] = False,
) -> None:
    """The ruling on what happened at a table, with the law for every step."""
    laws = Laws(root_of(rules), engine_named(engine))
    try:
        chosen = None if edition is None else laws.of(edition, election or ())
        words = load_words(laws.root, (chosen or laws.of("duplicate-2017")).edition.vocabulary)
    except InputError as error:
        raise refuse(error) from None
    if lang not in words.languages:
        print(f"--lang: the rules are not written in {lang}; choose {' or '.join(words.languages)}", file=sys.stderr)
        raise typer.Exit(2)
    speaker = Speaker(words, lang, form, proof)
    failed = False
    for incident in _incidents(files, edition, election):
        unruled = _ruled(laws, incident, speaker) if isinstance(incident, Incident) else incident
        if unruled is not None:
            failed = True
            tell(unruled.faults)
    raise typer.Exit(int(failed))


def engine_named(asked: Engine | None) -> EngineName:
    """The engine asked for, or the default, saying on standard error when that is not durable-rules."""
    if asked is not None:
        return "python" if asked is Engine.PYTHON else "durable"
    name, why = default_engine()
    if why:
        print(why, file=sys.stderr)
    return name


def _incidents(files: list[str], edition: str | None, elections: list[str] | None) -> Iterator[Incident | InputError]:
    for file in files:
        for incident in read_file(file if file == "-" else Path(file)):
            if isinstance(incident, Incident) and edition is not None:
                yield replace(incident, edition=edition, elections=tuple(elections or ()))
            elif isinstance(incident, Incident) and elections:
                yield replace(incident, elections=tuple(elections))
            else:
                yield incident


def _ruled(laws: Laws, incident: Incident, speaker: Speaker) -> InputError | None:
    """Says the ruling on an incident, or gives the error that kept it from being ruled on."""
    try:
        speaker.say(rule(laws.for_incident(incident), incident))
    except InputError as error:
        return error
    except EngineError as error:
        print(f"{incident.place}: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    return None
