"""Sets of situations as integers, against sets of numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.drafts import bits_of

from kb.space.bits import first, members, merged, parts, renumbered, union

NUMBERS = st.sets(st.integers(0, 90))


@given(NUMBERS)
def test_a_set_is_its_members_in_order(numbers: set[int]) -> None:
    bits = bits_of(numbers)
    assert bits == sum(1 << number for number in numbers)
    assert list(members(bits)) == sorted(numbers)
    if numbers:
        assert first(bits) == min(numbers)


@given(st.lists(st.tuples(st.sampled_from("abc"), NUMBERS)))
def test_union_and_merged(found: list[tuple[str, set[int]]]) -> None:
    assert set(members(union(bits_of(numbers) for _, numbers in found))) == set().union(*(each for _, each in found))
    whole = merged((key, bits_of(numbers)) for key, numbers in found)
    assert list(whole) == list(dict.fromkeys(key for key, _ in found))
    for key, bits in whole.items():
        assert set(members(bits)) == set().union(*(numbers for of, numbers in found if of == key))


@given(NUMBERS, st.dictionaries(st.sampled_from("abcde"), NUMBERS))
def test_parts_hold_every_situation_once_with_its_marks(of: set[int], marks: dict[str, set[int]]) -> None:
    found = parts(bits_of(of), {mark: bits_of(numbers) for mark, numbers in marks.items()})
    has = {number: frozenset(mark for mark, numbers in marks.items() if number in numbers) for number in of}
    assert sorted(number for _, bits in found for number in members(bits)) == sorted(of)
    assert all(has[number] == marked for marked, bits in found for number in members(bits))
    assert all(bits for _, bits in found)
    assert len({marked for marked, _ in found}) == len(found)


@given(NUMBERS, st.sets(st.integers(0, 90), min_size=1))
def test_renumbered_counts_only_those_among(of: set[int], among: set[int]) -> None:
    found = renumbered(bits_of(among))(bits_of(of))
    assert set(members(found)) == {number for number, one in enumerate(sorted(among)) if one in of}
