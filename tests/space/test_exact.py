"""What is asked comes to the same as what is laid out: the ruling on the answers of a situation, in which nothing stands
for what was not said, is in every way of filling that in the one that the survey has for it."""

from __future__ import annotations

import pytest
from support.counsel import acts_of
from support.drafts import run_of, sample, told, universe
from support.ruling import law

from kb.ruling.make_ruling import rule
from kb.space.bits import first

EDITIONS = ("duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912")


def assert_exact(edition: str, numbers: list[int]) -> None:
    of, run = universe(), run_of(edition)
    found = told(run.acts.items(), numbers)
    for number in numbers:
        ruling = rule(law(edition), of.incident(number))
        assert {acts_of(ruling)} == found[number], of.answers(number)
        assert not ruling.certainty.is_open, of.answers(number)


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_ruling_on_the_answers_is_that_of_the_situation(edition: str) -> None:
    assert_exact(edition, sample(universe(), 120))


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_thousands_of_them(edition: str) -> None:
    assert_exact(edition, sample(universe(), 3_000))


@pytest.mark.parametrize(
    "edition", [pytest.param(one, marks=[] if one == EDITIONS[0] else pytest.mark.thorough) for one in EDITIONS]
)
def test_every_outcome_that_there_can_be(edition: str) -> None:
    """In the first situation of each, or of every so manieth."""
    firsts = [first(bits) for bits in run_of(edition).acts.values()]
    assert_exact(edition, firsts[:: 1 + len(firsts) // 80])
