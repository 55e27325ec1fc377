"""Rules of one's own: ``revoke init``, ``translate`` and ``schema``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from polib import POFile

from facts.errors import Faults, InputError, RulesError
from facts.opening import is_file
from facts.yaml_reader import read_text
from kb.cli.common import EditionOption, RulesOption, make_folder, refuse, root_of, write
from kb.cli.common import write as write_file
from kb.drafting.new_draft import clauses_added, clauses_named, new_draft, write_draft
from kb.drafting.translating import Share, bring_up, new_file, translatable
from kb.language.edition import load_edition
from kb.language.folders import DEFAULT_EDITION, TRANSLATIONS, drafts, edition_folder, editions
from kb.language.translations import read_po, read_translations, refuse_language
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
    except InputError as error:
        raise refuse(error) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse(InputError.of(folder, f"the draft cannot be written: {reason}", "choose another folder")) from None
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
    try:
        refuse_language(language, root)
        own, folders = _folders(root, folder)
        file = own / TRANSLATIONS / f"{language}.po"
        before = read_text(file) if is_file(file) else ""
        made, share = _brought_up(root, file, before, folders)
    except InputError as error:
        raise refuse(error) from None
    text = str(made)
    if text != before:
        make_folder(file.parent)
        write(file, text)
    _tell(file, text, share)


def _folders(root: Path, named: str | None) -> tuple[Path, list[Path]]:
    """The folder whose translations are meant, and those that hold the texts, the lowest first."""
    if named is None:
        return root, [root, *(root / name for name in editions(root))]
    folder = edition_folder(root, named if named in editions(root) else Path(named))
    return (root if folder.parent == root else folder), [root, *reversed(drafts(root, folder, whole=True))]


def _brought_up(root: Path, file: Path, before: str, folders: list[Path]) -> tuple[POFile, Share]:
    """The file with all that is to be in it, and how much is done with what lies below it."""
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
    done = sum(one.said[0] in mine or lower.of(one.said, language) is not None for one in texts)
    return made, Share(done, len(texts))


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
    try:
        law = load_edition(root_of(rules), edition or DEFAULT_EDITION)
    except InputError as error:
        raise refuse(error) from None
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
