"""The results that an entry of the ruling lets the director consider, with their scores."""

from __future__ import annotations

from typing import Final

from facts.cards import SIDE
from kb.ruling.result import score_ns
from kb.ruling.ruling import Ruling
from kb.ruling.sections import Item

SCORES: Final = {"tricks": "score-ns", "least": "score-ns-least", "most": "score-ns-most"}
"""A number of tricks in an entry of the ruling, and the key of its score."""


def offered(ruling: Ruling, item: Item) -> dict[str, int]:
    """Declarer's tricks for each number of tricks that an entry offers its side, by the entry's key."""
    declarer, side = ruling.incident.declarer, item.values.get("side")
    if declarer is None or side is None or not item.values.keys() & {"tricks", "least"}:
        return {}
    own = SIDE[declarer] == side
    return {key: item.values[key] if own else 13 - item.values[key] for key in SCORES if key in item.values}


def offer_scores(ruling: Ruling, item: Item) -> dict[str, int]:
    """Their scores for North-South by their keys; those that are not known are left out."""
    scores = {SCORES[key]: score_ns(ruling.incident, tricks) for key, tricks in offered(ruling, item).items()}
    return {key: points for key, points in scores.items() if points is not None}
