"""The score of a ruling, as far as it is known who was vulnerable."""

from __future__ import annotations

from typing import Any

import pytest
from support.ruling import ruled, speaker_of

from kb.explain.as_text import page_of
from kb.explain.page import as_text

NINE: dict[str, Any] = {
    "contract": "4S",
    "declarer": "S",
    "tricks": 9,
    "revokes": [
        {"hand": "W", "trick": 12, "won-by": "W", "later-tricks": 0, "next-trick": "led", "noticed": "after-round"}
    ],
}
"""One down, whatever is vulnerable, and nothing automatic."""


@pytest.mark.parametrize(
    ("stated", "points"),
    [
        ({"vulnerable": "none"}, -50),
        ({"board": "2"}, -100),
        ({"board": "2", "vulnerable": "EW"}, -50),
        ({"board": "three"}, None),
        ({}, None),
        ({"contract": "3S", "board": "17"}, 140),
        ({"contract": "3S"}, 140),
    ],
)
def test_it_follows_from_the_board_and_is_given_where_it_is_the_same_for_all(stated: Any, points: int | None) -> None:
    ruling = ruled(NINE | stated)
    assert ruling.result is not None and ruling.result.score_ns == points
    told = as_text(page_of(ruling, speaker_of()), speaker_of())
    assert ("depends on who was vulnerable" in told) == (points is None)


@pytest.mark.parametrize(
    ("found", "points"),
    [
        ({"next-trick": "led", "noticed": "during-play"}, 450),
        ({"next-trick": "no", "noticed": "before-next-trick"}, None),
    ],
)
def test_a_weighted_score_is_given_only_where_the_law_adjusts(found: Any, points: int | None) -> None:
    weights = [{"tricks": 10, "weight": 50}, {"tricks": 12, "weight": 50}]
    revoke = {"hand": "W", "trick": 5, "won-by": "W", "later-tricks": 0, **found}
    ruling = ruled({**NINE, "vulnerable": "none", "weights": weights, "revokes": [revoke]})
    assert ruling.result is not None and ruling.result.weighted_score_ns == points
