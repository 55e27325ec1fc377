"""Editions kept in the cache once they have been read and checked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from facts import table, yaml_nodes
from facts.errors import Place
from kb.language import model, terms
from kb.language.cache import digest_of, files_in, stored
from kb.language.edition import load_edition
from kb.language.folders import edition_folder
from kb.language.model import Edition

READERS: Final = ("kb/language", "kb/language/checks", "facts", "facts/readers")
"""The folders of the code that reads and checks rules."""
_PARTS: Final = (
    Place,
    model.Field,
    model.Kind,
    model.Vocabulary,
    terms.Constant,
    terms.Variable,
    terms.Sum,
    model.Test,
    model.Condition,
    model.Tally,
    model.Conclusion,
    model.Rule,
    model.Clause,
    yaml_nodes.Scalar,
    yaml_nodes.Sequence,
    yaml_nodes.Mapping,
    *table.PARTS,
)


def stored_edition(root: Path, edition: str | Path, elections: Sequence[str] = ()) -> Edition:
    """The edition that ``load_edition`` gives, with its errors, from the cache if it is there."""
    folder = str(edition_folder(root, edition))
    question = (str(root), folder, sorted(set(elections)))

    def found_by() -> str:
        folders = [str(root), *sorted(one.path for one in os.scandir(root) if one.is_dir()), folder]
        return digest_of(question, (file for one in folders for file in files_in(one, ".yaml")), READERS)

    return stored(Edition, _PARTS, found_by, lambda: load_edition(root, edition, elections))
