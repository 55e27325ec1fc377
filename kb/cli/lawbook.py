"""``revoke lawbook``: the readable book made from the rules of an edition."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import typer

from facts.errors import InputError
from kb.cases.run import cases_of, hearings
from kb.cli.options import FORM, LangOption, RulesOption, language, refuse, root_of
from kb.explain.say import Speaker
from kb.explain.words import load_words
from kb.language.folders import DEFAULT_EDITION
from kb.lawbook.book import book
from kb.lawbook.claimed import claimed
from kb.ruling.laws import Laws

app = typer.Typer(add_completion=False)


@app.command()
def command(
    edition: Annotated[str, typer.Argument(help="An edition's id, or the folder of a draft.")] = DEFAULT_EDITION,
    form: Annotated[Literal["markdown", "html"], FORM] = "markdown",
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """The book: each clause in our words, its rules as sentences, its cases, what is claimed of it and whether that
    holds, what it rests on and what rests on it."""
    laws = Laws(root_of(rules), "python")
    try:
        code = laws.of(edition).edition
        base = laws.of(code.amends).edition if code.amends else None
        words = load_words(laws.root, code.vocabulary)
        language(lang, words, code)
        heard = hearings(laws, edition)
        cases = partial(cases_of, code)
        verdicts = claimed(laws.root, code, cases, words, lang)
    except InputError as error:
        raise refuse(error) from None
    speaker = Speaker(words, code.vocabulary, lang)
    made = book(code, base, heard, verdicts, speaker)
    if form == "markdown":
        from kb.lawbook.markdown import markdown as told  # noqa: PLC0415 - only the form in use is loaded
    else:
        from kb.lawbook.page import page as told  # noqa: PLC0415
    print(told(made, speaker), end="")
