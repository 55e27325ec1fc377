"""Loading an edition: everything that is wrong with its files is found before anything is ruled by it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from facts.errors import RulesError
from facts.readers.shipped import TABLE, VOCABULARY, load_table
from facts.table import Table
from kb.language.cache import digest_of, files_in, kept
from kb.language.folders import ELECTIONS, TRANSLATIONS, drafts, edition_folder
from kb.language.model import Edition

READERS: Final = ("kb/language", "kb/language/checks", "facts", "facts/readers")
"""The folders of the code that reads and checks rules."""


def load_edition(root: Path, edition: str | Path, elections: Sequence[str] = ()) -> Edition:
    """The edition of that id under ``root``, or in a folder of the editor's own, with these elections applied.

    Raises RulesError with every fault of the files that it is made of. What has been read once comes from the cache.
    """
    folder = edition_folder(root, edition)
    question = (str(root), str(folder), sorted(set(elections)))

    def found_by() -> str:
        read = [
            one / part
            for one in drafts(root, folder)
            for part in ("", ELECTIONS, TRANSLATIONS)
            if (one / part).is_dir()
        ]
        folders = [str(root), *sorted(one.path for one in os.scandir(root) if one.is_dir()), *map(str, read)]
        return digest_of(question, (file for one in folders for file in files_in(one, ".yaml")), READERS)

    return kept("edition", found_by, lambda: read_edition(root, folder, elections))


def load_declared(root: Path) -> Table:
    """What can be said of a table where no edition is named; RulesError with every fault. Kept like an edition."""

    def found_by() -> str:
        return digest_of(str(root), [str(root / VOCABULARY), str(root / TABLE)], READERS)

    return kept("table", found_by, lambda: load_table([root]))


def read_edition(root: Path, folder: Path, elections: Sequence[str] = ()) -> Edition:
    """The edition in a folder as its files stand, which are not kept: for what is still being written.

    Raises RulesError with every fault of them.
    """
    # not needed for an edition that has been kept
    from kb.language.checks import edition_faults  # noqa: PLC0415
    from kb.language.library import Library  # noqa: PLC0415
    from kb.language.offers import refuse_unoffered  # noqa: PLC0415

    library = Library(root, lambda base: load_edition(root, base), folder)
    loaded = library.edition(folder)
    refuse_unoffered(loaded, elections)
    for election in sorted(set(elections)):
        loaded = library.elect(loaded, election)
    if faults := {*library.faults, *edition_faults(loaded, library.rules.unread)}:
        raise RulesError(sorted(faults))
    return loaded
