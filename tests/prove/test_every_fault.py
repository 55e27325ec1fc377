"""Everything that is wrong with a draft is told at once, its own files first, in forms for people and programs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from support.drafts import draft
from typer.testing import CliRunner

from facts.errors import InputError, Place
from kb.cases.cases import Trial, read_cases
from kb.cli.main import app
from kb.language.edition import load_edition, read_edition
from kb.language.folders import rules_root
from kb.language.model import Edition
from kb.language.report import as_remark
from kb.prove.deep import every_fault
from kb.ruling.laws import Laws

LAW = """\
law: "64"
clauses:
  "64B9":
    new: true
    says: {en: "Nothing.", de: "Nichts."}
    encoded-as: rules
    rules:
      - when:
          - liable: {play: $p, trick: $t, hand: $h}
        then: {exempt: {play: $p, trick: $t, hand: $h}}
        because: {en: "{h} (Law 64Z9)", de: "{h}"}
"""


RULE = "64B9.1"


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A draft with a fault in each of its files."""
    folder = draft(tmp_path / "mine", LAW)
    (folder / "words.yaml").write_text("phrases: {lawe: {en: x, de: x}}\n")
    (folder / "interview.yaml").write_text("questions: {won-by: {when: {nobody: x}}}\n")
    (folder / "mutants.yaml").write_text('- why: "None can."\n  mutant: []\n')
    (folder / "cases").mkdir()
    (folder / "cases" / "one.yaml").write_text("- id: x\n  titel: y\n")
    (folder / "cases" / "two.yml").write_text("- id: x\n")
    return folder


def test_every_file_is_looked_at(faulty: Path) -> None:
    found = every_fault(rules_root(), faulty)
    assert {Path(one.place.file).name for one in found.faults} == {
        "law.yaml" if (faulty / "law.yaml").is_file() else "law-64.yaml",
        "words.yaml",
        "interview.yaml",
        "mutants.yaml",
        "one.yaml",
        "two.yml",
    }


@pytest.mark.thorough
@pytest.mark.parametrize(("demand", "than"), [("> 13", "more than 13"), ("< 0", "less than 0")])
def test_a_number_beyond_what_can_be_is_told(demand: str, than: str, tmp_path: Path) -> None:
    won = f'- won-from: {{trick: $t, tricks: "{demand}"}}'
    law = LAW.replace(" (Law 64Z9)", "").replace("        then:", f"          {won}\n        then:")
    found = every_fault(rules_root(), draft(tmp_path / "mine", law))
    assert [str(one.what) for one in found.faults] == [f"tricks can never be {than}"]


@pytest.mark.thorough
def test_every_fault_is_told_the_drafts_own_first(tmp_path: Path) -> None:
    """The base's rules read what the draft takes away."""
    folder = draft(tmp_path / "mine", 'law: "64"\nclauses:\n  "64B7": {repealed: true}\n')
    (folder / "vocabulary.yaml").write_text("kinds: {won: {fields: {trick: trick}, says: {en: x, de: x}}}\n")
    found = every_fault(rules_root(), folder)
    assert {Path(one.place.file).parent == folder for one in found.faults} == {True, False}
    told = CliRunner().invoke(app, ["check", str(folder)])
    assert told.exit_code == 1
    lines = [line for line in told.output.splitlines() if re.match(r"\S+:\d+:\d+: ", line)]
    assert len(lines) == len(found.faults) + len(found.remarks) and str(folder) in lines[0]


@pytest.mark.parametrize("ref", ["13D", "62D1", "64B2", "64B7", "69A"])
def test_a_repeal_is_no_fault_of_what_it_leaves_idle(ref: str, tmp_path: Path) -> None:
    law = re.match(r"\d+", ref)
    assert law is not None
    folder = draft(tmp_path / "mine", f'law: "{law[0]}"\nclauses:\n  "{ref}": {{repealed: true}}\n')
    found = every_fault(rules_root(), folder)
    assert found.faults == () and found.remarks
    assert all(
        f"since {ref} is taken away" in one.what and one.place.file.startswith(str(folder)) for one in found.remarks
    )


