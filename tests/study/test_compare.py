"""Editions compared: which rulings differ, and which clauses make them differ."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.drafts import SMALL_INTERVIEW, draft, few_situations, rules_with_interview, shipped, thinned
from typer.testing import CliRunner

from facts.errors import EngineError
from facts.observe import observe
from kb.cli.main import app
from kb.engine import python
from kb.explain.words import load_words
from kb.language.edition import load_edition, rules_root
from kb.language.model import Edition
from kb.study import compare as comparing
from kb.study.compare import Comparison, cases_of, compare
from kb.study.compare_json import comparison_json
from kb.study.compare_report import Report
from kb.study.substitution import Ruler, Substitution, with_clauses

SPACE = few_situations()


@pytest.fixture(autouse=True, scope="module")
def _small_sample() -> Iterator[None]:
    """Durable-rules is tried on few situations; the engines are compared elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "SAMPLE", 20)
        yield


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
      - when:
          - liable: {trick: $t, hand: $h}
        unless:
          - role: {hand: $h}
        then: {open: {trick: $t, hand: $h, what: declarer}}
        because: {en: "Was {h} dummy at trick {t}?", de: "War {h} in Stich {t} der Dummy?"}
"""
TWO_REPEALS = 'laws: {"64": {clauses: {"64B5": {repealed: true}, "64B6": {repealed: true}}}}\n'


def drafted(tmp_path: Path, law: str) -> Edition:
    return load_edition(rules_root(), draft(tmp_path / "my-draft", law))


@pytest.fixture(scope="module")
def open_card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Comparison]:
    edition = drafted(tmp_path_factory.mktemp("draft"), OPEN_CARD)
    cases = cases_of(rules_root(), ["duplicate-2007"])
    yield compare(shipped("duplicate-2017"), edition, SPACE, cases, workers=1)


def test_an_edition_does_not_differ_from_itself() -> None:
    found = compare(shipped("duplicate-2017"), shipped("duplicate-2017"), thinned(500), ())
    assert (found.changed, found.groups, found.cases, found.without_effect) == ((), (), (), ())
    assert 20 <= found.verified <= 40


def test_one_changed_clause(open_card: Comparison) -> None:
    assert open_card.changed == ("64B3",)
    (group,) = open_card.groups
    assert (group.what, group.clauses) == ("ruling", (("64B3",),))
    assert open_card.differing("ruling") == len(group.situations) > 10
    a, b = Ruler(open_card.a), Ruler(open_card.b)
    for number in range(len(SPACE)):
        facts = observe(SPACE.incident(number))
        assert (a.run(facts)[0].ruling != b.run(facts)[0].ruling) == (number in set(group.situations))
    assert sum(times for *_, times in group.effects) == len(group.situations)
    assert ((("established", 1),), (("established", 0),)) in [effect[:2] for effect in group.effects]
    assert SPACE.answers(group.example)["required-faced"] == "yes"
    assert SPACE.unusual(group.example) == min(map(SPACE.unusual, group.situations))


def test_the_group_is_described_exactly(open_card: Comparison) -> None:
    (group,) = open_card.groups

    def holds(conditions: object, number: int) -> bool:
        answers = SPACE.answers(number)
        return all((answers.get(one.question) in one.answers) is not one.other for one in conditions)  # type: ignore[attr-defined]

    covered = {
        number
        for number in range(len(SPACE))
        for box in group.boxes
        if holds(box.conditions, number) and not any(holds(unless, number) for unless in box.unless)
    }
    assert covered == set(group.situations)
    for box in group.boxes:
        assert ("required-faced", ("yes",), False) in [(one.question, one.answers, one.other) for one in box.conditions]


def test_cases_that_differ(open_card: Comparison) -> None:
    assert open_card.cases_tried > 10
    assert "a-hand-on-the-table" in [one.case.id for one in open_card.cases]
    assert {one.cause.clauses for one in open_card.cases} == {(("64B3",),)}


def test_clauses_that_make_a_difference_only_together(tmp_path: Path) -> None:
    found = compare(shipped("duplicate-2017"), drafted(tmp_path, TWO_REPEALS), SPACE, (), workers=2)
    causes = {group.clauses: group for group in found.groups}
    assert found.changed == ("64B5", "64B6")
    assert (("64B5", "64B6"),) in causes
    together = causes[(("64B5", "64B6"),)]
    both, either = Ruler(found.b), [Ruler(with_clauses(found.a, found.b, [ref])) for ref in found.changed]
    for number in together.situations:
        facts = observe(SPACE.incident(number))
        assert both.run(facts)[0] not in [one.run(facts)[0] for one in either]


def test_the_shipped_editions_differ_where_the_laws_do() -> None:
    found = compare(shipped("duplicate-2007"), shipped("duplicate-2017"), few_situations(199), ())
    named = {ref for group in found.groups for together in group.clauses for ref in together}
    assert named == {"62A", "62C3", "63A3", "64B2", "64B3", "64B7"}


def test_codes_without_a_common_base_are_not_taken_apart() -> None:
    found = compare(shipped("duplicate-2017"), shipped("auction-1912"), thinned(2000), ())
    assert not found.related
    assert {group.clauses for group in found.groups} == {()}
    assert "\n".join(Report(found, load_words(rules_root(), found.a.vocabulary), "en").lines())


def test_any_difference_between_the_engines_stops_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(python.PythonEngine):
        def run(self, facts):  # type: ignore[no-untyped-def]
            return super().run([fact for fact in facts if fact[0] != "took-part"])

    monkeypatch.setattr(
        comparing,
        "engine_for",
        lambda name, program: python.PythonEngine(program) if name == "durable" else Broken(program),
    )
    with pytest.raises(EngineError, match=r"duplicate-2017: the engines do not agree when hand: defender"):
        compare(shipped("duplicate-2017"), shipped("duplicate-2017"), thinned(5000), ())


def test_work_can_be_handed_to_other_processes() -> None:
    by = Substitution(shipped("duplicate-2007"), shipped("duplicate-2017"))
    facts = observe(SPACE.incident(0))
    again = pickle.loads(pickle.dumps((by, by.rulers[0])))
    assert again[0].cause(facts) == by.cause(facts)
    assert again[1].run(facts)[0] == by.rulers[0].run(facts)[0]


def test_text_markdown_and_json(open_card: Comparison) -> None:
    words = load_words(rules_root(), open_card.a.vocabulary)
    text = "\n".join(Report(open_card, words, "en").lines())
    assert "duplicate-2017 → my-draft" in text
    assert "established, 1 trick automatic → established: " in text
    assert "required-faced: true" in text
    german = "\n".join(Report(open_card, words, "de", markdown=True).lines())
    assert "## 1. 64B3: " in german
    assert "```yaml" in german
    made = json.loads(json.dumps(comparison_json(open_card, Report(open_card, words, "en"))))
    assert made["enumerated"]["situations"] == len(SPACE)
    assert made["groups"][0]["clauses"] == [["64B3"]]
    assert made["groups"][0]["example"]["incident"]["revokes"][0]["required-faced"] is True


def test_the_command(tmp_path: Path) -> None:
    root = rules_with_interview(tmp_path / "rules", SMALL_INTERVIEW)
    mine = draft(tmp_path / "my-draft", OPEN_CARD)
    run = CliRunner().invoke(app, ["compare", "duplicate-2017", str(mine), "--rules", str(root), "--workers", "1"])
    assert run.exit_code == 0, run.output
    assert "every one of the 12 situations" in run.output
    assert "1. 64B3: 3 rulings" in run.output
    assert "- it lay open: «yes»\n- gone on: «yes»\n" in run.output
    refused = CliRunner().invoke(app, ["compare", "duplicate-2017", "duplicate-2071", "--rules", str(root)])
    assert refused.exit_code == 2
    assert "duplicate-2017" in refused.output
