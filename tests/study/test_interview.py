"""The interview: what is read, what is refused, and that its situations are those a file could state."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import SMALL_INTERVIEW, shipped, thinned, whole_space

from facts.cards import SIDE
from facts.errors import InputError
from facts.observe import observe
from facts.readers.incident import read_incident
from kb.engine.consistency import one_per
from kb.language.model import Vocabulary
from kb.ruling.law import Law
from kb.space.interview import UNKNOWN
from kb.space.read_interview import load_interview
from kb.study.situations import Space, as_file, as_yaml

VOCABULARY = Vocabulary({}, {})


def read(tmp_path: Path, text: str) -> Space:
    (tmp_path / "interview.yaml").write_text(text, encoding="utf-8")
    return Space.of(load_interview(tmp_path, VOCABULARY))


def faults(tmp_path: Path, old: str, new: str) -> list[str]:
    assert old in SMALL_INTERVIEW
    with pytest.raises(InputError) as caught:
        read(tmp_path, SMALL_INTERVIEW.replace(old, new, 1))
    return [str(fault).replace(f"{tmp_path}/", "") for fault in caught.value.faults]


def test_every_way_through_the_questions_once(tmp_path: Path) -> None:
    space = read(tmp_path, SMALL_INTERVIEW)
    assert len(space) == 12
    assert space.ways[0] == ("defender", "no", "yes", "opponent")
    assert space.answers(3) == {"hand": "defender", "required-faced": "no", "next-trick": "no"}
    assert space.ways[-1] == ("declarer", None, "no", None)
    assert [space.unusual(number) for number in (0, 1, 11)] == [0, 1, 2]


def test_what_a_situation_states(tmp_path: Path) -> None:
    space = read(tmp_path, SMALL_INTERVIEW)
    assert as_file(space.incident(0)) == {
        "declarer": "S",
        "revokes": [
            {"hand": "W", "trick": 5, "suit": "H", "won-by": "S", "later-tricks": 1, "next-trick": "played"},
        ],
    }
    by_declarer = space.ways.index(("declarer", None, "yes", "opponent"))
    assert space.incident(by_declarer).revokes[0].won_by == "E"
    unknown = space.ways.index(("declarer", None, "yes", UNKNOWN))
    assert space.incident(unknown).revokes[0].won_by is None
    assert space.interview.incident(space.answers(5)) == space.incident(5)


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


def test_a_key_filled_in_twice_is_refused(tmp_path: Path) -> None:
    text = SMALL_INTERVIEW.replace(
        '"no":  {says: {en: "no", de: "nein"}}\n  won-by',
        '"no":  {says: {en: "no", de: "nein"}, first: {trick: 6}}\n  won-by',
    )
    space = read(tmp_path, text)
    with pytest.raises(InputError, match="trick has been filled in by an earlier answer"):
        space.incident(len(space) - 1)


def test_a_revoke_without_a_trick_is_refused(tmp_path: Path) -> None:
    space = read(tmp_path, SMALL_INTERVIEW.replace("trick: 5, ", ""))
    with pytest.raises(InputError, match="the first revoke has no trick"):
        space.incident(0)


def test_the_shipped_space_is_walked_completely_and_once() -> None:
    space = whole_space()
    assert len(set(space.ways)) == len(space)
    given = [{way[number] for way in space.ways} for number in range(len(space.interview.questions))]
    for question, answers in zip(space.interview.questions.values(), given, strict=True):
        assert answers - {None} == set(question.answers), question.id


def test_the_questions_asked_one_by_one_lead_the_same_way() -> None:
    space = thinned(701)
    for number in range(len(space)):
        given: dict[str, str] = {}
        for question, answer in zip(space.interview.questions.values(), space.ways[number], strict=True):
            choices = [choice.id for choice in question.choices(given)]
            assert (answer in choices) if choices else answer is None
            if answer is not None:
                given[question.id] = answer


def test_a_situation_is_what_its_file_says() -> None:
    space = thinned(301)
    for number in range(len(space)):
        incident = space.incident(number)
        assert read_incident(as_yaml(incident), "file") == incident


def test_no_side_wins_more_tricks_than_are_left() -> None:
    space = thinned(37)
    for number in range(len(space)):
        incident = space.incident(number)
        for found in incident.revokes:
            assert found.later_tricks is None or found.later_tricks <= 13 - found.trick
        if len(incident.revokes) == 2:
            _fits(*incident.revokes)


def _fits(first, second) -> None:  # type: ignore[no-untyped-def]
    """The tricks after both add up."""
    if first.later_tricks is None or second.later_tricks is None:
        return
    between = second.trick - first.trick
    if SIDE[first.hand] == SIDE[second.hand]:
        at_second = second.won_by is not None and SIDE[second.won_by] == SIDE[first.hand]
        assert at_second <= first.later_tricks - second.later_tricks <= between - (not at_second)
        return
    for_first = first.later_tricks - (13 - second.trick - second.later_tricks)
    at_second = between > 0 and second.won_by is not None and SIDE[second.won_by] == SIDE[first.hand]
    assert at_second <= for_first <= between - (between > 0 and not at_second)


@pytest.mark.parametrize("edition", ["duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912"])
def test_no_situation_contradicts_itself(edition: str) -> None:
    law = Law(shipped(edition), "python")
    space = thinned(331)
    for number in range(len(space)):
        proof = law.engine.run(observe(space.incident(number)))
        assert not one_per(law.edition.vocabulary, proof), space.answers(number)