EXPECTED = """\
- id: one
  source: x
  title: One
  why: x
  incident:
    declarer: S
    revokes:
      - {hand: W, trick: 5, suit: H, card: S4, won-by: E, later-tricks: 1, next-trick: led}
  expect: [EXPECT]
"""


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ("{edition: duplicate-1066, transfer: {NS: 1, EW: 0}}", "there is no edition duplicate-1066"),
        ("{edition: mine+dbv-2007, transfer: {NS: 1, EW: 0}}", "write edition: mine, elections: [dbv-2007]"),
        ("{edition: mine, elections: [dbv-1850], transfer: {NS: 1, EW: 0}}", "there is no election dbv-1850"),
        ("{edition: mine, not-cited: ['64B99']}", "mine has no clause 64B99; did you mean"),
        ("{edition: duplicate-2017, cited: ['63Z']}", "duplicate-2017 has no clause 63Z"),
        ("{edition: mine}", "of mine nothing is expected"),
    ],
)
def test_a_case_that_names_what_there_is_not_is_told_and_not_met(expect: str, told: str, tmp_path: Path) -> None:
    folder = draft(tmp_path / "mine", 'law: "64"\nclauses:\n  "64B7": {repealed: true}\n')
    (folder / "cases").mkdir()
    (folder / "cases" / "one.yaml").write_text(EXPECTED.replace("EXPECT", expect), "utf-8")
    assert any(told in f"{one.what}; {one.mend}" for one in every_fault(rules_root(), folder).faults)
    tried = CliRunner().invoke(app, ["test", str(folder)])
    assert tried.exit_code == 1 and told in tried.output.replace("\n", " ") and "1 not met" in tried.output
    (folder / "cases" / "one.yaml").write_text(
        EXPECTED.replace("EXPECT", "{edition: mine, not-cited: ['64B7']}"), "utf-8"
    )
    assert every_fault(rules_root(), folder).faults == (), "what was taken away may be named"


@pytest.mark.thorough
def test_json_and_remarks_hold_every_fault(faulty: Path) -> None:
    of = len(every_fault(rules_root(), faulty).faults)
    listed = json.loads(CliRunner().invoke(app, ["check", str(faulty), "--format", "json"]).output)
    remarks = CliRunner().invoke(app, ["check", str(faulty), "--format", "github"]).output.splitlines()
    assert len(listed) == len(remarks) == of
    reference = next(one for one in listed if one["check"] == "references")
    assert (reference["line"], reference["what"]) == (10, "draft has no clause 64Z9") or "64Z9" in reference["what"]
    at = f"::error file={reference['file']},line={reference['line']},col={reference['column']},title=references::{reference['what']}; "
    assert sum(one.startswith(at) for one in remarks) == 1


def test_a_remark_names_its_file_whatever_it_is_called() -> None:
    place = Place("drafts/50%, 64: new/law-64.yaml", 3)
    told = as_remark(InputError.of(place, "wrong: a, b", "100 %").faults[0])
    assert told.startswith("::error file=drafts/50%25%2C 64%3A new/law-64.yaml,line=3,")
    assert told.endswith("::wrong: a, b; 100 %25")


@pytest.mark.thorough
def test_the_shipped_rules_are_right() -> None:
    assert every_fault(rules_root(), "duplicate-2017").faults == ()


def test_files_that_nothing_reads_are_told(tmp_path: Path) -> None:
    folder = draft(tmp_path / "mine", 'law: "64"\nclauses:\n  "64B7": {repealed: true}\n')
    for name in ("Law-62.YAML", "law-63.yml", "case/one.yaml", "notes.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x", "utf-8")
    told = {Path(one.place.file).name: one.mend for one in every_fault(rules_root(), folder).faults}
    assert told == {
        "Law-62.YAML": "call it Law-62.yaml",
        "law-63.yml": "call it law-63.yaml",
        "one.yaml": "put cases into cases/, and rules beside edition.yaml",
    }


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        ("{h} should follow", "put the whole text in quotes"),
        ('"the "open" card"', "put the whole text in quotes"),
        ('"the card lay open.”', 'write " here'),
        ("the card\u00a0lay open", "in a text put it in quotes"),
        ('"the\u00a0card" lay open', "put the whole text in quotes"),  # what stands in quotes is not to blame
    ],
)
def test_whoever_forgets_quotes_is_told_to_write_them(text: str, mend: str, tmp_path: Path) -> None:
    (fault,) = every_fault(rules_root(), draft(tmp_path / "mine", f'law:\n  en: {text}\n  de: "x"\n')).faults
    assert mend in fault.mend and fault.place.line == 2


AMENDING = 'edition: mine\ntitle: {en: "M", de: "M"}\nauthority: A\nin-force: "2027"\namends: duplicate-2017\n'
ADDING = """\
law: "64"
clauses:
  "64B9":
    new:        true
    says:       {en: "x", de: "x"}
    encoded-as: rules
    rules:
      - when: [WHEN]
        then: {THEN}
        because: {en: "x", de: "x"}
"""


def amending(folder: Path, **files: str) -> list[str]:
    """What is told of a draft of these files, each with the name of the file."""
    folder.mkdir(parents=True)
    for name, text in {"edition": AMENDING, **files}.items():
        (folder / f"{name.replace('_', '-')}.yaml").write_text(text, "utf-8")
    found = every_fault(rules_root(), folder)
    return [f"{Path(one.place.file).name}:{one.place.line} {one.what}" for one in (*found.faults, *found.remarks)]


def ruled(when: str, then: str) -> str:
    return ADDING.replace("WHEN", when).replace("THEN", then)


EXEMPTING = ruled("liable: {play: $p, trick: $t, hand: $h}", "exempt: {play: $p, trick: $t, hand: $h}")


