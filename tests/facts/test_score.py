from __future__ import annotations

import pytest

from facts.contract import Contract
from facts.score import score


@pytest.mark.parametrize(
    ("contract", "tricks", "not_vulnerable", "vulnerable"),
    [
        ("3NT", 10, 430, 630),
        ("1NT", 7, 90, 90),
        ("2C", 8, 90, 90),
        ("4S", 10, 420, 620),
        ("4SX", 10, 590, 790),
        ("4SX", 12, 790, 1190),
        ("2SX", 8, 470, 670),
        ("1DXX", 9, 630, 1030),
        ("5D", 12, 420, 620),
        ("1CXX", 7, 230, 230),
        ("6S", 12, 980, 1430),
        ("7NT", 13, 1520, 2220),
        ("7NTXX", 13, 2280, 2980),
        ("4S", 8, -100, -200),
        ("4SX", 9, -100, -200),
        ("4SX", 8, -300, -500),
        ("4SX", 7, -500, -800),
        ("4SX", 6, -800, -1100),
        ("4SXX", 8, -600, -1000),
        ("7NTXX", 0, -7000, -7600),
        ("Pass", 0, 0, 0),
    ],
)
def test_the_score_table(contract: str, tricks: int, not_vulnerable: int, vulnerable: int) -> None:
    assert score(Contract.from_text(contract), False, tricks) == not_vulnerable
    assert score(Contract.from_text(contract), True, tricks) == vulnerable


@pytest.mark.parametrize("vulnerable", [False, True])
@pytest.mark.parametrize("denomination", ["C", "D", "H", "S", "NT"])
@pytest.mark.parametrize("doubled", ["", "X", "XX"])
def test_one_trick_more_is_never_worse(denomination: str, doubled: str, vulnerable: bool) -> None:
    for level in range(1, 8):
        contract = Contract.from_text(f"{level}{denomination}{doubled}")
        scores = [score(contract, vulnerable, tricks) for tricks in range(14)]
        assert scores == sorted(set(scores))
        assert (scores[level + 5] < 0) and (scores[level + 6] > 0)
