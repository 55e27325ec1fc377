"""What is claimed of the clauses of an edition, asked of every situation before the book is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kb.cases.cases import Case
from kb.explain.words import Words
from kb.language.model import Edition
from kb.prove.prove import Proving
from kb.prove.read_properties import property_files
from kb.prove.telling import ProofReport
from kb.prove.told import ToldVerdict


def claimed(
    root: Path, edition: Edition, cases: Callable[[], Sequence[Case]], words: Words, lang: str
) -> list[ToldVerdict]:
    """The verdict on each property that names a clause; RulesError when what is claimed cannot be read."""
    if not property_files(edition):
        return []
    proving = Proving(root, edition, cases)
    report, named = (
        ProofReport(proving, words, lang),
        [one.id for one in proving.claimed.properties.values() if one.laws],
    )
    return [report.told(one) for one in proving.verdicts(named)] if named else []
