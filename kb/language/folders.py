"""Where the rules lie."""

from __future__ import annotations

import os
from pathlib import Path

from facts.errors import RulesError
from facts.opening import is_file, is_folder
from facts.readers.shipped import TABLE, VOCABULARY, rules_root
from facts.suggestions import brief, did_you_mean

__all__ = ["TABLE", "VOCABULARY", "rules_root"]

EDITION = "edition.yaml"
ELECTIONS = "elections"
MUTANTS = "mutants.yaml"
PROPERTIES = "properties.yaml"
DEFAULT_EDITION = "duplicate-2017"
"""The edition in force."""


def editions(root: Path) -> tuple[str, ...]:
    """The ids of the editions under ``root``."""
    return tuple(sorted(file.parent.name for file in root.glob(f"*/{EDITION}")))


def elections(root: Path) -> tuple[str, ...]:
    """The ids of the elections under ``root``."""
    return tuple(sorted(file.stem for file in (root / ELECTIONS).glob("*.yaml")))


def edition_folder(root: Path, edition: str | Path) -> Path:
    """The folder of an edition: an id of ``root``, or a folder of the editor's own. RulesError when there is none."""
    if str(edition) in editions(root):
        return root / edition
    folder = Path(edition)
    really = Path(os.path.realpath(folder))  # Path.resolve raises where links lead in a circle
    if really.parent == Path(os.path.realpath(root)) and really.name in editions(root):
        return root / really.name
    if not is_folder(folder):
        mend = did_you_mean(str(edition), editions(root))
        raise RulesError.of(root, f"there is no edition {brief(str(edition))}", mend)
    if not is_file(folder / EDITION):
        raise RulesError.of(folder, f"the folder holds no {EDITION}", "write one: edition, title, amends, …")
    return folder


def law_files(folder: Path) -> tuple[Path, ...]:
    """The law files of an edition's folder, in the order of their names."""
    others = (EDITION, MUTANTS, PROPERTIES, TABLE, VOCABULARY)
    return tuple(file for file in sorted(folder.glob("*.yaml")) if file.name not in others)
