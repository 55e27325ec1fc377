"""Evidence, offers and weighted scores in words."""

from __future__ import annotations

import re
from importlib.metadata import requires
from typing import Any, NoReturn

import pytest
from support.endings import needs_library
from support.ruling import incident, law, ruled, speaker_of

from facts.equity import NotComputed, Position, WhyNotComputed
from kb.explain.as_json import ruling_json
from kb.explain.evidence import not_computed_words, proves
from kb.explain.page import as_text
from kb.ruling.ruling import Ruling
from kb.ruling.with_equity import rule_with_evidence
from kb.voices import Voice, told

(LIBRARY,) = (one.split(";")[0] for one in requires("revoke-kb") or () if one.startswith("endplay"))
LATE = {
    "vulnerable": "NS",
    "contract": "5DX",
    "declarer": "S",
    "deal": "S:KQT984.A32..AQJ3 J6.KQJ5.AKT432.7 532.876.Q975.K42 A7.T94.J86.T9865",
    "play": [
        *("W D2 DQ DJ CA", "N S5 SA S4 SJ", "E HT H3 HQ H8", "W HJ H6 H9 H2", "W C7 CK CT CQ", "N C4 C5 CJ H5"),
        *("S S8 S6 S2 S7", "S SQ DT S3 D6", "W D3 H7 D8 SK", "E H4 HA HK D9", "N D7 C6 ST DK", "W D4 D5 C8 C3"),
        "N C2 C9 S9 DA",
    ],
    "events": [{"after": "13.4", "attention": {"by": "S"}}],
}
"""North throws a heart on a diamond lead at trick 9 with three diamonds left: 6 or 9 tricks, depending on the card."""
WEIGHED = {
    "vulnerable": "none",
    "contract": "4S",
    "declarer": "S",
    "tricks": 8,
    "weights": [
        {"tricks": 10, "weight": 65},
        {"tricks": 9, "weight": 30},
        {"contract": "Pass", "tricks": 0, "weight": 5},
    ],
    "revokes": [
        {"hand": "W", "trick": 5, "suit": "H", "card": "C4", "won-by": "S", "later-tricks": 4, "next-trick": "played"}
    ],
}


def spoken(ruling: Ruling, lang: str = "en", name: Voice | None = None) -> str:
    return as_text(told(ruling, speaker_of(lang), name), speaker_of(lang))


def test_a_weighted_score_is_the_mean_of_the_scores() -> None:
    """0.65 x 420 - 0.3 x 50 + 0.05 x 0."""
    shown = ruling_json(ruled(WEIGHED), speaker_of())["result"]
    assert shown["weighted-score-ns"] == 258
    assert [one["score-ns"] for one in shown["weighted"]] == [420, -50, 0]
    assert (shown["tricks-ruled"], shown["score-ns"]) == (9, -50)


@pytest.mark.parametrize(("side", "weight", "mean"), [("S", 65, 255.5), ("E", 65, -255.5), ("S", 60, 232)])
def test_a_mean_that_is_no_whole_number_stays_so(side: str, weight: int, mean: float) -> None:
    weights = [{"tricks": 10, "weight": weight}, {"tricks": 9, "weight": 100 - weight}]
    revokes = [{**WEIGHED["revokes"][0], "hand": "W" if side == "S" else "N"}]
    result = ruled({**WEIGHED, "declarer": side, "weights": weights, "revokes": revokes}).result
    assert result is not None
    assert result.weighted_score_ns == mean
    assert isinstance(result.weighted_score_ns, type(mean))


@pytest.mark.parametrize("name", [None, Voice.APPEAL, Voice.TEACHING])
def test_a_weighted_score_is_told_with_its_outcomes(name: Voice | None) -> None:
    text = spoken(ruled(WEIGHED), "en", name)
    assert "Weighted score: +258 for North–South (65 %: 4♠ by South: 10 tricks, +420, 30 %: " in text
    assert "5 %: passed out, +0)" in text
    assert "12C1" in text


