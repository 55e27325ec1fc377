"""Everything that is wrong with a folder of rules, at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from facts.errors import Fault, Place
from kb.language.checks import edition_faults, vocabulary_faults
from kb.language.edition import load_edition
from kb.language.folders import EDITION, ELECTIONS, TRANSLATIONS, edition_folder, editions, elections
from kb.language.library import Library
from kb.language.model import Edition


def check(root: Path, folder: str | Path | None = None) -> list[Fault]:
    """Every fault of the law, as ``checked`` finds it."""
    return checked(root, folder)[0]


def checked(root: Path, folder: str | Path | None = None) -> tuple[list[Fault], list[Edition]]:
    """Every fault of the vocabulary, of each edition under ``root`` and of each election it offers, and these as far as
    they can be read.

    With ``folder``, an edition's id or a folder of the editor's own, only that edition and what it amends. The faults
    come in the order of files and lines. RulesError when there is no such edition.
    """
    names = editions(root) if folder is None else (folder,)
    own = None if folder is None else edition_folder(root, folder)
    library = Library(root, lambda base: load_edition(root, base), own)
    faults: set[Fault] = set()
    loaded: list[Edition] = []
    for name in names:
        edition = library.edition(edition_folder(root, name))
        loaded += [edition, *(library.elect(edition, election) for election in _offered(edition))]
    for edition in loaded:
        faults.update(edition_faults(edition, library.rules.unread))
    faults.update(fault for edition in loaded for fault in _unread(edition.folders[-1]))
    if folder is None:
        faults.update(vocabulary_faults(library.rules.vocabulary, loaded))
        faults.update(_left_out(root, loaded))
    return sorted(faults.union(library.faults)), loaded


def _offered(edition: Edition) -> list[str]:
    return sorted({name for offered in edition.offers.values() for name in offered} & {*elections(*edition.folders)})


def _unread(folder: Path) -> Iterator[Fault]:
    """Files of an edition that nothing reads."""
    for file in sorted(folder.rglob("*.yml")):
        yield Fault(Place(str(file), 1), "the file is not read", f"call it {file.stem}.yaml")


def _left_out(root: Path, loaded: list[Edition]) -> Iterator[Fault]:
    """Files that look like rules and that nothing reads."""
    for folder in sorted({file.parent for file in root.glob("*/*.yaml")}):
        if folder.name not in (*editions(root), ELECTIONS, TRANSLATIONS):
            yield Fault(Place(str(folder), 1), f"the folder holds no {EDITION}", "write one, or move the files")
    offered = {name for edition in loaded for names in edition.offers.values() for name in names}
    for name in elections(root):
        if name not in offered:
            mend = "name it under offers: in an edition.yaml, or take the file away"
            yield Fault(Place(str(root / ELECTIONS / f"{name}.yaml"), 1), f"no edition offers {name}", mend)
