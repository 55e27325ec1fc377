"""A draft holds words, sayings, questions, elections and cases of its own; another draft may amend it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.checking import check
from support.novices import novices

from facts.errors import InputError, RulesError
from kb.cases.cases import Trial, cases_of
from kb.explain.announcement import Announcement
from kb.explain.words import Speaker, load_words
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import Edition
from kb.ruling.laws import Law, Laws
from kb.ruling.make_ruling import rule
from kb.space.read_interview import load_interview

pytestmark = pytest.mark.thorough

ROOT = rules_root()
ABOVE = """\
edition: above
title: {en: Above it, de: Darüber}
authority: a test
in-force: "2031"
amends: ../novices
"""
WORDS = """\
phrases: {law: {en: "Rule {law}", de: "Regel {law}"}}
names: {seat: {W: {en: Westerner, de: Westler}}}
"""
SPOKEN = """\
sayings:
  - when:
      - novice: {hand: $h}
      - exempt: {hand: $h}
    head: {en: "Nothing from a novice", de: "Nichts von einem Anfänger"}
    says: {en: "{h} is new here: nothing goes over.", de: "{h} ist neu hier: Nichts geht über."}
"""
INTERVIEW = """\
questions:
  won-by: {help: {en: "Ask the novice.", de: "Fragen Sie den Anfänger."}}
"""
LENIENT = """\
election: lenient
title: {en: lenient, de: milde}
authority: a test
clauses: {64B9: {repealed: true}}
"""
CASES = """\
- id: novice-from-above
  source: constructed
  title: A novice
  incident:
    contract: 4S
    declarer: S
    revokes: [{hand: W, trick: 5, suit: H, card: S4, won-by: W, later-tricks: 2, next-trick: led, first-tournament: true}]
  expect:
    - {edition: above, transfer: {NS: 0, EW: 0}}
    - {edition: novices, transfer: {NS: 0, EW: 0}}
  why: "Nothing from novices."
"""


@pytest.fixture
def above(tmp_path: Path) -> Edition:
    """A draft over a draft that holds everything."""
    folder = tmp_path / "novices"
    novices(folder)
    head = (folder / "edition.yaml").read_text("utf-8")
    (folder / "edition.yaml").write_text(head + "offers: {64B9: [lenient]}\n", "utf-8")
    for name, text in {"words": WORDS, "spoken": SPOKEN, "interview": INTERVIEW}.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    for name, text in {"elections/lenient": LENIENT, "../above/edition": ABOVE, "../above/cases/one": CASES}.items():
        file = folder / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return load_edition(ROOT, tmp_path / "above")


def folder_of(edition: Edition) -> Path:
    return edition.folders[-1]


def test_a_draft_amends_a_draft(above: Edition) -> None:
    assert check(ROOT, folder_of(above)) == []
    assert above.lineage == ("above", "novices", "duplicate-2017")
    assert [one.name for one in above.folders] == ["rules", "duplicate-2017", "novices", "above"]
    assert "64B9" in above.clauses and "first-tournament" in above.table.findings
    trial = Trial(Laws(ROOT, "quick"), folder_of(above))
    outcomes = [*trial.run(trial.cases(folder_of(above) / "cases"))]
    assert [one.differences for one in outcomes] == [(), ()]
    assert {"novice-from-above", "dummy-corrected-next-changes"} <= {case.id for case in cases_of(above)}


def test_its_words_and_sayings_come_before_those_of_what_it_amends(above: Edition) -> None:
    (case,) = (case for case in cases_of(above) if case.id == "novice-from-above")
    ruling = rule(Law(above, engine="quick"), case.incident)
    speaker = Speaker(load_words(ROOT, above.vocabulary), above.vocabulary, "en").of(ruling)
    said = Announcement(ruling, speaker)
    assert said.head == "Nothing from a novice"
    assert said.lines[0].text == "Westerner is new here: nothing goes over."
    assert speaker.laws(["64B9"]) == "Rule 64B9"
    assert load_edition(ROOT, "duplicate-2017").spoken.sayings == above.spoken.sayings[1:]


def test_its_questions_are_laid_over_the_interview(above: Edition) -> None:
    question = load_interview(ROOT, above).questions["won-by"]
    assert question.help["en"] == "Ask the novice."
    shipped = load_interview(ROOT, load_edition(ROOT, "duplicate-2017")).questions["won-by"]
    assert question.asks == shipped.asks and [*question.answers] == [*shipped.answers]
    assert "first-tournament" in load_interview(ROOT, above).questions


def test_its_elections_can_be_made_by_those_that_amend_it(above: Edition) -> None:
    elected = load_edition(ROOT, folder_of(above), ["lenient"])
    assert "64B9" not in elected.clauses and elected.called("de") == "Darüber (milde)"
    with pytest.raises(RulesError, match="does not offer the election lenien; did you mean lenient"):
        load_edition(ROOT, folder_of(above), ["lenien"])
    with pytest.raises(RulesError, match="does not offer the election lenient"):
        load_edition(ROOT, "duplicate-2017", ["lenient"])


def test_a_change_in_what_it_amends_is_seen_at_once(above: Edition) -> None:
    law = folder_of(above).parent / "novices" / "law.yaml"
    (file,) = (
        [law] if law.is_file() else [one for one in law.parent.glob("*.yaml") if "64B9" in one.read_text("utf-8")][:1]
    )
    file.write_text(file.read_text("utf-8").replace("Nothing from novices.", "Nothing at all."), "utf-8")
    assert load_edition(ROOT, folder_of(above)).clauses["64B9"].says["en"] == "Nothing at all."


@pytest.mark.parametrize(
    ("file", "text", "what"),
    [
        ("words", "phrases: {lav: {en: x, de: x}}", "there is no phrase lav; did you mean law?"),
        ("words", "names: {seat: {Q: {en: x, de: x}}}", "there is no Q among the names of seat"),
        ("words", "phrases: {law: {en: 'Rule {law}'}}", "the text in de is missing"),
        ("spoken", "sayings: [{when: [{novise: {hand: $h}}], says: {en: x, de: x}}]", "unknown kind novise"),
        ("interview", "questions: {won-bye: {help: {en: x, de: x}}}", "asks is missing"),
    ],
)
def test_faults_in_its_files_are_told_where_they_are(above: Edition, file: str, text: str, what: str) -> None:
    (folder_of(above) / f"{file}.yaml").write_text(text + "\n", "utf-8")
    with pytest.raises(InputError) as refused:
        edition = load_edition(ROOT, folder_of(above))
        load_words(ROOT, edition.vocabulary)
        load_interview(ROOT, edition)
    assert any(what in str(fault) and fault.place.file.endswith(f"{file}.yaml") for fault in refused.value.faults)


def test_drafts_that_amend_each_other(above: Edition) -> None:
    below = folder_of(above).parent / "novices" / "edition.yaml"
    below.write_text(below.read_text("utf-8").replace("amends: duplicate-2017", "amends: ../above"), "utf-8")
    with pytest.raises(
        RulesError, match="amends this edition, directly or through others; let one of them stand alone"
    ):
        load_edition(ROOT, folder_of(above))
    below.write_text(below.read_text("utf-8").replace("../above", "../nowhere"), "utf-8")
    with pytest.raises(RulesError, match=r"there is no edition ../nowhere; give the path of a draft"):
        load_edition(ROOT, folder_of(above))
