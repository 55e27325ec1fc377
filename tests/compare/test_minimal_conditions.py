"""Sets of situations described exactly, by few conditions."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from support.drafts import bare_universe, bits_of

from kb.compare.blame import Conditions, Cube, Describer, Needed

UNIVERSE = bare_universe(
    ("p", "abc", ()),
    ("q", "xy", ()),
    ("r", "xyz", ({"q": frozenset("x")},)),
    ("s", "xy", ()),
    ("t", "wxyz", ({"p": frozenset("ab")},)),
)
DESCRIBER = Describer(UNIVERSE)
SAID = [UNIVERSE.answers(number) for number in range(len(UNIVERSE))]


def holds(conditions: Conditions, number: int) -> bool:
    return all((SAID[number].get(one.question) in one.answers) is not one.other for one in conditions)


def within(box: Cube, number: int) -> bool:
    return holds(box.conditions, number) and not any(holds(unless, number) for unless in box.unless)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, len(UNIVERSE) - 1), min_size=1))
def test_any_set_is_described_exactly(wanted: set[int]) -> None:
    boxes = DESCRIBER.describe(bits_of(wanted))
    covered = [{number for number in range(len(UNIVERSE)) if within(box, number)} for box in boxes]
    assert set().union(*covered) == wanted
    assert [box.size for box in boxes] == [len(cover) for cover in covered]


def test_a_box_takes_as_many_conditions_as_it_has() -> None:
    for p, s in product("abc", "xy"):
        wanted = [number for number, said in enumerate(SAID) if (said["p"], said["s"]) == (p, s)]
        assert DESCRIBER.describe(bits_of(wanted)) == (Cube((Needed("p", (p,)), Needed("s", (s,))), (), len(wanted)),)


def test_an_exception_is_said_as_one() -> None:
    wanted = [n for n, said in enumerate(SAID) if said["p"] == "a" and (said["q"], said["s"]) != ("x", "y")]
    (box,) = DESCRIBER.describe(bits_of(wanted))
    assert box.conditions == (Needed("p", ("a",)),)
    assert box.unless == ((Needed("q", ("x",)), Needed("s", ("y",))),)


def test_a_question_that_may_not_have_been_asked() -> None:
    wanted = [number for number, said in enumerate(SAID) if said.get("t") != "z"]
    assert DESCRIBER.describe(bits_of(wanted)) == (Cube((Needed("t", ("z",), other=True),), (), len(wanted)),)


def test_everything_needs_no_condition() -> None:
    assert DESCRIBER.describe(UNIVERSE.everything) == (Cube((), (), len(UNIVERSE)),)
