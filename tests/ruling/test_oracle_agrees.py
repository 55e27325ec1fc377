"""The rules against an oracle written from the law alone, on random boards with revokes put in."""

from __future__ import annotations

import pytest
from support import oracle
from support.boards import random_board
from support.ruling import ruled_verdict

BOARDS, CHUNK = 5_000, 250


@pytest.mark.parametrize("first", range(0, BOARDS, CHUNK))
def test_agreement(first: int) -> None:
    wrong = {
        seed: found
        for seed in range(first, first + CHUNK)
        if (board := random_board(seed)) and (found := oracle.compare(oracle.rule(board), ruled_verdict(board)))
    }
    assert not wrong
