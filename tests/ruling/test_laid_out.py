"""A ruling says what each part of it rests on, and holds no words."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from support.ruling import ruled

import kb
from kb.explain.headline import RANGE, sentences
from kb.ruling.ruling import Ruling

WEST: dict[str, Any] = {"hand": "W", "trick": 3, "suit": "H", "card": "S4", "won-by": "W", "next-trick": "led"}
UNKNOWN: dict[str, Any] = {key: value for key, value in WEST.items() if key != "won-by"}
SOUTH: dict[str, Any] = {"hand": "S", "trick": 6, "suit": "D", "card": "S5", "won-by": "S", "next-trick": "played"}
TABLE: dict[str, Any] = {"declarer": "S", "contract": "4S", "vulnerable": "none"}


def of(*revokes: dict[str, Any]) -> Ruling:
    return ruled({**TABLE, "revokes": [{"later-tricks": 4, **one} for one in revokes]})


def test_each_revoke_has_its_own_reasons_and_no_other_s() -> None:
    ruling = of(WEST, SOUTH)
    assert [one.hand for one in ruling.revokes] == ["W", "S"]
    plays = [one.play for one in ruling.revokes]
    for one, other in zip(ruling.revokes, reversed(plays), strict=True):
        assert ruling.reasons_for(one)
        assert all(other not in reason.fact[1:] for reason in ruling.reasons_for(one))


def test_a_headline_is_sentences_with_their_numbers() -> None:
    (one,) = sentences(of(WEST))
    assert (one.says, one.side, one.tricks) == ("moves", "NS", 2)
    (range_,) = (one for one in sentences(of(UNKNOWN)) if one.says == RANGE)
    assert (range_.side, range_.least, range_.tricks) == ("NS", 1, 2)
    assert [one.says for one in sentences(ruled(TABLE))] == ["no-revoke-seen"]


def test_what_a_ruling_hinges_on_are_rulings_again() -> None:
    open_ = of(UNKNOWN)
    assert open_.is_open
    assert len(open_.answers) > 1
    assert not any(after.is_open for _, after in open_.answers)
    assert not of(WEST).answers


@pytest.mark.parametrize("folder", ["explain", "voices"])
def test_what_tells_a_ruling_does_not_ask_its_proof(folder: str) -> None:
    for file in sorted((Path(kb.__file__).parent / folder).rglob("*.py")):
        nodes = [*ast.walk(ast.parse(file.read_text("utf-8")))]
        assert "proof" not in {node.attr for node in nodes if isinstance(node, ast.Attribute)}, file
