"""Where a property is not expected to hold: by facts, by answers, by case; covering all, some or nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from support.claims import claimed, numbers, plainest, situations, verdict
from support.drafts import shipped
from support.one_by_one import Situation

from kb.cases.cases import Case, cases_of
from kb.prove.prove import Verdict

CLAIM = "never: [{status: {hand: $h, is: established}}, {role: {hand: $h, is: dummy}}]"
ROUND = "when: [{round-ended: {}}]"
CLAIMED = "among: {claim: by-revokers}"


def fails(one: Situation) -> bool:
    dummies = [role["hand"] for role in one.of("role", is_="dummy")]
    return any(one.has("status", hand=hand, is_="established") for hand in dummies)


@cache
def refuted() -> list[Situation]:
    return [one for one in situations() if fails(one)]


def excepted(one: Verdict) -> list[tuple[int, tuple[int, ...]]]:
    return [(each.times, numbers(each.witness)) for each in one.excepted]


def seen(of: list[Situation]) -> tuple[int, tuple[int, ...]]:
    return len(of), (plainest(of).number,) if of else ()


@pytest.mark.thorough
def test_by_facts_and_by_answers_each_takes_what_is_left(tmp_path: Path) -> None:
    late = [one for one in refuted() if one.has("round-ended")]
    others = [one for one in refuted() if one not in late and one.answers.get("claim") == "by-revokers"]
    left = [one for one in refuted() if one not in late and one not in others]
    found = verdict(tmp_path, claimed(CLAIM, ROUND, CLAIMED))
    assert late and others and left
    assert excepted(found) == [seen(late), seen(others)]
    assert (found.refuted, numbers(found.witness), found.standing) == (*seen(left), "refuted")


def test_one_that_covers_everything(tmp_path: Path) -> None:
    found = verdict(tmp_path, claimed(CLAIM, "among: [{hand: dummy}, {hand: declarer}, {hand: defender}]"))
    assert (found.refuted, found.witness, found.standing, found.fails) == (0, None, "expected", False)
    assert excepted(found) == [seen(refuted())]


@pytest.mark.thorough
def test_by_facts_and_answers_together(tmp_path: Path) -> None:
    found = verdict(tmp_path, claimed(CLAIM, f"{ROUND}, {CLAIMED}"))
    both = [one for one in refuted() if one.has("round-ended") and one.answers.get("claim") == "by-revokers"]
    assert excepted(found) == [seen(both)]


@pytest.mark.parametrize("needless", ['among: {required-faced: "yes"}', "when: [{excused: {}}]"])
def test_one_of_which_there_is_no_example(needless: str, tmp_path: Path) -> None:
    found = verdict(tmp_path, claimed(CLAIM, "among: {hand: [dummy, declarer, defender]}", needless))
    assert (found.refuted, found.standing, found.fails) == (0, "needless", True)
    assert [one.needless for one in found.excepted] == [False, True]


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    names = ("auction-83-not-dummy", "auction-83-partner-plays-on")
    return [case for case in cases_of(shipped("auction-1912")) if case.id in names]


@pytest.mark.thorough
def test_by_case(tmp_path: Path, cases: list[Case]) -> None:
    """No situation of the interview has hands; of these two cases one has."""
    never = "at-most: {of: {held: {}}, is: 0}"
    found = verdict(tmp_path, claimed(never), cases=cases)
    assert ([case.id for case in found.cases], found.refuted, found.standing) == (
        ["auction-83-not-dummy"],
        0,
        "refuted",
    )
    named = verdict(tmp_path, claimed(never, "cases: [auction-83-not-dummy]"), cases=cases)
    assert ([*named.cases], named.standing) == ([], "expected")
    assert [case.id for case in named.excepted[0].cases or ()] == ["auction-83-not-dummy"]
    by_facts = verdict(tmp_path, claimed(never, "when: [{held: {}}]"), cases=cases)
    assert ([*by_facts.cases], by_facts.standing) == ([], "expected")
    other = verdict(tmp_path, claimed(never, "cases: [auction-83-partner-plays-on]"), cases=cases)
    assert [one.needless for one in other.excepted] == [True]


@pytest.mark.thorough
def test_by_case_hides_no_situation_and_is_not_needless_before_cases_are_asked(tmp_path: Path) -> None:
    found = verdict(tmp_path, claimed(CLAIM, "cases: [auction-83-not-dummy]"))
    assert (found.refuted, found.standing) == (len(refuted()), "refuted")
    held = verdict(tmp_path, claimed("then: {revoke: {}}", "cases: [auction-83-not-dummy]"))
    assert held.standing == "expected"


@pytest.mark.thorough
def test_cases_are_asked_only_of_what_names_no_answers(tmp_path: Path, cases: list[Case]) -> None:
    found = verdict(tmp_path, claimed("among: {hand: dummy}\nat-most: {of: {held: {}}, is: 0}"), cases=cases)
    assert ([*found.cases], found.standing) == ([], "holds")
