from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.pbn_writer import lost_in_pbn, write_board, write_pbn
from support.records import deal_at_random, play_at_random, revokes_in

from facts.cards import DECK, SEATS, Card, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import Place
from facts.incident import Incident
from facts.play import PlayRecord, Trick
from facts.readers.pbn import read_pbn

PLACE = Place("a.pbn", 1)
DEAL = Deal.from_pbn("N:2.K.. 3.A.. 4.Q.. 5.J..")


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.from_text, text.split()))


def incident_at_random(chance: Random) -> Incident:
    """Revokes, leads from any hand, cards not recorded, a play that ends anywhere, tags that are not known."""
    contract = Contract.from_text(chance.choice(["1NT", "4S", "2CXX", "6HX"]))
    declarer: Seat = chance.choice(SEATS)
    deal = deal_at_random(chance)
    tricks = list(play_at_random(deal, contract, declarer, chance).tricks)
    if chance.random() < 0.3:
        tricks = [replace(trick, leader=chance.choice(SEATS)) if chance.random() < 0.2 else trick for trick in tricks]
        deal = None
    if chance.random() < 0.3:
        hidden = [tuple(None if chance.random() < 0.1 else card for card in trick.cards) for trick in tricks]
        tricks = [replace(trick, cards=cards) for trick, cards in zip(tricks, hidden, strict=True)]
    tricks = tricks[: chance.randint(1, 13)]
    tricks[-1] = replace(tricks[-1], cards=(*tricks[-1].cards[: chance.randint(0, 3)], chance.choice(DECK)))
    return Incident(
        place=PLACE,
        board=chance.choice([None, "1", "12A", 'the "last" \\ board']),
        dealer=chance.choice([None, *SEATS]),
        vulnerable=chance.choice([None, "none", "NS", "EW", "both"]),
        contract=contract,
        declarer=chance.choice([declarer, declarer, None]),
        deal=deal,
        play=PlayRecord(tuple(tricks)),
        tricks=chance.choice([None, *range(14)]),
        marked=tuple(revokes_in(tricks)),
    )


@given(st.integers(0, 10**9), st.integers(1, 3))
def test_what_is_written_is_read_again(seed: int, number: int) -> None:
    chance = Random(seed)
    incidents = [incident_at_random(chance) for _ in range(number)]
    read = [one for one in read_pbn(write_pbn(incidents), "a.pbn") if isinstance(one, Incident)]
    assert [replace(one, revokes=()) for one in read] == incidents
    assert all({(found.trick, found.hand) for found in one.revokes} <= {*one.marked} for one in read)


def rows(incident: Incident, revokes: set[tuple[int, Seat]]) -> list[str]:
    return write_board(incident, revokes).splitlines()[16:]


def test_revokes_and_leads_out_of_turn_are_marked() -> None:
    play = PlayRecord((Trick("W", cards("CA S6 C3 C4")), Trick("N", cards("H2 H3 H4 H5")), Trick("S", cards("D2"))))
    incident = Incident(place=PLACE, contract=Contract.from_text("3NT"), play=play)
    assert rows(incident, {(1, "N"), (2, "N"), (2, "S")}) == [
        "CA ^R S6 C3 C4",
        "H5 ^L H2 H3 ^R H4",
        "- - - ^L D2",
        "*",
    ]


def test_the_tags() -> None:
    incident = Incident(
        place=PLACE, board='1"A', dealer="N", vulnerable="both", contract=Contract.from_text("Pass"), tricks=0
    )
    text = write_pbn([incident])
    for tag in (
        '[Board "1\\"A"]',
        '[Dealer "N"]',
        '[Vulnerable "All"]',
        '[Contract "Pass"]',
        '[Result "0"]',
        '[Deal "?"]',
    ):
        assert tag in text
    assert "[Play" not in text
    assert list(read_pbn(text, "a.pbn")) == [incident]


def test_a_result_that_is_not_that_of_the_cards_is_marked() -> None:
    chance = Random(1)
    deal, contract = deal_at_random(chance), Contract.from_text("3NT")
    play = play_at_random(deal, contract, "S", chance)
    own = sum(trick.winner(None) in ("N", "S") for trick in play.tricks)
    incident = Incident(place=PLACE, contract=contract, declarer="S", play=play, tricks=own)
    assert f'[Result "{own}"]' in write_board(incident)
    assert f'[Result "^{own - 1}"]' in write_board(replace(incident, tricks=own - 1))


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        ({}, ()),
        ({"elections": ("dbv-2007",)}, ("elections",)),
        ({"equity_tricks": 0}, ("equity_tricks",)),
        ({"board": "#"}, ("board",)),
        ({"board": "one\ntwo"}, ("board",)),
        ({"edition": "duplicate-2007"}, ("edition",)),
        ({"play": PlayRecord((Trick("N", (None,)),))}, ("play",)),
        ({"play": PlayRecord(())}, ("play",)),
        ({"deal": DEAL, "play": PlayRecord((Trick("N", cards("S2 HA S4 HK")),))}, ()),
        ({"deal": DEAL, "play": PlayRecord((Trick("N", cards("S3 S4 S5 S2")),))}, ("play",)),
    ],
)  # fmt: skip
def test_what_would_be_lost_is_named(change: dict[str, object], lost: tuple[str, ...]) -> None:
    assert lost_in_pbn(replace(Incident(place=PLACE, board="1"), **change)) == lost
