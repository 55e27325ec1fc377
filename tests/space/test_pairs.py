"""Situations that differ in one answer, against looking at every two of them."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.drafts import universe
from support.interviews import first_answers, interviews

from kb.space.bits import members
from kb.space.interview import Interview
from kb.space.universe import Pairs, Steps, Universe, pairs, shifted

Two: TypeAlias = tuple[int, int]
QUESTIONS = [name for name in universe().interview.questions if name != "another"]
MORE = ("noticed", "both-noticed", "second-later-tricks", "first-later-tricks")


@cache
def few(*whole: str) -> Universe:
    """The shipped interview with two answers to each question, and all to some."""
    return Universe(first_answers(universe().interview, 2, whole=("another", *whole)))


def found(of: Pairs) -> list[Two]:
    """Pairs by their numbers."""
    return sorted((number, number + distance) for distance, bits in of.items() for number in members(bits))


def looked_for(of: Universe, question: str, steps: Steps) -> list[Two]:
    """Every two situations, laid beside each other: each answer is a digit, of which 1 says that it is given."""
    width = max(len(one.answers) for one in of.questions) + 1
    place = {one.id: width * number for number, one in enumerate(of.questions)}
    code = {one.id: {name: 1 << n for n, name in enumerate(one.answers)} for one in of.questions}
    every = [of.answers(number) for number in range(len(of))]
    asked = [sum(((1 << width) - 1) << place[name] for name in said) for said in every]
    coded = [sum(code[name][answer] << place[name] for name, answer in said.items()) for said in every]
    apart = ~(((1 << width) - 1) << place[question])
    return sorted(
        (a, b)
        for x, y in steps
        for a in (number for number, said in enumerate(every) if said.get(question) == x)
        for b in (number for number, said in enumerate(every) if said.get(question) == y)
        if not (coded[a] ^ coded[b]) & asked[a] & asked[b] & apart
    )


@pytest.mark.thorough
@pytest.mark.parametrize("whole", [(), pytest.param(MORE, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("question", QUESTIONS)
def test_of_every_question_of_the_interview(question: str, whole: tuple[str, ...]) -> None:
    of = few(*whole)
    steps = [*combinations(of.interview.questions[question].answers, 2)]
    assert found(pairs(of, question, steps)) == looked_for(of, question, steps)


@pytest.mark.thorough
def test_there_are_pairs_of_nearly_every_question() -> None:
    steps = {name: [*permutations(universe().interview.questions[name].answers, 2)] for name in QUESTIONS}
    none = {name for name in QUESTIONS if not pairs(universe(), name, steps[name])}
    assert none == {"that-trick"}, "after the twelfth there is only one trick to ask of"


def test_what_only_one_of_two_is_asked_is_free() -> None:
    steps = [("defender", "declarer")]
    free = found(pairs(few(), "hand", steps))
    assert any(few().answers(a).keys() != few().answers(b).keys() for a, b in free)


@pytest.mark.thorough
@settings(max_examples=40)
@given(interviews(), st.sampled_from("pqrst"))
def test_of_any_interview(interview: Interview, question: str) -> None:
    of = Universe(interview)
    steps = [*permutations(interview.questions[question].answers, 2)]
    assert found(pairs(of, question, steps)) == looked_for(of, question, steps)


@given(st.frozensets(st.integers(0, 90)), st.integers(-60, 60))
def test_a_set_seen_from_where_a_distance_leads_into_it(numbers: frozenset[int], distance: int) -> None:
    bits = sum(1 << number for number in numbers)
    assert {*members(shifted(bits, distance))} == {n - distance for n in numbers if n >= distance}
