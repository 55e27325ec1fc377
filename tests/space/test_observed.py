"""The facts of every situation at once are those observed of each by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import SMALL_INTERVIEW, sample, situations, told, universe, universe_in

from facts.errors import InputError
from facts.observe import observe
from kb.space.observed import Situations, observed
from kb.space.universe import Universe


def assert_observed(of: Universe, found: Situations, numbers: list[int]) -> None:
    assert found.everything == of.everything
    assert all(fact[0] == kind for kind, held in found.facts.items() for fact in held)
    facts = told((one for held in found.facts.values() for one in held.items()), numbers)
    for number in numbers:
        assert facts[number] == set(observe(of.incident(number))), of.answers(number)


def test_every_situation_of_a_small_interview(tmp_path: Path) -> None:
    of = universe_in(tmp_path, SMALL_INTERVIEW)
    assert_observed(of, observed(of), list(range(len(of))))


def test_the_shipped_interview() -> None:
    assert_observed(universe(), situations(), sample(universe(), 400))


@pytest.mark.thorough
def test_the_wider_one() -> None:
    """In the ordinary run some of it is looked at together with what is concluded."""
    for _, part in universe(wider=True).parts():
        assert_observed(part, observed(part), sample(part, max(8, len(part) // 100)))


def test_situations_with_facts_of_their_own() -> None:
    """Some of the interview, each observed by itself."""
    numbers = sample(universe(), 30)
    each = Situations.each([observe(universe().incident(number)) for number in numbers])
    assert each.everything == (1 << len(numbers)) - 1
    facts = told((one for held in each.facts.values() for one in held.items()), range(len(numbers)))
    assert list(facts.values()) == [set(observe(universe().incident(number))) for number in numbers]
    assert Situations.each([]) == Situations(0, {})


TWICE = SMALL_INTERVIEW.replace("{next-trick: played}", "{next-trick: played, trick: 6}")
NO_TRICK = SMALL_INTERVIEW.replace("{hand: S, trick: 5, ", "{hand: S, ")
NO_SECOND_HAND = SMALL_INTERVIEW.replace("{required-faced: true}}", "{required-faced: true}, second: {trick: 8}}")


@pytest.mark.parametrize(
    ("interview", "number", "what"),
    [
        (TWICE, 0, "trick has been filled in by an earlier answer"),
        (NO_TRICK, 11, "after some answers the first revoke has no trick"),
        (NO_SECOND_HAND, 4, "after some answers the second revoke has no hand"),
    ],
)
def test_what_no_incident_can_be_made_of_is_refused(tmp_path: Path, interview: str, number: int, what: str) -> None:
    """In the same words whether all situations are observed or one is looked at."""
    of = universe_in(tmp_path, interview)
    with pytest.raises(InputError, match=what) as of_all:
        observed(of)
    with pytest.raises(InputError, match=what) as of_one:
        of.incident(number)
    assert of_all.value.faults == of_one.value.faults