@pytest.mark.parametrize(
    ("edition", "told"),
    [
        (AMENDING.replace("A\n", "the club: a proposal\n"), "edition.yaml:3 mapping values are not allowed"),
        (AMENDING.replace("2017", "2071"), "edition.yaml:5 there is no edition duplicate-2071"),
        (AMENDING.replace("duplicate-2017", "../mine"), "edition.yaml:5 ../mine amends this edition"),
        (AMENDING.replace("amends: duplicate-2017\n", ""), "edition.yaml:1 the edition amends none"),
    ],
)
def test_what_rests_on_a_faulty_edition_is_not_told(edition: str, told: str, tmp_path: Path) -> None:
    """The rule can be read, and of all that follows from the fault nothing is told beside it, or before it."""
    (fault,) = amending(tmp_path / "mine", edition=edition, law_64=EXEMPTING)
    assert fault.startswith(told)


def test_a_circle_is_told_at_the_rule_that_closes_it(tmp_path: Path) -> None:
    closing = ruled(
        "liable: {play: $p, trick: $t, side: $s}, discovered: {play: $p, at: $a}",
        "took-part: {trick: $t, side: $s, how: played, at: $a}",
    )
    (fault,) = amending(tmp_path / "mine", law_64=closing)
    assert fault.startswith("law-64.yaml:9 rule 43B2b.1 reads found under 'unless'") and "64B9.1" in fault


def test_a_sentence_that_names_a_repealed_clause_is_a_remark(tmp_path: Path) -> None:
    told = amending(tmp_path / "mine", law_62='law: "62"\nclauses:\n  "62A": {repealed: true}\n')
    assert any(
        "since 62A is taken away, 62C1 of duplicate-2017 names a clause that there is not" in one for one in told
    )
    assert all(one.startswith("edition.yaml:1 since 62A is taken away") for one in told)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"law_63": 'law: "63"\nclauses:\n  "63A3": {repaeled: true}\n'}, "law-63.yaml:3 'repaeled' is no key here"),
        ({"law_64": EXEMPTING.replace("64B9", "64b9")}, "law-64.yaml:3 the clause 64b9 is not numbered"),
        ({"law_64": EXEMPTING.replace("trick: $t, hand", "trick:\u00a0$t, hand", 1)}, "law-64.yaml:8 there is a sign"),
        (
            {"edition": AMENDING + 'renames: {64B3: "64B9"}\n', "law_64": EXEMPTING},
            "law-64.yaml:3 64B9 is not new: 64B3",
        ),
    ],
)
def test_a_slip_is_told_once_where_it_is(files: dict[str, str], told: str, tmp_path: Path) -> None:
    (fault,) = amending(tmp_path / "mine", **files)
    assert fault.startswith(told)


def test_a_variable_that_one_exception_alone_names_is_told(tmp_path: Path) -> None:
    claim = (
        "properties:\n  never-so:\n    says: {en: x, de: x}\n    because: {en: x, de: x}\n"
        "    never:\n      - automatic: {hand: $h}\n    unless:\n      - won: {hand: $hh}\n"
    )
    assert amending(tmp_path / "mine", properties=claim) == ["properties.yaml:8 $hh is used nowhere else"]


def test_an_election_that_nobody_offers_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine" / "elections").mkdir(parents=True)
    (tmp_path / "mine" / "elections" / "ours.yaml").write_text("election: ours\n", "utf-8")
    (tmp_path / "mine" / "edition.yaml").write_text(AMENDING, "utf-8")
    (fault,) = every_fault(rules_root(), tmp_path / "mine").faults
    assert fault.what == "no edition offers ours"


def test_everything_wrong_in_a_case_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine" / "cases").mkdir(parents=True)
    (tmp_path / "mine" / "edition.yaml").write_text(AMENDING, "utf-8")
    case = "id: x\nsource: x\ntitle: x\nwhy: x\nincident: {contrakt: 4S}\nexpect:\n  - {edition: mine, tranfser: {}}\n"
    (tmp_path / "mine" / "cases" / "x.yaml").write_text(case, "utf-8")
    told = [one.what for one in every_fault(rules_root(), tmp_path / "mine").faults]
    assert told == ["'contrakt' is no key here", "'tranfser' is no key here"]


def test_an_edition_with_a_fault_is_not_read_anew_for_each_of_its_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "rules"
    skipped = ignore_patterns("duplicate-*", "auction-*", "bridge-*", "elections", "translations")
    copytree(rules_root(), root, ignore=skipped)
    law = root / "whist-1900" / "the-revoke.yaml"
    law.write_text(law.read_text("utf-8").replace("{play: $p", '{play: "$p - 1"', 1), "utf-8")
    reads = list[object]()

    def counted(*named: object) -> Edition:
        reads.append(named)
        return read_edition(*named)

    monkeypatch.setattr("kb.language.edition.read_edition", counted)
    found = every_fault(root, "whist-1900").faults
    assert found and len(reads) < 5, (found, len(reads))
    reads.clear()
    cases = read_cases(rules_root() / "whist-1900" / "cases", load_edition(rules_root(), "whist-1900").table)
    refused = [*Trial(Laws(root, "quick")).run(cases)]
    assert len(refused) > 10 and all(one.ruling is None for one in refused) and len(reads) < 5, (refused, len(reads))
