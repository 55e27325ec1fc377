"""The interview: what is read, what is refused, and that its situations are such as a file could state."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import SMALL_INTERVIEW, SMALL_WIDER, sample, universe, universe_in
from support.ruling import law

from facts.cards import SIDE
from facts.errors import InputError
from facts.incident import Incident
from facts.observe import observe
from facts.plain import as_yaml, happened
from facts.readers.incident import read_incident
from kb.engine.consistency import one_per
from kb.language.model import Vocabulary
from kb.space.interview import UNKNOWN
from kb.space.read_interview import load_interview


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
    of = universe_in(tmp_path, SMALL_INTERVIEW)
    assert happened(of.incident(0)) == {
        "declarer": "S",
        "revokes": [
            {"hand": "W", "trick": 5, "suit": "H", "won-by": "S", "later-tricks": 1, "next-trick": "played"},
        ],
    }
    by_declarer = {"hand": "declarer", "next-trick": "yes"}
    assert of.interview.incident({**by_declarer, "won-by": "opponent"}).revokes[0].won_by == "E"
    assert of.interview.incident({**by_declarer, "won-by": UNKNOWN}).revokes[0].won_by is None


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("when:  {next-trick:", "when:  {nexttrick:", "nexttrick is no question before this one; did you mean next-trick?"),
        ('{next-trick: "yes"}', '{next-trick: "not maybe"}', "next-trick has no answer maybe"),
        ("first: {required-faced: true}", "first: {required-face: true}", "did you mean required-faced?"),
        ("first: {required-faced: true}", "first: {required-faced: maybe}", "write true or false"),
        ("$right-of-first", "$rihgt-of-first", "nothing is called $rihgt-of-first; did you mean $right-of-first?"),
        ("incident: {declarer: S}", "incident: {declare: S}", "declare is no key here; did you mean declarer?"),
        ('{en: "Gone on?", de: "Weitergespielt?"}', '{en: "Gone on?"}', "the text in de is missing"),
        ('"no":  {says: {en: "no", de: "nein"}}\n  won-by', 'unknown: {says: {en: "no", de: "nein"}}\n  won-by', "unknown is the answer of every question"),
        ("asks:  {en: \"Who won?\"", "ask:  {en: \"Who won?\"", "did you mean asks?"),
    ],
)  # fmt: skip
def test_faults_have_their_place(tmp_path: Path, old: str, new: str, expected: str) -> None:
    found = faults(tmp_path, old, new)
    assert any(expected in fault for fault in found), found
    assert all(fault.startswith("interview.yaml:") for fault in found)


def test_the_place_of_a_fault(tmp_path: Path) -> None:
    assert faults(tmp_path, '{next-trick: "yes"}', "{next-trick: maybe}") == [
        "interview.yaml:25:25: next-trick has no answer maybe; write one of yes, no"
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
    assert (yes.says, yes.fills) == (asked.questions["next-trick"].answers["yes"].says, yes.fills)
    assert questions["won-by"] == asked.questions["won-by"]
    assert len(of) == 4 * (3 * 2 + 1) + 1
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
    asked = universe_in(tmp_path, SMALL_INTERVIEW).interview
    assert len(universe(wider=True)) > len(universe())
    assert (
        load_interview(tmp_path, Vocabulary({}, {}), wider=True)
        == load_interview(tmp_path, Vocabulary({}, {}))
        == asked
    )


@pytest.mark.parametrize("wider", [False, True])
def test_a_situation_is_what_its_file_says(wider: bool) -> None:
    of = universe(wider)
    for number in sample(of, 100):
        incident = of.incident(number)
        assert read_incident(as_yaml(incident), "file") == incident


LATE = {"hands-returned": 1, "called-next": 2, "someone-called": 2, "round-ended": 3}
NOTICED = {"after-hands-returned": 1, "after-call-on-next-board": 2, "after-round": 3}


def assert_can_happen(incident: Incident) -> None:
    assert _wins(incident), "more tricks than there are"
    facts = observe(incident)
    noticed = {fact[1:3]: fact[3] for fact in facts if fact[0] == "attention-to"}
    for found in incident.revokes:
        assert found.hand != found.asked_by and found.hand not in found.played_after
        if found.noticed == "before-next-trick":
            assert found.next_trick == "no"
            assert found.claim in ("none", "conceded-partner-objected"), "a claim comes after the trick"
        at, last = noticed[found.trick, found.hand], NOTICED.get(found.noticed, 0)
        passed = {LATE[fact[0]] for fact in facts if fact[0] in LATE and fact[-1] < at}
        assert passed <= {*range(1, last + 1)} and (not last or {1, last} <= passed), "noticed at another time"


def _wins(incident: Incident) -> set[int]:
    """How many tricks North and South may have won in all, going back from the last."""
    tricks = {0}
    for trick in range(13, 0, -1):
        on_this = [found for found in incident.revokes if found.trick == trick]
        for found in on_this:
            won = found.later_tricks
            if won is not None:
                tricks &= {won if SIDE[found.hand] == "NS" else 13 - trick - won}
        winners = {found.won_by for found in on_this if found.won_by}
        by_ns = {SIDE[seat] == "NS" for seat in winners} or {False, True}
        tricks = {won + one for won in tricks for one in by_ns} if len(winners) < 2 else set()
    return tricks


@pytest.mark.parametrize("wider", [False, True])
def test_what_a_situation_says_can_happen(wider: bool) -> None:
    """No side wins more tricks than are left, and everything has its time."""
    for number in sample(universe(wider), 3000):
        assert_can_happen(universe(wider).incident(number))


@pytest.mark.thorough
@pytest.mark.parametrize(("wider", "step"), [(False, 1), (True, 7)])
def test_what_every_situation_says_can_happen(wider: bool, step: int) -> None:
    for number in range(0, len(universe(wider)), step):
        assert_can_happen(universe(wider).incident(number))


@pytest.mark.parametrize("wider", [False, True])
@pytest.mark.parametrize("edition", ["duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912"])
def test_no_situation_contradicts_itself(edition: str, wider: bool) -> None:
    of, engine = universe(wider), law(edition).engine
    for number in sample(of, 150):
        proof = engine.run(observe(of.incident(number)))
        assert not one_per(law(edition).edition.vocabulary, proof), of.answers(number)
