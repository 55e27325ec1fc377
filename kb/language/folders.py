"""Where the rules lie."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from facts.errors import InputError, RulesError
from facts.opening import is_file, is_folder
from facts.readers.shipped import TABLE, VOCABULARY, rules_root
from facts.suggestions import brief, did_you_mean
from facts.yaml_reader import read_text, read_yaml

__all__ = ["TABLE", "VOCABULARY", "rules_root"]

EDITION = "edition.yaml"
ELECTIONS = "elections"
MUTANTS = "mutants.yaml"
PROPERTIES = "properties.yaml"
WORDS = "words.yaml"
TRANSLATIONS = "translations"
BESIDE = ("interview.yaml", "measures.yaml", PROPERTIES, "spoken.yaml", TABLE, VOCABULARY, "wider.yaml", WORDS)
"""Files of a draft that are laid over those of what it amends."""
DEFAULT_EDITION = "duplicate-2017"
"""The edition in force."""


def editions(root: Path) -> tuple[str, ...]:
    """The ids of the editions under ``root``."""
    return tuple(sorted(file.parent.name for file in root.glob(f"*/{EDITION}")))


def elections(*folders: Path) -> dict[str, Path]:
    """The elections in these folders by their ids, each with its file: a later folder's before an earlier one's."""
    found = {file.stem: file for folder in folders for file in (folder / ELECTIONS).glob("*.yaml")}
    return dict(sorted(found.items()))


def amended(root: Path, folder: Path, name: str) -> Path | None:
    """The folder of what a draft amends: an edition of ``root``, or a draft by its path from the one that amends it."""
    if name in editions(root):
        return root / name
    other = (folder / name).resolve()
    return other if (other / EDITION).is_file() else None


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


def drafts(root: Path, folder: Path, whole: bool = False) -> list[Path]:
    """A draft and those that it amends, as far as the rules' own editions; ``whole``: with these."""
    chain: list[Path] = []
    while (whole or folder.parent != root) and folder not in chain:
        chain.append(folder)
        folder = _amends(root, folder) or folder
    return chain


def in_a_circle(root: Path, folder: Path) -> bool:
    """Whether an edition amends itself, directly or through others."""
    return _amends(root, drafts(root, folder, whole=True)[-1]) is not None


def _amends(root: Path, folder: Path) -> Path | None:
    """The folder of what an edition says that it amends; None where it says nothing that there is."""
    with suppress(InputError):
        named = read_yaml(read_text(folder / EDITION), str(folder)).entries.get("amends")
        return amended(root, folder, str(named.plain())) if named else None
    return None


def law_files(folder: Path) -> tuple[Path, ...]:
    """The law files of an edition's folder, in the order of their names."""
    others = (EDITION, MUTANTS, *BESIDE)
    return tuple(file for file in sorted(folder.glob("*.yaml")) if file.name not in others)
