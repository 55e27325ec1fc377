"""An incident written out and read again is the same incident."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.cases import incidents
from support.tables import shipped

from facts.errors import Place
from facts.readers.incident_file import incident_of
from facts.to_yaml import node_of, plain


@pytest.mark.thorough
def test_every_case_survives_being_written_out() -> None:
    for name, incident in incidents():
        again = incident_of(node_of(plain(incident), Place("again", 1)), shipped)
        assert again == replace(incident, marked=()), name


def test_what_is_not_stated_is_left_out() -> None:
    bare = incident_of(node_of({"contract": "4S", "revokes": [{"hand": "W", "trick": 5}]}, Place("bare", 1)), shipped)
    assert plain(bare) == {
        "edition": "duplicate-2017",
        "contract": "4S",
        "revokes": [{"hand": "W", "trick": 5}],
    }
