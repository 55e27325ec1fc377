"""The differences between two laws, told in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from kb.compare.compare import compared as comparison
from kb.compare.telling import Wording, body, comparison_json
from kb.desk.drafts import amended
from kb.desk.laws import DeskLaws
from kb.language.edition import read_edition

FEW: Final = 5
"""So many cases that differ are named while somebody types."""


@dataclass(frozen=True)
class Compared:
    """A comparison, told."""

    html: dict[str, Markup]
    """For each language what stands in the page."""
    json: dict[str, dict[str, Any]]
    """For each language the object of ``revoke compare --format json``."""


def compared(laws: DeskLaws, a: str, b: str) -> Compared:
    """The comparison; InputError for faulty rules, EngineError when the engines do not agree."""
    found = comparison(laws.root, laws.edition(a), laws.edition(b))
    said = {lang: Wording(found, laws.words, lang) for lang in laws.words.languages}
    return Compared(
        {lang: body(one) for lang, one in said.items()}, {lang: comparison_json(one) for lang, one in said.items()}
    )


def changes(laws: DeskLaws, folder: Path, lang: str) -> list[str]:
    """In short, what a draft in a folder changes of the shipped edition or the draft that it amends.

    Errors as of ``compared``.
    """
    found = comparison(laws.root, laws.edition(amended(folder)), read_edition(laws.root, folder))
    return [*_in_short(Wording(found, laws.words, lang))]


def _in_short(wording: Wording) -> Iterator[str]:
    """What is told while somebody types: the extent, each group with its smallest example, and the cases."""
    found = wording.found
    yield wording.sentence
    for group in found.groups:
        yield f"{wording.title(group)}. {wording.group_ways(group)}"
        example = found.universe.unusual(group.example, wording.lang, wording.phrase("compare-none"))
        way = wording.way(group.directions.way("everything", group.example))
        yield f"{wording.phrase('compare-example', everything=way)}: {example}."
    if found.cases:
        cases = ", ".join(one.case.id for one in found.cases[:FEW]) + (" …" if found.cases[FEW:] else "")
        yield f"{wording.phrase('compare-cases', n=wording.number(len(found.cases)))}: {cases}"
