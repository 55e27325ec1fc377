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
    assert {(one.kind, one.trick, *one.hands) for one in found} >= {
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
        ({}, (0, 2), {"won-by", "later-tricks"}),
        ({"won-by": "W"}, (1, 2), {"later-tricks"}),
        ({"won-by": "W", "later-tricks": 0}, (1, 1), set()),
        ({"won-by": "W", "later-tricks": 1}, (2, 2), set()),
        ({"won-by": "W", "later-tricks": "more"}, (2, 2), set()),
        ({"won-by": "E"}, (1, 1), set()),
        ({"won-by": "S"}, (0, 1), {"later-tricks"}),
        ({"won-by": "opponent"}, (0, 1), {"later-tricks"}),
        ({"won-by": "S", "later-tricks": 1}, (1, 1), set()),
        ({"later-tricks": 2}, (1, 2), {"won-by"}),
    ],
)
def test_what_is_not_known_is_open(known: dict[str, Any], tricks: tuple[int, int], open_matters: set[str]) -> None:
    """The ruling gives what is certain: the fewest tricks of those that there may be."""
    stated = {"declarer": "S", "revokes": [FOUND | known]}
    found, certainty = ruled_verdict(stated), ruled(stated).certainty
    assert found["transfer"] == {"NS": tricks[0], "EW": 0} and certainty.range == {"NS": tricks, "EW": (0, 0)}
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
    second = {key: value for key, value in (first | {"trick": 7, "card": "S5"}).items() if key != "suit"}
    found = ruled_verdict({"declarer": "S", "revokes": [first, second]})
    assert "suit" in {one["what"] for one in found["open"]}


def presumed(**known: Any) -> dict[str, tuple[str, ...]]:
    """What a ruling takes for granted, and the clauses that would else apply."""
    found = ruled({"declarer": "S", "revokes": [{"hand": "W", "trick": 5, **known}]}).presumed
    return {one.key[1]: one.laws for one in found}


ORDINARY: dict[str, Any] = {"won-by": "W", "later-tricks": 2}
"""What a director ordinarily states, beside hand and trick."""


def test_what_a_ruling_takes_for_granted() -> None:
    assert presumed(**ORDINARY, **{"next-trick": "played"}) == {
        "failed-to": ("64A2", "64B3", "67B1"),
        "noticed": ("64B4", "64B5"),
        "other-side-revoked": ("64B7",),
    }
    assert "next-trick" in presumed(**ORDINARY), "only the other side may have led when it was noticed"


def test_nothing_is_presumed_that_was_stated() -> None:
    late = {"noticed": "after-call-on-next-board", "next-board-call-by": "EW"}
    assert "noticed" not in presumed(**ORDINARY, **late)
    assert "failed-to" not in presumed(**ORDINARY, **{"failed-to": "follow-suit"})
    said = {"failed-to": "follow-suit", "noticed": "during-play", "other-side-revoked": "no", "next-trick": "led"}
    assert presumed(**ORDINARY, **said) == {}


def test_what_would_change_nothing_is_not_told() -> None:
    """Nothing is due anyway: nobody cares when it was noticed."""
    nothing_due = presumed(**{"won-by": "N", "later-tricks": 0, "next-trick": "led"})
    assert nothing_due.keys() == {"failed-to"}, "no card may have been played at all"
    assert "claim" in presumed(**{"next-trick": "no"})


def test_what_is_possible_only_when_it_is_otherwise_is_told() -> None:
    """Tricks came after it and nobody had gone on: without a claim that is so only if it was noticed at once."""
    stated = {"hand": "W", "trick": 12, "next-trick": "no", "later-tricks": 1}
    found = ruled({"edition": "auction-1912", "declarer": "S", "revokes": [stated]})
    assert "claim" in {one.key[1] for one in found.presumed}


def test_a_presumption_gives_way_to_what_is_stated() -> None:
    """East-West did nothing more, yet the tricks were counted: somebody claimed, or it was noticed at once."""
    found = ruled(
        {"declarer": "S", "revokes": [{"hand": "W", "trick": 5, "next-trick": "no", "noticed": "after-play"}]}
    )
    assert {key: one.how for key, one in found.certainty.completions.choices.items() if key[1] == "claim"} == {
        (0, "claim"): "unknown"
    }
    assert {one.key[1] for one in found.certainty.open} >= {"claim"}


def test_a_contradiction_is_a_fault_of_the_incident() -> None:
    second = FOUND | {"hand": "E", "card": "S5", "won-by": "S"}
    with pytest.raises(InputError, match="won-by cannot stand beside the rest: two hands cannot have won trick 5"):
        ruled({"declarer": "S", "revokes": [FOUND | {"won-by": "W"}, second]})


