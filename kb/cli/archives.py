"""Many records or rulings at once: ``revoke audit`` and ``revoke verify``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

from facts.errors import Fault, InputError
from facts.readers.archives import units as units_in
from kb.audit.auditor import Audited, Job, begin
from kb.audit.run import Audit, Journal, watching
from kb.audit.run import workers as workers_of
from kb.audit.telling import AuditReport
from kb.cli.common import (
    FORM,
    EditionOption,
    ElectionOption,
    LangOption,
    RulesOption,
    is_standard_output,
    refuse_folder,
    root_of,
    write,
)
from kb.cli.terminal import tell
from kb.explain.console import PlainConsole
from kb.verify.document import lines
from kb.verify.verify import Verified, Verifier, verified_json

AuditForm: TypeAlias = Literal["table", "csv", "jsonl", "html"]


def audit_command(  # noqa: PLR0913, PLR0917 - each is an option
    paths: Annotated[
        list[str], typer.Argument(help="Folders, archives and files of play records; - for standard input.")
    ],
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: Annotated[AuditForm, FORM] = "table",
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Write to this file; a new one can be gone on with."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes to work with; one for each core if left out.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Address of a dask scheduler whose workers do the work.")
    ] = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Ask the rules about every board, not only where something is odd.")
    ] = False,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """Every revoke in archives of play records, with its ruling; slips of transcription are listed apart."""
    if workers is not None and cluster is not None:
        print("give --workers or --cluster, not both", file=sys.stderr)
        raise typer.Exit(2)
    if output is not None:
        refuse_folder(output)
    auditor = begin(Job(root_of(rules), edition, tuple(election or ()), lang, thorough))
    units = list(units_in(paths))
    records = [Path(one.path) for one in units if not one.once]
    if output is not None and output.is_file() and any(one.is_file() and output.samefile(one) for one in records):
        raise InputError.of(output, "this is one of the records to be audited", "name another file")
    noted = output is not None and not is_standard_output(output) and Journal.fits(output)
    journal = Journal(output, auditor.state_digest) if output is not None and noted else None
    audit = Audit(auditor, units, journal)
    results = _results(audit, workers or os.cpu_count() or 1, cluster)
    if audit.unseen:
        print(auditor.speaker.phrase("audit-unseen", n=audit.unseen), file=sys.stderr)
    report = AuditReport(auditor, results)
    if output is None and form == "table":
        console = PlainConsole()
        report.print_tables(console if console.is_terminal else PlainConsole(width=160))
    else:
        plain = {"table": report.table_lines, "csv": report.csv_lines, "jsonl": report.jsonl_lines}
        lines = report.html_lines() if form == "html" else plain[form]()
        if output is not None:
            write(output, (f"{line}\n" for line in lines))  # if that fails, what was found out is kept in it
        for line in lines if output is None else ():
            print(line)
    raise typer.Exit(int(report.totals["not-ruled"] > 0))


def _results(audit: Audit, workers: int, cluster: str | None) -> list[Audited]:
    """The audit of every unit; ends the command with status 130 when it is interrupted."""
    try:
        watch = watching(audit.units, audit.auditor.speaker, PlainConsole(stderr=True))
        with workers_of(min(workers, audit.pieces), cluster) as on, watch as shown:
            return audit.run(on, shown)
    except KeyboardInterrupt:
        phrase, journal = audit.auditor.speaker.phrase, audit.journal
        told = phrase("audit-lost") if journal is None else phrase("audit-goes-on", file=journal.path)
        print(told, file=sys.stderr)
        raise typer.Exit(130) from None
    finally:
        if audit.journal is not None:
            audit.journal.close()


MOST_FAULTS: Final = 20
"""So many faults of one ruling are told one by one."""


def verify_command(
    files: Annotated[
        list[str],
        typer.Argument(help="What «revoke rule --format json» printed; - for standard input.", metavar="RULING..."),
    ],
    edition: Annotated[
        str | None, typer.Option("--edition", help="A draft's folder, for rulings that were given by it.")
    ] = None,
    form: Annotated[Literal["text", "json"], FORM] = "text",
    rules: RulesOption = None,
) -> None:
    """Saved rulings checked by a program that shares no engine with those that gave them."""
    well = True
    for one in verified(files, root_of(rules), edition):
        well = well and one.holds
        if form == "json":
            print(json.dumps(verified_json(one), ensure_ascii=False))
        elif one.holds:
            print(_told(one).replace("\n", "\\n"))
    raise typer.Exit(int(not well))


def verified(files: Sequence[str], root: Path, draft: str | None = None) -> Iterator[Verified]:
    """What comes of checking each ruling of each file; whatever does not hold is told on standard error at once."""
    verifier = Verifier(root, () if draft is None else (draft,))
    for file in files:
        try:
            found = False
            for place, text in lines(file):
                found, one = True, verifier.verify(text, place)
                _tell(one.faults)
                yield one
            if not found:  # nothing holds of nothing
                raise InputError.of(file, "there is no ruling in it", "give what «revoke rule --format json» printed")
        except InputError as error:
            _tell(error.faults)
            yield Verified(error.faults[0].place, error.faults, None)


def _told(one: Verified) -> str:
    """«saved.json:1: board 7, duplicate-2017: holds (8 steps, 21 facts, 1 situation)»."""
    assert one.ruling is not None
    board, edition = one.ruling.incident.board, "+".join((one.ruling.edition.id, *one.ruling.edition.elections))

    def counted(what: str) -> str:
        count = one.looked_at[what]
        return f"{count:,} {what.removesuffix('s') if count == 1 else what}"

    seen = [counted(name) for name in ("steps", "facts", "situations")]
    named = f"{one.place.file}:{one.place.line}: {'' if board is None else f'board {board}, '}{edition}"
    return f"{named}: holds ({', '.join(seen)})"


def _tell(faults: Sequence[Fault]) -> None:
    tell(faults[:MOST_FAULTS])
    if len(faults) > MOST_FAULTS:
        tell([replace(faults[0], what=f"and {len(faults) - MOST_FAULTS} more things do not hold")])
