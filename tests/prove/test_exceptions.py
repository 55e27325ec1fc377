"""Where a property is not expected to hold: by facts, by answers; covering all, some or nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from support.claims import claimed, numbers, plainest, situations, verdict
from support.one_by_one import Situation

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
    assert [one.times > 0 for one in found.excepted] == [True, False]
