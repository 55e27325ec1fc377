"""Loading an edition: everything that is wrong with its files is found before anything is ruled by it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from facts.errors import RulesError
from kb.language.folders import edition_folder, editions, elections, rules_root
from kb.language.model import Edition

__all__ = ["editions", "elections", "load_edition", "rules_root"]


def load_edition(root: Path, edition: str | Path, elections: Sequence[str] = ()) -> Edition:
    """The edition of that id under ``root``, or in a folder of the editor's own, with these elections applied.

    Raises RulesError with every fault of the files that it is made of.
    """
    # not needed for an edition that has been stored
    from kb.language.checks import edition_faults  # noqa: PLC0415
    from kb.language.library import Library  # noqa: PLC0415
    from kb.language.offers import refuse_unoffered  # noqa: PLC0415

    library = Library(root)
    loaded = library.edition(edition_folder(root, edition))
    refuse_unoffered(loaded, elections, root)
    for election in sorted(set(elections)):
        loaded = library.elect(loaded, election)
    if faults := {*library.faults, *edition_faults(loaded, library.rules.unread)}:
        raise RulesError(sorted(faults))
    return loaded
