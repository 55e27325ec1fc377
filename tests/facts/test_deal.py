from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facts.cards import DECK, SEATS, Card
from facts.deal import Deal
from facts.errors import MisreadError

SLIDE = "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"


def texts(deal: Deal, seat: str) -> str:
    return " ".join(card.text for card in deal[seat] or ())


def test_a_deal_is_read_clockwise_from_its_first_seat() -> None:
    deal = Deal.from_pbn("W:A.2.. .A.2. ..A.2 2...A")
    assert [texts(deal, seat) for seat in "WNES"] == ["SA H2", "HA D2", "DA C2", "S2 CA"]
    assert deal.size == 2


def test_a_void_and_a_ten() -> None:
    assert texts(Deal.from_pbn("N:10.t.. - - -"), "N") == "ST HT"


def test_suits_that_bear_their_letters() -> None:
    assert texts(Deal.from_pbn("N:SA7.h864.DQJT73.CAKQ - - -"), "N") == "SA S7 H8 H6 H4 DQ DJ DT D7 D3 CA CK CQ"
    assert Deal.from_pbn("N:SAK.H.D.CQ - - -") == Deal.from_pbn("N:AK...Q - - -")
    with pytest.raises(MisreadError, match="holds 'C', which is no rank"):
        Deal.from_pbn("N:CA7.H864.DQJT73.SAKQ - - -")


def test_who_held_a_card() -> None:
    holder = Deal.from_pbn(SLIDE).holder
    assert len(holder) == 52
    assert holder[Card.from_text("DT")] == "N" and holder[Card.from_text("CK")] == "W"


def test_the_last_hand_is_known_from_three_whole_ones_only() -> None:
    whole = Deal.from_pbn(SLIDE)
    assert Deal.from_pbn(SLIDE.replace("AQ53.T43.872.KJ5", "-")) == whole
    assert Deal.from_pbn("N:A... K... Q... -")["W"] is None
    assert Deal.from_pbn(SLIDE.replace("AQ53.T43.872.KJ5", "-").replace("JT8.AK9752..T986", "-"))["W"] is None


@given(st.permutations(DECK))
def test_a_deal_is_written_as_it_is_read(deck: list[Card]) -> None:
    deal = Deal(tuple(tuple(sorted(deck[n : n + 13])) for n in (0, 13, 26, 39)))
    assert Deal.from_pbn(deal.to_pbn()) == deal
    assert [len(deal[seat] or ()) for seat in SEATS] == [13] * 4


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ["is no deal"]),
        ("K74.J6.T543.Q432 - - -", ["is no deal"]),
        ("X:- - - -", ["is no deal"]),
        ("N:- - -", ["is no deal"]),
        (7, ["is no deal"]),
        ("N:A.K.Q - - -", ["N's hand 'A.K.Q' is no hand"]),
        ("N:A1.K.Q.J - - -", ["holds '1', which is no rank"]),
        ("N:A.K.Q.J A.2.3.4 - -", ["SA is in the hands of N and E"]),
        ("N:AA.K.Q.J - - -", ["SA is twice in the hand of N"]),
        ("N:AKQJT98765432.2.. - - -", ["N has 14 cards"]),
        ("N:A.2.3. A.... A.2.3.4 -", ["E's hand 'A....' is no hand", "SA is in the hands of N and S", "H2 is in", "D3 is in", "N has 3 cards, another hand 4"]),
    ],
)  # fmt: skip
def test_everything_wrong_is_named_at_once(text: object, faults: list[str]) -> None:
    with pytest.raises(MisreadError) as caught:
        Deal.from_pbn(text)
    assert len(caught.value.wrong) == len(faults)
    for (what, mend), expected in zip(caught.value.wrong, faults, strict=True):
        assert expected in what and mend
