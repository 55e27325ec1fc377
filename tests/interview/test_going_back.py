"""The state of an interview after any sequence of answers, steps back and new beginnings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.counsel import counsel_of

from kb.space.interview import UNKNOWN

pytestmark = pytest.mark.thorough

ACTIONS = st.lists(st.one_of(st.integers(0, 9), st.sampled_from(["unknown", "back", "back", "restart"])), max_size=25)


@settings(max_examples=60, deadline=None)
@given(ACTIONS)
def test_the_state_is_that_of_the_answers_that_stand(actions: list[int | str]) -> None:
    begun = counsel_of("duplicate-2017").adviser.begin()
    consultation, answers = begun, list[str]()
    for action in actions:
        if action == "back":
            consultation, answers = consultation.back(), answers[:-1]
        elif action == "restart":
            consultation, answers = consultation.restart(), []
        elif consultation.question is not None:
            choices = consultation.choices
            answers.append(UNKNOWN if isinstance(action, str) else choices[action % len(choices)])
            consultation = consultation.answer(answers[-1])
    again = begun
    for answer in answers:
        again = again.answer(answer)
    assert consultation == again
    assert (consultation.state, consultation.possible) == (again.state, again.possible)
    assert consultation.choices == again.choices
    assert consultation.unknown == again.unknown
