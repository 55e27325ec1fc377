"""Slips of transcription are told from what happened at the table."""

from __future__ import annotations

from facts.cards import Card, Seat
from facts.deal import Deal
from facts.play import Irregularity, Oddity, PlayRecord, Trick, doubtful, failures_to_follow, slips

DEAL = Deal.from_pbn("N:AKQ.2.. 432.3.. 765.4.. T98.5..")


def record(*rows: str) -> PlayRecord:
    tricks = []
    for row in rows:
        leader, *cards = row.split()
        tricks.append(Trick(leader, tuple(None if card == "-" else Card.from_text(card) for card in cards)))
    return PlayRecord(tuple(tricks))


def found_in(*rows: str) -> tuple[tuple[tuple[int, Seat], ...], tuple[Irregularity, ...]]:
    play = record(*rows)
    failures = failures_to_follow(play, DEAL)
    return failures, slips(play, DEAL, failures)


def test_one_hand_that_fails_is_believed() -> None:
    failures, found = found_in("N SA H3 S5 S8", "N SK S2 S6 S9")
    assert failures == ((1, "E"),)
    assert not found and not doubtful(failures, found)


def test_two_hands_that_fail_are_a_slip() -> None:
    failures, found = found_in("N SA S2 S5 S8", "N SK H3 H4 S9")
    assert found == (Irregularity(Oddity.SEVERAL_HANDS, 2, ("E", "S")),)
    assert doubtful(failures, found)


def test_a_row_that_begins_with_another_hand() -> None:
    failures, found = found_in("N SA S2 S5 S8", "N S9 SK S3 S6")
    assert found == (Irregularity(Oddity.ROTATED_ROW, 2, ("N", "E", "S", "W")),)
    assert not failures


def test_a_lead_alone_in_the_column_of_another() -> None:
    _, found = found_in("N SA S2 S5 S8", "N - - SK")
    assert found == (Irregularity(Oddity.ROTATED_ROW, 2, ("S",)),)
    _, found = found_in("N SA S2 S5 S8", "N - - S3")
    assert found == (Irregularity(Oddity.CARD_NOT_HELD, 2, ("S",), Card.from_text("S3")),)


def test_a_failure_is_doubted_where_the_slip_may_be_its_reason() -> None:
    """South seems to hold a spade at trick 1 only because a card of North's stands in his column later."""
    failures, found = found_in("N SA S2 H4 S8", "N SK S3 SQ S9")
    assert failures == ((1, "S"),)
    assert doubtful(failures, found)


def test_a_failure_elsewhere_is_believed() -> None:
    failures, found = found_in("N SA H3 S5 S8", "N SK S2 S6 S9", "N SQ S4 S7 S7")
    assert failures == ((1, "E"),)
    assert {slip.kind for slip in found} == {Oddity.CARD_NOT_HELD, Oddity.CARD_PLAYED_TWICE}
    assert not doubtful(failures, found)
