"""``revoke lawbook``: the readable book made from the rules of an edition, and its rules as data."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Annotated, Literal

import typer

from facts.errors import InputError
from kb.cases.cases import cases_of, every_hearing
from kb.cli.options import FORM, LangOption, RulesOption, language, refuse, root_of
from kb.explain.say import Speaker
from kb.explain.words import load_words
from kb.language.folders import DEFAULT_EDITION
from kb.language.model import Edition
from kb.lawbook.book import Book, book
from kb.lawbook.claimed import claimed
from kb.ruling.law import Laws

app = typer.Typer(add_completion=False)


@app.command()
def command(
    edition: Annotated[str, typer.Argument(help="An edition's id, or the folder of a draft.")] = DEFAULT_EDITION,
    form: Annotated[Literal["markdown", "html", "json", "akn"], FORM] = "markdown",
    family: Annotated[
        bool, typer.Option("--family", help="The family tree of all editions instead, and what each step changed.")
    ] = False,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """The book: each clause in our words, its rules as sentences, its cases, what is claimed of it and whether that
    holds, what it rests on and what rests on it; of a draft, what it changes. With json the rules as data, and with akn
    the text in Akoma Ntoso."""
    if family and form not in ("markdown", "html"):
        print(f"--family: there is no tree in {form}; choose markdown or html", file=sys.stderr)
        raise typer.Exit(2)
    laws = Laws(root_of(rules), "quick")
    try:
        code = laws.of(edition).edition
        base = laws.of(code.folders[-2]).edition if code.amends else None
        words = load_words(laws.root, code.vocabulary)
        language(lang, words, code)
        speaker = Speaker(words, code.vocabulary, lang)
        told = _tree(laws, speaker, form) if family else _told(laws, edition, code, base, speaker, form)
    except InputError as error:
        raise refuse(error) from None
    print(told, end="")


def _told(laws: Laws, edition: str, code: Edition, base: Edition | None, speaker: Speaker, form: str) -> str:
    # only the form in use is loaded
    if form == "json":
        from kb.lawbook.as_data import as_data  # noqa: PLC0415

        return json.dumps(as_data(code), ensure_ascii=False, indent=2) + "\n"
    if form == "akn":
        from kb.lawbook.akoma_ntoso import akoma_ntoso  # noqa: PLC0415

        return akoma_ntoso(book(code, base, (), (), speaker), speaker)
    bound = _bound(laws, edition, code, base, speaker)
    if form == "html":
        from kb.lawbook.page import page  # noqa: PLC0415

        return page(bound, speaker)
    from kb.lawbook.markdown import markdown  # noqa: PLC0415

    return markdown(bound, speaker)


def _tree(laws: Laws, speaker: Speaker, form: str) -> str:
    from kb.lawbook.family import family, family_markdown, family_page  # noqa: PLC0415

    return (family_page if form == "html" else family_markdown)(family(laws, speaker), speaker)


def _bound(laws: Laws, edition: str, code: Edition, base: Edition | None, speaker: Speaker) -> Book:
    """The book with the cases, also those that fail, and with what is claimed."""
    heard, failing = every_hearing(laws, edition)
    verdicts = claimed(laws.root, code, partial(cases_of, code), speaker.words, speaker.lang)
    return book(code, base, heard, verdicts, speaker, failing)
