"""``revoke translate``: a file of translations brought up to the rules, and how much of it is done."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from facts.errors import InputError
from facts.opening import is_file
from facts.yaml_reader import read_text
from kb.cli.files import make_folder, write
from kb.cli.options import RulesOption, refuse, root_of
from kb.drafting.translating import Translating, as_text, brought_up, read_translating
from kb.language.folders import TRANSLATIONS, drafts, edition_folder, editions
from kb.language.read_translations import complete_languages, refuse_language
from kb.language.translatable import Share, translatable, translations_in

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
        file = own / TRANSLATIONS / f"{language}.yaml"
        before = read_text(file) if is_file(file) else ""
        made, share = _brought_up(root, file, before, folders)
    except InputError as error:
        raise refuse(error) from None
    text = as_text(made)
    if text != before:
        make_folder(file.parent)
        write(file, text)
    _tell(file, made, text, share)


def _folders(root: Path, named: str | None) -> tuple[Path, list[Path]]:
    """The folder whose translations are meant, and those that hold the texts, the lowest first."""
    if named is None:
        return root, [root, *(root / name for name in editions(root))]
    folder = edition_folder(root, named if named in editions(root) else Path(named))
    return (root if folder.parent == root else folder), [root, *reversed(drafts(root, folder, whole=True))]


def _brought_up(root: Path, file: Path, before: str, folders: list[Path]) -> tuple[Translating, Share]:
    """The file with all that is to be in it, and how much is done with what lies below it."""
    language, own, complete = file.stem, file.parents[1], complete_languages(root)
    translations_in(root, [own])  # refuses what is wrong with it
    lower = translations_in(root, [one for one in folders if one != own])
    texts = translatable(root, folders)
    every = texts if own != root else translatable(root, _folders(root, None)[1])
    old = read_translating(before, str(file), language, complete) if before else Translating(language, complete)
    made = brought_up(old, every, [one.said for one in texts if not lower.of(one.said, language)])
    done = sum(made.has(one.said) or lower.of(one.said, language) is not None for one in texts)
    return made, Share(done, len(texts))


def _tell(file: Path, made: Translating, text: str, share: Share) -> None:
    print(f"{made.language}: {share.percent} % – {share.done:,} of {share.of:,} texts")
    print(f"what is missing stands empty in {file}" if share.done < share.of else f"nothing is missing in {file}")
    if made.changed:
        print(f"{len(made.changed)} whose English has been changed: mend the translation, and take was: away")
        for entry in read_translating(text, str(file), made.language, made.complete).changed:
            print(f"  {file}:{entry.line}: {entry.at}")
    if made.no_longer:
        print(f"{len(made.no_longer)} that nothing says any more stand under no-longer:")
