"""The rule files and their cases: ``revoke check`` and ``revoke test``, once or as often as a file changes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import typer
from rich.progress import track

from facts.errors import Fault, InputError
from facts.suggestions import did_you_mean
from kb.cases.cases import cases_of
from kb.cases.cases import tried as outcomes
from kb.cli.common import FORM, EngineOption, RulesOption, engine_named, refuse, root_of, tell, write
from kb.explain.console import PlainConsole
from kb.language.checks import every_check
from kb.language.edition import load_edition
from kb.language.folders import DEFAULT_EDITION, edition_folder, editions
from kb.language.report import as_json, as_remark, one_line, report
from kb.language.table import shipped_table
from kb.prove.deep import Found, deep_check, every_fault
from kb.ruling.law import Laws
from kb.space.read_interview import load_interview
from kb.space.universe import Universe

if TYPE_CHECKING:
    from kb.cases.mutation import Score

WatchOption = Annotated[bool, typer.Option("--watch", help="Run again whenever a rule file changes, until Ctrl-C.")]
OFTEN: Final = 0.3
"""Seconds between two looks at the files."""


def watched(folders: Iterable[Path], run: Callable[[], None]) -> None:
    """Does what a command does, and again after every change of a YAML file in these folders, until Ctrl-C.

    It is all one process: what has nothing to do with the change need not be found out again.
    """
    watched_folders = tuple(folders)

    def look() -> dict[Path, tuple[int, int]]:
        """When each file was changed last, and how long it is; one that vanishes meanwhile is not there."""
        found = {}
        for file in (file for folder in watched_folders for file in folder.rglob("*.y*ml")):
            with suppress(OSError):
                status = file.stat()
                found[file] = status.st_mtime_ns, status.st_size
        return found

    try:
        while True:
            before = look()
            with suppress(typer.Exit):
                run()
            print(f"-- {time.strftime('%H:%M:%S')}: waiting for a change; Ctrl-C ends", flush=True)
            while look() == before:
                time.sleep(OFTEN)
            shipped_table.cache_clear()
    except KeyboardInterrupt:
        raise typer.Exit from None


def folders_of(root: Path, named: Iterable[str | None]) -> list[Path]:
    """The rules, and every folder that a command line names."""
    return [root, *(Path(one).resolve() for one in named if one and Path(one).is_dir())]


Form: TypeAlias = Literal["text", "plain", "json", "github"]
"""``plain``: a line each, without the lines of the files; ``github``: a remark each, as GitHub shows it at the line."""


def check_command(
    folder: Annotated[
        str | None,
        typer.Argument(
            help="An edition's id or a folder of your own; all shipped editions when left out. "
            "With --explain, the id of a check."
        ),
    ] = None,
    rules: RulesOption = None,
    form: Annotated[Form, FORM] = "text",
    plain: Annotated[bool, typer.Option("--plain", help="The same as --format plain.")] = False,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Rule on every situation as well: contradictions, gaps, rules and clauses that do nothing."
        ),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="As --deep, and whatever does nothing is a fault.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="What a check refuses, and why; without its id, the ids of all.")
    ] = False,
    watch: WatchOption = False,
) -> None:
    """Every fault of the rule files, each with its place and how to mend it. Status 1 when there is any."""
    if explain:
        _explain(folder)
        return
    root = root_of(rules)
    if watch:
        watched(folders_of(root, [folder]), lambda: check_command(folder, rules, form, plain, deep, strict))
    found, remarks = _found(root, folder, deep or strict)
    shown = found.own if found.own and found.beside else found.all
    faults = [*shown, *remarks]
    if form == "text" and not plain:
        report(faults, PlainConsole(highlight=False))
    elif form == "json" and not plain:
        print(json.dumps(as_json(faults), ensure_ascii=False, indent=2))
    else:
        for fault in faults:
            print(as_remark(fault) if form == "github" and not plain else one_line(fault))
    if form in ("text", "plain"):
        told = f"{len(found.all)} fault{'s' if len(found.all) != 1 else ''}"
        print(f"{told}, {len(remarks)} that do nothing" if deep or strict else told)
        if len(shown) < len(found.all):
            print(f"{len(found.beside)} of them, in what it amends, follow from those shown")
    raise typer.Exit(int(bool(found.all or (strict and remarks))))


def _found(root: Path, folder: str | None, deep: bool) -> tuple[Found, list[Fault]]:
    """What is wrong, and what does nothing; ends the command where there is no such folder.

    What only shows when rulings are given is looked for over the cases of an edition or draft, and of those it amends.
    """
    named = folder if folder is None or folder in editions(root) else Path(folder)
    try:
        found = every_fault(root, named, deep)
        if found.all or not deep:
            return found, []
        faults, remarks = set[Fault](), set[Fault]()
        for name in [folder] if folder else editions(root):
            edition = load_edition(root, name)
            looked_into = deep_check(edition, Universe(load_interview(root, edition, wider=True)), cases_of(edition))
            faults.update(looked_into.faults)
            own = edition_folder(root, name).resolve()  # for what it takes over it is answered where that comes from
            remarks.update(
                one for one in looked_into.remarks if folder or own in Path(one.place.file).resolve().parents
            )
        return Found(tuple(sorted(faults)), ()), sorted(remarks)
    except InputError as error:
        if isinstance(named, Path) and not named.exists():
            raise refuse(error) from None
        return Found(tuple(error.faults), ()), []


def _explain(id: str | None) -> None:
    checks = every_check()
    if id is None:
        width = max(map(len, checks))
        for check in checks.values():
            print(f"{check.id:{width}}  {check.summary}")
    elif id in checks:
        print(checks[id].page)
    else:
        raise refuse(InputError.of("--explain", f"there is no check {id}", did_you_mean(id, checks)))


def test_command(
    folders: Annotated[
        list[str] | None,
        typer.Argument(
            help="Editions, drafts or folders of cases; every shipped edition when left out.", metavar="[RULES]..."
        ),
    ] = None,
    rules: RulesOption = None,
    engine: EngineOption = None,
    mutate: Annotated[
        bool,
        typer.Option("--mutate", help="Change the rules of an edition, one place at a time: which changes escape?"),
    ] = False,
    accept: Annotated[
        bool, typer.Option("--accept", help="Write what is ruled now as expected, once it has been shown.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --accept: without asking.")] = False,
    watch: WatchOption = False,
) -> None:
    """Rules on every case and tells where the ruling is not the one expected. Status 1 when there is any."""
    root = root_of(rules)
    if watch:
        watched(folders_of(root, folders or []), lambda: test_command(folders, rules, engine, mutate, accept, yes))
    try:
        if accept:
            met = [_accepted(Laws(root, engine_named(engine)), folders or [], yes)]
        elif mutate:
            met = [_mutated(root, edition) for edition in folders or [DEFAULT_EDITION]]
        else:
            met = [_tried(Laws(root, engine_named(engine)), folders or [])]
    except InputError as error:
        raise refuse(error) from None
    raise typer.Exit(int(not all(met)))


def _tried(laws: Laws, folders: list[str]) -> bool:
    """Tells the outcome of every case; whether all is as expected."""
    number = failed = 0
    for outcome in outcomes(laws, folders):
        number += 1
        if outcome.differences:
            failed += 1
            print(f"{outcome.case.place}: {outcome.case.id} under {outcome.expected.edition}")
            for difference in outcome.differences:
                print(f"    {difference}")
    print(f"{number} expectations of cases, {failed} not met")
    return not failed


def _accepted(laws: Laws, folders: list[str], yes: bool) -> bool:
    """Shows what is not met and, if that is wanted, writes it as expected; whether all is as expected then."""
    from kb.drafting.cases import accepted, files_rewritten  # noqa: PLC0415 - only this option needs it

    if _tried(laws, folders):
        return True
    changes = [*accepted(outcome for outcome in outcomes(laws, folders) if outcome.differences)]
    if changes and (yes or typer.confirm(f"Take what is ruled now as expected, in {len(changes)} places?")):
        for file, text in list(files_rewritten(changes)):
            write(file, text)
        print(f"{len(changes)} expectation{'s' if len(changes) != 1 else ''} written")
        return _tried(laws, folders)
    return False


def _mutated(root: Path, edition: str) -> bool:
    """Tells which mutants of an edition survive; whether the cases guard its rules well enough."""
    from kb.cases.mutation import LEAST, Score, known_survivors, mutate  # noqa: PLC0415 - only this option needs them

    errors = PlainConsole(stderr=True)
    by_rule = track(mutate(root, edition), "rules", console=errors, transient=True, disable=not errors.is_terminal)
    tried = tuple(one for rule in by_rule for one in rule)
    score = Score(tried, known_survivors(edition_folder(root, edition)))
    for line in _survivors(root, edition, score):
        print(line)
    tell(score.outdated())
    in_situations = sum(one.changes_when is not None for one in tried)
    print(
        f"{len(tried)} mutants: {in_situations} change the ruling in some situation of the interview, "
        f"{score.noticeable} in some case or situation, {len(tried) - score.noticeable} in none"
    )
    print(
        f"{edition}: {score.killed} of {len(tried)} mutants noticed ({score.killed / max(1, len(tried)):.1%}, "
        f"at least {LEAST}% wanted); of the {len(score.survivors)} others {len(score.unexplained)} are not explained"
    )
    return score.enough


def _survivors(root: Path, edition: str, score: Score) -> Iterator[str]:
    """The survivors rule by rule; for each that is not explained a case that would notice it, or the lines that explain
    it."""
    from kb.cases.mutation import bench_of  # noqa: PLC0415 - only this option needs them
    from kb.drafting.cases import proposal  # noqa: PLC0415

    bench = bench_of(root, edition) if score.unexplained else None
    for rule, some in groupby(score.survivors, key=lambda one: one.rule):
        yield f"{rule}:"
        for one in some:
            why = score.known.get(one.name)
            yield f"  {one.place}: {one.name}"
            yield f"    {why[0] if why else 'no case notices it: write one, or say in mutants.yaml why none can'}"
            if one.equivalent:
                yield "    it changes no case and no situation of the interview"
            elif one.changes_case is None:
                yield f"    it changes the ruling when {one.changes_when}"
            else:
                yield f"    it changes the ruling on case {one.changes_case}, which does not say so"
            if bench is not None and not why:
                case = proposal(bench, one.name)
                reason = "- why: it changes no situation of the interview, because …"
                told = case.splitlines() if case else [reason, f"  mutants: [{json.dumps(one.name)}]"]
                yield f"    {'a case that would notice it' if case else 'for mutants.yaml'}:"
                yield from (f"      {line}" for line in told)
