"""``revoke check``: every fault of the rule files, at once; and on request what only shows when rulings are given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from facts.errors import Fault, InputError
from facts.suggestions import did_you_mean
from kb.cases.cases import cases_of
from kb.cli.options import FORM, RulesOption, refuse, root_of
from kb.cli.watch import WatchOption, folders_of, watched
from kb.explain.console import PlainConsole
from kb.language.checks import every_check
from kb.language.edition import load_edition
from kb.language.folders import edition_folder, editions
from kb.language.report import as_json, as_remark, one_line, report
from kb.prove.deep import DeepCheck, deep_check
from kb.prove.every_fault import Found, every_fault
from kb.space.read_interview import load_interview
from kb.space.universe import Universe

app = typer.Typer(add_completion=False)
Form: TypeAlias = Literal["text", "plain", "json", "github"]
"""``plain``: a line each, without the lines of the files; ``github``: a remark each, as GitHub shows it at the line."""


@app.command()
def command(
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
        watched(folders_of(root, [folder]), lambda: command(folder, rules, form, plain, deep, strict))
    found, remarks = _found(root, folder, deep or strict)
    shown = found.own if found.own and found.beside else found.all
    _write("plain" if plain else form, [*shown, *remarks])
    if form in ("text", "plain"):
        told = f"{len(found.all)} fault{'s' if len(found.all) != 1 else ''}"
        print(f"{told}, {len(remarks)} that do nothing" if deep or strict else told)
        if len(shown) < len(found.all):
            print(f"{len(found.beside)} of them, in what it amends, follow from those shown")
    raise typer.Exit(int(bool(found.all or (strict and remarks))))


def _found(root: Path, folder: str | None, deep: bool) -> tuple[Found, list[Fault]]:
    """What is wrong, and what does nothing; ends the command where there is no such folder."""
    named = folder if folder is None or folder in editions(root) else Path(folder)
    try:
        found = every_fault(root, named, deep)
        if found.all or not deep:
            return found, []
        faults, remarks = _looked_into(root, folder)
        return Found(tuple(faults), ()), remarks
    except InputError as error:
        if isinstance(named, Path) and not named.exists():
            raise refuse(error) from None
        return Found(tuple(error.faults), ()), []


def _looked_into(root: Path, folder: str | None) -> tuple[Sequence[Fault], list[Fault]]:
    """What only shows when rulings are given: faults, and what does nothing."""
    checked = {name: _deep(root, name) for name in ([folder] if folder else editions(root))}
    found = set[Fault]().union(*(one.faults for one in checked.values()))
    idle = {(name, remark) for name, one in checked.items() for remark in one.remarks}
    return sorted(found), sorted({remark for name, remark in idle if folder or _own(root, name, remark)})


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


def _own(root: Path, name: str, remark: Fault) -> bool:
    """Whether it is about the edition's own files: what it takes over is answered for where it comes from."""
    return edition_folder(root, name).resolve() in Path(remark.place.file).resolve().parents


def _deep(root: Path, name: str) -> DeepCheck:
    """The deep check of an edition or draft, over its cases and those of the editions it amends."""
    edition = load_edition(root, name)
    universe = Universe(load_interview(root, edition, wider=True))
    return deep_check(edition, universe, cases_of(edition))


def _write(form: Form, faults: Sequence[Fault]) -> None:
    if form == "text":
        report(faults, PlainConsole(highlight=False))
    elif form == "json":
        print(json.dumps(as_json(faults), ensure_ascii=False, indent=2))
    else:
        for fault in faults:
            print(one_line(fault) if form == "plain" else as_remark(fault))
