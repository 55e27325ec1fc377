"""Boards as BBO writes them: LIN text and handviewer addresses."""

from __future__ import annotations

from facts.cards import CLOCKWISE, SUITS, Card, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.play import PlayRecord

DEALER = {"S": "1", "W": "2", "N": "3", "E": "4"}
PASSES = ["p", "p", "p"]


def hand(cards: tuple[Card, ...] | None) -> str:
    """``SK74HJ6DT543CQ432``."""
    return "".join(suit + "".join(card.text[1] for card in cards or () if card.suit == suit) for suit in SUITS)


def calls(contract: Contract, declarer: Seat, dealer: Seat) -> list[str]:
    """Passes up to declarer, then the bid and what follows it."""
    passed = CLOCKWISE[dealer].index(declarer)
    bid = f"{contract.level}{contract.denomination[0]}"
    doubles = {"": [], "X": ["d"], "XX": ["d", "r"]}[contract.doubled]
    return ["p"] * passed + [bid, *doubles, *PASSES]


def cards(play: PlayRecord) -> list[str]:
    """In the order of play."""
    return [card.text for _, _, _, card in play.plays() if card is not None]


def lin(deal: Deal, contract: Contract, declarer: Seat, play: PlayRecord, board: int = 1, dealer: Seat = "N") -> str:
    """A board as BBO saves it: three hands and the fourth left out."""
    hands = ",".join([*(hand(deal[seat]) for seat in ("S", "W", "N")), ""])
    bids = "".join(f"mb|{call}|" for call in calls(contract, declarer, dealer))
    played = "".join(f"pc|{card}|" + "pg||" * (nth % 4 == 3) for nth, card in enumerate(cards(play)))
    head = f"qx|o{board}|pn|a,b,c,d|st||md|{DEALER[dealer]}{hands}|rh||ah|Board {board}|sv|e|"
    return f"{head}{bids}pg||{played}\n"


def address(deal: Deal, contract: Contract, declarer: Seat, play: PlayRecord, dealer: Seat = "N") -> str:
    """The board as an address of the handviewer."""
    hands = "&".join(f"{seat.lower()}={hand(deal[seat])}" for seat in CLOCKWISE["N"])
    bids = "".join(calls(contract, declarer, dealer)).upper()
    tail = f"d={dealer.lower()}&v=e&b=1&a={bids}&p={''.join(cards(play))}"
    return f"https://www.bridgebase.com/tools/handviewer.html?{hands}&{tail}"
