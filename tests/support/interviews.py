"""Interviews: at random, with questions of letters, and the shipped one with some of its answers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from hypothesis import strategies as st

from facts.errors import Place
from kb.space.interview import Answer, Interview, Needs, Question
from support.tables import shipped_table

HERE = Place("", 1)
NAMES = "pqrst"


def needs(number: int) -> st.SearchStrategy[Needs]:
    """Conditions on earlier questions."""
    if number == 0:
        return st.just(())
    among = st.frozensets(st.sampled_from("xyz"), min_size=1, max_size=2)
    return st.lists(st.dictionaries(st.sampled_from(NAMES[:number]), among, min_size=1), max_size=2).map(tuple)


@st.composite
def interviews(draw: st.DrawFn) -> Interview:
    """Five questions of up to three answers; some are never asked, or leave no answer."""
    questions = {}
    for number, name in enumerate(NAMES):
        answers = {
            answer: Answer(answer, {}, draw(needs(number)), (), HERE) for answer in "xyz"[: draw(st.integers(1, 3))]
        }
        questions[name] = Question(name, {}, {}, {}, draw(needs(number)), answers, HERE)
    return Interview(questions, {}, shipped_table(), HERE)


def first_answers(interview: Interview, most: int, whole: Collection[str] = ()) -> Interview:
    """An interview in which every question has at most so many answers, the first ones; those named have them all."""
    questions = {
        name: one if name in whole else replace(one, answers=dict([*one.answers.items()][:most]))
        for name, one in interview.questions.items()
    }
    return replace(interview, questions=questions)
