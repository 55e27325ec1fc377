"""The deep check: contradictions, gaps, and what does nothing, each with a witness."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import (
    SMALL_INTERVIEW,
    SMALL_WIDER,
    draft,
    each_alone,
    facts_alone,
    in_parts,
    rules_with_interview,
    run_of,
    sample,
    shipped,
    situations,
    told,
    universe,
    universe_in,
)
from typer.testing import CliRunner

from kb.cases.cases import cases_of
from kb.cli.main import app
from kb.engine.proof import one_per
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import Edition
from kb.prove.deep import Sound, deep_check
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.space.outcome import EditionRun

pytestmark = pytest.mark.thorough

EDITIONS = ("duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912")
CLAUSE = """
  "{ref}":
    new: true
    says: {{en: A new clause., de: Eine neue Vorschrift.}}
    encoded-as: rules
    rules:
      - when: [{when}]
        then: {{{then}}}
        because: {{en: "{{h}}, trick {{t}}.", de: "{{h}}, Stich {{t}}."}}
"""
LIABLE = "liable: {play: $p, trick: $t, hand: $h}"
PAID = "liable: {play: $p, trick: $t, hand: $h, side: $s, against: $o}"
MIXED = "mixed: {side: $s}, liable: {play: $p, trick: $t, hand: $h, side: $s}"
TWELFTH = "stood: {play: $p, trick: 12, hand: $h}, revoke: {play: $p, trick: $t}"
EXEMPT = "exempt: {play: $p, trick: $t, hand: $h}"
NO_TRICK = 'laws: {"64": {clauses: {"64A2": {repealed: true}}}}\n'
TRICK = "automatic: {play: $p, trick: $t, hand: $h, part: any-trick, from: $s, to: $o, tricks: 1}"


def law(*clauses: tuple[str, str, str]) -> str:
    told = (CLAUSE.format(ref=ref, when=when, then=then) for ref, when, then in clauses)
    return 'law: "64"\nclauses:' + "".join(told)


def amended(tmp_path: Path, text: str) -> Edition:
    return load_edition(rules_root(), draft(tmp_path / "my-draft", text))


def contradictions(edition: Edition) -> set[tuple[tuple[str, ...], str]]:
    """Rules and what is wrong, over all situations, after a look at some of them alone."""
    run, sound, numbers = EditionRun(edition, situations()), Sound(edition), sample(universe(), 60)
    found = sound.contradictions(run)
    in_each, engine = told(found.items(), numbers), Law(edition, engine="quick").engine
    for number in numbers:
        facts = facts_alone(universe(), number)
        alone = sound.contradictions(EditionRun(run.edition, each_alone([facts]), run.sets))
        assert in_each[number] == set(alone), "the same alone as among all"
        twice = {one.what for one in alone if one.what.startswith("conclude two things")}
        clashes = one_per(edition.vocabulary, engine.run(facts))
        assert twice == {f"conclude two things of {clash.kind}" for clash in clashes}
    return {(tuple(edition.rules[rule].id for rule in one.rules), one.what) for one in found}


def test_an_exemption_disregarded(tmp_path: Path) -> None:
    found = contradictions(amended(tmp_path, law(("64A3", PAID, TRICK.replace("any-trick", "made-again")))))
    assert (("64A3.1", "64B3.1"), "give an automatic trick and exempt the revoke from any") in found


def test_two_statuses(tmp_path: Path) -> None:
    then = "status: {play: $p, trick: $t, hand: $h, is: must-correct}"
    (both,) = contradictions(amended(tmp_path, law(("64A3", LIABLE, then))))
    assert sorted(both[0]) == ["64A3.1", "state.1"]
    assert both[1] == "conclude two things of status"


def test_established_and_to_be_corrected(tmp_path: Path) -> None:
    then = "must-correct: {play: $p, trick: $t, seat: $h}"
    (both,) = contradictions(amended(tmp_path, law(("64A3", LIABLE, then))))
    assert sorted(both[0]) == ["64A3.1", "state.1"]
    assert both[1] == "say that a revoke is established and must be corrected"


def test_what_two_rules_conclude_and_a_third_counts(tmp_path: Path) -> None:
    found = contradictions(amended(tmp_path, law(("64A3", PAID, TRICK.replace("any-trick", "that-trick")))))
    assert ("64A1.1", "64A3.1") in {rules for rules, what in found if what.endswith("and both count once")}


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_shipped_editions_do_not_contradict_themselves_and_leave_no_gap(edition: str) -> None:
    sound, run = Sound(shipped(edition)), run_of(edition)
    assert not sound.contradictions(run)
    assert not sound.gaps(run)


@pytest.mark.parametrize("edition", EDITIONS)
def test_nor_in_any_situation_of_the_wider_universe(edition: str) -> None:
    assert deep_check(shipped(edition), universe(wider=True), ()).faults == ()


def test_a_gap_is_an_established_revoke_of_which_nothing_is_said(tmp_path: Path) -> None:
    edition = amended(tmp_path, NO_TRICK)
    numbers, law = sample(universe(), 200), Law(edition, engine="quick")
    found = told([(True, Sound(edition).gaps(EditionRun(edition, situations())))], numbers)
    for number in numbers:
        ruling = rule(law, universe().incident(number))
        settled = any(ruling.entries(section) for section in ("points", "options", "adjusted", "remarks"))
        silent = [one for one in ruling.revokes if not (one.automatic_tricks or one.exempt_by)]
        assert bool(found[number]) == (not settled and "established" in [one.status for one in silent])
    assert any(found.values())


def test_everything_that_is_wrong_with_a_draft(tmp_path: Path) -> None:
    """A contradiction, a clause that repeats another, a rule that cannot be reached, and a gap."""
    text = law(("64A3", "both-late: {trick: $t}, " + PAID, TRICK), ("64B9", TWELFTH, EXEMPT), ("64B0", MIXED, EXEMPT))
    edition = amended(tmp_path, text + '  "64A2": {repealed: true}\n')
    found = deep_check(edition, universe(), ())
    (gap,) = [fault.what for fault in found.faults]
    assert gap.startswith("my-draft: an established revoke has no consequence and no exemption, for instance")
    remarks = [fault.what for fault in found.remarks]
    assert any(
        "without 64B9 every ruling would be the same, also where it fires, for instance when" in r for r in remarks
    )
    assert any("without 64B6" in remark for remark in remarks)
    assert any(
        f"rule 64B0.1 fires in none of {len(universe())} situations and 0 cases; none of them" in r for r in remarks
    )
    assert any("gives a fact mixed" in remark for remark in remarks)


def test_parts_of_a_universe_are_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    then = "status: {play: $p, trick: $t, hand: $h, is: must-correct}"
    edition = amended(tmp_path, law(("64A3", f"{LIABLE}, won: {{trick: $t, hand: $h}}", then)))
    more = universe_in(tmp_path, SMALL_INTERVIEW, SMALL_WIDER)
    whole = deep_check(edition, more, ())
    assert any("for instance when the trick was won by him" in fault.what for fault in whole.faults)
    in_parts(monkeypatch, 1)
    assert deep_check(edition, more, ()) == whole


def test_cases_reach_what_findings_cannot_state(tmp_path: Path) -> None:
    cases = cases_of(shipped("duplicate-2017"))
    found = deep_check(shipped("duplicate-2017"), universe_in(tmp_path, SMALL_INTERVIEW), cases)
    assert found.faults == ()
    idle = [fault.what for fault in found.remarks]
    assert not any("67B1" in what or "43B3" in what for what in idle)


def test_the_command(tmp_path: Path) -> None:
    root = rules_with_interview(tmp_path / "rules", SMALL_INTERVIEW)
    mine = draft(tmp_path / "my-draft", law(("64B0", MIXED, EXEMPT)))
    check = ["check", str(mine), "--rules", str(root)]
    assert CliRunner().invoke(app, check).output == "0 faults\n"
    (root / "wider.yaml").write_text(SMALL_WIDER, encoding="utf-8")
    strict = CliRunner().invoke(app, [*check, "--strict"])
    assert strict.exit_code == 1
    assert "law.yaml:8:9: rule 64B0.1 fires in none of 21 situations and 0 cases" in strict.output
    assert strict.output.splitlines()[-1].startswith("0 faults, ")
    (mine / "law.yaml").write_text(NO_TRICK, encoding="utf-8")
    gap = CliRunner().invoke(app, [*check, "--deep"])
    assert gap.exit_code == 1
    assert "edition.yaml:1:10: my-draft: an established revoke has no consequence" in gap.output


def test_a_fault_of_the_interview_is_told_with_the_others(tmp_path: Path) -> None:
    root = rules_with_interview(tmp_path / "rules", SMALL_INTERVIEW.replace("when:  {hand:", "when:  {hadn:"))
    run = CliRunner().invoke(app, ["check", "duplicate-2017", "--rules", str(root)])
    assert run.exit_code == 1
    assert "interview.yaml:" in run.output and "did you mean hand?" in run.output
