"""``revoke compare``: which rulings differ between two editions, and which clause makes each differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from facts.errors import InputError
from facts.opening import is_folder
from kb.cli.options import FORM, LangOption, RulesOption, language, refuse, root_of
from kb.cli.watch import WatchOption, folders_of, watched
from kb.compare.compare import compared
from kb.compare.telling import Wording
from kb.explain.words import load_words
from kb.language.edition import load_edition
from kb.language.folders import editions
from kb.language.model import Edition

app = typer.Typer(add_completion=False)

Form: TypeAlias = Literal["text", "markdown", "html", "json"]
Named = Annotated[
    str, typer.Argument(help="An edition, a draft's folder, or either with elections: duplicate-2007+dbv-2007.")
]


@app.command()
def command(
    a: Named,
    b: Named,
    form: Annotated[Form, FORM] = "text",
    lang: LangOption = "en",
    rules: RulesOption = None,
    watch: WatchOption = False,
) -> None:
    """Where two editions, or an edition and a draft of yours, rule differently, and which clauses make them differ."""
    root = root_of(rules)
    if watch:
        watched(folders_of(root, [a, b]), lambda: command(a, b, form, lang, rules))
    try:
        first, second = (_edition(root, name) for name in (a, b))
        spoken = first if lang in first.vocabulary.all_languages else second
        words = load_words(root, spoken.vocabulary)
        language(lang, words, spoken)
        wording = Wording(compared(root, first, second), words, lang)
    except InputError as error:
        raise refuse(error) from None
    print(_told(wording, form))


def _told(wording: Wording, form: Form) -> str:
    if form == "json":
        from kb.compare.telling import comparison_json  # noqa: PLC0415 - only the form in use is loaded

        return json.dumps(comparison_json(wording), ensure_ascii=False, indent=2)
    if form == "html":
        from kb.compare.telling import page  # noqa: PLC0415

        return page(wording)
    from kb.compare.telling import ComparisonReport  # noqa: PLC0415

    return "\n".join(ComparisonReport(wording, markdown=form == "markdown").lines())


def _edition(root: Path, name: str) -> Edition:
    """The edition, or a draft, with the elections added to its name."""
    base, *elections = name.split("+") if not is_folder(name) else [name]
    return load_edition(root, base if base in editions(root) else Path(base), elections)
