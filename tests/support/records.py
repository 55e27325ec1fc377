"""Boards played out at random, revokes and all, and written as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from facts.cards import CLOCKWISE, DECK, NEXT, SEATS, Card, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import InputError
from facts.incident import Incident
from facts.play import PlayRecord, Trick
from facts.readers.archives import read_unit, units
from support.tables import shipped


def deal_at_random(chance: Random) -> Deal:
    deck = chance.sample(DECK, 52)
    return Deal(tuple(tuple(sorted(deck[n : n + 13])) for n in (0, 13, 26, 39)))


def play_at_random(deal: Deal, contract: Contract, declarer: Seat, chance: Random, revoking: float = 0.1) -> PlayRecord:
    """Thirteen tricks; a hand that could follow suit throws something else with the probability ``revoking``."""
    hands = {seat: list(deal[seat] or ()) for seat in SEATS}
    leader, tricks = NEXT[declarer], []
    for _ in range(13):
        cards: list[Card] = []
        for seat in CLOCKWISE[leader]:
            following = [card for card in hands[seat] if cards and card.suit == cards[0].suit]
            card = chance.choice(following if following and chance.random() >= revoking else hands[seat])
            hands[seat].remove(card)
            cards.append(card)
        trick = Trick(leader, tuple(cards))
        tricks.append(trick)
        leader = trick.winner(contract.trump) or leader
    return PlayRecord(tuple(tricks))


def readings(path: Path | str) -> list[tuple[str, int, Incident | InputError]]:
    """Source, number and each board of a file, an archive, a folder with all that is in it, or of standard input for ``-``."""
    return [
        (unit.source, number, board)
        for unit in units([path])
        for number, board in enumerate(read_unit(unit, shipped), 1)
    ]


def rows(play: PlayRecord) -> list[str]:
    """The rows of an incident file."""
    return [" ".join([one.leader, *(str(card or "-") for card in one.cards)]) for one in play.tricks if one.cards]


def pbn_rows(play: PlayRecord) -> list[str]:
    """The rows of a PBN play section: the columns stay with the hands."""
    seats = CLOCKWISE[play.tricks[0].leader]
    return [" ".join(str(trick.card_of(seat) or "-") for seat in seats) for trick in play.tricks]


def revokes_in(tricks: Sequence[Trick]) -> Iterator[tuple[int, Seat]]:
    """Trick and hand of each card that is not of the suit led, in the order of the rows of a PBN file."""
    for number, trick in enumerate(tricks, 1):
        for seat in CLOCKWISE[tricks[0].leader]:
            card = trick.card_of(seat)
            if card is not None and trick.led is not None and card.suit != trick.led:
                yield number, seat
