"""Sets of situations described exactly, by few conditions."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from facts.errors import Place
from kb.study.describe import Box, Conditions, Describer, Needed, bits, members
from kb.space.interview import Answer, Interview, Question
from kb.study.situations import Space

HERE = Place("", 1)


def question(name: str, answers: str, needed: dict[str, frozenset[str]] | None = None) -> Question:
    made = {one: Answer(one, {}, (), (), HERE) for one in answers}
    return Question(name, {}, {}, {}, (needed,) if needed else (), made, HERE)


INTERVIEW = Interview(
    {
        one.id: one
        for one in (
            question("p", "abc"),
            question("q", "xy"),
            question("r", "xyz", {"q": frozenset("x")}),
            question("s", "xy"),
            question("t", "wxyz", {"p": frozenset("ab")}),
        )
    },
    {},
    HERE,
)
SPACE = Space.of(INTERVIEW)
DESCRIBER = Describer(SPACE)


def holds(conditions: Conditions, number: int) -> bool:
    answers = SPACE.answers(number)
    return all((answers.get(one.question) in one.answers) is not one.other for one in conditions)


def within(box: Box, number: int) -> bool:
    return holds(box.conditions, number) and not any(holds(unless, number) for unless in box.unless)


def test_bits_and_members() -> None:
    assert list(members(bits([0, 3, 17]))) == [0, 3, 17]
    assert list(members(bits([]))) == []


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, len(SPACE) - 1), min_size=1))
def test_any_set_is_described_exactly(wanted: set[int]) -> None:
    boxes = DESCRIBER.describe(bits(wanted))
    covered = [{number for number in range(len(SPACE)) if within(box, number)} for box in boxes]
    assert set().union(*covered) == wanted
    assert [box.size for box in boxes] == [len(cover) for cover in covered]


def test_a_box_takes_as_many_conditions_as_it_has() -> None:
    for p, s in product("abc", "xy"):
        wanted = [number for number in range(len(SPACE)) if SPACE.ways[number][0] == p and SPACE.ways[number][3] == s]
        assert DESCRIBER.describe(bits(wanted)) == (Box((Needed("p", (p,)), Needed("s", (s,))), (), len(wanted)),)


def test_an_exception_is_said_as_one() -> None:
    wanted = [n for n, way in enumerate(SPACE.ways) if way[0] == "a" and not (way[1] == "x" and way[3] == "y")]
    (box,) = DESCRIBER.describe(bits(wanted))
    assert box.conditions == (Needed("p", ("a",)),)
    assert box.unless == ((Needed("q", ("x",)), Needed("s", ("y",))),)


def test_a_question_that_may_not_have_been_asked() -> None:
    wanted = [n for n, way in enumerate(SPACE.ways) if way[4] != "z"]
    assert DESCRIBER.describe(bits(wanted)) == (Box((Needed("t", ("z",), other=True),), (), len(wanted)),)


def test_everything_needs_no_condition() -> None:
    assert DESCRIBER.describe(DESCRIBER.everything) == (Box((), (), len(SPACE)),)
