"""Amendments as an editor writes them: drafts of YAML alone, from a third trick to a law about leads out of turn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import pytest
from support.drafts import measures, shipped
from typer.testing import CliRunner

from kb.cases.cases import Case, Trial
from kb.cli.main import app
from kb.compare.compare import Comparison, Prepared, compare
from kb.compare.telling import Wording
from kb.explain.as_text import page_of
from kb.explain.page import as_text
from kb.explain.words import Speaker, load_words
from kb.interview.adviser import Counsel
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import Edition
from kb.prove.deep import every_fault
from kb.ruling.laws import Law, Laws
from kb.space.bits import members
from kb.space.interview import Interview
from kb.space.read_interview import load_interview
from kb.space.universe import Universe

pytestmark = pytest.mark.thorough

ROOT = rules_root()
HERE = Path(__file__).parent
USUAL = {
    "another": ["none"],
    "trick": ["earlier"],
    "failed-to": ["follow-suit"],
    "faced": ["no"],
    "required-faced": ["no"],
}
"""Of these questions only these answers: what the amendments are about is asked by others."""


@dataclass(frozen=True)
class Amendment:
    """What a draft is expected to do."""

    name: str
    clauses: tuple[str, ...]
    """Those that make the difference."""
    where: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Question -> the answers with which alone anything changes."""
    asks: str = ""
    """A question that now matters."""
    also: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Question -> answers after which it does."""
    election: str = ""

    @property
    def folder(self) -> Path:
        return HERE / self.name

    @property
    def edition(self) -> Edition:
        return load_edition(ROOT, self.folder, [self.election] if self.election else [])


AMENDMENTS = (
    Amendment(
        "third-leg",
        ("64A3",),
        {"later-win-playable": ("yes",), "later-tricks": ("one", "more")},
        "later-win-playable",
        {"won-by": ("partner",)},
    ),
    Amendment("first-tournament", ("64B9",), {"first-tournament": ("yes",)}, "first-tournament"),
    Amendment("claims-do-not-establish", ("63A3",), {"claim": ("by-revokers", "conceded-partner-objected")}),
    Amendment("third-trick", ("64A1",), {"won-by": ("revoker",), "later-tricks": ("more",)}),
    Amendment("may-not-ask", ("61B3",), {"asked-by": ("partner",)}, election="defenders-may-not-ask"),
    Amendment("renumbered", ()),
    Amendment("in-french", ()),
)
IN_TIME = """\
contract: 4S
declarer: S
revokes: [{hand: W, trick: 5, suit: H, card: S4, next-trick: 'no', noticed: before-next-trick, played-after: [N]}]
"""
each = pytest.mark.parametrize("amendment", AMENDMENTS, ids=lambda one: one.name)


@cache
def trial(folder: Path) -> Trial:
    return Trial(Laws(ROOT, "quick"), folder)


def cases(amendment: Amendment) -> tuple[Case, ...]:
    return trial(amendment.folder).cases(amendment.folder / "cases")


def narrowed(interview: Interview) -> Interview:
    questions = {
        name: replace(one, answers={key: one.answers[key] for key in USUAL[name]}) if name in USUAL else one
        for name, one in interview.questions.items()
    }
    return replace(interview, questions=questions)


def compared(amendment: Amendment) -> Comparison:
    edition = amendment.edition
    universe = Universe(narrowed(load_interview(ROOT, edition)))
    return compare(Prepared(shipped("duplicate-2017"), universe), edition, cases(amendment), measures())


@each
def test_no_fault_and_its_own_claims_hold(amendment: Amendment) -> None:
    assert every_fault(ROOT, amendment.folder).faults == ()
    assert not [*amendment.folder.rglob("*.py")], "YAML alone"


@each
def test_its_cases_hold_a_record_and_findings_among_them(amendment: Amendment) -> None:
    known = cases(amendment)
    outcomes = [*trial(amendment.folder).run(known)]
    assert [(one.case.id, one.differences) for one in outcomes if one.differences] == []
    assert any(case.incident.play for case in known) and any(case.incident.revokes for case in known)


@each
@pytest.mark.parametrize("lang", ["en", "de"])
def test_rulings_are_told_in_either_language(amendment: Amendment, lang: str) -> None:
    told = set[str]()
    for case in cases(amendment):
        for expected in case.expect:
            if expected.edition == amendment.name:
                ruling = trial(amendment.folder).hear(case, expected).ruling
                vocabulary = ruling.edition.vocabulary
                speaker = Speaker(load_words(ROOT, vocabulary), vocabulary, lang)
                said = as_text(page_of(ruling, speaker), speaker)
                assert ruling.edition.called(lang) in said.split("\n")[0]
                told |= {law for law in ruling.cited if law in said}
    new = amendment.edition.clauses.keys() - shipped("duplicate-2017").clauses.keys()
    assert {*amendment.clauses, *new} & amendment.edition.clauses.keys() - {"54E"} <= told


@each
def test_it_changes_what_it_means_to_change_and_nothing_else(amendment: Amendment) -> None:
    found = compared(amendment)
    by = {ref for group in found.groups for together in group.clauses for ref in together}
    assert by == {*amendment.clauses}
    assert bool(found.groups) == bool(amendment.clauses)
    for number in (one for group in found.groups for one in members(group.situations)):
        answers = found.universe.answers(number)
        assert all(answers[question] in wanted for question, wanted in amendment.where.items()), answers


@pytest.mark.parametrize("amendment", [one for one in AMENDMENTS if one.asks], ids=lambda one: one.name)
def test_what_matters_now_is_asked(amendment: Amendment) -> None:
    def asked(edition: str | Path) -> set[str]:
        adviser = Counsel.of(Law(edition, rules=ROOT, engine="quick")).adviser
        diagram, state = adviser.diagram, adviser.whole
        for name, answers in {**USUAL, **amendment.where, **amendment.also}.items():
            if name != amendment.asks and name in adviser.number:
                state = diagram.given(state, adviser.number[name], frozenset(answers)) or state
        matters = diagram.below(diagram.mattering(state))
        return {adviser.questions[diagram.question[one]].id for one in matters if diagram.outcome[one] < 0}

    assert amendment.asks in asked(amendment.folder)
    assert amendment.asks not in asked("duplicate-2017")


@pytest.mark.parametrize("voice", [(), ("--voice", "table"), ("--voice", "appeal")], ids=["full", "table", "appeal"])
def test_what_is_ruled_every_day_is_said_in_french(voice: tuple[str, ...], tmp_path: Path) -> None:
    corrected = tmp_path / "in-time.yaml"
    corrected.write_text(IN_TIME, "utf-8")
    for incident in (ROOT.parent / "examples" / "revoke.yaml", corrected):
        rule = ["rule", str(incident), "--edition", str(HERE / "in-french"), *voice, "--lang"]
        french, english = (CliRunner().invoke(app, [*rule, lang]) for lang in ("fr", "en"))
        assert french.exit_code == 0 and french.stderr.count("What is not translated yet is in English.") == 1, (
            french.output
        )
        both = {*french.stdout.split("\n")} & {*english.stdout.split("\n")}
        assert {line for line in both if line and not line.endswith(":")} == set()


@pytest.mark.parametrize("name", ["renumbered", "third-leg"])
def test_in_the_law_book(name: str) -> None:
    done = CliRunner().invoke(app, ["lawbook", str(HERE / name)])
    assert done.exit_code == 0, done.output
    for ref, clause in load_edition(ROOT, HERE / name).clauses.items():
        assert ref in done.stdout and " ".join(clause.says["en"].split()) in done.stdout
    if name == "renumbered":
        assert "In Laws of Duplicate Bridge 2017 its number is 64A1." in done.stdout
        assert "New: not in" not in done.stdout
        assert "A revoke is settled by 64A(a)" in CliRunner().invoke(app, ["prove", str(HERE / name)]).stdout


@pytest.mark.thorough
def test_of_a_case_that_leaves_it_open_a_comparison_says_perhaps() -> None:
    """Whether he later won with a card he could have played is in few records."""
    found = compared(next(one for one in AMENDMENTS if one.name == "third-leg"))
    assert {one.perhaps for one in found.cases} == {True, False}
    wording = Wording(found, load_words(ROOT, found.b.vocabulary), "en")
    one = next(one for one in found.cases if one.perhaps)
    assert wording.of_case(one) == f"perhaps {wording.effect(one.old, one.new)}"
