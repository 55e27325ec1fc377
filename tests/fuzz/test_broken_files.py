from __future__ import annotations

from collections import Counter

import pytest
from fuzz.run import Broken, attack, check
from support.pbn_writer import lost_in_pbn

from facts.incident import Incident
from facts.readers import pbn


@pytest.mark.thorough
def test_broken_files_are_read_or_refused_with_a_place() -> None:
    seen = attack(2500, seed=1)
    assert seen["Incident"] > 500 and seen["InputError"] > 500


def written_again(incident: Incident) -> None:
    """What was read from a broken file can still be written, and comes back as one board, with its tags at least."""
    assert set(lost_in_pbn(incident)) <= {
        "edition",
        "elections",
        "board",
        "play",
        "marked",
        "equity_tricks",
        "weights",
        "events",
        "revokes",
    }


def test_what_is_read_from_broken_files_can_be_written() -> None:
    attack(700, seed=2, then=written_again)


def test_the_fuzzer_tells_what_goes_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def crashes(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(pbn, "_play", crashes)
    with pytest.raises(Broken, match="KeyError"):
        check(b'[Board "1"]', ".pbn", Counter(), None)
