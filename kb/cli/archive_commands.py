"""Many records or rulings at once: ``revoke audit`` and ``revoke verify``."""

from __future__ import annotations

import json
import os
from operator import itemgetter
from typing import Annotated, Literal

import typer

from facts.errors import InputError
from facts.readers.archives import units as units_in
from kb.audit.auditor import Job, audit_page, audited, begin, entries_of, pieces, totals
from kb.audit.auditor import workers as workers_of
from kb.cli.common import FORM, EditionOption, ElectionOption, LangOption, RulesOption, root_of
from kb.cli.terminal import tell
from kb.explain.console import tracked
from kb.explain.html import render
from kb.explain.page import as_text
from kb.verify.verify import Verifier, lines


def audit_command(
    paths: Annotated[
        list[str], typer.Argument(help="Folders, archives and files of play records; - for standard input.")
    ],
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: Annotated[Literal["text", "jsonl", "html"], FORM] = "text",
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes to work with; one for each core if left out.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Address of a dask scheduler whose workers do the work instead.")
    ] = None,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """Every revoke in archives of play records, with its ruling; slips of transcription are listed apart."""
    auditor = begin(Job(root_of(rules), edition, tuple(election or ()), lang))
    units = list(units_in(paths))
    number = min(workers or os.cpu_count() or 1, sum(1 for _ in pieces(units)))
    with workers_of(number, cluster) as on:
        done = tracked(audited(auditor, units, on), "", len(units))
        results = [result for _, result in sorted(done, key=itemgetter(0))]
    numbers, speaker = totals(results), auditor.speaker
    if form == "jsonl":
        output = [f"{json.dumps(entry, ensure_ascii=False)}\n" for entry in (*entries_of(results), numbers)]
    else:
        report = audit_page(auditor, results, numbers)
        shown = render("explain/html/page.html", lang=speaker.lang, told=report)
        output = [shown if form == "html" else as_text(report, speaker)]
    print(*output, sep="", end="")
    raise typer.Exit(int(numbers["not-ruled"] > 0))


def verify_command(
    files: Annotated[
        list[str],
        typer.Argument(help="What «revoke rule --format json» printed; - for standard input.", metavar="RULING..."),
    ],
    edition: Annotated[
        str | None, typer.Option("--edition", help="A draft's folder, for rulings that were given by it.")
    ] = None,
    rules: RulesOption = None,
) -> None:
    """Saved rulings checked by a program that shares no engine with those that gave them."""
    verifier = Verifier(root_of(rules), () if edition is None else (edition,))
    well = True
    for file in files:
        any_read = False
        try:
            for place, text in lines(file):
                any_read, verdict = True, verifier.verify(text, place)
                tell(verdict.faults)
                well = well and verdict.holds
                if verdict.holds and verdict.ruling is not None:
                    board, edition = verdict.ruling.incident.board, verdict.ruling.edition.named
                    line = f"{place.file}:{place.line}: {'' if board is None else f'board {board}, '}{edition}: holds"
                    print(line.replace("\n", "\\n"))
            if not any_read:  # nothing holds of nothing
                mend = "give what «revoke rule --format json» printed"
                raise InputError.of(file, "there is no ruling in it", mend)
        except InputError as error:
            well = False
            tell(error.faults)
    raise typer.Exit(int(not well))
