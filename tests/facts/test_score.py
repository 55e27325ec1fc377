from __future__ import annotations

from itertools import product

import pytest

from facts.cards import SEATS
from facts.contract import Contract, score, vulnerable_on


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


@pytest.mark.thorough
def test_every_score_is_that_of_endplay() -> None:
    endplay = pytest.importorskip("endplay.types", reason="the extra 'equity' is not installed")
    penalties = {"": endplay.Penalty.passed, "X": endplay.Penalty.doubled, "XX": endplay.Penalty.redoubled}
    vulnerable = {endplay.Vul.none: "", endplay.Vul.ns: "NS", endplay.Vul.ew: "EW", endplay.Vul.both: "NESW"}
    strains = dict(zip(("C", "D", "H", "S", "NT"), endplay.Denom.bidorder(), strict=True))
    compared = 0
    for level, strain, doubled, declarer, tricks in product(range(1, 8), strains, penalties, SEATS, range(14)):
        contract = Contract.from_text(f"{level}{strain}{doubled}")
        player, over = endplay.Player.find(declarer), tricks - level - 6
        theirs = endplay.Contract(
            level=level, denom=strains[strain], declarer=player, penalty=penalties[doubled], result=over
        )
        for vul, seats in vulnerable.items():
            assert theirs.score(vul) == score(contract, declarer in seats, tricks), (str(theirs), vul)
            compared += 1
    assert compared == 23_520


@pytest.mark.parametrize(
    ("board", "vulnerable"),
    [
        *(
            ("1", "none"),
            ("2", "NS"),
            ("3", "EW"),
            ("4", "both"),
            ("5", "NS"),
            ("8", "none"),
            ("9", "EW"),
            ("10", "both"),
        ),
        *(("11", "none"), ("13", "both"), ("16", "EW"), ("17", "none"), ("26", "both"), ("32", "EW"), ("0", None)),
        *(("A7", None), (None, None)),
    ],
)
def test_who_is_vulnerable_follows_from_the_number_of_the_board(board: str | None, vulnerable: str | None) -> None:
    assert vulnerable_on(board) == vulnerable
