"""Editions compared: which rulings differ, and which clauses make them differ."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest
from support.drafts import (
    SMALL_INTERVIEW,
    SMALL_WIDER,
    draft,
    facts_alone,
    in_parts,
    measures,
    rules_with_interview,
    sample,
    shipped,
    universe,
    universe_in,
)
from support.novices import novices
from typer.testing import CliRunner

from kb.cases.cases import cases_of, read_cases
from kb.cli.main import app
from kb.compare import compare as comparing
from kb.compare.compare import Cause, Comparison, Prepared, compare, with_clauses
from kb.compare.telling import Wording, comparison_json, comparison_page, first_page, synopsis
from kb.engine.sets import Bits
from kb.explain.page import as_text
from kb.explain.words import Speaker, load_words
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import Edition
from kb.ruling.laws import Law
from kb.space.bits import members, union
from kb.space.measures import DIRECTIONS
from kb.space.outcomes import OutcomeEntry, OutcomeReader
from kb.space.read_interview import load_interview
from kb.space.universe import Universe

Outcome: TypeAlias = tuple[frozenset[OutcomeEntry], frozenset[OutcomeEntry]]
"""The ruling, and what is left to the director."""


@pytest.fixture
def few(tmp_path: Path) -> Universe:
    """The nine situations of a small interview."""
    return universe_in(tmp_path, SMALL_INTERVIEW)


def wider() -> Universe:
    """A part of the wider universe."""
    return next(part for _, part in universe(wider=True).parts())


def outcomes(edition: Edition, of: Universe, numbers: Collection[int]) -> dict[int, Outcome]:
    """What the quick engine makes of each of these situations alone."""
    engine, reader = Law(edition, engine="quick").engine, OutcomeReader(edition.vocabulary)
    concluded = {number: {fact: 1 for fact, _, _ in engine.run(facts_alone(of, number)).firings} for number in numbers}
    return {
        number: (frozenset(reader.ruling(one)), frozenset(reader.judgement(one))) for number, one in concluded.items()
    }


def some(bits: Bits, number: int) -> list[int]:
    """So many situations of a set."""
    every = list(members(bits))
    return every[:: max(1, len(every) // number)]


OPEN_CARD = """\
law: "64"
clauses:
  "64B3":
    says: {en: Nothing for a card that lay open., de: Nichts für eine offene Karte.}
    encoded-as: rules
    rules:
      - when:
          - liable: {play: $p, trick: $t, hand: $h}
          - role:   {hand: $h, is: dummy}
        then: {exempt: {play: $p, trick: $t, hand: $h}}
        because: {en: "{h} was dummy at trick {t}.", de: "{h} war Dummy in Stich {t}."}
      - when:
          - liable: {play: $p, trick: $t, hand: $h}
          - failed: {play: $p, to: play-penalty-card}
        then: {exempt: {play: $p, trick: $t, hand: $h}}
        because: {en: "{h} had a penalty card at trick {t}.", de: "{h} hatte in Stich {t} eine Strafkarte."}
      - when:
          - liable:         {play: $p, trick: $t, hand: $h}
          - required-faced: {trick: $t, hand: $h}
        then: {exempt: {play: $p, trick: $t, hand: $h}}
        because: {en: "{h}'s card lay open at trick {t}.", de: "Die Karte von {h} lag in Stich {t} offen."}
