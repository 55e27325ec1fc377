"""Two drafts over one base: the cases by which they are compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import shipped

from kb.cases.cases import cases_of
from kb.drafting.new_draft import new_draft, write_draft
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import Edition

pytestmark = pytest.mark.thorough


def begun(folder: Path, *clauses: str) -> Edition:
    base = shipped("duplicate-2017")
    write_draft(folder, new_draft(folder, base, clauses))
    return load_edition(rules_root(), folder)


def test_the_cases_of_two_drafts_are_those_of_what_both_amend_too(tmp_path: Path) -> None:
    a, b = begun(tmp_path / "one", "64B2", "64A1"), begun(tmp_path / "two", "64A1", "64A2")
    assert len(cases_of(a, b)) > len(cases_of(shipped("duplicate-2017")))
