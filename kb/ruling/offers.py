"""The results that an entry of the ruling lets the director consider, with their scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from facts.cards import SIDE, Seat
from facts.contract import Contract
from kb.ruling.result import score_ns
from kb.ruling.ruling import Item, Ruling

SCORES: Final = {"tricks": "score-ns", "least": "score-ns-least", "most": "score-ns-most"}
"""A number of tricks in an entry of the ruling, and the key of its score."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One of these results."""

    key: str
    """Of its score, in the verdict."""
    contract: Contract
    declarer: Seat
    tricks: int
    """Declarer's."""
    score_ns: int | None
    """None where it is not known."""


def offers(ruling: Ruling, item: Item) -> Iterator[Offer]:
    """The results that an entry offers its side; none where contract or declarer is not known."""
    contract, declarer, side = ruling.incident.contract, ruling.incident.declarer, item.values.get("side")
    if contract is None or declarer is None or side is None or not item.values.keys() & {"tricks", "least"}:
        return
    for name, key in SCORES.items():
        if name in item.values:
            tricks = item.values[name] if SIDE[declarer] == side else 13 - item.values[name]
            yield Offer(key, contract, declarer, tricks, score_ns(ruling.incident, tricks))
