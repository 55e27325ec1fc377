"""The numbers of clauses as a book counts them."""

from __future__ import annotations

from kb.language.clauses import belongs_to, book_order, law_of


def test_a_clause_belongs_to_its_own_law_alone() -> None:
    assert belongs_to("7A1", "7") and belongs_to("7", "7")
    assert not belongs_to("70A", "7") and not belongs_to("7A", "70")
    assert (law_of("7A1"), law_of("70A"), law_of("7")) == ("7", "70", "7")


def test_numbers_are_counted_and_not_spelled() -> None:
    assert sorted(["7C10", "70", "7C2", "7C", "7A"], key=book_order) == ["7A", "7C", "7C2", "7C10", "70"]
