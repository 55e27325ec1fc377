"""Flat tables give back what was flattened, type by type, and hold what is equal once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.language.flat import flattened, unflattened


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    number: int | None = None


@dataclass(frozen=True)
class Branch:
    parts: object
    leaf: Leaf


CLASSES = (Leaf, Branch)
PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
LEAVES = st.builds(Leaf, st.text(max_size=2), st.none() | st.integers(0, 2))


def _within(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, max_size=4)
    return (
        several.map(tuple) | st.dictionaries(st.text(max_size=2), inner, max_size=3) | st.builds(Branch, inner, LEAVES)
    )


def again(value: object) -> Any:
    """The value, written as JSON and read back."""
    return unflattened(json.loads(json.dumps(flattened(value, CLASSES))), CLASSES)


@given(st.recursive(PLAIN | LEAVES, _within, max_leaves=20))
def test_what_was_flattened_comes_back(value: object) -> None:
    assert repr(again(value)) == repr(value)  # repr tells true from 1, and the order of a mapping's names


@pytest.mark.parametrize("value", [(True, 1, False, 0), ((), {}, "", None), {"b": 1, "a": 2}, "one", None, Leaf("x")])
def test_what_is_nearly_the_same_stays_apart(value: object) -> None:
    assert repr(again(value)) == repr(value)


def test_what_is_equal_stands_there_once() -> None:
    plain, groups = flattened(tuple(Branch({"en": "a"}, Leaf("a", 1)) for _ in range(9)), CLASSES)
    assert sorted(map(str, plain)) == ["1", "a", "en"]
    assert sum(len(columns[0]) for _, *columns in groups) == 4  # the mapping, the leaf, the branch and the tuple
    first, *others = again((Leaf("a"), Leaf("a")))
    assert others[0] is first


def test_only_the_named_classes_are_known() -> None:
    with pytest.raises(KeyError):
        flattened((Leaf("a"),), (Branch,))
    with pytest.raises(LookupError):
        unflattened(flattened(Branch((), Leaf("a")), CLASSES), (Leaf,))
