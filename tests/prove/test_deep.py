"""The deep check: contradictions, claims that do not hold, and rules that nothing reaches."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import SMALL_INTERVIEW, draft, rules_with_interview
from typer.testing import CliRunner

from kb.cli.main import app
from kb.language.folders import rules_root
from kb.prove.deep import Checked, every_fault

pytestmark = pytest.mark.thorough

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


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The shipped rules with a small interview, and nothing claimed of them."""
    return rules_with_interview(tmp_path / "rules", SMALL_INTERVIEW)


def told(folder: Path, root: Path) -> Checked:
    return every_fault(root, folder, deep=True)


def test_two_statuses(tmp_path: Path, root: Path) -> None:
    then = "status: {play: $p, trick: $t, hand: $h, is: must-correct}"
    (fault,) = told(draft(tmp_path / "my-draft", law(("64A3", LIABLE, then))), root).faults
    assert fault.what.startswith("64A3.1 and state.1 conclude two things of status, for instance when ")
    assert fault.others[0][1] == "the other rule"


def test_what_contradicts_the_law_that_it_amends_is_a_claim_that_does_not_hold(tmp_path: Path) -> None:
    """Tricks in spite of an exemption, a gap, a duty to correct what stands."""
    text = law(("64A3", PAID, TRICK.replace("any-trick", "made-again")), ("64B9", TWELFTH, EXEMPT))
    must = "must-correct: {play: $p, trick: $t, seat: $h}"
    for name, amended, refuted in (
        ("paid", text, {"never-exempt-and-costly"}),
        ("gap", NO_TRICK, {"costs-or-is-exempt"}),
        ("both", law(("64A3", LIABLE, must)), {"nothing-stands-that-is-corrected"}),
    ):
        found = told(draft(tmp_path / name, amended), rules_root())
        assert refuted <= {one.what.partition(" ")[0] for one in found.faults}


def test_what_two_rules_conclude_and_a_third_counts(tmp_path: Path, root: Path) -> None:
    text = law(("64A3", PAID, TRICK.replace("any-trick", "that-trick")))
    found = told(draft(tmp_path / "my-draft", text), root).faults
    assert any("64A1.1" in one.what and "64A3.1" in one.what and "the same automatic" in one.what for one in found)


def test_the_command(tmp_path: Path) -> None:
    root = rules_with_interview(tmp_path / "rules", SMALL_INTERVIEW)
    mine = draft(tmp_path / "my-draft", law(("64B0", MIXED, EXEMPT)))
    check = ["check", str(mine), "--rules", str(root)]
    assert CliRunner().invoke(app, check).output == "0 faults\n"
    strict = CliRunner().invoke(app, [*check, "--strict"])
    assert strict.exit_code == 1
    assert "law.yaml:8:9: rule 64B0.1 fires in none of 9 situations and 0 cases" in strict.output
    assert strict.output.splitlines()[-1].startswith("0 faults, ")


def test_a_fault_of_the_interview_is_told_with_the_others(tmp_path: Path) -> None:
    root = rules_with_interview(tmp_path / "rules", SMALL_INTERVIEW.replace("when:  {hand:", "when:  {hadn:"))
    run = CliRunner().invoke(app, ["check", "duplicate-2017", "--rules", str(root)])
    assert run.exit_code == 1
    assert "interview.yaml:" in run.output and "did you mean hand?" in run.output
