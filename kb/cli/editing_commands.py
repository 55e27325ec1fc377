"""Rules of one's own and the shipped ones: ``revoke init``, ``check``, ``test``, ``translate`` and ``schema``."""

from __future__ import annotations

import json
import os
from itertools import groupby
from pathlib import Path
from typing import Annotated, Literal

import typer

from facts.errors import Faults, InputError, Place, RulesError
from facts.incident import DEFAULT_EDITION
from facts.yaml_reader import is_file, read_text
from kb.cases.cases import tried as outcomes
from kb.cases.mutation import LEAST, Score, known_survivors, mutate, rule_of
from kb.cli.common import EditionOption, EngineOption, RulesOption, engine_named, make_folder, root_of, write
from kb.cli.terminal import tell
from kb.drafting.new_draft import SCHEMAS, new_draft, write_draft
from kb.drafting.translating import bring_up, new_file, translatable
from kb.explain.console import PlainConsole, at_work, tracked
from kb.language.edition import load_edition
from kb.language.folders import TRANSLATIONS, complete_languages, drafts, edition_folder, edition_ids
from kb.language.report import as_remark, faults_as_json, report
from kb.language.texts import read_po, read_translations, refuse_language
from kb.prove.deep import every_fault
from kb.ruling.laws import Laws
from kb.schemas import all_schemas, schema_text


def init_command(
    folder: Annotated[Path, typer.Argument(help="The draft's folder, which is not there yet; it bears its name.")],
    clauses: Annotated[
        list[str] | None, typer.Argument(help="Clauses to start from, as they stand.", metavar="[CLAUSE]...")
    ] = None,
    amends: Annotated[
        str, typer.Option("--amends", help="The edition that it amends, or the folder of another draft.")
    ] = DEFAULT_EDITION,
    new: Annotated[list[str] | None, typer.Option("--new", help="A clause that it adds; may be repeated.")] = None,
    rules: RulesOption = None,
) -> None:
    """Writes a draft: what it amends, the clauses named with cases that cite them, and the schemas for an editor."""
    root = root_of(rules)
    if folder.name in edition_ids(root):
        raise InputError.of(folder, f"{folder.name} is the name of an edition", "give the draft a name of its own")
    base = load_edition(root, amends)
    files = new_draft(folder, base, clauses or [], new or [])
    schemas = all_schemas(base.vocabulary, base.table).items()
    write_draft(folder, {**files, **{f"{SCHEMAS}/{name}.json": schema_text(schema) for name, schema in schemas}})
    for name in (*sorted(files), SCHEMAS):
        print(folder / name)
    print(f"Next: revoke check {folder}")


def translate_command(
    language: Annotated[str, typer.Argument(help="The code of the language, such as fr.")],
    folder: Annotated[
        str | None,
        typer.Argument(help="An edition's id, or the folder of a draft; all shipped editions when left out."),
    ] = None,
    rules: RulesOption = None,
) -> None:
    """Writes the texts that are not translated yet into a file of translations, and tells how much is done."""
    root = root_of(rules)
    refuse_language(language, complete_languages(root), Place(language, 1))
    home, folders = _folders(root, folder)
    file = home / TRANSLATIONS / f"{language}.po"
    old = read_text(file) if is_file(file) else ""
    faults = Faults()
    read_translations(root, [home], faults)
    lower = read_translations(root, [path for path in folders if path != home], faults)
    if faults:
        raise RulesError(sorted(faults))
    texts = translatable(root, folders)
    all_texts = texts if home != root else translatable(root, _folders(root, None)[1])
    made = read_po(old, str(file)) if old else new_file(language)
    bring_up(made, all_texts, {text.said for text in texts if not lower.of(text.said, language)})
    if str(made) != old:
        make_folder(file.parent)
        write(file, str(made))
    mine = {entry.msgid for entry in made.translated_entries()}
    rest = [text for text in texts if text.said[0] not in mine and lower.of(text.said, language) is None]
    if home != root:
        of_own, left_of_own = (sum(text.file.startswith(f"{home.name}/") for text in part) for part in (texts, rest))
        print(f"{language}: {of_own - left_of_own:,} of {of_own:,} texts of {home.name} itself, which stand first")
    done = len(texts) - len(rest)
    print(f"{language}: {100 * done // max(1, len(texts))} % – {done:,} of {len(texts):,} texts")
    print(f"what is missing stands empty in {file}" if rest else f"nothing is missing in {file}")
    if gone := len(made.obsolete_entries()):
        print(f"{gone} that nothing says any more stand at the end, after #~")


