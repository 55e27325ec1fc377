from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import bbo
from support.records import deal_at_random, play_at_random, rows

from facts.cards import SEATS, Seat
from facts.contract import PASSED_OUT, Contract
from facts.errors import InputError
from facts.incident import Incident
from facts.readers.lin import read_lin

HEAD = "pn|a,b,c,d|st||md|3S69HKQ87DAT2CT765,SQT83HT5DKJ954CQ8,SAK7542HAJ4D8CA42,|rh||ah|Board 7|sv|b|"
AUCTION = "mb|1S|mb|p|mb|2H!|an|ten, or more|mb|p|mb|4S|mb|p|mb|p|mb|p|pg||"
PLAY = "pc|D3|pc|DA|pc|D4|pc|D8|pg||pc|s9|pc|s3|pc|sA|pc|sJ|pg||pc|SK|pc|C9|pc|S6|"


def read(text: str) -> list[Incident | InputError]:
    return list(read_lin(text, "club.lin"))


def one(text: str) -> Incident:
    (board,) = read(text)
    assert isinstance(board, Incident), board
    return board


def faults(text: str) -> list[str]:
    return [str(fault) for board in read(text) if isinstance(board, InputError) for fault in board.faults]


def played(text: str) -> list[str]:
    play = one(text).play
    return [] if play is None else rows(play)


def test_a_board() -> None:
    board = one(HEAD + AUCTION + PLAY + "mc|10|pg||")
    assert (board.board, board.dealer, board.vulnerable, board.tricks) == ("7", "N", "both", 10)
    assert (board.contract, board.declarer) == (Contract(4, "S"), "N")
    assert board.deal is not None
    assert board.deal.to_pbn() == "N:AK7542.AJ4.8.A42 J.9632.Q763.KJ93 96.KQ87.AT2.T765 QT83.T5.KJ954.Q8"
    assert board.play is not None
    assert rows(board.play) == ["E D3 DA D4 D8", "S S9 S3 SA SJ", "N SK C9 S6"]
    assert board.events == board.revokes == board.marked == ()


@pytest.mark.parametrize(
    ("calls", "contract", "declarer"),
    [
        ("p p p p", "Pass", None),
        ("p p 1N p 3N p p p", "3NT", "S"),
        ("1H p 2H p 4H p p p", "4H", "N"),
        ("1S 2H 2S 4H d p p p", "4HX", "E"),
        ("1S! d x r p p p", "1SXX", "N"),
        ("1c DBL xx 2d p p p", "2D", "W"),
        ("1H d 2H p p p", "2H", "N"),
        ("2C d 2D p p p", "2D", "S"),
        ("1N? pass PASS P", "1NT", "N"),
    ],
)
def test_contract_and_declarer_come_from_the_calls(calls: str, contract: str, declarer: Seat | None) -> None:
    board = one(HEAD + "".join(f"mb|{call}|" for call in calls.split()))
    assert (str(board.contract), board.declarer) == (contract, declarer)
    together = one(HEAD + f"mb|{calls}|")
    assert (together.contract, together.declarer) == (board.contract, board.declarer)


def test_an_auction_that_did_not_end_made_no_contract_unless_cards_were_played() -> None:
    assert one(HEAD + "mb|1S|mb|p|mb|p|").contract is None
    assert one(HEAD).contract is None
    assert one(HEAD + "mb|1S|mb|p|mb|p|pc|D3|").contract == Contract(1, "S")
    assert one(HEAD + "mb|p|" * 4).contract == PASSED_OUT


@pytest.mark.parametrize(
    ("letter", "vulnerable"), [("o", "none"), ("n", "NS"), ("e", "EW"), ("B", "both"), ("0", "none"), ("", "none")]
)
def test_vulnerability(letter: str, vulnerable: str) -> None:
    assert one(HEAD.replace("sv|b", f"sv|{letter}")).vulnerable == vulnerable


@pytest.mark.parametrize(("digit", "dealer"), [("1", "S"), ("2", "W"), ("3", "N"), ("4", "E"), ("0", None), ("", None)])
def test_the_dealer(digit: str, dealer: Seat | None) -> None:
    assert one(HEAD.replace("md|3", f"md|{digit}")).dealer == dealer


def test_three_hands_or_four() -> None:
    three = one(HEAD)
    four = one(HEAD.replace("CA42,|", "CA42,SJH9632DQ763CKJ93|"))
    without_comma = one(HEAD.replace("CA42,|", "CA42|"))
    assert three.deal == four.deal == without_comma.deal
    assert one("md|3,,,|mb|1S|").deal is None


@pytest.mark.parametrize(
    ("name", "board"),
    [("ah|Board 12|", "12"), ("ah|Segment 3, Deal 4|", "4"), ("ah|Final|", "Final"), ("ah||", "5"), ("", "5")],
)
def test_the_name_of_a_board(name: str, board: str) -> None:
    assert one("qx|o5|" + HEAD.replace("ah|Board 7|", name)).board == board