def test_tricks_that_cannot_be_beside_a_record_are_a_fault_of_the_incident() -> None:
    """What the record tells of the winner is not stated again beside the tricks that are supposed."""
    board = {
        "contract": "4S",
        "declarer": "S",
        "deal": "N:QJ74.K83.AQ5.K62 63.QJ94.T973.Q98 AKT95.A72.K6.A53 82.T65.J842.JT74",
        "tricks": 13,
        "play": ["W CJ C2 D3 C3", "W C4"],
        "events": [{"after": "1.4", "attention": {"by": "S"}}, {"after": "2.1", "conceded": {"by": "N"}}, "play-ended"],
    }
    with pytest.raises(InputError, match="tricks cannot stand beside the rest"):
        ruled(board)


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


@pytest.mark.parametrize("before", [[{"attention": {"by": "E"}}], [{"claimed": {"by": "W"}}, {"play-continued": {}}]])
def test_what_was_said_before_a_trick_does_not_tell_why_the_record_stops_with_it(before: list[dict[str, Any]]) -> None:
    board = {
        "contract": "4S",
        "declarer": "S",
        "deal": "N:QJ74.K83.AQ5.K62 63.QJ94.T973.Q98 AKT95.A72.K6.A53 82.T65.J842.JT74",
        "play": ["W CJ CK C8 C3", "N SQ S3 SA H5"],
        "events": [
            *({"after": "1.3"} | event for event in before),
            {"after": "2.4", "required": {"by": "S", "of": "W", "how": "lead", "suit": "D"}},
            {"called-on-next-board": {"by": "S"}},
            {"attention": {"by": "S"}},
        ],
    }
    assert "next-trick" in {one["what"] for one in ruled_verdict(board)["open"]}


BOARD: dict[str, Any] = {"contract": "4S", "declarer": "S"}


def test_a_defender_may_be_either_though_some_seat_is_named() -> None:
    found = {"player": "defender", "trick": 5, "won-by": "E", "later-tricks": 1, "next-trick": "led"}
    verdict = ruled_verdict(BOARD | {"revokes": [found]})
    assert {one["what"] for one in verdict["open"]} == {"hand"}


def test_what_is_presumed_of_two_revokes_yields_of_both() -> None:
    found = {"suit": "H", "won-by": "N", "later-tricks": 2, "next-trick": "led", "next-board-call-by": "NS"}
    both = [{"hand": "W", "trick": 3, **found}, {"hand": "E", "trick": 5, **found}]
    assert ruled_verdict(BOARD | {"revokes": both})["transfer"] == {"NS": 0, "EW": 0}


def test_what_is_presumed_of_two_revokes_is_told_with_the_laws_of_both() -> None:
    in_time = {"hand": "E", "trick": 10, "won-by": "N", "next-trick": "no", "noticed": "before-next-trick"}
    established = {"hand": "W", "trick": 3, "won-by": "W", "later-tricks": 4, "next-trick": "led"}
    presumed = ruled(BOARD | {"revokes": [in_time, established]}).presumed
    assert ("63A3", "64A2", "64B1") in {one.laws for one in presumed}


def test_of_two_reasons_by_one_clause_the_first_is_given() -> None:
    found = {"suit": "H", "next-trick": "led"}
    first = {"hand": "W", "trick": 3, "won-by": "W", "later-tricks": 5, "other-side-revoked": "same-board"}
    second = {"hand": "S", "trick": 5, "won-by": "E", **found}
    ruling = ruled(BOARD | {"revokes": [{**first, **found, "other-revoke-stands": "yes"}, second]})
    assert [reason.rule.id for reason, _ in ruling.grounds] == ["64B7.1", "64B7.1"]


def test_whoever_has_drawn_attention_is_not_asked_when_he_will() -> None:
    """Dummy without his rights spoke first: play goes on, and nothing hinges on when the revoke is noticed."""
    board = {
        "contract": "4S",
        "declarer": "S",
        "deal": "N:QJ74.K83.AQ5.K62 63.QJ94.T973.Q98 AKT95.A72.K6.A53 82.T65.J842.JT74",
        "play": ["W CJ CK H4 C3"],
    }
    spoke = ruled(
        board | {"events": [{"after": "1.1", "dummy-lost-rights": {}}, {"after": "1.4", "attention": {"by": "N"}}]}
    )
    assert [one.status for one in spoke.revokes] == ["none-yet"]
    assert not spoke.supposed
    assert ruled(board).supposed
