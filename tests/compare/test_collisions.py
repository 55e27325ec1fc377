"""Two drafts over one base: which clauses both of them change, and the cases of their common base."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import measures, shipped, universe

from kb.cases.cases import cases_of
from kb.compare.compare import Prepared, compare
from kb.drafting.new_draft import new_draft, write_draft
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import Edition

pytestmark = pytest.mark.thorough


def begun(folder: Path, *clauses: str) -> Edition:
    base = shipped("duplicate-2017")
    write_draft(folder, new_draft(folder, base, clauses))
    return load_edition(rules_root(), folder)


@pytest.mark.parametrize(
    ("first", "second", "collide"),
    [(("64B2", "64A1"), ("64A1", "64A2"), ("64A1",)), (("64B2",), ("64C1", "64A2"), ())],
)
def test_drafts_collide_where_both_change_a_clause(
    tmp_path: Path, first: tuple[str, ...], second: tuple[str, ...], collide: tuple[str, ...]
) -> None:
    a, b = begun(tmp_path / "one", *first), begun(tmp_path / "two", *second)
    cases = cases_of(a, b)
    assert len(cases) > len(cases_of(shipped("duplicate-2017")))
    assert compare(Prepared(a, universe()), b, (), measures()).collide == collide


def test_what_a_draft_repeals_collides_with_what_another_writes(tmp_path: Path) -> None:
    a, b = begun(tmp_path / "one", "64B5"), begun(tmp_path / "two")
    (tmp_path / "two" / "law-64.yaml").write_text('law: "64"\nclauses:\n  "64B5": {repealed: true}\n', "utf-8")
    b = load_edition(rules_root(), tmp_path / "two")
    assert compare(Prepared(a, universe()), b, (), measures()).collide == ("64B5",)


def test_an_edition_and_its_draft_do_not_collide(tmp_path: Path) -> None:
    draft = begun(tmp_path / "one", "64B2")
    assert compare(Prepared(shipped("duplicate-2017"), universe()), draft, (), measures()).collide is None
