from __future__ import annotations

from random import Random
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import bbo
from support.records import deal_at_random, play_at_random, rows

from facts.cards import SEATS, Seat
from facts.contract import Contract
from facts.errors import InputError
from facts.incident import Incident
from facts.readers.lin import read_handviewer

SITE = "https://www.bridgebase.com/tools/handviewer.html"
HANDS = "n=sak7542haj4d8ca42&e=sjh9632dq763ckj93&s=s96hkq87da102c10765&w=sq1083h105dkj954cq8"
FULL = f"{SITE}?{HANDS}&nn=Zia&d=n&v=-&b=13&a=1Sp2H!(ten%20more)P4SPP{{ok}}P&p=d3dad4d8s9s3SASJ"
LIN = "st||pn|a,b,c,d|md|3S69HKQ87DAT2CT765,SQT83HT5DKJ954CQ8,SAK7542HAJ4D8CA42,|ah|Board 19|sv|e|mb|1S|mb|p|mb|p|mb|p|pc|D3|"


def read(text: str) -> list[Incident | InputError]:
    return list(read_handviewer(text, "mail.txt"))


def one(text: str) -> Incident:
    (board,) = read(text)
    assert isinstance(board, Incident), board
    return board


def test_an_address() -> None:
    board = one(FULL)
    assert (board.board, board.dealer, board.vulnerable, board.declarer) == ("13", "N", "none", "N")
    assert board.contract == Contract(4, "S")
    assert board.deal is not None
    assert board.deal.to_pbn() == "N:AK7542.AJ4.8.A42 J.9632.Q763.KJ93 96.KQ87.AT2.T765 QT83.T5.KJ954.Q8"
    assert board.play is not None and rows(board.play) == ["E D3 DA D4 D8", "S S9 S3 SA SJ"]
    assert str(board.place) == "mail.txt:1:1"


@pytest.mark.parametrize(
    "text",
    [
        f"See {FULL}.",
        f"line one\n  ({FULL})\n",
        f'<a href="{FULL.replace("&", "&amp;")}">the board</a>',
        f"[the board]({FULL}), he said",
        FULL[FULL.index("?") :],
        FULL.replace("https://www.", ""),
        FULL.replace("nn=Zia", "nn=A%26B&kbitz=1"),
    ],
)
def test_addresses_stand_anywhere(text: str) -> None:
    assert one(text) == one(FULL)


def test_a_hand_may_be_left_out() -> None:
    assert one(FULL.replace("e=sjh9632dq763ckj93&", "")).deal == one(FULL).deal
    assert one(FULL.replace(HANDS + "&", "")).deal is None


@pytest.mark.parametrize("text", [quote(LIN), LIN, LIN.replace(" ", "%20"), LIN.replace("pn|a,b", "pn|a b,b c")])
def test_a_lin_text_in_an_address(text: str) -> None:
    board = one(f"look: {SITE}?lin={text} and tell me")
    assert (board.board, board.declarer, board.vulnerable) == ("19", "N", "EW")
    assert board.play is not None and rows(board.play) == ["E D3"]
    assert str(board.place) == "mail.txt:1:7"


def test_many_addresses() -> None:
    text = f"{FULL}\n{SITE}?lin={quote(LIN)} {FULL}\nhttps://example.org/?s=search&q=x\n{SITE}?myhand=M-1-2\n{FULL}"
    assert [type(board) for board in read(text)] == [Incident, Incident, Incident, InputError, Incident]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"{SITE}?bbo=y&myhand=M-1-2",
            "mail.txt:1:1: the address holds no cards: myhand only says where they are kept",
        ),
        (f"{SITE}?linurl=http://x.org/a?id=1", "the address holds no cards: linurl only says"),
        (f"{SITE}?bbo=y", "holds no cards"),
        ("nothing here", "mail.txt:1:1: this is neither a record nor an incident"),
        (FULL.replace("d=n", "d=x"), "'x' is no dealer"),
        (FULL.replace("v=-", "v=k"), "'k' does not say who is vulnerable"),
        (FULL.replace("a=1S", "a=1L"), "'1Lp2H!' is no call"),
        (FULL.replace("p=d3", "p=z3"), "'z3da' is no card"),
        (FULL.replace("sak7", "sakk7"), "SK is twice in the hand of N"),
        (FULL.replace("n=sak", "n=ak"), "N's hand"),
        (f"{SITE}?lin=" + quote(LIN.replace("mb|1S", "mb|1L")), "mail.txt:1:1: '1L' is no call"),
    ],
)
def test_faults(text: str, expected: str) -> None:
    (board,) = read(text)
    assert isinstance(board, InputError)
    assert expected in str(board)


@given(
    st.integers(0, 10**9), st.sampled_from(["1NT", "4S", "2CXX", "6HX"]), st.sampled_from(SEATS), st.sampled_from(SEATS)
)
def test_the_order_of_play_is_found(seed: int, bid: str, declarer: Seat, dealer: Seat) -> None:
    chance, contract = Random(seed), Contract.from_text(bid)
    deal = deal_at_random(chance)
    play = play_at_random(deal, contract, declarer, chance)
    board = one(bbo.address(deal, contract, declarer, play, dealer))
    assert (board.deal, board.contract, board.declarer, board.play) == (deal, contract, declarer, play)
