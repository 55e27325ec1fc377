"""``revoke check``: every fault of the rule files, at once; and on request what only shows when rulings are given."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from facts.errors import Fault, InputError
from facts.suggestions import did_you_mean
from kb.cli.options import RulesOption, refuse, root_of
from kb.compare.compare import cases_of
from kb.explain.console import PlainConsole
from kb.explain.words import load_words
from kb.language.check import check
from kb.language.checks import every_check
from kb.language.edition import load_edition
from kb.language.folders import edition_folder, editions
from kb.language.report import one_line, report
from kb.prove.claim_faults import claim_faults, own_claims
from kb.prove.deep import DeepCheck, deep_check
from kb.prove.prove import Proving
from kb.prove.read_properties import property_files
from kb.space.measures import MEASURES, load_measures
from kb.space.read_interview import INTERVIEW, load_interview
from kb.space.universe import Universe

app = typer.Typer(add_completion=False)


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
    plain: Annotated[
        bool, typer.Option("--plain", help="One line for each fault, without the lines of the files.")
    ] = False,
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
) -> None:
    """Every fault of the rule files, each with its place and how to mend it. Status 1 when there is any."""
    if explain:
        _explain(folder)
        return
    root = root_of(rules)
    try:
        faults, remarks = _found(root, folder, deep or strict)
    except InputError as error:
        if folder is not None and folder not in editions(root) and not Path(folder).exists():
            raise refuse(error) from None
        faults, remarks = list(error.faults), []
    _print([*faults, *remarks], plain)
    found = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}"
    print(f"{found}, {len(remarks)} that do nothing" if deep or strict else found)
    raise typer.Exit(int(bool(faults or (strict and remarks))))


def _found(root: Path, folder: str | None, deep: bool) -> tuple[list[Fault], list[Fault]]:
    """The faults, and what does nothing; InputError where the files besides the rules are faulty, or there are none."""
    faults = check(root, folder if folder is None or folder in editions(root) else Path(folder))
    if faults:
        return faults, []
    edition = load_edition(root, folder or editions(root)[0])
    load_words(root, edition.vocabulary)
    if (root / MEASURES).is_file():
        load_measures(root, edition.vocabulary)
    if (root / INTERVIEW).is_file():
        load_interview(root, edition, wider=True)
    names = [folder] if folder else [*editions(root)]
    unkept = {fault for name in names for fault in _claims(root, name, deep)}
    if not deep:
        return sorted(unkept), []
    checked = {name: _deep(root, name) for name in names}
    found = unkept.union(*(one.faults for one in checked.values()))
    idle = {(name, remark) for name, one in checked.items() for remark in one.remarks}
    return sorted(found), sorted({remark for name, remark in idle if folder or _own(root, name, remark)})


def _claims(root: Path, name: str, deep: bool) -> Iterable[Fault]:
    """What is claimed of an edition and does not hold: of a draft what it claims itself, or ``deep``, everything."""
    edition = load_edition(root, name)
    if not property_files(root, edition):
        return ()
    proving = Proving(root, edition, lambda: cases_of(root, (name, *edition.lineage[1:])))
    own = () if name in editions(root) else own_claims(proving)
    return claim_faults(proving, [*proving.claimed.properties] if deep else own)


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
    return deep_check(edition, universe, cases_of(root, (name, *edition.lineage[1:])))


def _print(faults: Iterable[Fault], plain: bool) -> None:
    if plain:
        for fault in faults:
            print(one_line(fault))
    else:
        report(faults, PlainConsole(highlight=False))
