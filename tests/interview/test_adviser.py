"""The diagram of an interview leads every situation to what it comes to."""

from __future__ import annotations

from array import array

import pytest
from support.counsel import EDITIONS, ROOT, counsel_of
from support.drafts import bare_universe, sample

from kb.interview.account import HAND_QUESTION
from kb.language.folders import edition_ids
from kb.ruling.laws import Law
from kb.space.decision_diagram import Diagram
from kb.space.read_interview import load_interview


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_situation_has_its_own_outcome(edition: str) -> None:
    counsel = counsel_of(edition)
    adviser, diagram = counsel.adviser, counsel.adviser.diagram
    acts = [*counsel.run.acts.values()]
    for number in sample(counsel.universe, 200):
        state, matters = adviser.whole, diagram.mattering(adviser.whole)
        for name, answer in counsel.universe.answers(number).items():
            assert answer in adviser.answers(state, name)
            state = diagram.given(state, adviser.number[name], frozenset({answer})) or -1
            matters = diagram.given(matters, adviser.number[name], frozenset({answer})) or matters
        (outcome,) = diagram.outcomes(state)
        assert acts[outcome] >> number & 1
        assert diagram.outcomes(matters) == {outcome}


@pytest.mark.parametrize("edition", edition_ids(ROOT))
def test_the_seats_answer_whose_it_was_in_every_matter(edition: str) -> None:
    law = Law(edition, engine="quick")
    for of in law.edition.matters:
        interview = load_interview(ROOT, law.edition, of=of)
        assert {*interview.table.parts} <= interview.questions[HAND_QUESTION].answers.keys(), of


def test_a_question_is_asked_only_where_it_makes_sense_in_every_situation() -> None:
    diagram, of = Diagram(), bare_universe(("a", "ab", ()), ("b", "xy", ({"a": frozenset("a")},)))
    state = diagram.mattering(diagram.of(of.diagram, of.root, array("L", [0, 1, 2])))
    assert diagram.askable(state) == [0]
    narrowed = diagram.given(state, 0, frozenset("a"))
    assert narrowed is not None
    assert diagram.askable(diagram.mattering(narrowed)) == [1]


def test_what_makes_no_difference_is_left_out() -> None:
    diagram, of = Diagram(), bare_universe(("a", "ab", ()), ("b", "xy", ()), ("c", "xyz", ()))
    state = diagram.mattering(diagram.of(of.diagram, of.root, array("L", [number // 3 % 2 for number in range(12)])))
    assert diagram.askable(state) == [1] and len(diagram.below(state)) == 3
