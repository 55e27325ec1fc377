"""Loading an edition: everything that is wrong with its files is found before anything is ruled by it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from facts.errors import Fault, Place, RulesError
from facts.table import Table
from kb.language.cache import digest_of, files_in, from_cache
from kb.language.folders import (
    CASES,
    EDITION,
    ELECTIONS,
    MATTERS,
    MEANT,
    MEASURES,
    TABLE,
    TRANSLATIONS,
    VOCABULARY,
    drafts,
    edition_folder,
    edition_ids,
    matter_files,
)
from kb.language.folders import elections as elections_of
from kb.language.model import Edition
from kb.language.table_files import load_table
from kb.language.texts import translation_files

READERS: Final = ("kb/language", "kb/language/checks", "facts")
"""The folders of the code that reads and checks rules, which is loaded only where an edition has not been kept."""


def load_edition(root: Path, edition: str | Path, elections: Sequence[str] = ()) -> Edition:
    """The edition of that id under ``root``, or in a folder of the editor's own, with these elections applied.

    Raises RulesError with every fault of the files that it is made of. What has been read once comes from the cache.
    """
    folder = edition_folder(root, edition)
    question = (str(root), str(folder), sorted(set(elections)))

    def found_by() -> str:
        own_drafts = drafts(root, folder)
        read = [draft / part for draft in own_drafts for part in ("", ELECTIONS) if (draft / part).is_dir()]
        folders = [str(root), *sorted(entry.path for entry in os.scandir(root) if entry.is_dir()), *map(str, read)]
        files = [file for one in folders for file in files_in(one, ".yaml")] + matter_files(map(Path, folders))
        return digest_of(question, [*files, *map(str, translation_files([root, *own_drafts]))], READERS)

    return from_cache("edition", found_by, lambda: read_edition(root, folder, elections))


def load_declared(root: Path) -> Table:
    """What can be said of a table where no edition is named; RulesError with every fault. Kept like an edition."""

    def found_by() -> str:
        return digest_of(str(root), [str(root / VOCABULARY), str(root / TABLE), *matter_files([root])], READERS)

    return from_cache("table", found_by, lambda: load_table([root]))


def read_edition(root: Path, folder: Path, elections: Sequence[str] = ()) -> Edition:
    """The edition in a folder as its files stand, which are not kept: for what is still being written.

    Raises RulesError with every fault of them.
    """
    from kb.language.checks import edition_faults  # noqa: PLC0415
    from kb.language.library import Library, refuse_unoffered  # noqa: PLC0415

    library = Library(root, folder)
    loaded = library.edition(folder)
    refuse_unoffered(loaded, elections)
    for election in sorted(set(elections)):
        loaded = library.elect(loaded, election)
    if faults := library.due({*library.faults, *edition_faults(loaded)}):
        raise RulesError(faults)
    return loaded


def checked(root: Path, folder: str | Path | None = None) -> tuple[list[Fault], list[Edition]]:
    """Every fault of the vocabulary, of each edition under ``root`` and of each election it offers, and these as far as
    they can be read.

    With ``folder``, an edition's id or a folder of the editor's own, only that edition and what it amends. The faults
    come in the order of files and lines. RulesError when there is no such edition.
    """
    from kb.language.checks import OF_ALL_EDITIONS, edition_faults, found_by  # noqa: PLC0415
    from kb.language.library import Library  # noqa: PLC0415

    names = edition_ids(root) if folder is None else (folder,)
    own_folder = None if folder is None else edition_folder(root, folder)
    library = Library(root, own_folder)
    faults: set[Fault] = set()
    loaded: list[Edition] = []
    for name in names:
        edition = library.edition(edition_folder(root, name))
        offered = {election for names in edition.offers.values() for election in names}
        existing = sorted(offered & {*elections_of(*edition.folders)})
        loaded += [edition, *(library.elect(edition, election) for election in existing)]
    for edition in loaded:
        faults.update(edition_faults(edition))
        faults.update(_unread(edition.folders[-1]))
    if folder is None:
        faults.update(found_by(OF_ALL_EDITIONS, library.vocabulary, loaded))
        faults.update(_left_out(root))
    offered = {name for edition in loaded for names in edition.offers.values() for name in names}
    for name, file in elections_of(own_folder or root).items():
        if name not in offered:
            mend = "name it under offers: in an edition.yaml, or take the file away"
            faults.add(Fault(Place(str(file), 1), f"no edition offers {name}", mend))
    return library.due(faults.union(library.faults)), loaded


def _unread(folder: Path) -> Iterator[Fault]:
    """Files of an edition that look like rules or cases, and that nothing reads."""
    for file in (file for file in folder.rglob("*") if file.suffix.lower() in MEANT):
        inside = file.relative_to(folder).parts[:-1]
        if file.suffix != ".yaml":
            yield Fault(Place(str(file), 1), "the file is not read", f"call it {file.stem}.yaml")
        elif not inside and file.name == MEASURES:
            mend = "take it away: both laws of a comparison are weighed by the measures of the rules"
            yield Fault(Place(str(file), 1), "the file is not read", mend)
        elif inside and inside[0] not in (CASES, ELECTIONS, MATTERS, TRANSLATIONS):
            yield Fault(
                Place(str(file), 1), "the file is not read", f"put cases into {CASES}/, and rules beside {EDITION}"
            )


def _left_out(root: Path) -> Iterator[Fault]:
    """Files that look like rules and that nothing reads."""
    for folder in sorted({file.parent for file in root.glob("*/*.yaml")}):
        if folder.name not in (*edition_ids(root), ELECTIONS, TRANSLATIONS):
            yield Fault(Place(str(folder), 1), f"the folder holds no {EDITION}", "write one, or move the files")
