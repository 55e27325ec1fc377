"""What a ruling says beside the law: irregular records, contradictions, what is presumed and what is open."""

from __future__ import annotations

from typing import Any

import pytest
from support.ruling import ruled, ruled_verdict

from facts.errors import InputError
from facts.play import Oddity

DEAL = "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"
FOUND: dict[str, Any] = {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "next-trick": "led"}


def test_an_irregular_record_is_told() -> None:
    play = ["S H7 H3 HJ HQ", "S DA C6 D2 D3"]
    found = ruled({"contract": "3NT", "declarer": "E", "deal": DEAL, "play": play}).irregular
    assert {(one.kind, one.trick, one.hand) for one in found} >= {
        (Oddity.LEAD_FROM_WRONG_HAND, 2, "S"),
        (Oddity.CARD_NOT_HELD, 2, "S"),
    }


def test_a_replaced_card_may_be_played_later() -> None:
    play = ["S H7 H3 C2 HQ", "E DA C6 D2 D3", "E CA CT C5 C2"]
    corrected = {"corrected": {"by": "N", "withdrawn": "C2", "played": "HJ"}, "after": "1.4"}
    stated = {"contract": "3NT", "declarer": "E", "deal": DEAL, "play": play, "events": [corrected]}
    assert ruled(stated).irregular == ()


def test_without_a_contract_a_ruff_is_not_taken_for_a_discard() -> None:
    play = ["W D8 D3 D6 C6", "S H7 H3 HJ HQ"]
    found = ruled({"declarer": "E", "deal": DEAL, "play": play})
    assert found.winner(1) == "S"
    assert found.irregular == ()


@pytest.mark.parametrize(
    ("known", "tricks", "open_matters"),
    [
        ({}, 0, {"won-by"}),
        ({"won-by": "W"}, 1, {"later-tricks"}),
        ({"won-by": "W", "later-tricks": 0}, 1, set()),
        ({"won-by": "W", "later-tricks": 1}, 2, set()),
        ({"won-by": "E"}, 1, set()),
        ({"won-by": "S"}, 0, {"later-tricks"}),
        ({"won-by": "S", "later-tricks": 1}, 1, set()),
        ({"later-tricks": 2}, 0, {"won-by"}),
    ],
)
def test_what_is_not_known_is_open(known: dict[str, Any], tricks: int, open_matters: set[str]) -> None:
    found = ruled_verdict({"declarer": "S", "revokes": [FOUND | known]})
    assert sum(found["transfer"].values()) == tricks
    assert {one["what"] for one in found["open"]} == open_matters


def test_without_a_declarer_that_is_open_too() -> None:
    found = ruled_verdict({"revokes": [FOUND | {"won-by": "W", "later-tricks": 2}]})
    assert {one["what"] for one in found["open"]} == {"declarer"}


def test_who_called_first_is_open() -> None:
    late = FOUND | {"won-by": "W", "later-tricks": 2, "noticed": "after-call-on-next-board"}
    assert {one["what"] for one in ruled_verdict({"declarer": "S", "revokes": [late]})["open"]} == {
        "next-board-call-by"
    }


def test_a_second_revoke_in_an_unknown_suit_is_open() -> None:
    first = FOUND | {"won-by": "S", "later-tricks": 2}
    second = {key: value for key, value in (first | {"trick": 7}).items() if key != "suit"}
    found = ruled_verdict({"declarer": "S", "revokes": [first, second]})
    assert "suit" in {one["what"] for one in found["open"]}


def test_what_a_ruling_takes_for_granted() -> None:
    presumed = ruled({"declarer": "S", "revokes": [FOUND | {"won-by": "W", "later-tricks": 2}]}).presumed
    assert {one.kind: one.laws for one in presumed} == {
        "called-next": ("64B4",),
        "round-ended": ("64B5",),
        "other-revoked": ("64B7",),
    }


def test_nothing_is_presumed_that_was_stated() -> None:
    late = FOUND | {"won-by": "W", "later-tricks": 2, "noticed": "after-call-on-next-board", "next-board-call-by": "EW"}
    assert "called-next" not in {one.kind for one in ruled({"declarer": "S", "revokes": [late]}).presumed}


def test_a_contradiction_is_a_fault_of_the_incident() -> None:
    second = FOUND | {"hand": "E", "won-by": "S"}
    with pytest.raises(InputError, match="two things of won"):
        ruled({"declarer": "S", "revokes": [FOUND | {"won-by": "W"}, second]})


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"trick": 12, "later-tricks": 2}, "2 tricks are more than come after trick 12"),
        ({"later-tricks": 5, "won-by": "W"}, "EW cannot have won 6 tricks from trick 5 on, with 4 in all"),
    ],
)
def test_impossible_numbers_of_tricks_are_told(found: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ruled({"declarer": "S", "tricks": 9, "revokes": [FOUND | found]})


RUFFED_AND_LED = [
    "W HA H2 H3 H4",
    "W HK H5 H6 H7",
    "W CA C2 C3 C4",
    "W CK C5 C6 C7",
    "W D2 DA D3 D4",
    "N D5 D6 DK S2",
    "W H8 H9 HT S3",
]
TOO_LATE = {"after": "7.1", "corrected": {"by": "W", "withdrawn": "S2", "played": "D7"}}
ANSWERED = {"withdrawn": {"by": "N", "card": "D5", "played": "DQ"}}


@pytest.mark.parametrize("events", [[TOO_LATE], [TOO_LATE, ANSWERED]])
@pytest.mark.parametrize("edition", ["duplicate-2017", "duplicate-2007", "duplicate-1997"])
def test_a_change_that_does_not_stand_changes_no_number(edition: str, events: list[dict[str, Any]]) -> None:
    stated = {"edition": edition, "contract": "4S", "declarer": "S", "play": RUFFED_AND_LED, "tricks": 8}
    found = ruled({**stated, "events": events})
    revoked = {"hand": "W", "trick": 6, "suit": "D", "card": "S2", "next-trick": "led"}
    plain = ruled({**stated, "revokes": [revoked]})
    assert found.winner(6) == plain.winner(6) == "W"
    assert found.transfer == plain.transfer == {"NS": 1, "EW": 0}
    assert found.result == plain.result


def test_findings_may_go_by_the_cards_before_a_change_that_does_not_stand() -> None:
    found = {"hand": "W", "trick": 6, "suit": "D", "card": "S2", "won-by": "W"}
    stated = {"contract": "4S", "declarer": "S", "play": RUFFED_AND_LED, "tricks": 8, "revokes": [found]}
    assert ruled({**stated, "events": [TOO_LATE]}).transfer == {"NS": 1, "EW": 0}
