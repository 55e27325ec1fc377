"""Archives of boards played out at random, for audits."""

from __future__ import annotations

from pathlib import Path
from random import Random

from facts.cards import Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import Place
from facts.incident import Incident
from facts.play import PlayRecord, Trick, failures_to_follow
from support.pbn_writer import write_pbn
from support.records import deal_at_random, play_at_random

CONTRACT = Contract.from_text("3NT")


def board(number: int, deal: Deal, play: PlayRecord, declarer: Seat = "S") -> Incident:
    return Incident(
        place=Place("random", 1),
        board=str(number),
        dealer="N",
        vulnerable="none",
        contract=CONTRACT,
        declarer=declarer,
        deal=deal,
        play=play,
    )


def board_with(revokers: int, number: int, chance: Random) -> Incident:
    """A board on which so many hands fail to follow suit."""
    while True:
        deal = deal_at_random(chance)
        play = play_at_random(deal, CONTRACT, "S", chance, 0.04 * revokers)
        if len({hand for _, hand in failures_to_follow(play, deal)}) == revokers:
            return board(number, deal, play)


def board_mistyped(number: int, chance: Random) -> Incident:
    """A board on which a card was typed that another hand held."""
    one = board_with(0, number, chance)
    assert one.play is not None
    first, *rest = one.play.tricks
    wrong = Trick(first.leader, (*first.cards[:3], rest[-1].cards[0]))
    return board(number, one.deal or deal_at_random(chance), PlayRecord((wrong, *rest)))


def write_archive(folder: Path, files: int, boards: int = 8, seed: int = 1) -> Path:
    """Files of boards, one in each with a revoke."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = Random(seed)
    for number in range(files):
        revoking = chance.randrange(boards)
        played = [board_with(int(one == revoking), one + 1, chance) for one in range(boards)]
        (folder / f"round-{number:03}.pbn").write_text(write_pbn(played))
    return folder
