"""The rules against oracles written from the law alone: on random boards with revokes put in, and on findings.

REVOKE_ALL=1: every board under every edition, and every situation of the interview.
"""

from __future__ import annotations

import os

import pytest
from support import oracle, oracle_findings
from support.boards import random_board, with_penalty_cards
from support.drafts import concrete, universe
from support.oracle_codes import CODES
from support.ruling import ruled_verdict

BOARDS, CHUNK = 5_000, 250
EDITIONS = list(CODES)
ALL = os.environ.get("REVOKE_ALL")
CHUNKS = [
    (edition, first)
    for first in range(0, BOARDS, CHUNK)
    for edition in (EDITIONS if ALL else [EDITIONS[first // CHUNK % len(EDITIONS)]])
]


@pytest.mark.thorough
@pytest.mark.parametrize(("edition", "first"), CHUNKS)
def test_agreement_on_boards(edition: str, first: int) -> None:
    wrong = {
        seed: found
        for seed in range(first, first + CHUNK)
        if (board := {**random_board(seed), "edition": edition})
        and (found := oracle.compare(oracle.rule(board, edition), ruled_verdict(board), edition))
    }
    assert not wrong


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_agreement_on_penalty_cards(edition: str) -> None:
    """Laws 50B to 50D2a and 52B: cards not played though they had to be, suits demanded or forbidden, cards accepted."""
    wrong, revokes = {}, 0
    for seed in range(BOARDS if ALL else CHUNK):
        board = {**with_penalty_cards(seed), "edition": edition}
        expected = oracle.rule(board, edition)
        revokes += len(expected["revokes"])
        if found := oracle.compare(expected, ruled_verdict(board), edition):
            wrong[seed] = found
    assert not wrong
    assert revokes > CHUNK / 4


@pytest.mark.parametrize("every", [1_499, pytest.param(1 if ALL else 293, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("edition", EDITIONS)
def test_agreement_on_findings(edition: str, every: int) -> None:
    wrong = {}
    for number in range(0, len(universe()), every):
        stated = concrete(universe(), number)
        ruled = ruled_verdict({**stated, "edition": edition})
        if found := oracle_findings.disagreements(edition, stated, ruled):
            wrong[number] = found
    assert not wrong
