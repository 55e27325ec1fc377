"""The family tree: every shipped law in its place, and each step told as what the later law changed."""

from __future__ import annotations

import re

import pytest
from support.ruling import ROOT, laws, speaker_of

from kb.language.folders import edition_ids
from kb.lawbook.book import Book, family
from kb.lawbook.telling import family_page

FAMILY = family(laws())
MEMBERS = {one.edition.id: one for one in FAMILY}


def changed(edition: str) -> list[str]:
    return [one.clause.ref for one in MEMBERS[edition].entries if one.before and one.clause.law]


def added(edition: str) -> list[str]:
    return [one.clause.ref for one in MEMBERS[edition].entries if one.new and one.clause.law]


def gone(edition: str) -> list[str]:
    return [one.ref for one in MEMBERS[edition].repealed if one.law]


def came_from(member: Book) -> str | None:
    return member.base.id if member.base else None


def test_every_shipped_law_has_one_place() -> None:
    assert sorted(MEMBERS) == sorted(edition_ids(ROOT))
    assert len(FAMILY) == len(MEMBERS)


def test_the_chain_of_the_card_table() -> None:
    assert {one: came_from(MEMBERS[one]) for one in ("whist-1900", "dummy-whist-1900", "bridge-1904")} == {
        "whist-1900": None,
        "dummy-whist-1900": "whist-1900",
        "bridge-1904": "whist-1900",
    }
    assert came_from(MEMBERS["bridge-1907-us"]) == came_from(MEMBERS["auction-1908"]) == "bridge-1904"
    assert came_from(MEMBERS["auction-1912"]) == "auction-1908"


def test_the_later_law_was_made_from_the_earlier_however_they_are_written() -> None:
    assert laws().of("duplicate-2007").edition.amends == "duplicate-2017"
    assert came_from(MEMBERS["duplicate-2017"]) == "duplicate-2007"
    assert "61B1" in added("duplicate-2007")  # 1997 has one Law 61B
    assert "61B" in gone("duplicate-2007")


def test_a_step_tells_what_it_changed_and_nothing_else() -> None:
    assert added("dummy-whist-1900") == ["74D"]
    assert changed("dummy-whist-1900") == ["74", "76"]
    assert gone("bridge-1907-us") == []


def test_a_number_that_went_to_another_clause_is_new() -> None:
    assert added("auction-1908") == ["90", "90b"]
    assert changed("auction-1908") == ["90a"]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_step_is_told(lang: str) -> None:
    speaker = speaker_of(lang)
    page = family_page(FAMILY, speaker)
    for one in MEMBERS.values():
        assert one.edition.title[lang] in page
        assert f'<a href="#{one.edition.id}">' in page
        assert f'<section id="{one.edition.id}">' in page
        for clause in (entry.clause for entry in one.entries if entry.new and entry.clause.law):
            assert f"<b>{clause.ref}</b> {clause.says[lang]}"[:60].split("'")[0] in page
    assert not re.search(r">book-[a-z]", page)
