"""``revoke lawbook``: the readable book made from the rules of an edition."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import typer

from facts.errors import InputError
from kb.cases.cases import cases_of, every_hearing
from kb.cli.options import FORM, LangOption, RulesOption, language, refuse, root_of
from kb.explain.say import Speaker
from kb.explain.words import load_words
from kb.language.folders import DEFAULT_EDITION
from kb.lawbook.book import book
from kb.lawbook.claimed import claimed
from kb.lawbook.family import family, family_markdown, family_page
from kb.lawbook.markdown import markdown
from kb.lawbook.page import page
from kb.ruling.law import Laws

app = typer.Typer(add_completion=False)


@app.command()
def command(
    edition: Annotated[str, typer.Argument(help="An edition's id, or the folder of a draft.")] = DEFAULT_EDITION,
    form: Annotated[Literal["markdown", "html"], FORM] = "markdown",
    tree: Annotated[
        bool, typer.Option("--family", help="The family tree of all editions instead, and what each step changed.")
    ] = False,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """The book: each clause in our words, its rules as sentences, its cases, what is claimed of it and whether that
    holds, what it rests on and what rests on it; of a draft, what it changes."""
    laws = Laws(root_of(rules), "quick")
    try:
        code = laws.of(edition).edition
        base = laws.of(code.folders[-2]).edition if code.amends else None
        words = load_words(laws.root, code.vocabulary)
        language(lang, words, code)
        speaker = Speaker(words, code.vocabulary, lang)
        if tree:
            told = (family_page if form == "html" else family_markdown)(family(laws, speaker), speaker)
        else:
            heard, failing = every_hearing(laws, edition)
            verdicts = claimed(laws.root, code, partial(cases_of, code), words, lang)
            bound = book(code, base, heard, verdicts, speaker, failing)
            told = (page if form == "html" else markdown)(bound, speaker)
    except InputError as error:
        raise refuse(error) from None
    print(told, end="")
