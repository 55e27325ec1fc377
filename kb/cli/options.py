"""What several commands share: their options, and how faults are told."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from facts.errors import Fault, InputError
from facts.opening import is_file
from facts.suggestions import brief
from kb.engine import EngineName
from kb.explain.words import Words
from kb.language.folders import VOCABULARY, rules_root
from kb.language.model import Edition

FORM: Final = typer.Option("--format", help="Form of the output.")
"""Each command says which forms it has, the usual one first."""
PageForm: TypeAlias = Literal["text", "markdown", "json"]
"""The forms of an explanation."""

FileArgument = Annotated[str, typer.Argument(help="An incident, PBN or LIN file; - for standard input.")]
RulesOption = Annotated[
    Path | None, typer.Option("--rules", help="A folder of rules to use instead of the shipped ones.")
]
EditionOption = Annotated[
    str | None,
    typer.Option(
        "--edition",
        help="Edition to rule by, a draft's folder, or of-the-day for that of its date, instead of its own.",
    ),
]
ElectionOption = Annotated[
    list[str] | None, typer.Option("--election", help="An option an authority took; repeatable.")
]
LangOption = Annotated[
    str, typer.Option("--lang", help="Language of the texts: en, de, or another of rules/translations.")
]
EngineOption = Annotated[
    EngineName | None, typer.Option("--engine", help="durable (durable-rules, the default) or quick (without it).")
]
PageFormOption = Annotated[PageForm, FORM]


def root_of(rules: Path | None) -> Path:
    """The folder of rules to use; ends the command with status 2 if there is none."""
    try:
        root = rules_root() if rules is None else rules
    except InputError as error:
        raise refuse(error) from None
    if not is_file(root / VOCABULARY):
        what, mend = f"there is no {VOCABULARY} here", "--rules names a folder like the shipped rules/"
        raise refuse(InputError.of(brief(str(root)), what, mend))
    return root


def language(named: str, words: Words, edition: Edition) -> str:
    """The language named, if the rules are written in it; otherwise ends the command with status 2.

    Tells on standard error where not everything is translated into it.
    """
    if named not in words.languages:
        print(f"--lang: the rules are not written in {named}; choose {' or '.join(words.languages)}", file=sys.stderr)
        raise typer.Exit(2)
    if named not in edition.vocabulary.languages:
        from kb.drafting.translating import share  # noqa: PLC0415 - not needed in a language that is complete

        counted = share(edition.folders[0], edition, named)
        if counted.done < counted.of:
            said = words.phrase("partly-translated", named, done=f"{counted.done:,}", of=f"{counted.of:,}")
            print(f"{named}: {said}", file=sys.stderr)
    return named


def tell(faults: Iterable[Fault]) -> None:
    """Prints faults on standard error, a line each, whatever names and values they repeat."""
    for fault in faults:
        print(str(fault).replace("\n", "\\n"), file=sys.stderr)


def refuse(error: InputError) -> typer.Exit:
    """Tells the faults of what the command line named, and ends with status 2."""
    tell(error.faults)
    return typer.Exit(2)