def _folders(root: Path, edition: str | None) -> tuple[Path, list[Path]]:
    """The folder whose translations are meant, and those that hold the texts: a draft, then from the lowest on."""
    if edition is None:
        return root, [root, *(root / name for name in edition_ids(root))]
    folder = edition_folder(root, edition if edition in edition_ids(root) else Path(edition))
    lower = [root, *reversed(drafts(root, folder, whole=True))]
    return (root, lower) if folder.parent == root else (folder, [folder, *(path for path in lower if path != folder)])


def schema_command(
    folder: Annotated[Path, typer.Option("--write", help="The folder that they go into.", metavar="FOLDER")],
    edition: EditionOption = None,
    rules: RulesOption = None,
) -> None:
    """Writes the JSON Schema of each sort of file into a folder."""
    law = load_edition(root_of(rules), edition or DEFAULT_EDITION)
    made = all_schemas(law.vocabulary, law.table)
    make_folder(folder)
    for name, schema in made.items():
        write(folder / f"{name}.json", schema_text(schema))
    print(f"{len(made)} schemas written to {folder}")


def check_command(
    folder: Annotated[
        str | None,
        typer.Argument(help="An edition's id or a folder of your own; all shipped editions when left out."),
    ] = None,
    rules: RulesOption = None,
    form: Annotated[
        Literal["text", "json", "github"], typer.Option("--format", help="github: as GitHub shows it at the line.")
    ] = "text",
    deep: Annotated[
        bool,
        typer.Option(
            "--deep",
            help="Rule on every situation as well: claims that do not hold, contradictions, rules never reached.",
        ),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="As --deep, and whatever does nothing is a fault.")] = False,
) -> None:
    """Every fault of the rule files, each with its place and how to mend it. Status 1 when there is any."""
    root = root_of(rules)
    with at_work():
        result = every_fault(
            root, folder if folder is None or folder in edition_ids(root) else Path(folder), deep or strict
        )
    faults, remarks = [*result.faults, *result.remarks], result.remarks
    if form == "json":
        print(json.dumps(faults_as_json(faults), ensure_ascii=False, indent=2))
    elif form == "github":
        for fault in faults:
            print(as_remark(fault))
    else:
        report(faults, PlainConsole(highlight=False))
        count = f"{len(result.faults)} fault{'s' if len(result.faults) != 1 else ''}"
        print(f"{count}, remarks on what does nothing: {len(remarks)}" if deep or strict or remarks else count)
    raise typer.Exit(int(bool(result.faults or (strict and remarks))))


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
) -> None:
    """Rules on every case and tells where the ruling is not the one expected. Status 1 when there is any."""
    root = root_of(rules)
    if mutate:
        enough = [_mutated(root, edition) for edition in folders or [DEFAULT_EDITION]]
        raise typer.Exit(int(not all(enough)))
    number = failed = 0
    for outcome in outcomes(Laws(root, engine_named(engine)), folders or []):
        number += 1
        failed += bool(outcome.differences)
        if outcome.differences:
            print(f"{outcome.case.place}: {outcome.case.id} under {outcome.expected.edition}")
        for difference in outcome.differences:
            print(f"    {difference}")
    print(f"{number} expectations of cases, {failed} not met")
    raise typer.Exit(int(failed > 0))


def _mutated(root: Path, edition: str) -> bool:
    """Tells which mutants of an edition survive, and why; whether the cases guard its rules well enough."""
    from kb.audit.auditor import workers  # noqa: PLC0415 - no other command of these needs it

    with workers(os.cpu_count() or 1) as on:
        tried = tuple(mutant for rule in tracked(mutate(root, edition, on), "rules") for mutant in rule)
    score = Score(tried, known_survivors(edition_folder(root, edition)))
    for rule, mutants in groupby(score.survivors, key=lambda mutant: rule_of(mutant.name)):
        print(f"{rule}:")
        for mutant in mutants:
            why = score.known.get(mutant.name)
            print(f"  {mutant.place}: {mutant.name}")
            print(f"    {why[0] if why else 'no case notices it: write one, or say in mutants.yaml why none can'}")
            if mutant.changes_case is not None:
                print(f"    it changes the ruling on case {mutant.changes_case}, which does not say so")
    tell(score.outdated())
    print(
        f"{edition}: {score.killed} of {len(tried)} mutants noticed ({score.killed / max(1, len(tried)):.1%}, "
        f"at least {LEAST}% wanted); of the {len(score.survivors)} others {len(score.unexplained)} are not explained"
    )
    return score.enough
