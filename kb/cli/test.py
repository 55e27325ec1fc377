"""``revoke test``: the cases written beside the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import track

from facts.errors import InputError
from kb.cases.cases import tried as outcomes
from kb.cli.boards import engine_named
from kb.cli.files import write
from kb.cli.options import EngineOption, RulesOption, refuse, root_of, tell
from kb.cli.watch import WatchOption, folders_of, watched
from kb.explain.console import PlainConsole
from kb.language.folders import DEFAULT_EDITION, edition_folder
from kb.ruling.law import Laws

if TYPE_CHECKING:
    from kb.cases.mutation import Score, TriedMutant

app = typer.Typer(add_completion=False)


@app.command()
def command(
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
        watched(folders_of(root, folders or []), lambda: command(folders, rules, engine, mutate, accept, yes))
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
    from kb.drafting.accepting import accepted, files_rewritten  # noqa: PLC0415 - only this option needs it

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
    from kb.cases.mutation import (  # noqa: PLC0415
        LEAST,
        Score,
        known_survivors,
        mutate,
    )

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
    from kb.drafting.proposing import proposal  # noqa: PLC0415

    bench = bench_of(root, edition) if score.unexplained else None
    for rule, some in groupby(score.survivors, key=lambda one: one.rule):
        yield f"{rule}:"
        for one in some:
            why = score.known.get(one.name)
            yield f"  {one.place}: {one.name}"
            yield f"    {why[0] if why else 'no case notices it: write one, or say in mutants.yaml why none can'}"
            yield f"    {_effect(one)}"
            if bench is not None and not why:
                case = proposal(bench, one.name)
                reason = "- why: it changes no situation of the interview, because …"
                told = case.splitlines() if case else [reason, f"  mutants: [{json.dumps(one.name)}]"]
                yield f"    {'a case that would notice it' if case else 'for mutants.yaml'}:"
                yield from (f"      {line}" for line in told)


def _effect(one: TriedMutant) -> str:
    """What a survivor changes."""
    if one.equivalent:
        return "it changes no case and no situation of the interview"
    if one.changes_case is None:
        return f"it changes the ruling when {one.changes_when}"
    return f"it changes the ruling on case {one.changes_case}, which does not say so"