"""
TWO_REPEALS = 'laws: {"64": {clauses: {"64B5": {repealed: true}, "64B6": {repealed: true}}}}\n'


def drafted(tmp_path: Path, law: str) -> Edition:
    return load_edition(rules_root(), draft(tmp_path / "my-draft", law))


@pytest.fixture(scope="module")
def open_card(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    edition = drafted(tmp_path_factory.mktemp("draft"), OPEN_CARD)
    cases = cases_of(shipped("duplicate-2007"))
    return compare(Prepared(shipped("duplicate-2017"), wider()), edition, cases, measures())


def test_an_edition_does_not_differ_from_itself() -> None:
    found = compare(Prepared(shipped("duplicate-2017"), universe()), shipped("duplicate-2017"), (), measures())
    assert (found.changed, found.groups, found.cases, found.without_effect) == ((), (), (), ())


def test_one_changed_clause(open_card: Comparison) -> None:
    of = open_card.universe
    assert open_card.changed == ("64B3",)
    (group,) = open_card.groups
    assert (group.what, group.clauses) == ("ruling", (("64B3",),))
    assert open_card.differing("ruling") == group.situations.bit_count() > 10
    numbers = sample(of, 300)
    before, after = (outcomes(edition, of, numbers) for edition in (open_card.a, open_card.b))
    for number in numbers:
        assert (before[number] != after[number]) == bool(group.situations >> number & 1)
    assert sum(one.situations.bit_count() for one in group.changes) == group.situations.bit_count()
    assert ((("established", 1),), (("established", 0),)) in [(one.old, one.new) for one in group.changes]
    assert of.answers(group.example)["required-faced"] == "yes"
    assert group.example == of.plainest(group.situations)


def test_cases_that_differ(open_card: Comparison) -> None:
    assert open_card.cases_tried > 10
    assert "a-hand-on-the-table" in [one.case.id for one in open_card.cases]
    assert {one.cause.clauses for one in open_card.cases} == {(("64B3",),)}
    assert "64B3" not in replace(open_card, groups=()).without_effect, "what only cases show has an effect"


@pytest.mark.thorough
def test_clauses_that_make_a_difference_only_together(tmp_path: Path) -> None:
    found = compare(Prepared(shipped("duplicate-2017"), universe()), drafted(tmp_path, TWO_REPEALS), (), measures())
    causes = {group.clauses: group for group in found.groups}
    assert found.changed == ("64B5", "64B6")
    assert (("64B5", "64B6"),) in causes
    together = some(causes[(("64B5", "64B6"),)].situations, 50)
    both, *either = (
        outcomes(edition, found.universe, together)
        for edition in (found.b, *(with_clauses(found.a, found.b, [ref]) for ref in found.changed))
    )
    for number in together:
        assert both[number] not in [one[number] for one in either]


@pytest.mark.thorough
def test_the_shipped_editions_differ_where_the_laws_do() -> None:
    found = compare(Prepared(shipped("duplicate-2007"), universe()), shipped("duplicate-2017"), (), measures())
    named = {ref for group in found.groups for together in group.clauses for ref in together}
    assert named == {"16C2", "62C3", "63A3", "64B2", "64B3", "64B7", "64C", "64C2b"}
    taken = {ref: with_clauses(found.a, found.b, [ref, "correction"]) for ref in found.changed if ref != "correction"}
    numbers = {number for group in found.groups for number in some(group.situations, 6)}
    wanted = outcomes(found.b, found.universe, numbers)
    given = {ref: outcomes(edition, found.universe, numbers) for ref, edition in taken.items()}
    for group in found.groups:
        inside = some(group.situations, 6)
        part = ("ruling", "judgement").index(group.what)
        enough = [ref for ref, of in given.items() if all(of[n][part] == wanted[n][part] for n in inside)]
        assert enough == [together[0] for together in group.clauses if len(together) == 1], (
            "each of these, and no other"
        )


@pytest.mark.thorough
def test_parts_of_a_universe_are_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edition, more = drafted(tmp_path, OPEN_CARD), universe_in(tmp_path, SMALL_INTERVIEW, SMALL_WIDER)
    whole = compare(Prepared(shipped("duplicate-2017"), more), edition, (), measures())
    assert [group.situations.bit_count() for group in whole.groups] == [4]
    in_parts(monkeypatch, 4)
    assert compare(Prepared(shipped("duplicate-2017"), more), edition, (), measures()).groups == whole.groups


@pytest.mark.thorough
def test_what_only_shows_in_the_wider_universe() -> None:
    """Groups hold every situation in which the rulings differ."""
    before, after, of = shipped("duplicate-2007"), shipped("duplicate-2017"), universe(wider=True)
    found = compare(Prepared(before, of), after, (), measures())
    differing = union(group.situations for group in found.groups)
    numbers = sample(of, 2000)
    ruled, otherwise = outcomes(before, of, numbers), outcomes(after, of, numbers)
    assert [n for n in numbers if differing >> n & 1] == [n for n in numbers if ruled[n] != otherwise[n]]


@pytest.mark.thorough
def test_a_finding_that_only_the_draft_knows(tmp_path: Path) -> None:
    before, after = shipped("duplicate-2017"), novices(tmp_path / "novices")
    for pair in ((before, after), (after, before)):
        of = Universe(load_interview(rules_root(), *pair))
        (group,) = compare(Prepared(pair[0], of), pair[1], cases_of(shipped("duplicate-2017")), measures()).groups
        assert (group.what, group.clauses) == ("ruling", (("64B9",),))
        assert of.answers(group.example)["first-tournament"] == "yes"


@pytest.mark.thorough
def test_a_case_that_one_of_the_laws_refuses_is_not_compared(few: Universe) -> None:
    cases = cases_of(shipped("duplicate-2017"))
    (refused,) = (case for case in cases if case.id == "card-changed-too-late-and-answered")
    found = compare(Prepared(shipped("auction-1912"), few), shipped("duplicate-2017"), [refused, cases[0]], measures())
    assert found.cases_tried == 1


@pytest.mark.thorough
def test_one_after_the_other_is_the_same_as_each_by_itself(tmp_path: Path) -> None:
    """What is kept of the first edition makes no difference."""
    before, cases = shipped("duplicate-2017"), cases_of(shipped("duplicate-2017"))[::24]
    drafts = [drafted(tmp_path, OPEN_CARD), shipped("duplicate-2007"), novices(tmp_path / "novices")]
    first = Prepared(before, universe())
    for after in [*drafts, *drafts[:2]]:
        found = compare(first, after, cases, measures())
        alone = compare(Prepared(before, universe()), after, cases, measures())
        assert found.groups == alone.groups
        assert (found.cases, found.directions) == (alone.cases, alone.directions)


def test_codes_without_a_common_base_are_not_taken_apart(few: Universe) -> None:
    found = compare(Prepared(shipped("duplicate-2017"), few), shipped("auction-1912"), (), measures())
    assert not found.related
    assert {group.clauses for group in found.groups} == {()}
    wording = Wording(found, load_words(rules_root(), found.a.vocabulary), "en")
    assert first_page(wording).parts and not [*synopsis(wording)]


@pytest.mark.thorough
def test_of_every_case_that_differs_it_is_said_what(few: Universe) -> None:
    """Also of one that says what only one of the laws knows, and of one of which no sentence differs."""
    a, b = shipped("whist-1900"), shipped("duplicate-2017")
    found = compare(Prepared(a, few), b, cases_of(a, b), measures())
    wording = Wording(found, load_words(rules_root(), a.vocabulary), "en")
    told = [wording.of_case(one) for one in found.cases]
    assert len(told) > 900 and all(told) and not any("“”" in one for one in told)
    assert "one of the two laws refuses what is said of it" in told


def test_of_the_groups_the_largest_stands_first(few: Universe) -> None:
    one, more = (Cause("ruling", ((ref,),)) for ref in ("62A", "64B3"))
    changes = {(one, frozenset(), frozenset()): 0b1, (more, frozenset(), frozenset()): 0b110}
    groups = comparing._groups(changes, {}, few)
    assert [group.clauses for group in groups] == [(("64B3",),), (("62A",),)]


def told(found: Comparison, lang: str) -> str:
    """The first page as text."""
    words = load_words(rules_root(), found.a.vocabulary)
    return as_text(first_page(Wording(found, words, lang)), Speaker(words, found.b.vocabulary, lang))


def test_text_markdown_and_json(open_card: Comparison) -> None:
    words = load_words(rules_root(), open_card.a.vocabulary)
    some = {way: int(way != "equal") for way in DIRECTIONS}
    assert "never" not in Wording(open_card, words, "en").ways(some)
    text, german = (told(open_card, lang) for lang in ("en", "de"))
    assert f"{open_card.a.title['en']} → {open_card.b.title['en']}" in text
    assert "no trick → 1 trick" not in text and "1 trick → no trick: " in text
    assert "all else as usual: the card he should have played, or his hand, lay face up: yes." in text
    assert "64B3: in " in german and "1 Stich → kein Stich" in german
    (row,) = synopsis(Wording(open_card, words, "en"))
    assert (row.clause, row.alone, row.text[1]) == ("64B3", "", open_card.b.clauses["64B3"].says["en"])
    made = json.loads(json.dumps(comparison_json(Wording(open_card, words, "en"))))
    assert made["enumerated"]["situations"] == len(wider())
    assert made["groups"][0]["clauses"] == [["64B3"]]
    assert made["groups"][0]["example"]["incident"]["revokes"][0]["required-faced"] is True


WRITTEN_OTHERWISE = {
    "says": ("after the round had ended", "after the session had ended"),
    "because": ("Die Runde war zu Ende", "Der Durchgang war zu Ende"),
    "encoded-as": ("encoded-as: rules", "encoded-as: director"),
}


@pytest.mark.parametrize("of", WRITTEN_OTHERWISE)
def test_a_clause_whose_words_alone_differ_is_told(of: str, few: Universe, tmp_path: Path) -> None:
    law = (rules_root() / "duplicate-2017" / "law-64.yaml").read_text("utf-8")
    clause = law[law.index('  "64B5":') : law.index('  "64B6":')]
    old, new = WRITTEN_OTHERWISE[of]
    assert old in clause
    mine = draft(tmp_path / "mine", f'law: "64"\nclauses:\n{clause.replace(old, new)}')
    a, b = shipped("duplicate-2017"), load_edition(rules_root(), mine)
    found = compare(Prepared(a, few), b, (), measures())
    assert not found.changed and not found.groups and found.rewritten == ("64B5",)
    key = "encoded otherwise" if of == "encoded-as" else "only the words"
    assert key in told(found, "en") and "64B5" in told(found, "de")
    wording = Wording(found, load_words(rules_root(), b.vocabulary), "en")
    (row,) = synopsis(wording)
    assert row.clause == "64B5" and row.alone == ("" if of == "encoded-as" else "words")
    (shown,) = comparison_json(wording)["texts"]
    if of != "encoded-as":  # the German sentence in the English paper too: it is the only one that differs
        assert new in shown["text" if of == "says" else of][1]
        assert new.split()[-2 if of == "says" else 1] in comparison_page(wording)


def test_a_clause_without_rules_that_is_new_or_gone_is_told(few: Universe, tmp_path: Path) -> None:
    a = shipped("duplicate-2017")
    idle, law = next((ref, one.law) for ref, one in a.clauses.items() if one.law and not one.rules)
    new = '"64B9": {new: true, says: {en: A new one, de: Neu}, encoded-as: director}'
    mine = draft(
        tmp_path / "mine",
        f'laws:\n  "{law}": {{clauses: {{"{idle}": {{repealed: true}}}}}}\n  "64": {{clauses: {{{new}}}}}\n',
    )
    found = compare(Prepared(a, few), load_edition(rules_root(), mine), (), measures())
    assert found.rewritten == (idle, "64B9")
    rows = [*synopsis(Wording(found, load_words(rules_root(), a.vocabulary), "en"))]
    assert [row.text for row in rows] == [(a.clauses[idle].says["en"], ""), ("", "A new one")]


def test_where_only_cases_differ_the_first_sentence_says_so(few: Universe) -> None:
    folder = Path(__file__).parents[1] / "amendments" / "claims-do-not-establish"
    a, b = shipped("duplicate-2017"), load_edition(rules_root(), folder)
    found = compare(Prepared(a, few), b, read_cases(folder / "cases", b.table), measures())
    assert found.cases and not found.groups
    assert f"every one of 9 situations, and otherwise in {len(found.cases)} case" in told(found, "en")


@pytest.mark.thorough
def test_the_command(tmp_path: Path) -> None:
    root = rules_with_interview(tmp_path / "rules", SMALL_INTERVIEW)
    mine = draft(tmp_path / "my-draft", OPEN_CARD)
    told = CliRunner().invoke(app, ["compare", "duplicate-2017", str(mine), "--rules", str(root)])
    assert told.exit_code == 0, told.output
    assert "every one of 9 situations" in told.output
    assert "64B3: milder in 22.2% and never stricter" in told.output
    (root / "wider.yaml").write_text(SMALL_WIDER, encoding="utf-8")
    wider = CliRunner().invoke(app, ["compare", "duplicate-2017", str(mine), "--rules", str(root)])
    assert "every one of 21 situations" in wider.output
    assert "64B3: milder in 19.0% and never stricter" in wider.output
    whole = CliRunner().invoke(app, ["compare", "duplicate-2017", str(mine), "--rules", str(root), "--format", "html"])
    assert "1. 64B3: 4 rulings" in whole.output
    refused = CliRunner().invoke(app, ["compare", "duplicate-2017", "duplicate-2071", "--rules", str(root)])
    assert refused.exit_code == 2
    assert "duplicate-2017" in refused.output
