"""Where the rules lie, and what can be said of a table by the shipped ``table.yaml`` or by a draft's as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from facts.errors import Fault, InputError, RulesError
from facts.table import Table
from facts.yaml_nodes import Node
from facts.yaml_reader import read_text, read_yaml

VOCABULARY: Final = "vocabulary.yaml"
TABLE: Final = "table.yaml"


def rules_root() -> Path:
    """The rules of the checkout, or else the copy inside the installed package."""
    here = Path(__file__).resolve()
    for root in (here.parents[2] / "rules", here.parents[2] / "kb" / "rules"):
        if (root / VOCABULARY).is_file():
            return root
    raise RulesError.of(here.parents[2] / "rules", "there are no rules here", "name a folder with --rules")


@lru_cache(maxsize=1)
def shipped_table() -> Table:
    """What can be said by the shipped rules; RulesError with every fault."""
    return load_table([rules_root()])


def load_table(folders: Sequence[Path]) -> Table:
    """What can be said by the files of these folders, each laid over those before it; RulesError with every fault."""
    faults: list[Fault] = []
    table = table_of(folders, faults)
    if faults:
        raise RulesError(sorted(faults))
    return table


def table_of(folders: Sequence[Path], faults: list[Fault], translated: Callable[[Node], Node] | None = None) -> Table:
    """The same as far as it can be read; faults are added. ``translated`` gives its texts in more languages."""
    from facts.readers.table import read_table  # noqa: PLC0415 - of no use where an edition has been stored

    nodes = _nodes(folders, TABLE, faults)
    more = nodes if translated is None else [*map(translated, nodes)]
    table = read_table(more, _nodes(folders, VOCABULARY, faults), faults)
    return replace(table, root=str(folders[0]))


def _nodes(folders: Sequence[Path], name: str, faults: list[Fault]) -> list[Node]:
    found: list[Node] = []
    for file in (folder / name for folder in folders):
        if file.is_file():
            try:
                found.append(read_yaml(read_text(file), str(file)))
            except InputError as error:
                faults += error.faults
    return found
