"""Where the rules lie, and how files of one name are laid over each other.

The rules' own come first, then that of each edition or draft over what it amends."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeVar

from facts.errors import Faults, InputError, RulesError, brief, did_you_mean
from facts.form import Entries, FromFile
from facts.table import REVOKE
from facts.yaml_reader import Mapping, Node, Sequence, is_file, is_folder, read_text, read_yaml

VOCABULARY = "vocabulary.yaml"
TABLE = "table.yaml"
EDITION = "edition.yaml"
CASES = "cases"
ELECTIONS = "elections"
MATTERS = "matters"
"""The folder of a folder for each matter beside the revoke."""
MEASURES = "measures.yaml"
MUTANTS = "mutants.yaml"
PROPERTIES = "properties.yaml"
WORDS = "words.yaml"
TRANSLATIONS = "translations"
LAID_OVER = ("interview.yaml", MEASURES, PROPERTIES, "spoken.yaml", TABLE, VOCABULARY, "wider.yaml", WORDS)
"""Files of a draft that are laid over those of what it amends."""


def rules_root() -> Path:
    """The rules of the checkout, or else the copy inside the installed package."""
    here = Path(__file__).resolve()
    for root in (here.parents[2] / "rules", here.parents[2] / "kb" / "rules"):
        if (root / VOCABULARY).is_file():
            return root
    raise RulesError.of(here.parents[2] / "rules", "there are no rules here", "name a folder with --rules")


def edition_ids(root: Path) -> tuple[str, ...]:
    """The ids of the editions under ``root``."""
    return tuple(sorted(file.parent.name for file in root.glob(f"*/{EDITION}")))


def elections(*folders: Path) -> dict[str, Path]:
    """The elections in these folders by their ids, each with its file: a later folder's before an earlier one's."""
    files = {file.stem: file for folder in folders for file in (folder / ELECTIONS).glob("*.yaml")}
    return dict(sorted(files.items()))


def law_name(edition: str | Path, elections: Iterable[str]) -> str:
    """As commands name an edition, or the folder of a draft, with elections made in it: ``duplicate-2007+dbv-2007``."""
    return "+".join((str(edition), *elections))


def apart(name: str) -> tuple[str, tuple[str, ...]]:
    """The edition and the elections of such a name."""
    edition, *made = [name] if is_folder(name) else name.split("+")
    return edition, tuple(made)


def amended(root: Path, folder: Path, name: str) -> Path | None:
    """The folder of what a draft amends: an edition of ``root``, or a draft by its path from the one that amends it."""
    if name in edition_ids(root):
        return root / name
    draft = (folder / name).resolve()
    return draft if (draft / EDITION).is_file() else None


def languages_named(node: Node) -> tuple[str, ...]:
    """Those in which every text is given."""
    languages = node.entries.get("languages")
    return tuple(str(language.plain()) for language in languages.items) if languages is not None else ()


def complete_languages(root: Path) -> tuple[str, ...]:
    """Those that the vocabulary names; none where it cannot be read, as is told elsewhere."""
    try:
        return languages_named(read_yaml(read_text(root / VOCABULARY), VOCABULARY))
    except InputError:
        return ()


def edition_folder(root: Path, edition: str | Path) -> Path:
    """The folder of an edition: an id of ``root``, or a folder of the editor's own. RulesError when there is none."""
    if str(edition) in edition_ids(root):
        return root / edition
    folder = Path(edition)
    really = Path(os.path.realpath(folder))  # Path.resolve raises where links lead in a circle
    if really.parent == Path(os.path.realpath(root)) and really.name in edition_ids(root):
        return root / really.name
    if not is_folder(folder):
        mend = did_you_mean(str(edition), edition_ids(root))
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


def _amends(root: Path, folder: Path) -> Path | None:
    """The folder of what an edition says that it amends; None where it says nothing that there is."""
    with suppress(InputError):
        amends = read_yaml(read_text(folder / EDITION), str(folder)).entries.get("amends")
        return amended(root, folder, str(amends.plain())) if amends else None
    return None


def law_files(folder: Path) -> tuple[Path, ...]:
    """The law files of an edition's folder, in the order of their names."""
    others = (EDITION, MUTANTS, *LAID_OVER)
    return tuple(file for file in sorted(folder.glob("*.yaml")) if file.name not in others)


MEANT: Final = frozenset({".yaml", ".yml"})


def misnamed(folder: Path) -> tuple[Path, ...]:
    """What looks like a file of an edition beside the others and is called otherwise, so that nothing reads it."""
    return tuple(file for file in sorted(folder.iterdir()) if file.suffix.lower() in MEANT and file.suffix != ".yaml")


DROPPED: Final = "dropped"


@dataclass(frozen=True, kw_only=True)
class Droppable(FromFile):
    """What a file laid over another may take away by its name."""

    dropped: Literal[True] | None = None
    """What the edition amended has of this name is no longer so."""


F = TypeVar("F", bound=Droppable)


def without_dropped(entries: Entries[F], faults: Faults) -> Entries[F]:
    """What is left once the files lie over each other; a fault where there was nothing to take away."""
    remaining = {name: entry for name, entry in entries.items() if not entry.dropped}
    for name in entries.keys() - remaining.keys():
        faults.add(entries.places[name], f"there is no {name} before, to be dropped", did_you_mean(name, remaining))
    return Entries(remaining, entries.places, entries.place)


def files_of(folders: Iterable[Path], *names: str) -> list[Path]:
    """The files of these names in these folders, in their order."""
    return [file for folder in folders for name in names if (file := folder / name).is_file()]


def matter_files(folders: Iterable[Path]) -> list[str]:
    """The files of all matters in these folders."""
    return [str(file) for folder in folders for file in sorted((folder / MATTERS).glob("*/*.yaml"))]


def matter_folder(folder: Path, of: str) -> Path:
    """Where the files of a matter lie in a folder of the rules."""
    return folder if of == REVOKE else folder / MATTERS / of


def laid_together(files: Iterable[Path], levels: int, languages: Collection[str] = ()) -> Node:
    """What the files hold, each laid over those before it; RulesError for one that cannot be read."""
    try:
        base, *others = [read_yaml(read_text(file), str(file)) for file in files]
    except InputError as error:
        raise RulesError(error.faults) from None
    for over in others:
        base = laid_over(base, over, levels, languages)
    return base


def laid_over(base: Node, over: Node, levels: int, languages: Collection[str] = ()) -> Node:
    """The file with another laid over it: what has a name keeps what it has and takes over what is new.

    ``levels``: so deep, from the file down, names are looked for; a text in these languages is replaced as a whole.
    ``dropped: true`` takes away what has the name; where there is nothing, it stays for the reader to tell.
    """
    if isinstance(base, Sequence):  # of answers, with nothing beside their names
        names = {str(item.plain()): item.place for item in base.items}
        base = Mapping({name: Mapping({}, {}, place) for name, place in names.items()}, names, base.place)
    if not (levels and isinstance(base, Mapping) and isinstance(over, Mapping)):
        return over
    if over.entries and over.entries.keys() <= {*languages}:  # a text
        return over
    gone = {key for key, node in over.entries.items() if key in base.entries and DROPPED in node.entries}
    merged = {
        key: node
        if key not in base.entries or key == "when"
        else laid_over(base.entries[key], node, levels - 1, languages)
        for key, node in over.entries.items()
    }
    entries = {key: node for key, node in {**base.entries, **merged}.items() if key not in gone}
    return replace(base, entries=entries, keys={**base.keys, **over.keys})
