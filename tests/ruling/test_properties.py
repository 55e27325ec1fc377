"""What must not change a ruling: where people sit, what the suits are called, the order in which facts are named."""

from __future__ import annotations

import json
import os
import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import random_board
from support.ruling import law, ruled, ruled_verdict
from support.turned import renamed, turned

FEW = 400 if "REVOKE_ALL" in os.environ else 15
boards = st.integers(0, 1_000_000).map(random_board)


def unordered(found: Any) -> Any:
    """The verdict with its lists sorted: which comes first may depend on names."""
    if isinstance(found, dict):
        return {key: unordered(value) for key, value in found.items()}
    if isinstance(found, list):
        return sorted((unordered(one) for one in found), key=lambda one: json.dumps(one, sort_keys=True))
    return found


@settings(max_examples=FEW)
@given(boards, st.integers(1, 3))
def test_turning_the_table_turns_the_ruling(board: dict[str, Any], quarters: int) -> None:
    expected = turned(ruled_verdict(board), quarters)
    assert unordered(ruled_verdict(turned(board, quarters))) == unordered(expected)


@settings(max_examples=FEW)
@given(boards, st.sampled_from([p for p in permutations("SHDC") if p != tuple("SHDC")]))
def test_renaming_the_suits_renames_the_ruling(board: dict[str, Any], suits: tuple[str, ...]) -> None:
    board = {key: value for key, value in board.items() if key != "contract"} | {
        "contract": board["contract"][0] + "NT" if "NT" in board["contract"] else board["contract"]
    }
    names = dict(zip("SHDC", suits, strict=True))
    found, expected = ruled_verdict(renamed(board, names)), renamed(ruled_verdict(board), names)
    for one in (found, expected):
        one["result"] = {key: value for key, value in one["result"].items() if "score" not in key}
    assert unordered(found) == unordered(expected)


@pytest.mark.thorough
@given(boards, st.randoms(use_true_random=False))
def test_the_order_of_facts_does_not_matter(board: dict[str, Any], chance: random.Random) -> None:
    code, facts = law(), list(ruled(board).example)
    wanted = code.engine.run(facts)
    chance.shuffle(facts)
    assert code.engine.run(facts) == wanted


@pytest.mark.thorough
@given(boards)
def test_both_engines_prove_the_same(board: dict[str, Any]) -> None:
    assert ruled(board, "durable").proof == ruled(board, "quick").proof
