"""Rules of one's own and the shipped ones: ``revoke init``, ``check``, ``test``, ``translate`` and ``schema``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer
from polib import POFile
from rich.progress import track

from facts.errors import Faults, InputError, RulesError
from facts.opening import is_file
from facts.suggestions import did_you_mean
from facts.yaml_reader import read_text
from kb.cases.cases import tried as outcomes
from kb.cases.mutation import LEAST, Score, bench_of, known_survivors, mutate
from kb.cli.common import (
    FORM,
    EditionOption,
    EngineOption,
    RulesOption,
    engine_named,
    make_folder,
    root_of,
    write,
)
from kb.cli.common import write as write_file
from kb.cli.terminal import tell
from kb.drafting.new_draft import (
    accepted,
    clauses_added,
    clauses_named,
    files_rewritten,
    new_draft,
    proposal,
    write_draft,
)
from kb.drafting.translating import Share, bring_up, new_file, translatable
from kb.explain.console import PlainConsole, at_work
from kb.language.checks import every_check
from kb.language.edition import load_edition
from kb.language.folders import DEFAULT_EDITION, TRANSLATIONS, drafts, edition_folder, editions
from kb.language.report import as_json, as_remark, one_line, report
from kb.language.table import shipped_table
from kb.language.translations import read_po, read_translations, refuse_language
from kb.prove.deep import Found, every_fault
from kb.ruling.law import Laws
from kb.schemas.described import described
from kb.schemas.schemas import Sort, all_schemas, schema_text


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
    """Writes a draft: what it amends, the clauses named with the cases that cite them, and the schema for an editor."""
    root = root_of(rules)
    try:
        if folder.name in editions(root):
            raise InputError.of(folder, f"{folder.name} is the name of an edition", "give the draft a name of its own")
        base = load_edition(root, amends)
        files = new_draft(folder, base, clauses_named(base, clauses or []), clauses_added(base, new or []))
        write_draft(folder, files)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError.of(folder, f"the draft cannot be written: {reason}", "choose another folder") from None
    for name in sorted(files):
        print(folder / name)
    print(f"Next: revoke check {folder} --watch")


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
    refuse_language(language, root)
    own, folders = _folders(root, folder)
    file = own / TRANSLATIONS / f"{language}.po"
    before = read_text(file) if is_file(file) else ""
    made, share, of_own = _brought_up(root, file, before, folders)
    text = str(made)
    if text != before:
        make_folder(file.parent)
        write(file, text)
    if own != root:
        print(f"{language}: {of_own.done:,} of {of_own.of:,} texts of {own.name} itself, which stand first")
    _tell(file, text, share)


def _folders(root: Path, named: str | None) -> tuple[Path, list[Path]]:
    """The folder whose translations are meant, and those that hold the texts: a draft, then from the lowest on."""
    if named is None:
        return root, [root, *(root / name for name in editions(root))]
    folder = edition_folder(root, named if named in editions(root) else Path(named))
    lower = [root, *reversed(drafts(root, folder, whole=True))]
    return (root, lower) if folder.parent == root else (folder, [folder, *(one for one in lower if one != folder)])


def _brought_up(root: Path, file: Path, before: str, folders: list[Path]) -> tuple[POFile, Share, Share]:
    """The file with all that is to be in it, and how much is done with what lies below it, in all and of its own."""
    language, own = file.stem, file.parents[1]
    faults = Faults()
    read_translations(root, [own], faults)
    lower = read_translations(root, [one for one in folders if one != own], faults)
    if faults:
        raise RulesError(sorted(faults))
    texts = translatable(root, folders)
    every = texts if own != root else translatable(root, _folders(root, None)[1])
    made = read_po(before, str(file)) if before else new_file(language)
    bring_up(made, every, {one.said for one in texts if not lower.of(one.said, language)})
    mine = {entry.msgid for entry in made.translated_entries()}
    done = [one for one in texts if one.said[0] in mine or lower.of(one.said, language) is not None]
    of_own = (sum(one.file.startswith(f"{own.name}/") for one in some) for some in (done, texts))
    return made, Share(len(done), len(texts)), Share(*of_own)


def _tell(file: Path, text: str, share: Share) -> None:
    print(f"{file.stem}: {share.percent} % – {share.done:,} of {share.of:,} texts")
    print(f"what is missing stands empty in {file}" if share.done < share.of else f"nothing is missing in {file}")
    entries = read_po(text, str(file))
    if changed := [entry for entry in entries if entry.fuzzy and not entry.obsolete]:
        print(f"{len(changed)} whose English has been changed: mend the translation, and take the mark fuzzy away")
        for entry in changed:
            print(f"  {file}:{entry.linenum}: {entry.comment.partition(chr(10))[0]}")
    if gone := len(entries.obsolete_entries()):
        print(f"{gone} that nothing says any more stand at the end, after #~")


def schema_command(
    sort: Annotated[Sort | None, typer.Argument(help="The sort of file.")] = None,
    write: Annotated[
        Path | None, typer.Option("--write", help="Write the schema of every sort into this folder.", metavar="FOLDER")
    ] = None,
    tell: Annotated[
        bool, typer.Option("--tell", help="What can be found out and what can happen, as Markdown tables.")
    ] = False,
    edition: EditionOption = None,
    rules: RulesOption = None,
) -> None:
    """Prints the JSON Schema of one sort of file, or writes them all into a folder."""
    law = load_edition(root_of(rules), edition or DEFAULT_EDITION)
    made = all_schemas(law.vocabulary, law.table)
    if tell:
        print(described(law.table), end="")
    elif write is not None:
        make_folder(write)
        for name, schema in made.items():
            write_file(write / f"{name}.json", schema_text(schema))
        print(f"{len(made)} schemas written to {write}")
    elif sort is not None:
        print(json.dumps(made[sort], ensure_ascii=False, indent=2))
    else:
        what = f"a sort of file ({', '.join(Sort)}), --write FOLDER for all of them, or --tell"
        print(f"name {what}", file=sys.stderr)
        raise typer.Exit(2)


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
            try:
                run()
            except typer.Exit:
                pass
            except InputError as error:
                tell(error.faults)
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
            "--deep",
            help="Rule on every situation as well: claims that do not hold, contradictions, rules never reached.",
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
    with at_work():
        found = _found(root, folder, deep or strict)
    faults, remarks = [*found.own, *found.remarks, *found.beside], found.remarks
    if form == "text" and not plain:
        report(faults, PlainConsole(highlight=False))
    elif form == "json" and not plain:
        print(json.dumps(as_json(faults), ensure_ascii=False, indent=2))
    else:
        for fault in faults:
            print(as_remark(fault) if form == "github" and not plain else one_line(fault))
    if form in ("text", "plain"):
        told = f"{len(found.all)} fault{'s' if len(found.all) != 1 else ''}"
        print(f"{told}, remarks on what does nothing: {len(remarks)}" if deep or strict or remarks else told)
    raise typer.Exit(int(bool(found.all or (strict and remarks))))


def _found(root: Path, folder: str | None, deep: bool) -> Found:
    """What is wrong, and what does nothing; ends the command where there is no such folder."""
    named = folder if folder is None or folder in editions(root) else Path(folder)
    try:
        return every_fault(root, named, deep)
    except InputError as error:
        if isinstance(named, Path) and not named.exists():
            raise
        return Found(tuple(error.faults), ())


def _explain(id: str | None) -> None:
    checks = every_check()
    if id is None:
        width = max(map(len, checks))
        for check in checks.values():
            print(f"{check.id:{width}}  {check.summary}")
    elif id in checks:
        print(checks[id].page)
    else:
        raise InputError.of("--explain", f"there is no check {id}", did_you_mean(id, checks))


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
    if accept:
        met = [_accepted(Laws(root, engine_named(engine)), folders or [], yes)]
    elif mutate:
        met = [_mutated(root, edition) for edition in folders or [DEFAULT_EDITION]]
    else:
        met = [_tried(Laws(root, engine_named(engine)), folders or [])]
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
