"""The generator of random boards: consistent records, and the slips put in are the revokes that the oracle finds."""

from __future__ import annotations

import pytest
from support.boards import board_with_slips, random_board, random_record
from support.oracle import CITED_HERE, rule
from support.table import ORDER, read_deal, trump_of, winner


@pytest.mark.thorough
def test_random_boards_are_consistent_and_slips_are_what_the_oracle_finds() -> None:
    reached: set[str] = set()
    unsettled = 0
    for seed in range(1200):
        incident, slips = board_with_slips(seed)
        answer = rule(incident)
        unsettled += bool(answer["unsettled"])
        found = [(revoke["hand"], revoke["trick"], revoke["suit"], revoke["card"]) for revoke in answer["revokes"]]
        assert found == [(slip.hand, slip.trick, slip.suit, slip.card) for slip in slips], seed
        reached |= set(answer["cited"]) | {law for revoke in answer["revokes"] for law in revoke["status-by"] or []}
    assert unsettled < 150
    assert reached == CITED_HERE | {"63A1", "63A2", "63A3", "63A4"}


def test_random_records_are_complete_and_without_revokes() -> None:
    for seed in range(100):
        record = random_record(seed)
        hands, leader = read_deal(record["deal"]), ORDER[record["declarer"]][1]
        for row in record["play"]:
            first, *cards = row.split()
            assert first == leader
            laid = dict(zip(ORDER[first], cards, strict=True))
            for hand, card in laid.items():
                hands[hand].remove(card)
            leader = winner(leader, laid, trump_of(record["contract"]))
        assert not any(hands.values())
        assert rule(record)["revokes"] == []


def test_the_same_seed_gives_the_same_board() -> None:
    assert [random_board(seed) for seed in range(20)] == [random_board(seed) for seed in range(20)]
    assert random_board(1) != random_board(2)
