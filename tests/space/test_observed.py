"""The facts of every situation at once are those observed of each by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import SMALL_INTERVIEW, each_alone, facts_alone, sample, situations, told, universe, universe_in

from facts.errors import InputError
from kb.space.layout import Situations
from kb.space.universe import Universe, observed


def assert_observed(of: Universe, found: Situations, numbers: list[int]) -> None:
    assert found.everything == of.everything
    assert all(fact[0] == kind for kind, held in found.facts.items() for fact in held)
    facts = told((one for held in found.facts.values() for one in held.items()), numbers)
    for number in numbers:
        assert facts[number] == facts_alone(of, number) == set(found.facts_of(number)), of.answers(number)


def test_every_situation_of_a_small_interview(tmp_path: Path) -> None:
    of = universe_in(tmp_path, SMALL_INTERVIEW)
    assert_observed(of, observed(of), list(range(len(of))))


@pytest.mark.thorough
def test_the_shipped_interview() -> None:
    assert_observed(universe(), situations(), sample(universe(), 400))


@pytest.mark.thorough
def test_the_wider_one() -> None:
    """In the ordinary run some of it is looked at together with what is concluded."""
    for _, part in universe(wider=True).parts():
        assert_observed(part, observed(part), sample(part, max(8, len(part) // 400)))


def test_situations_with_facts_of_their_own() -> None:
    """Some of the interview, each observed by itself."""
    numbers = sample(universe(), 30)
    each = each_alone([facts_alone(universe(), number) for number in numbers])
    assert each.everything == (1 << len(numbers)) - 1
    facts = told((one for held in each.facts.values() for one in held.items()), range(len(numbers)))
    assert list(facts.values()) == [facts_alone(universe(), number) for number in numbers]
    assert each_alone([]) == Situations(0, {})


TWICE = SMALL_INTERVIEW.replace("{next-trick: played}", "{next-trick: played, player: dummy}")
NO_TRICK = SMALL_INTERVIEW.replace("{player: declarer}, stands: {first: {trick: 5}}", "{player: declarer}")
NO_SECOND = SMALL_INTERVIEW.replace("{next-trick: played}", "{next-trick: played}, second: {trick: 8}")


@pytest.mark.parametrize(
    ("interview", "what"),
    [
        (TWICE, "player has been filled in by an earlier answer"),
        (NO_TRICK, "after some answers the first revoke has no trick"),
        (NO_SECOND, "after some answers the second revoke has no player"),
    ],
)
def test_what_cannot_be_laid_out_is_refused(tmp_path: Path, interview: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        observed(universe_in(tmp_path, interview))
    assert all(fault.place.file.endswith("interview.yaml") for fault in caught.value.faults)


def test_parts_have_the_facts_of_the_whole() -> None:
    of, whole = universe(), situations()
    for start, part in of.parts(9_000):
        found = observed(part)
        for number in sample(part, 12):
            assert set(found.facts_of(number)) == set(whole.facts_of(start + number))
