"""What the commands share: their options, what they read and write, how faults are told."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from facts.errors import EngineError, Fault, InputError, brief
from facts.incident import DEFAULT_EDITION, Incident
from facts.observe import denied
from facts.readers.archives import read_file
from facts.table import Table
from facts.yaml_reader import is_file, write_whole
from kb.cli.terminal import tell
from kb.engine import EngineName
from kb.explain.page import Page, as_markdown, as_text
from kb.explain.words import Speaker, load_words
from kb.language.edition import load_edition
from kb.language.folders import VOCABULARY, edition_ids, rules_root
from kb.language.model import Edition
from kb.ruling.laws import OF_THE_DAY, Laws, default_engine
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling

FORM: Final = typer.Option("--format", help="Form of the output.")
"""Each command says which forms it has, the usual one first."""
PageForm: TypeAlias = Literal["text", "markdown"]
"""The forms of an explanation."""


def _editions(incomplete: str) -> list[str]:
    return [name for name in edition_ids(rules_root()) if name.startswith(incomplete)]


def _clauses(incomplete: str) -> list[str]:
    return [ref for ref in load_edition(rules_root(), DEFAULT_EDITION).clauses if ref.startswith(incomplete)]


FileArgument = Annotated[str, typer.Argument(help="An incident, PBN or LIN file; - for standard input.")]
LawArgument = Annotated[
    str,
    typer.Argument(
        help="An edition or a draft's folder; with elections: duplicate-2007+dbv-2007.", autocompletion=_editions
    ),
]
ClauseArgument = Annotated[str, typer.Argument(help="A clause, by its number in the book.", autocompletion=_clauses)]
RulesOption = Annotated[
    Path | None, typer.Option("--rules", help="A folder of rules to use instead of the shipped ones.")
]
EditionOption = Annotated[
    str | None,
    typer.Option(
        "--edition",
        help="Edition to rule by, a draft's folder, or of-the-day for that of its date, instead of its own.",
        autocompletion=_editions,
    ),
]
ElectionOption = Annotated[
    list[str] | None, typer.Option("--election", help="An option an authority took; repeatable.")
]
LangOption = Annotated[
    str,
    typer.Option(
        "--lang", envvar="REVOKE_LANG", help="Language of the texts: en, de, or another of rules/translations."
    ),
]
EngineOption = Annotated[
    EngineName | None, typer.Option("--engine", help="durable (durable-rules, the default) or quick (without it).")
]
PageFormOption = Annotated[PageForm, FORM]


def root_of(rules: Path | None) -> Path:
    """The folder of rules to use; InputError if there is none."""
    root = rules_root() if rules is None else rules
    if not is_file(root / VOCABULARY):
        problem, mend = f"there is no {VOCABULARY} here", "--rules names a folder like the shipped rules/"
        raise InputError.of(brief(str(root)), problem, mend)
    return root


def speaker_of(root: Path, edition: Edition, lang: str) -> Speaker:
    """Says what is of this edition in that language; InputError if the rules are not written in it.

    Tells on standard error that what is not translated into it is told in English.
    """
    words = load_words(root, edition.vocabulary)
    words.language(lang)
    if lang not in edition.vocabulary.languages:
        print(f"{lang}: {words.phrase('partly-translated', lang)}", file=sys.stderr)
    return Speaker(words, edition.vocabulary, lang)


def page_text(page: Page, speaker: Speaker, form: str) -> str:
    """A page as Markdown, if that is the form, or else as text."""
    return as_markdown(page, speaker) if form == "markdown" else as_text(page, speaker)


def refuse(error: InputError) -> typer.Exit:
    """Tells the faults of what the command line named, and ends with status 2, whatever else would go on."""
    tell(error.faults)
    return typer.Exit(2)


def write(file: Path, text: str | bytes) -> None:
    """Writes bytes, or a text as UTF-8; InputError, and nothing changed, if that fails."""
    try:
        write_whole(Path(os.path.realpath(file)), text)  # the link stays, and what it leads to is replaced
    except (OSError, ValueError) as error:
        raise _refused(file, error) from None


def make_folder(folder: Path) -> None:
    """Makes a folder, and those above it, where there is none; InputError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise _refused(folder, error) from None


def _refused(path: Path, error: Exception) -> InputError:
    problem = f"this cannot be written ({getattr(error, 'strerror', None) or error})"
    return InputError.of(brief(str(path)), problem, "make room there, or name another")


class Boards:
    """Files of boards to be ruled on under one choice of options; InputError if that is wrong."""

    def __init__(
        self,
        rules: Path | None,
        lang: str,
        engine: EngineName | None,
        edition: str | None = None,
        elections: Sequence[str] | None = None,
    ) -> None:
        self.laws = Laws(root_of(rules), engine_named(engine))
        self.lang = lang
        self.asked, self.elections = edition, tuple(elections or ())
        self.edition = None if edition == OF_THE_DAY else edition
        self.law = self.laws.of(self.edition or self.laws.usual, () if self.edition is None else self.elections)
        self.words = speaker_of(self.laws.root, self.law.edition, lang).words

    def tables(self, edition: str | None) -> Table:
        """What can be said under the edition asked for, or else under the one that a file names."""
        return self.laws.tables(self.edition)(edition)

    def speaker(self, ruling: Ruling) -> Speaker:
        """Says rulings of this one's edition."""
        return Speaker(self.words, ruling.edition.vocabulary, self.lang)

    def ruled(self, incident: Incident, equity: bool = False) -> Ruling:
        """The ruling, with double-dummy evidence if asked for; InputError when there can be none."""
        law = self.laws.for_incident(incident)
        if not equity:
            return rule(law, incident)
        from kb.ruling.with_equity import rule_with_evidence  # noqa: PLC0415 - it loads what most rulings do not need

        return rule_with_evidence(law, incident)

    def each(self, files: Sequence[str], act: Callable[[Incident], None]) -> bool:
        """Acts on every board; tells what is wrong with any, and gives whether all went well."""
        well = True
        for file in files:
            for board in read_file(file if file == "-" else Path(file), self.tables):
                try:
                    if isinstance(board, InputError):
                        raise board
                    tell(board.remarks)
                    incident = self.laws.under(board, self.asked, self.elections)
                    if denied(incident):
                        problem = f"its cards deny the result of this record, {incident.tricks} tricks"
                        tell([Fault(incident.place, problem, "it is ruled on without it")])
                    act(incident)
                except InputError as error:
                    well = False
                    tell(error.faults)
                except EngineError as error:
                    well = False
                    place = f"{board.place}: " if isinstance(board, Incident) else ""
                    print(f"{place}{error}", file=sys.stderr)
        return well


def engine_named(asked: EngineName | None) -> EngineName:
    """The engine asked for, or the default, saying on standard error when that is not durable-rules."""
    if asked is not None:
        return asked
    name, why = default_engine()
    if why:
        print(why, file=sys.stderr)
    return name
