"""A law as a whole: ``revoke compare``, ``prove``, ``coverage``, ``lawbook``, ``chart``, ``site`` and ``quiz``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random, randrange
from typing import Annotated, Literal, TypeAlias

import typer

from facts.errors import InputError, did_you_mean
from facts.incident import DEFAULT_EDITION
from facts.table import REVOKE
from kb.cases.cases import Reach, coverage, every_hearing, hearings
from kb.chart.ordinary_chart import chart_of
from kb.chart.telling import chart_mermaid, chart_page
from kb.cli.common import FORM, LangOption, LawArgument, RulesOption, make_folder, page_text, root_of, speaker_of, write
from kb.compare.compare import compared
from kb.compare.telling import Wording, comparison_json, comparison_page, first_page
from kb.explain.console import at_work
from kb.explain.page import as_text
from kb.explain.words import load_words
from kb.language.folders import apart
from kb.lawbook.book import book
from kb.lawbook.book import mermaid as clauses_graph
from kb.lawbook.telling import book_html as book_page
from kb.lawbook.telling import markdown
from kb.prove.prove import proof_json, proof_page, provings
from kb.quiz.exercises import Level, rerun, session
from kb.quiz.telling import QuizForm, as_tasks, quiz_file
from kb.ruling.laws import Laws
from kb.site.site import site

ReportForm: TypeAlias = Literal["text", "markdown", "html", "json"]


def compare_command(
    a: LawArgument,
    b: LawArgument = "",
    form: Annotated[ReportForm, FORM] = "text",
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """Where two editions, or an edition and a draft of yours, rule differently, and which clauses make them differ."""
    root = root_of(rules)
    second = Laws(root, "quick").of(b or a).edition
    if not (b or second.amends):
        raise InputError.of(a, "it amends nothing", "name what it is to be compared with as well")
    first = Laws(root, "quick").of(a if b else second.folders[-2]).edition
    spoken = first if lang in first.vocabulary.all_languages else second
    speaker = speaker_of(root, spoken, lang)
    with at_work():
        wording = Wording(compared(root, first, second, again=False), speaker.words, lang)
    if form == "json":
        print(json.dumps(comparison_json(wording), ensure_ascii=False, indent=2))
    elif form == "html":
        print(comparison_page(wording))
    else:
        print(page_text(first_page(wording), speaker, form), end="")


def prove_command(
    edition: LawArgument = DEFAULT_EDITION,
    properties: Annotated[
        list[str] | None, typer.Option("--property", metavar="NAME", help="Only this property; repeatable.")
    ] = None,
    form: Annotated[Literal["text", "json"], FORM] = "text",
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """Each property that is claimed of a law: it holds in every situation, or here is the least unusual one in which it
    does not. Status 1 when one fails that ought to hold."""
    root = root_of(rules)
    code = Laws(root, "quick").of(edition).edition
    proofs = provings(root, code)
    known = [name for proving in proofs for name in proving.claimed.properties]
    for name in properties or ():
        if name not in known:
            problem = f"nothing of that name is claimed of {code.id}"
            raise InputError.of(f"--property {name}", problem, did_you_mean(name, known))
    speaker = speaker_of(root, code, lang)
    with at_work():
        verdicts = [verdict for proving in proofs for verdict in proving.verdicts(properties or ())]
    if form == "json":
        print(json.dumps(proof_json(proofs, verdicts, lang), ensure_ascii=False, indent=2))
    else:
        print(as_text(proof_page(proofs, verdicts, speaker), speaker), end="")
    raise typer.Exit(int(any(verdict.fails for verdict in verdicts)))


HEADINGS = ("Law", "encoded as", "rules", "cited by", "named by")
SHOWN = 3
"""How many cases are named before the rest is only counted."""


def coverage_command(
    edition: LawArgument = DEFAULT_EDITION,
    rules: RulesOption = None,
) -> None:
    """Clause by clause: how it is encoded, its rules, the cases that cite it. Status 1 when a
    clause has rules that no case needs."""
    laws = Laws(root_of(rules), "quick")
    code = laws.of(edition).edition
    with at_work():
        reached = coverage(code, hearings(laws, apart(edition)[0]))
    orphans = [reach.clause for reach in reached if reach.orphan]
    for row in (HEADINGS, tuple("---" for _ in HEADINGS), *map(_cells, reached)):
        print(f"| {' | '.join(row)} |")
    print(f"\n{len(reached)} clauses, {sum(len(reach.clause.rules) for reach in reached)} rules, ", end="")
    print(f"{len(orphans)} clause{'s' if len(orphans) != 1 else ''} with rules that no case needs")
    for clause in orphans:
        print(f"{clause.place}: {clause.ref} has rules, and no case needs them; write one that does")
    raise typer.Exit(int(bool(orphans)))


def _cells(reach: Reach) -> tuple[str, ...]:
    def some_cases(cases: Sequence[str]) -> str:
        """The first few, and how many there are."""
        more = ", …" if len(cases) > SHOWN else ""
        return f"{len(cases)}: {', '.join(cases[:SHOWN])}{more}" if cases else ""

    clause = reach.clause
    return (
        clause.ref,
        clause.encoded_as + ("" if reach.own else " (base)"),
        str(len(clause.rules) or ""),
        "none" if reach.orphan else some_cases(reach.cited_by),
        some_cases(reach.pointed_to_by),
    )


def lawbook_command(
    edition: LawArgument = DEFAULT_EDITION,
    form: Annotated[Literal["markdown", "html"], FORM] = "markdown",
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """The book: each clause in our words, its rules as sentences, its cases, what it rests on and what rests
    on it; of a draft, what it changes."""
    laws = Laws(root_of(rules), "quick")
    code = laws.of(edition).edition
    base = laws.of(code.folders[-2]).edition if code.amends else None
    speaker = speaker_of(laws.root, code, lang)
    with at_work():
        heard, _ = every_hearing(laws, apart(edition)[0])
        text = (book_page if form == "html" else markdown)(book(code, base), speaker, heard)
    print(text, end="")


def graph_command(
    edition: LawArgument = DEFAULT_EDITION,
    clause: Annotated[str | None, typer.Argument(help="Only what feeds it, and what it feeds.")] = None,
    rules: RulesOption = None,
) -> None:
    """Which clauses feed which, as a flowchart in Mermaid. On each arrow stand the kinds of fact that lead over it; it
    is thick where they come from nowhere else, so that a repeal would leave idle what rests on them."""
    print(clauses_graph(Laws(root_of(rules), "quick").of(edition).edition, clause), end="")


def chart_command(
    edition: LawArgument = DEFAULT_EDITION,
    matter: Annotated[str, typer.Argument(help="What happened, as in irregularities: lead-out-of-turn.")] = REVOKE,
    form: Annotated[
        Literal["html", "mermaid"],
        typer.Option("--format", help="html: a page that prints on one A4; mermaid: slides."),
    ] = "html",
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """The ordinary case of an edition on one page, each box with its law; or every case of another matter."""
    root = root_of(rules)
    law = Laws(root, "quick").of(edition)
    speaker = speaker_of(root, law.edition, lang)
    with at_work():
        chart = chart_of(law, matter)
    print(chart_mermaid(chart, speaker) if form == "mermaid" else chart_page([chart], speaker), end="")


def site_command(
    folder: Annotated[Path, typer.Argument(help="Where the files are written; others there stay as they are.")],
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[EDITION]...", help="Editions, with elections as in duplicate-2007+dbv-2007."),
    ] = None,
    workshop: Annotated[
        Path | None,
        typer.Option(
            "--workshop", metavar="PYODIDE", help="With the workshop for drafts; node_modules/pyodide of npm."
        ),
    ] = None,
    rules: RulesOption = None,
) -> None:
    """Whatever a federation or a club puts on a host: for each edition the questions with every ruling, the book, the
    chart and exercises, in every language. Opened once, it works without a connection."""
    laws = Laws(root_of(rules), "quick")
    wanted = tuple(dict.fromkeys(names or [DEFAULT_EDITION]))
    wanted_laws = [laws.of(name) for name in wanted]
    chosen = {law.edition.named: law for law in wanted_laws}
    words = load_words(laws.root, wanted_laws[0].edition.vocabulary)
    make_folder(folder)
    with at_work() as shown:
        files = site(laws, chosen, words, shown.update, workshop)
    for name, data in files.items():
        write(folder / name, data)
    size = sum((folder / name).stat().st_size for name in files)
    print(f"{folder / 'index.html'}: {len(files)} files, {size:,} bytes", file=sys.stderr)


def quiz_command(
    edition: LawArgument = DEFAULT_EDITION,
    size: Annotated[
        int | None,
        typer.Option("--questions", min=1, max=200, help="How many exercises; else as many as bring up every clause."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The same number gives the same exercises.")] = None,
    level: Annotated[Level | None, typer.Option("--level", help="Only exercises of this level.")] = None,
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="LAW", help="Only those that rest on it, or in which it tempts."),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="EDITION", help="Only what this earlier law, or amended one, rules otherwise."),
    ] = None,
    form: Annotated[QuizForm, typer.Option("--format", help="What they are written as.")] = "html",
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """Exercises with their answers, easy ones first: a sheet to print, slides, a file for Moodle or Anki."""
    laws = Laws(root_of(rules), "quick")
    law = laws.of(edition)
    speaker = speaker_of(laws.root, law.edition, lang)
    with at_work():
        seed = randrange(10_000) if seed is None else seed
        earlier = None if since is None else laws.of(since)
        exercises = session(law, Random(seed), size, level, about, earlier)
    command = rerun(law, size, seed, level, about, since)
    tasks = as_tasks(exercises, speaker, about or "", earlier)
    print(quiz_file(form, tasks, speaker, law.edition.called(lang), command), end="")
