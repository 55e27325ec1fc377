from __future__ import annotations

from pathlib import Path

import pytest
from fuzz import rule_folders
from fuzz.rule_folders import Spoilt, attack


@pytest.mark.thorough
def test_broken_rules_are_refused_with_a_place_or_ruled_by_alike(tmp_path: Path) -> None:
    seen = attack(60, seed=1, home=tmp_path, whole=0)
    assert seen["refused"] > 20 and seen["ruled by"] > 5


def test_the_fuzzer_tells_what_goes_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crashes(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(rule_folders, "load_edition", crashes)
    with pytest.raises(Spoilt, match="KeyError"):
        attack(1, seed=1, home=tmp_path, whole=0)
