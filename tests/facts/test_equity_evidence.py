from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from support.endings import by_exhaustion, ending_at_random, needs_library

from facts.cards import CLOCKWISE, SEATS, SIDE, Card, Seat, Side
from facts.contract import Contract
from facts.deal import Deal
from facts.equity import (
    AGREES_WITH_PLAY,
    LegalCard,
    NotComputed,
    Position,
    Revoke,
    WhyNotComputed,
    double_dummy,
    evidence,
    line_to,
    total,
)
from facts.errors import Place
from facts.incident import Event, Incident
from facts.play import PlayRecord, Trick

pytestmark = needs_library
ENDING = "N:.A..AK 2.65.. 3.32.. .4.32."
PLAY = "N HA S2 H2 H4 / N CA H5 H3 D2 / N CK H6 S3 D3"
"""East throws the deuce of spades on the ace of hearts, and plays his hearts later."""


def incident(deal: str, play: str, contract: str = "3NT", events: tuple[Event, ...] = ()) -> Incident:
    return Incident(
        place=Place("test", 1),
        contract=Contract.from_text(contract),
        declarer="S",
        deal=Deal.from_pbn(deal),
        play=PlayRecord(tuple(map(trick, play.split(" / ")))),
        events=events,
    )


def trick(row: str) -> Trick:
    leader, *cards = row.split()
    return Trick(leader, tuple(None if card == "-" else Card.from_text(card) for card in cards))


def revoke(trick: int, hand: Seat, card: str, *instead: str) -> Revoke:
    return Revoke(trick, hand, Card.from_text(card), tuple(map(Card.from_text, instead)))


def legal(text: str, tricks: int, replay: int, followed: int, to_the_end: bool) -> LegalCard:
    return LegalCard(Card.from_text(text), tricks, replay, followed, to_the_end)


SLIDE = incident(
    "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5",
    "S H7 H3 HJ HQ / E DA C6 D2 D3 / E DK C8 D7 D4 / E DQ C9 D8 D5 / E DJ CT S3 C2 / E D9 S8 C5 DT / N H6 H8 H9 H4",
)


def test_the_slide() -> None:
    """3NT by East: ten tricks before the revoke, eight after it, seven once East goes on with the nine."""
    found = evidence(SLIDE, revoke(5, "N", "C2"))
    assert (found.side, found.low, found.high, found.forced, found.out_of) == ("EW", 10, 10, True, 13)
    assert found.after_revoke == 8
    assert found.cards == (legal("DT", tricks=10, replay=10, followed=4, to_the_end=False),)


def test_the_slide_after_the_nine() -> None:
    assert SLIDE.deal is not None
    assert SLIDE.play is not None
    assert total(line_to(SLIDE.deal, SLIDE.play, None, (6, 2)), "EW", 13, double_dummy) == 7


def test_the_record_is_followed_and_the_revoke_card_comes_when_the_other_is_asked_for() -> None:
    found = evidence(incident(ENDING, PLAY), revoke(1, "E", "S2"))
    assert (found.side, found.out_of, found.after_revoke) == ("NS", 3, 3)
    assert found.cards == (legal("H6", 3, 3, 10, True), legal("H5", 3, 3, 10, True))


def test_the_record_is_left_when_another_hand_wins() -> None:
    """East could have won; then he cashes a heart, and South's spade wins the last trick."""
    found = evidence(
        incident("N:.2..AK 2.KQ.. 3.53.. .4.32.", "N H2 S2 H3 H4 / W D2 CA HQ H5 / W D3 CK HK S3"),
        revoke(1, "E", "S2"),
    )
    assert found.cards == (legal("HK", 1, 1, 2, False), legal("HQ", 1, 1, 2, False))
    assert (found.low, found.high, found.forced) == (1, 1, False)


def test_the_record_is_left_at_a_card_no_longer_legal() -> None:
    """East revokes again: with either heart played to the first trick, he still has one to follow with."""
    twice = incident("N:.AK..AK 32.65.. 4.32..2 .4.432.", "N HA S2 H2 H4 / N HK S3 H3 D2 / N CA H5 C2 D3")
    found = evidence(twice, revoke(1, "E", "S2"))
    assert [(card.followed, card.to_the_end) for card in found.cards] == [(3, False), (3, False)]


