"""Files of one name laid over each other: the rules' own, then that of each edition or draft over what it amends."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeVar

from facts.errors import InputError, RulesError
from facts.form import Entries, FromFile
from facts.suggestions import did_you_mean
from facts.yaml_nodes import Mapping, Node, Sequence
from facts.yaml_reader import read_text, read_yaml
from kb.language.faults import Faults

DROPPED: Final = "dropped"


@dataclass(frozen=True, kw_only=True)
class Droppable(FromFile):
    """What a file laid over another may take away by its name."""

    dropped: Literal[True] | None = None
    """What the edition amended has of this name is no longer so."""


F = TypeVar("F", bound=Droppable)


def kept(held: Entries[F], faults: Faults) -> Entries[F]:
    """What is left once the files lie over each other; a fault where there was nothing to take away."""
    left = {name: one for name, one in held.items() if not one.dropped}
    for name in held.keys() - left.keys():
        faults.add(held.places[name], f"there is no {name} before, to be dropped", did_you_mean(name, left))
    return Entries(left, held.places, held.place)


def files_of(folders: Iterable[Path], *names: str) -> list[Path]:
    """The files of these names in these folders, in their order."""
    return [file for folder in folders for name in names if (file := folder / name).is_file()]


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
    base = _by_name(base)
    if not (levels and isinstance(base, Mapping) and isinstance(over, Mapping)) or _is_text(over, languages):
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


def _is_text(node: Mapping, languages: Collection[str]) -> bool:
    return bool(node.entries) and node.entries.keys() <= {*languages}


def _by_name(node: Node) -> Node:
    """A list of answers as answers with nothing beside their names; anything else as it is."""
    if not isinstance(node, Sequence):
        return node
    names = {str(item.plain()): item.place for item in node.items}
    return Mapping({name: Mapping({}, {}, at) for name, at in names.items()}, names, node.place)
