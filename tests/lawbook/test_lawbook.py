"""The readable book: complete, linked, said in every language, legible."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.counsel import ALIKE
from support.faced_hands import CASE, write_draft
from support.ruling import ROOT, laws, speaker_of
from typer.testing import CliRunner

from kb.cases.cases import Hearing, hearings
from kb.cli.main import app
from kb.language.folders import edition_ids
from kb.lawbook.book import book
from kb.lawbook.telling import RuleSentences, book_html, markdown

VOID = {"link", "meta", "br", "input"}


@cache
def heard(edition: str) -> tuple[Hearing, ...]:
    return hearings(laws(), edition)


@cache
def made(form: str, lang: str = "en", edition: str = "duplicate-2017") -> str:
    code = laws().of(edition).edition
    base = laws().of(code.amends).edition if code.amends else None
    return (markdown if form == "markdown" else book_html)(book(code, base), speaker_of(lang), heard(edition))


def said(rule: str, lang: str = "en") -> RuleSentences:
    found = next(one for one in laws().of("duplicate-2017").edition.rules if one.id == rule)
    return RuleSentences(found, speaker_of(lang))


def test_a_rule_reads_aloud() -> None:
    told = said("64A2.1")
    assert (told.when, told.unless, told.then, told.because) == (
        (
            "H's revoke at trick T stands, to be settled after the play (side S, other side O)",
            "someone other than H won trick T",
            "S won at least 1 trick from trick T on",
        ),
        ("H's revoke at trick T costs no automatic trick",),
        ("1 automatic trick for H's revoke at trick T: the revoke trick or a later one",),
        "H did not win trick T himself, but his side (S) won that trick or a later one: one trick goes to O.",
    )
    assert said("64B5.1").when[-1] == "the round ended (moment before B)"
    assert said("62B2.1", "de").when[-1] == "H ist Alleinspieler oder Dummy"
    assert "Stich T + 1" in said("63A1.1", "de").when[1]


@pytest.mark.thorough
def test_words_stand_apart_from_the_letters_beside_them() -> None:
    assert "*H*'s revoke at trick *T* stands, to be settled after the play" in made("markdown")
    assert not re.search(r"\w\*[A-Z]\*|(?<=[^*]\*[A-Z]\*)\w", made("markdown", "de"))


def test_what_is_known_of_the_play_is_said_in_each_condition() -> None:
    assert said("64B3.2").when[1] == "H failed to play the penalty card at trick T, though able"


def test_sums_are_said() -> None:
    assert (
        said("cap.2").when[2]
        == "tricks in all where … automatic trick for someone's revoke at trick before T: …: D".replace("…: D", "…: D")
        or "D" in said("cap.2").when[2]
    )


@pytest.mark.thorough
@pytest.mark.parametrize("edition", sorted({*edition_ids(ROOT)} - {*ALIKE}))
@pytest.mark.parametrize("lang", ["en", "de"])
def test_nothing_is_left_unsaid(edition: str, lang: str) -> None:
    text = made("markdown", lang, edition)
    assert not re.search(r"[{}$]", text)
    for clause in laws().of(edition).edition.clauses.values():
        assert f'<a id="{clause.ref}"></a>' in text
        assert " ".join(clause.says[lang].split())[:40].split("*")[0] in text.replace("\\", "")


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["markdown", "html"])
def test_the_head_says_how_long_a_law_was_in_force(form: str) -> None:
    old, new = (made(form, edition=edition) for edition in ("auction-1912", "duplicate-2017"))
    assert "The Whist Club of New York, in force 1912-11 until 1913" in old
    assert re.search(r"World Bridge Federation, in force 2017-09-25\s*(<|\n)", new)


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["markdown", "html"])
def test_every_link_leads_somewhere(form: str) -> None:
    text = made(form)
    targets = re.findall(r"\]\(#([^)]+)\)" if form == "markdown" else r'href="#([^"]+)"', text)
    anchors = re.findall(r'id="([^"]+)"', text)
    assert len(targets) > 300
    assert {*targets} <= {*anchors}
    assert len(anchors) == len({*anchors})


class Nesting(HTMLParser):
    """Fails when tags do not nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        assert "src" not in dict(attrs), "the page needs nothing else"
        assert tag != "link" or attrs == [("rel", "icon"), ("href", "data:,")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_page_is_whole(lang: str) -> None:
    parser = Nesting()
    parser.feed(made("html", lang))
    assert parser.open == []
    assert f'<html lang="{lang}">' in made("html", lang)
    assert 'id="64A1"' in made("html", lang)


@pytest.mark.thorough
def test_a_clause_tells_its_cases_and_its_neighbours() -> None:
    entry = made("markdown").split('<a id="64B5"></a>')[1].split("\n### ")[0]
    assert "**Rests on:**" in entry and "[liability](#liability) (`liable`)" in entry
    assert "**On it rest:**" in entry and "[64A1](#64A1) (`exempt`)" in entry
    assert "**Looks at:** `round-ended`" in entry
    assert re.search(r"^  - .+ → .+ \(.+\)$", entry, re.MULTILINE)


@pytest.mark.thorough
def test_doubts_are_marked() -> None:
    entry = made("markdown").split('<a id="64C2b"></a>')[1].split("\n### ")[0]
    assert "Known from memory only" in entry
    assert "**Note:**" in made("markdown").split('<a id="62A"></a>')[1].split("\n### ")[0]


@pytest.mark.thorough
def test_an_amendment_tells_what_it_changes(tmp_path: Path) -> None:
    folder = write_draft(tmp_path / "d", CASE)
    for form in ("markdown", "html"):
        result = CliRunner().invoke(app, ["lawbook", str(folder), "--format", form])
        assert result.exit_code == 0, result.output
        assert "In Laws of Duplicate Bridge 2017 instead:" in result.output
        assert "No automatic trick for failing to play a penalty card or a card belonging to dummy" in result.output
        assert "An open card" in result.output


@pytest.mark.thorough
def test_repealed_and_new_clauses() -> None:
    text = made("markdown", "en", "duplicate-2007")
    assert "## Only in Laws of Duplicate Bridge 2017" in text
    assert re.search(r"^- \*\*64B8\*\* ", text, re.MULTILINE)


@pytest.mark.thorough
def test_a_page_folds_what_stands_around_a_clause() -> None:
    entry = made("html").split('<section id="64B5"')[1].split('<section id="64B6"')[0]
    rules, folded = re.split(r"<details>\s*<summary>", entry)
    assert 'class="rule"' in rules and 'class="rule"' not in folded
    for heading in ("On it rest:", "Looks at:", "Cases"):
        assert f"<b>{heading}" in folded and f"<b>{heading}" not in rules


def test_a_language_that_is_not_there_is_refused() -> None:
    assert CliRunner().invoke(app, ["lawbook", "--lang", "fr"]).exit_code == 2


def test_what_only_got_another_number_is_not_repealed() -> None:
    code = laws().of("auction-1912").edition
    base = laws().of(code.amends or "").edition
    old = set(code.renames) - set(code.clauses)
    assert old and not old & {one.ref for one in book(code, base).repealed}
