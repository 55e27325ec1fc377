"""The family tree: every shipped law in its place, and each step told as what the later law changed."""

from __future__ import annotations

import re

import pytest
from support.ruling import ROOT, laws, speaker_of

from kb.language.folders import editions
from kb.lawbook.book import FamilyMember, family
from kb.lawbook.telling import family_page

FAMILY = family(laws())
MEMBERS = {one.edition.id: one for one in FAMILY}


def refs(name: str, edition: str) -> list[str]:
    return [one.ref for one in getattr(MEMBERS[edition], name)]


def came_from(member: FamilyMember) -> str | None:
    return member.before.id if member.before else None


def test_every_shipped_law_has_one_place() -> None:
    assert sorted(MEMBERS) == sorted(editions(ROOT))
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
    assert "61B1" in refs("added", "duplicate-2007")  # 1997 has one Law 61B
    assert "61B" in refs("gone", "duplicate-2007")


def test_a_step_tells_what_it_changed_and_nothing_else() -> None:
    assert refs("added", "dummy-whist-1900") == ["74D"]
    assert [now.ref for _, now in MEMBERS["dummy-whist-1900"].changed] == ["74", "76"]
    assert refs("gone", "bridge-1907-us") == []


def test_a_number_that_went_to_another_clause_is_new() -> None:
    assert refs("added", "auction-1908") == ["90", "90b"]
    assert [now.ref for _, now in MEMBERS["auction-1908"].changed] == ["90a"]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_step_is_told(lang: str) -> None:
    speaker = speaker_of(lang)
    page = family_page(FAMILY, speaker)
    for one in MEMBERS.values():
        assert one.edition.title[lang] in page
        assert f'<a href="#{one.edition.id}">' in page
        assert f'<section id="{one.edition.id}">' in page
        for clause in one.added:
            assert f"<b>{clause.ref}</b> {clause.says[lang]}"[:60].split("'")[0] in page
    assert not re.search(r">book-[a-z]", page)
