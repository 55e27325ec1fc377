"""The rules against oracles written from the law alone: on random boards with revokes put in, and on findings.

REVOKE_ALL=1: every board under every edition, and every situation of the interview.
"""

from __future__ import annotations

import os

import pytest
from support import oracle, oracle_findings
from support.boards import random_board
from support.oracle_codes import CODES
from support.ruling import ROOT, law, ruled_verdict

from facts.plain import plain
from kb.explain.as_json import verdict
from kb.ruling.rule import rule
from kb.space.read_interview import load_interview
from kb.space.universe import Universe

BOARDS, FEW, CHUNK = 5_000, 1_500, 250
EDITIONS = list(CODES)
ALL = os.environ.get("REVOKE_ALL")
CHUNKS = [
    pytest.param(edition, first, marks=[pytest.mark.thorough] if first >= FEW else [])
    for first in range(0, BOARDS, CHUNK)
    for edition in (EDITIONS if ALL else [EDITIONS[first // CHUNK % len(EDITIONS)]])
]


@pytest.mark.parametrize(("edition", "first"), CHUNKS)
def test_agreement_on_boards(edition: str, first: int) -> None:
    wrong = {
        seed: found
        for seed in range(first, first + CHUNK)
        if (board := {**random_board(seed), "edition": edition})
        and (found := oracle.compare(oracle.rule(board, edition), ruled_verdict(board), edition))
    }
    assert not wrong


@pytest.mark.parametrize("edition", EDITIONS)
def test_agreement_on_findings(edition: str) -> None:
    universe = Universe(load_interview(ROOT, law().edition.vocabulary))
    wrong = {}
    for number in range(0, len(universe), 1 if ALL else 293):
        incident = universe.incident(number)
        ruled = verdict(rule(law(edition), incident))
        if found := oracle_findings.disagreements(edition, plain(incident), ruled):
            wrong[number] = found
    assert not wrong