def test_the_record_is_left_at_a_card_not_recorded() -> None:
    found = evidence(incident(ENDING, "N HA S2 H2 H4 / N CA - H3 D2 / N CK H6 S3 D3"), revoke(1, "E", "S2"))
    assert found.cards[1] == legal("H5", 3, 3, 3, False)


def test_a_record_that_stops_was_followed_to_its_end() -> None:
    found = evidence(incident(ENDING, "N HA S2 H2 H4 / N CA"), revoke(1, "E", "S2"))
    assert found.cards[0] == legal("H6", 3, 3, 3, True)


def test_a_lead_by_the_wrong_hand_is_followed() -> None:
    """North won the first trick, yet South led to the second: before the revoke, then after it."""
    found = incident(
        "N:.A.3.AK 2.65..2 3.32.2. .4.54.3", "N HA H6 H2 H4 / S D2 D4 D3 S2 / W D5 CA H5 H3 / W C3 CK C2 S3"
    )
    assert evidence(found, revoke(3, "E", "H5", "C2")).cards == (legal("C2", 2, 2, 5, True),)
    wrong = incident("N:.A..AK 2.65.. 3.32.. .4.32.", "N HA S2 H2 H4 / S H3 D2 CA H5")
    assert evidence(wrong, revoke(1, "E", "S2")).cards[0] == legal("H6", 3, 2, 6, True)


def test_a_corrected_revoke_stands_as_corrected() -> None:
    """East's spade went back; asked for the five he would have played at once, he plays the six he did play."""
    corrected = {"by": "E", "withdrawn": Card.from_text("S2"), "played": Card.from_text("H6")}
    events = (Event("corrected", corrected, after=(1, 2)),)
    found = incident(ENDING, "N HA S2 H2 H4 / N CA H5 H3 D2 / N CK S2 S3 D3", events=events)
    assert evidence(found, revoke(1, "E", "S2")).cards[1] == legal("H5", 3, 3, 10, True)
    later = evidence(found, revoke(2, "E", "H5", "S2"))
    assert [str(card.card) for card in later.cards] == ["S2"], "the spade is back in the hand"


def test_what_had_to_be_played_may_be_another_suit_than_the_one_led() -> None:
    found = evidence(incident(ENDING, "N CA H5 H2 D2 / N CK"), revoke(1, "E", "H5", "S2"))
    assert [str(card.card) for card in found.cards] == ["S2"]


def random_revokes(chance: Random) -> tuple[Position, Incident, tuple[Revoke, ...]]:
    """An ending of three cards played out, with two failures to follow suit."""
    while True:
        start = ending_at_random(chance, 3, 0)
        here, tricks, revokes = start, [], []
        for number in range(1, 4):
            leader, cards = here.leader, []
            for seat in CLOCKWISE[leader]:
                card = chance.choice(sorted(here.hand(seat)))
                if card not in here.legal():
                    revokes.append(Revoke(number, seat, card))
                here = here.after(card)
                cards.append(card)
            tricks.append(Trick(leader, tuple(cards)))
        if len(revokes) == 2:
            deal = Deal(tuple(tuple(sorted(start.hand(seat))) for seat in SEATS))
            found = Incident(
                place=Place("test", 1),
                contract=Contract(1, start.trump or "NT"),
                declarer="N",
                deal=deal,
                play=PlayRecord(tuple(tricks)),
            )
            return start, found, tuple(revokes)


def positions(start: Position, record: PlayRecord, side: Side) -> Iterator[tuple[int, Seat, Position, int]]:
    """Before each card: trick, hand, position, tricks the side has won."""
    won = 0
    for number, one in enumerate(record.tricks, 1):
        for seat, card in one.items():
            yield number, seat, start, won
            assert card is not None
            start = start.after(card)
        won += SIDE[start.leader] == side


