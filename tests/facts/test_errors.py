"""Errors carry what is wrong and how to mend it, each apart."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from facts.errors import Fault, InputError, MisreadError, Place, RulesError


@pytest.mark.parametrize("place", [Place("f", 1), Path("f"), "f"])
def test_one_thing_wrong_is_one_fault_at_a_place_or_of_a_file(place: Place | Path | str) -> None:
    error = RulesError.of(place, "it is; odd", "mend it")
    assert isinstance(error, InputError) and error.faults == (Fault(Place("f", 1), "it is; odd", "mend it"),)


def test_a_misread_value_has_its_faults_once_it_has_a_place() -> None:
    error = pickle.loads(pickle.dumps(MisreadError("a", "b", ("c; d", "e"))))
    assert list(error.at(Place("f", 2))) == [Fault(Place("f", 2), "a", "b"), Fault(Place("f", 2), "c; d", "e")]
    assert str(error) == "a; b / c; d; e"
