"""A report says what each part of a ruling rests on, and holds no words."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from support.ruling import ruled

import kb
from kb.explain.headline import RANGE, sentences
from kb.ruling.report import Report

WEST: dict[str, Any] = {"hand": "W", "trick": 3, "suit": "H", "card": "S4", "won-by": "W", "next-trick": "led"}
UNKNOWN: dict[str, Any] = {key: value for key, value in WEST.items() if key != "won-by"}
SOUTH: dict[str, Any] = {"hand": "S", "trick": 6, "suit": "D", "card": "S5", "won-by": "S", "next-trick": "played"}
TABLE: dict[str, Any] = {"declarer": "S", "contract": "4S", "vulnerable": "none"}


def report(*revokes: dict[str, Any]) -> Report:
    return Report(ruled({**TABLE, "revokes": [{"later-tricks": 4, **one} for one in revokes]}))


def test_each_revoke_has_its_own_reasons_and_no_other_s() -> None:
    found = report(WEST, SOUTH).revokes
    assert [one.revoke.hand for one in found] == ["W", "S"]
    plays = [one.revoke.play for one in found]
    for one, other in zip(found, reversed(plays), strict=True):
        assert one.reasons
        assert all(other not in reason.fact[1:] for reason in one.reasons)


def test_a_headline_is_sentences_with_their_numbers() -> None:
    (one,) = sentences(report(WEST).ruling)
    assert (one.says, one.side, one.tricks) == ("moves", "NS", 2)
    (range_,) = (one for one in sentences(report(UNKNOWN).ruling) if one.says == RANGE)
    assert (range_.side, range_.least, range_.tricks) == ("NS", 1, 2)
    assert [one.says for one in sentences(Report(ruled(TABLE)).ruling)] == ["no-revoke-seen"]


def test_what_a_ruling_hinges_on_are_reports_again() -> None:
    open_ = report(UNKNOWN)
    assert open_.is_open
    assert len(open_.answers) > 1
    assert not any(after.is_open for _, after in open_.answers)
    assert not report(WEST).answers


def test_a_tree_tells_what_a_fact_rests_on_once() -> None:
    again, told = [], []

    def walk(one: Any) -> None:
        (again if one.again else told).append(one.fact)
        for child in one.under:
            walk(child)

    for tree in report(WEST, SOUTH).trees:
        walk(tree)
    assert again
    assert set(again) <= set(told)


@pytest.mark.parametrize("folder", ["explain", "voices"])
def test_what_tells_a_ruling_does_not_ask_its_proof(folder: str) -> None:
    for file in sorted((Path(kb.__file__).parent / folder).rglob("*.py")):
        nodes = [*ast.walk(ast.parse(file.read_text("utf-8")))]
        assert "proof" not in {node.attr for node in nodes if isinstance(node, ast.Attribute)}, file
