"""``revoke prove``: what is claimed of a law, asked of every situation."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import typer

from facts.errors import InputError
from facts.suggestions import did_you_mean
from kb.cases.cases import cases_of
from kb.cli.options import FORM, ElectionOption, LangOption, RulesOption, language, refuse, root_of
from kb.explain.words import load_words
from kb.language.edition import load_edition
from kb.language.folders import DEFAULT_EDITION
from kb.prove.prove import Proving
from kb.prove.telling import ProofReport, proof_json

app = typer.Typer(add_completion=False)


@app.command()
def command(
    edition: Annotated[str, typer.Argument(help="An edition's id, or the folder of a draft.")] = DEFAULT_EDITION,
    properties: Annotated[
        list[str] | None, typer.Option("--property", metavar="NAME", help="Only this property; repeatable.")
    ] = None,
    election: ElectionOption = None,
    cases: Annotated[
        bool, typer.Option("--cases", help="Ask every case as well, for what only cards can show; it takes a while.")
    ] = False,
    form: Annotated[Literal["text", "json"], FORM] = "text",
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """Each property that is claimed of a law: it holds in every situation, or here is the least unusual one in which it
    does not. Status 1 when one fails that ought to hold."""
    root = root_of(rules)
    try:
        code = load_edition(root, edition, election or ())
        proving = Proving(root, code, lambda: cases_of(code))
        known = proving.claimed.properties
        for name in properties or ():
            if name not in known:
                what = f"nothing of that name is claimed of {code.id}"
                raise InputError.of(f"--property {name}", what, did_you_mean(name, known))
        words = load_words(root, code.vocabulary)
        report = ProofReport(proving, words, language(lang, words, code))
        verdicts = [*proving.verdicts(properties or (), of_cases=cases)]
    except InputError as error:
        raise refuse(error) from None
    if form == "json":
        print(json.dumps(proof_json(report, verdicts), ensure_ascii=False, indent=2))
    else:
        print("\n".join(report.lines(verdicts)))
    raise typer.Exit(int(any(one.fails for one in verdicts)))
