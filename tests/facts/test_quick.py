from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields

import pytest

from facts.cards import BY_TEXT
from facts.errors import Place
from facts.incident import Incident
from facts.play import Trick
from facts.quick import Remembered, quick


def test_a_value_built_quickly_is_one_of_its_class() -> None:
    plain, built = (make("N", (BY_TEXT["SA"], None)) for make in (Trick, quick(Trick)))
    assert type(built) is Trick
    assert (built, hash(built), repr(built)) == (plain, hash(plain), repr(plain))
    assert pickle.loads(pickle.dumps(built)) == plain
    with pytest.raises(FrozenInstanceError):
        built.leader = "E"  # type: ignore[misc]


def test_what_is_left_out_has_its_default_and_what_is_missing_is_told() -> None:
    plain, built, other = (make(place=Place("x", 1)) for make in (Incident, quick(Incident), quick(Incident)))
    assert all(getattr(plain, one.name) == getattr(built, one.name) for one in fields(Incident))
    assert built.places is not other.places
    with pytest.raises(TypeError):
        quick(Place)("x")  # type: ignore[call-arg]


def test_a_text_is_read_once_but_only_so_many_and_only_short_ones_are_kept() -> None:
    asked: list[str] = []

    def read(text: str) -> int:
        asked.append(text)
        return int(text)

    numbers = Remembered(read, most=2)
    assert [numbers[text] for text in ("1", "2", "3", "1", "2", "3")] == [1, 2, 3, 1, 2, 3]
    assert asked == ["1", "2", "3", "3"]
    long = Remembered(read)
    assert long["7" * 40] == long["7" * 40] and not long
    with pytest.raises(ValueError, match="x"):
        numbers["x"]
