"""``revoke translate``: a file of translations brought up to the rules, and how much of it is done."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from polib import POFile

from facts.errors import Faults, InputError, RulesError
from facts.opening import is_file
from facts.yaml_reader import read_text
from kb.cli.files import make_folder, write
from kb.cli.options import RulesOption, refuse, root_of
from kb.drafting.translating import Share, bring_up, new_file, translatable
from kb.language.folders import TRANSLATIONS, drafts, edition_folder, editions
from kb.language.translations import read_po, read_translations, refuse_language

app = typer.Typer(add_completion=False)


@app.command()
def command(
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