def test_without_weights_nothing_is_said_of_them() -> None:
    plain = ruled({key: value for key, value in WEIGHED.items() if key != "weights"})
    assert "Weighted" not in spoken(plain)
    assert "weighted-score-ns" not in ruling_json(plain, speaker_of())["result"]


def late(**stated: Any) -> Ruling:
    return rule_with_evidence(law(), incident({**LATE, **stated}))


@needs_library
def test_the_cards_are_told_with_their_tricks_and_how_much_that_proves() -> None:
    text = spoken(late())
    told = text[text.index("Double dummy without the revoke:") :].splitlines()[1:5]
    assert [line.strip(" -") for line in told] == [
        "North, trick 9: 6 to 9 tricks for East–West before ♥7, 8 tricks after it; this ruling gives 7 tricks.",
        "♦9: 6 tricks; with the next 2 cards as they were played, then double dummy: 6 tricks.",
        "♦7, ♦5: 9 tricks; with the next 5 cards as they were played, then double dummy: 7 tricks.",
        "Double dummy sees all the cards. At the start of trick 8 it gives the result reached at the table on 85 of a "
        "hundred boards: evidence for the director, and not the judgement.",
    ]


@needs_library
def test_the_results_that_may_be_considered_have_their_scores() -> None:
    ruling = late()
    (item,) = (one for one in ruling_json(ruling, speaker_of())["director"] if "side" in one)
    assert (item["least"], item["most"]) == (6, 9)
    text = spoken(ruling)
    for tricks, key in ((7, "score-ns-least"), (4, "score-ns-most")):
        assert f"5♦X by South: {tricks} tricks ({item[key]:+d} for North–South)" in text
    assert "score-ns" not in item


@needs_library
def test_for_other_programs() -> None:
    (found,) = ruling_json(late(), speaker_of())["evidence"]
    assert (found["hand"], found["trick"], found["side"], found["least"], found["most"]) == ("N", 9, "EW", 6, 9)
    assert found["cards"][0] == {"card": "D9", "tricks": 6, "replay": 6, "followed": 2, "to-the-end": False}
    assert found["agrees-with-play"] == {"trick": 8, "per-cent": 85}
    plain = ruling_json(ruled(LATE), speaker_of())
    assert "evidence" not in plain


@needs_library
def test_in_german() -> None:
    text = spoken(late(), "de")
    assert "Double-Dummy ohne das Revoke:" in text
    assert "♦9" in text
    assert not re.search(r"Double dummy|tricks|\{", text)


@needs_library
def test_every_voice_for_people_tells_it() -> None:
    for name in (None, Voice.APPEAL, Voice.TEACHING):
        text = spoken(late(), "en", name)
        assert "6 to 9 tricks" in text, name


def test_the_share_is_that_of_the_latest_trick_measured() -> None:
    assert [proves(speaker_of(), trick)[:2] for trick in (1, 4, 5, 9, 13)] == [
        (1, 55),
        (2, 62),
        (5, 73),
        (8, 85),
        (10, 92),
    ]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_each_reason_why_not_has_words(lang: str) -> None:
    said = {why: not_computed_words(speaker_of(lang), NotComputed(why, "x; y")) for why in WhyNotComputed}
    assert len(set(said.values())) == len(WhyNotComputed)
    assert all(why.value not in text for why, text in said.items())
    assert f"pip install {LIBRARY} " in said[WhyNotComputed.NO_LIBRARY]


def no_library(position: Position) -> NoReturn:
    raise NotComputed(WhyNotComputed.NO_LIBRARY, "x; y")


def test_what_to_install_is_told() -> None:
    ruling = rule_with_evidence(law(), incident(LATE), no_library)
    assert "North, trick 9: not computed. " in (text := spoken(ruling))
    assert f"pip install {LIBRARY} " in text
    (found,) = ruling_json(ruling, speaker_of())["evidence"]
    assert found["not-computed"] == "no-library"
