"""An editor changes one clause of YAML, and the ruling changes with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.ruling import ROOT, incident

from kb.ruling.laws import Law
from kb.ruling.make_ruling import rule
from kb.ruling.verdict import verdict

pytestmark = pytest.mark.thorough

REVOKE = {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "won-by": "W", "later-tricks": 2, "next-trick": "led"}
INCIDENT = {"declarer": "S", "contract": "4S", "tricks": 9, "revokes": [REVOKE]}


def ruled_by(root: Path) -> dict[str, object]:
    return verdict(rule(Law("duplicate-2017", rules=root), incident(INCIDENT)))


def test_one_clause_of_yaml_changes_the_ruling(tmp_path: Path) -> None:
    root = tmp_path / "rules"
    shutil.copytree(ROOT, root)
    assert ruled_by(root)["transfer"] == {"NS": 2, "EW": 0}
    file = root / "duplicate-2017" / "law-64.yaml"
    clause = file.read_text()
    amended = clause.replace(
        "part: that-trick, from: $s, to: $o, tricks: 1", "part: that-trick, from: $s, to: $o, tricks: 2"
    )
    assert amended != clause
    file.write_text(amended)
    assert ruled_by(root)["transfer"] == {"NS": 3, "EW": 0}