def test_a_card_taken_back_was_not_played() -> None:
    (board,) = read_lin("md|1,,,|mb|1S|mb|p|mb|p|mb|p|pc|H2|pc|S3|pc|S5|up|2|pc|H4|", "a.lin")
    assert isinstance(board, Incident) and board.play is not None
    assert [str(card) for _, _, _, card in board.play.plays()] == ["H2", "H4"]
    (wrong,) = read_lin("md|1,,,|mb|1S|mb|p|mb|p|mb|p|pc|H2|up|2|", "a.lin")
    assert "'2' is no number of cards to take back" in str(wrong)


def test_boards_begin_where_a_key_comes_again() -> None:
    bare = "md|3S69HKQ87DAT2CT765,SQT83HT5DKJ954CQ8,SAK7542HAJ4D8CA42,|sv|o|mb|1S|"
    for head in ("qx|o1|", "pn|a,b,c,d|", "ah|Board 1|", ""):
        assert [board.dealer for board in read((head + bare + "\n") * 3) if isinstance(board, Incident)] == ["N"] * 3


def test_both_rooms_of_a_vugraph_file() -> None:
    text = (
        "vg|Final,Segment 4 of 8,I,46,60,Us,80,Them,99|\nrs|4HE=,4HE=|pw|a,b|\n"
        "pn|Herman, I,b,c,d,e,f,g,h|pg||\n"
        f"qx|o46|st||{HEAD[HEAD.index('md') : HEAD.index('ah')]}sv|o|nt|x: hello|pg||\nnt|a | in a comment|pg||\n{AUCTION}{PLAY}mc||\n"
        f"qx|c46|st||{HEAD[HEAD.index('md') : HEAD.index('ah')]}sv|o|nt|y|pg||\nmb|p|\n"
        "qx|o47|pg||\nnt|bye all|pg||\n\x1a"
    )
    first, second = read(text)
    assert isinstance(first, Incident) and isinstance(second, Incident)
    assert (first.board, second.board) == ("46", "46")
    assert (first.place.line, second.place.line) == (4, 7)
    assert first.play is not None and first.tricks is None


def test_the_winner_leads_next_unless_the_hands_prove_another() -> None:
    assert played(HEAD + AUCTION + "pc|D3|pc|DA|pc|D4|pc|D8|pc|HA|pc|H2|pc|H8|pc|H5|") == [
        "E D3 DA D4 D8",
        "N HA H2 H8 H5",
    ]
    assert played(HEAD + AUCTION + "pc|D3|pc|DA|pc|D4|pc|D8|pc|SQ|") == ["E D3 DA D4 D8", "S SQ"]
    assert played(HEAD + "pc|D3|pc|DA|pc|D4|pc|D8|") == ["E D3 DA D4 D8"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + "mb|1Z|", "1:98: '1Z' is no call; write such as"),
        (HEAD + "\nmb|1S|\npc|S1|", "3:4: 'S1' is no card; write a card as"),
        (HEAD + "mc|14|", "'14' is no number of tricks"),
        (HEAD.replace("sv|b", "sv|q"), "'q' does not say who is vulnerable"),
        (HEAD.replace("md|3", "md|7"), "1:19: 7 is no dealer"),
        (HEAD.replace("S69", "S699"), "S9 is twice in the hand of S; take it out once"),
        (HEAD.replace("CA42,|", "CA42,S2,S3|"), "there are 5 hands"),
        (HEAD.replace("S69", "69"), "S's hand '69HKQ87DAT2CT765' is no hand"),
        (HEAD + "mb|1S|pcD3|pc|DA|", "'pcD3|pc|DA|' is no key"),
        (HEAD + "pc|SA|" * 53, "this is more than the 52 cards"),
        ("pc|SA|", "it is not known who led to trick 1"),
        ("nothing here", "1:1: 'nothing here' is no key with its value"),
        ("pg||", "there is no board in this LIN file"),
    ],
)
def test_faults(text: str, expected: str) -> None:
    found = faults(text)
    assert any(expected in fault for fault in found), found


def test_one_bad_board_loses_no_other() -> None:
    good, bad = HEAD + AUCTION + PLAY + "\n", HEAD + "mb|8S|mb|p|\n"
    assert [type(board) for board in read(good + bad + good)] == [Incident, InputError, Incident]
    assert faults(good + bad + good)[0].startswith("club.lin:2:98:")


@given(
    st.integers(0, 10**9), st.sampled_from(["1NT", "4S", "2CXX", "6HX"]), st.sampled_from(SEATS), st.sampled_from(SEATS)
)
def test_the_order_of_play_is_found(seed: int, bid: str, declarer: Seat, dealer: Seat) -> None:
    chance, contract = Random(seed), Contract.from_text(bid)
    deal = deal_at_random(chance)
    play = play_at_random(deal, contract, declarer, chance)
    for board in read(bbo.lin(deal, contract, declarer, play, dealer=dealer) * 2):
        assert isinstance(board, Incident)
        assert (board.deal, board.contract, board.declarer, board.play) == (deal, contract, declarer, play)