def test_each_of_two_revokes_is_weighed_with_the_earlier_one_as_played() -> None:
    chance = Random(7)
    for _ in range(100):
        start, found, revokes = random_revokes(chance)
        assert found.play is not None
        for wrong in revokes:
            what = evidence(found, wrong)
            before, won = next(
                (position, won)
                for trick, hand, position, won in positions(start, found.play, what.side)
                if (trick, hand) == (wrong.trick, wrong.hand)
            )
            theirs = by_exhaustion(before)
            assert {str(card.card): card.tricks for card in what.cards} == {
                card: won + before.tricks_left - tricks for card, tricks in theirs.items()
            }
            assert what.low == won + before.tricks_left - max(theirs.values())
            after = before.after(wrong.card)
            won += SIDE[after.leader] == what.side and not after.table
            best = max(by_exhaustion(after).values(), default=0)
            assert what.after_revoke == won + (best if SIDE[after.to_play] == what.side else after.tricks_left - best)
            for card in what.cards:
                assert 0 <= card.replay <= what.out_of
                assert not card.to_the_end or card.followed == 12 - 4 * (wrong.trick - 1) - next(
                    nth for nth, seat in enumerate(CLOCKWISE[before.leader], 1) if seat == wrong.hand
                )


@pytest.mark.parametrize(
    ("deal", "play", "contract", "wrong", "why", "said"),
    [
        (ENDING, PLAY, "Pass", revoke(1, "E", "S2"), WhyNotComputed.NOT_KNOWN, "the contract is not known"),
        ("N:.A..AK - 3.32.. .4.32.", PLAY, "3NT", revoke(1, "E", "S2"), WhyNotComputed.NOT_KNOWN, "give all four"),
        (ENDING, "N HA S2 H2 -", "3NT", revoke(2, "E", "S2"), WhyNotComputed.NOT_KNOWN, "the play up to trick 2"),
        (
            ENDING,
            "N - H6 H2 H4 / N CA S2",
            "3NT",
            revoke(2, "E", "S2"),
            WhyNotComputed.NOT_KNOWN,
            "N's card in trick 1",
        ),
        (
            ENDING,
            "N HA H6 / N CA S2",
            "3NT",
            revoke(2, "E", "S2"),
            WhyNotComputed.NOT_IN_ORDER,
            "trick 1 is not complete",
        ),
        (ENDING, "N HA", "3NT", revoke(1, "E", "S2"), WhyNotComputed.NOT_KNOWN, "the record ends before trick 1"),
        (
            ENDING,
            "N HK H6 H2 H4 / N CA S2",
            "3NT",
            revoke(2, "E", "S2"),
            WhyNotComputed.NOT_IN_ORDER,
            "N does not hold HK",
        ),
        (
            ENDING,
            PLAY,
            "3NT",
            revoke(1, "E", "SA"),
            WhyNotComputed.NOT_IN_ORDER,
            "SA in trick 1 is no revoke",
        ),
        (ENDING, PLAY, "3NT", revoke(1, "E", "H5"), WhyNotComputed.NOT_IN_ORDER, "is no revoke"),
        (ENDING, PLAY, "3NT", revoke(2, "E", "H5"), WhyNotComputed.NOT_IN_ORDER, "is no revoke"),
    ],
)
def test_not_computed(deal: str, play: str, contract: str, wrong: Revoke, why: WhyNotComputed, said: str) -> None:
    with pytest.raises(NotComputed) as raised:
        evidence(incident(deal, play, contract), wrong)
    found = raised.value
    assert (found.why, said in found.detail, "; " in found.detail) == (why, True, True), found


def test_nothing_to_go_by() -> None:
    bare = Incident(place=Place("test", 1), contract=Contract(3, "NT"))
    with pytest.raises(NotComputed) as found:
        evidence(bare, revoke(1, "E", "S2"))
    assert found.value.why is WhyNotComputed.NOT_KNOWN


def test_how_much_double_dummy_proves_grows_as_the_play_goes_on() -> None:
    shares = [AGREES_WITH_PLAY[trick] for trick in sorted(AGREES_WITH_PLAY)]
    assert shares == sorted(shares)
    assert 50 < min(shares) < max(shares) < 100
