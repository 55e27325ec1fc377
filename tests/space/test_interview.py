"""The interview: what is read, what is refused, and that its situations are such as a file could state."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import SMALL_INTERVIEW, SMALL_WIDER, facts_alone, sample, shipped, universe, universe_in
from support.novices import EXEMPT, novices
from support.ruling import law
from support.tables import shipped_table

from facts.errors import InputError
from facts.incident import Finding
from facts.readers.incident_file import read_incident
from facts.to_yaml import as_yaml, without_law
from kb.engine.proof import clashes
from kb.language.folders import rules_root
from kb.space.bits import first, union
from kb.space.read_interview import load_interview
from kb.space.universe import Universe, observed


def faults(tmp_path: Path, old: str, new: str, wider: str | None = None) -> list[str]:
    """Those found after a change of the interview, or of what is laid over it."""
    assert old in (wider or SMALL_INTERVIEW)
    with pytest.raises(InputError) as caught:
        if wider is None:
            universe_in(tmp_path, SMALL_INTERVIEW.replace(old, new, 1))
        else:
            universe_in(tmp_path, SMALL_INTERVIEW, wider.replace(old, new, 1))
    return [str(fault).replace(f"{tmp_path}/", "") for fault in caught.value.faults]


def test_what_a_situation_states(tmp_path: Path) -> None:
    """Just what the answers say: by the names of the declaration, and nothing that only stands for something."""
    of = universe_in(tmp_path, SMALL_INTERVIEW)
    assert without_law(of.incident(0)) == {
        "revokes": [
            {
                "player": "defender",
                "required-faced": False,
                "next-trick": "played",
                "later-tricks": 1,
                "won-by": "opponent",
            }
        ]
    }
    partly = of.interview.incident({"hand": "declarer", "next-trick": "no"})
    assert without_law(partly) == {"revokes": [{"player": "declarer", "next-trick": "no"}]}
    assert of.interview.incident({}).revokes == (Finding(),)


def test_what_is_not_said_otherwise_is_as_declared(tmp_path: Path) -> None:
    table, asked = shipped_table().findings, universe_in(tmp_path, SMALL_INTERVIEW).interview.questions
    assert asked["required-faced"].asks["en"] == "Did it lie open?"
    assert asked["required-faced"].about == table["required-faced"].about
    assert asked["required-faced"].help == table["required-faced"].help
    assert [*asked["required-faced"].answers] == [*table["required-faced"].answers]
    assert asked["next-trick"].answers["no"].says == table["next-trick"].answers["no"].says
    opponent, revoker = asked["won-by"].answers.values()
    assert opponent.says == table["won-by"].answers["opponent"].says
    assert [(one.key, one.value) for one in opponent.fills] == [("later-tricks", 1), ("won-by", "opponent")]
    assert revoker.says["en"] == "him" and revoker.fills[-1].value == "revoker"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("when:  {next-trick:", "when:  {nexttrick:", "nexttrick is no question before this one; did you mean next-trick?"),
        ('{next-trick: "yes"}', '{next-trick: "not maybe"}', "next-trick has no answer maybe"),
        ("first: {next-trick: played}", "first: {next-trik: played}", "did you mean next-trick?"),
        ("first: {next-trick: played}", "first: {next-trick: maybe}", "maybe"),
        ("first: {next-trick: played}", "stands: {first: {next-trick: maybe}}", "maybe"),
        ("first: {player: defender}", "first: {hand: W}", "nobody's seat is known; write such as player: defender"),
        ("first: {player: defender}", "incident: {declarer: S}", "incident"),
        ('{en: "Whose card?", de: "Wessen Karte?"}', '{en: "Whose card?"}', "the text in de is missing"),
        ('"no":  {}', 'maybe:  {}', "says is missing"),
        ('"no":  {}', 'unknown: {says: {en: "no", de: "nein"}}', "unknown is the answer of every question"),
        ("asks:  {en: \"Whose", "ask:  {en: \"Whose", "did you mean asks?"),
        ("asks:  {en: \"Whose", "help:  {en: \"Whose", "asks is missing"),
    ],
)  # fmt: skip
def test_faults_have_their_place(tmp_path: Path, old: str, new: str, expected: str) -> None:
    found = faults(tmp_path, old, new)
    assert any(expected in fault for fault in found), found
    assert all(fault.startswith("interview.yaml:") for fault in found)


def test_the_place_of_a_fault(tmp_path: Path) -> None:
    assert faults(tmp_path, '{next-trick: "yes"}', "{next-trick: maybe}") == [
        "interview.yaml:18:25: next-trick has no answer maybe; write one of yes, no"
    ]


def test_what_is_laid_over_keeps_what_there_is_and_takes_over_what_is_new(tmp_path: Path) -> None:
    asked = universe_in(tmp_path, SMALL_INTERVIEW).interview
    of = universe_in(tmp_path, SMALL_INTERVIEW, SMALL_WIDER)
    questions = of.interview.questions
    assert list(questions) == [*asked.questions, "how-late"]
    assert list(questions["hand"].answers) == ["defender", "declarer", "dummy"], "a further answer"
    assert questions["hand"].asks == asked.questions["hand"].asks
    assert questions["hand"].answers["declarer"].fills == asked.questions["hand"].answers["declarer"].fills
    assert questions["required-faced"].when == ({"hand": frozenset(["defender", "declarer"])},), "another condition"
    assert questions["required-faced"].answers.keys() == asked.questions["required-faced"].answers.keys()
    yes = questions["next-trick"].answers["yes"]
    assert yes.when == ({"hand": frozenset(["defender", "declarer"])},)
    assert yes.says == asked.questions["next-trick"].answers["yes"].says
    assert yes.fills == asked.questions["next-trick"].answers["yes"].fills
    assert questions["won-by"] == asked.questions["won-by"]
    assert len(of) == 4 * (2 * 2 + 1) + 1
    assert of.answers(len(of) - 1) == {"hand": "dummy", "next-trick": "no"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("too-late:  {says", "too-late:  {sais", "wider.yaml:16:19: "),
        ('{en: "How late?", de: "Wie spät?"}', '{en: "How late?"}', "wider.yaml:11:12: the text in de is missing"),
        ("defender, declarer]", "defender, declare]", "wider.yaml:6:29: hand has no answer declare; did you mean"),
        ("{next-trick:", "{next-trik:", "wider.yaml:13:13: next-trik is no question before this one; did you mean"),
        ("first: {noticed: after-round}", "first: {noticed: late}", "wider.yaml:16:"),
        ("asks:  {en", "ask:  {en", "wider.yaml:11:5: "),
    ],
)
def test_faults_of_what_is_laid_over_have_their_place(tmp_path: Path, old: str, new: str, expected: str) -> None:
    found = faults(tmp_path, old, new, SMALL_WIDER)
    assert any(fault.startswith(expected) for fault in found), found


def test_without_more_it_is_just_the_interview(tmp_path: Path) -> None:
    asked, edition = universe_in(tmp_path, SMALL_INTERVIEW).interview, shipped("duplicate-2017")
    assert len(universe(wider=True)) > len(universe())
    assert load_interview(tmp_path, edition, wider=True) == load_interview(tmp_path, edition) == asked


@pytest.mark.parametrize("wider", [False, True])
def test_a_situation_is_what_its_file_says(wider: bool) -> None:
    of = universe(wider)
    for number in sample(of, 100):
        incident = of.incident(number)
        assert read_incident(as_yaml(incident), "file", lambda _: shipped_table()) == incident


@pytest.mark.thorough
@pytest.mark.parametrize("wider", [False, True])
def test_no_situation_is_impossible(wider: bool) -> None:
    for number in sample(universe(wider), 700):
        assert facts_alone(universe(wider), number)


@pytest.mark.thorough
@pytest.mark.parametrize("wider", [False, True])
@pytest.mark.parametrize("edition", ["duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912"])
def test_no_situation_contradicts_itself(edition: str, wider: bool) -> None:
    of, engine = universe(wider), law(edition).engine
    for number in sample(of, 100):
        proof = engine.run(facts_alone(of, number))
        assert not [*clashes(proof)], of.answers(number)


@pytest.mark.thorough
def test_what_a_draft_declares_is_asked_last_where_a_rule_reads_it(tmp_path: Path) -> None:
    edition, other = novices(tmp_path / "novices"), shipped("duplicate-2017")
    *before, last = load_interview(rules_root(), edition).questions.values()
    assert [one.id for one in before] == [*load_interview(rules_root(), other).questions]
    assert (last.id, [*last.answers]) == ("first-tournament", ["no", "yes"])
    assert {"another": frozenset(["none"]), "noticed": frozenset(["during-play"])} in last.when
    assert all(len(need) == 2 for need in last.when), "only where it has a value"
    together = [load_interview(rules_root(), *both).questions for both in ((edition, other), (other, edition))]
    assert [*together[0]] == [*together[1]] == [*load_interview(rules_root(), edition).questions]
    unread = novices(tmp_path / "unread", EXEMPT.replace("          - novice: {hand: $h}\n", ""))
    assert "first-tournament" not in load_interview(rules_root(), unread).questions


def test_what_a_draft_declares_is_in_the_facts_and_the_incident(tmp_path: Path) -> None:
    of = Universe(load_interview(rules_root(), novices(tmp_path / "novices")))
    asked = of.by_answer[-1]
    facts = observed(of).facts
    assert {fact[1] for fact in facts["novice"]} == {"E", "S", "N"}
    assert union(facts["novice"].values()) == asked["yes"]
    assert of.incident(first(asked["yes"])).revokes[0].said["first-tournament"] is True
