"""What rulings weigh, and which weighs more: every situation at once against adding up one by one."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drafts import run_of, sample, shipped, universe
from support.one_by_one import Weights, lighter, one_by_one

from kb.language.folders import rules_root
from kb.space.bits import union
from kb.space.measures import DIRECTIONS, PARTIES, Burden, burden_of, direction, heavier, load_measures

EDITIONS = ("duplicate-2017", "duplicate-1997", "auction-1912")
PARTS = tuple(load_measures(rules_root(), shipped("duplicate-2017").vocabulary).parts)
SIZE = 6


def weights(burden: Burden, number: int) -> Weights:
    """What weighs in one situation."""
    found = {}
    for party, part in product(PARTIES, burden.parts):
        (level,) = [n for n, bits in burden.level(party, part).items() if bits >> number & 1]
        found |= {(party, part): level} if level else {}
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("many", [80, pytest.param(4000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_rulings_weigh_is_what_each_comes_to(edition: str, many: int) -> None:
    burden = burden_of(load_measures(rules_root(), shipped(edition).vocabulary), run_of(edition))
    alone = one_by_one(shipped(edition), universe(), sample(universe(), many))
    assert {one.number: weights(burden, one.number) for one in alone} == {one.number: one.weights for one in alone}
    assert len({part for one in alone for _, part in one.weights}) >= 5


def test_every_situation_has_one_level_of_each_part() -> None:
    for edition in EDITIONS:
        burden = burden_of(load_measures(rules_root(), shipped(edition).vocabulary), run_of(edition))
        for levels in burden.levels.values():
            assert union(levels.values()) == burden.everything
            assert sum(bits.bit_count() for bits in levels.values()) == len(universe())


@pytest.mark.thorough
def test_the_direction_of_two_editions() -> None:
    editions = ("duplicate-2007", "duplicate-2017")
    a, b = (burden_of(load_measures(rules_root(), shipped(one).vocabulary), run_of(one)) for one in editions)
    found = direction(a, b, universe().everything)
    assert {*found} == {*DIRECTIONS}
    assert union(found.values()) == universe().everything
    numbers = sample(universe(), 70)
    for before, after in zip(*(one_by_one(shipped(one), universe(), numbers) for one in editions), strict=True):
        less, more = (
            lighter(*both, PARTS, PARTIES)
            for both in ((before.weights, after.weights), (after.weights, before.weights))
        )
        expected = {(True, True): "incomparable", (True, False): "stricter", (False, True): "milder"}.get(
            (more, less), "equal"
        )
        assert [one for one, bits in found.items() if bits >> before.number & 1] == [expected]


@st.composite
def burdens(draw: st.DrawFn) -> Burden:
    """Burdens of two parts in a few situations; a part may weigh nothing anywhere."""
    held = {}
    for key in draw(st.sets(st.sampled_from([*product(PARTIES, "xy")]))):
        levels = draw(st.lists(st.integers(-1, 2), min_size=SIZE, max_size=SIZE))
        held[key] = {n: sum(1 << i for i, level in enumerate(levels) if level == n) for n in {*levels, 0}}
    return Burden(("x", "y"), held, (1 << SIZE) - 1)


@given(burdens(), burdens(), st.integers(0, (1 << SIZE) - 1))
def test_the_direction_of_any_two_burdens(a: Burden, b: Burden, where: int) -> None:
    found = direction(a, b, where)
    for number in range(SIZE):
        one, other = weights(a, number), weights(b, number)
        more, less = lighter(other, one, "xy", PARTIES), lighter(one, other, "xy", PARTIES)
        assert (heavier(a, b) >> number & 1, heavier(b, a) >> number & 1) == (more, less)
        names = [name for name, bits in found.items() if bits >> number & 1]
        expected = {(1, 1): "incomparable", (1, 0): "stricter", (0, 1): "milder"}.get((more, less), "equal")
        assert names == ([expected] if where >> number & 1 else [])
