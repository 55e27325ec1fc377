"""``revoke audit``: every revoke in archives of play records, with its ruling."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from facts.errors import InputError
from facts.opening import is_regular
from facts.readers.archives import Unit
from facts.readers.archives import units as units_in
from kb.audit.auditor import Audited, AuditTotals, Job, begin
from kb.audit.run import Audit, Journal, Watch
from kb.audit.run import workers as workers_of
from kb.audit.telling import AuditLabels, csv_lines, json_lines, plain_lines, print_tables
from kb.cli.files import is_standard_output, refuse_folder, write
from kb.cli.options import FORM, EditionOption, ElectionOption, LangOption, RulesOption, refuse, root_of
from kb.explain.console import PlainConsole

app = typer.Typer(add_completion=False)
AuditForm: TypeAlias = Literal["table", "csv", "jsonl", "html"]


@app.command()
def command(  # noqa: PLR0913, PLR0917 - each is an option
    paths: Annotated[
        list[str], typer.Argument(help="Folders, archives and files of play records; - for standard input.")
    ],
    edition: EditionOption = None,
    election: ElectionOption = None,
    form: Annotated[AuditForm, FORM] = "table",
    output: Annotated[Path | None, typer.Option("--output", help="Write to this file.")] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes to work with; one for each core if left out.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Address of a dask scheduler whose workers do the work.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="File of what is done, kept; else one beside the output.")
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
    try:
        state = resume or _beside(output)
        auditor = begin(Job(root_of(rules), edition, tuple(election or ()), lang, thorough))
        units = list(units_in(paths))
        _refuse_inputs([one for one in (output, resume) if one is not None], units)
        journal = None if state is None else Journal(state, auditor.state_digest)
        audit = Audit(auditor, units, journal)
        said = AuditLabels(auditor)
        results = _results(audit, said, workers or os.cpu_count() or 1, cluster)
    except InputError as error:
        raise refuse(error) from None
    if audit.unseen:
        print(said.phrase("unseen", n=audit.unseen), file=sys.stderr)
    _write(results, said, form, output)  # if that fails, what was found out is kept beside it
    if journal is not None and resume is None:
        journal.path.unlink()
    raise typer.Exit(int(AuditTotals.of(results).not_ruled > 0))


def _beside(output: Path | None) -> Path | None:
    """The file of what is done beside the output; none beside a device. A folder as output ends the command."""
    if output is None:
        return None
    refuse_folder(output)
    beside = is_regular(output) and not is_standard_output(output)
    return output.with_name(f"{output.name}.state") if beside else None


def _refuse_inputs(written: Sequence[Path], units: Sequence[Unit]) -> None:
    """InputError where a file that would be written is one of the records, or is to be both output and state."""
    for file in filter(Path.is_file, written):
        if any(not one.once and Path(one.path).is_file() and file.samefile(one.path) for one in units):
            raise InputError.of(file, "this is one of the records to be audited", "name another file")
    if len({one.resolve() for one in written}) < len(written):
        raise InputError.of(written[0], "the output cannot be the state as well", "name another file with --resume")


def _results(audit: Audit, said: AuditLabels, workers: int, cluster: str | None) -> list[Audited]:
    """The audit of every unit; ends the command with status 130 when it is interrupted."""
    try:
        watch = Watch(audit.units, said, PlainConsole(stderr=True))
        with workers_of(min(workers, audit.pieces), cluster) as on, watch:
            return audit.run(on, watch.tell)
    except KeyboardInterrupt:
        journal = audit.journal
        told = said.phrase("lost") if journal is None else said.phrase("goes-on", file=journal.path)
        print(told, file=sys.stderr)
        raise typer.Exit(130) from None
    finally:
        if audit.journal is not None:
            audit.journal.close()


def _write(results: Sequence[Audited], said: AuditLabels, form: AuditForm, output: Path | None) -> None:
    """Writes all at once or nothing, if it goes to a file."""
    if output is None and form == "table":
        console = PlainConsole()
        print_tables(results, said, console if console.is_terminal else PlainConsole(width=160))
    elif output is None:
        for line in _lines(results, said, form):
            print(line)
    else:
        write(output, (f"{line}\n" for line in _lines(results, said, form)))


def _lines(results: Sequence[Audited], said: AuditLabels, form: AuditForm) -> Iterator[str]:
    if form == "html":
        from kb.audit.telling import html_lines  # noqa: PLC0415 - only this form needs it

        return html_lines(results, said)
    if form == "table":
        return plain_lines(results, said)
    return csv_lines(results, said) if form == "csv" else json_lines(results)
