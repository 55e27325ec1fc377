"""The calls: whose they are, what they make, and that they are the same in every format and when they come back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import shipped

from facts.auction import Auction, Call, facts_of_calls, slips_of_calls
from facts.cards import CLOCKWISE, NEXT, SEATS, Seat
from facts.contract import Contract
from facts.errors import InputError, Place
from facts.incident import Incident
from facts.readers.changes import all_changed
from facts.readers.incident_file import incident_of, read_incident
from facts.readers.lin import read_handviewer, read_lin
from facts.readers.pbn import read_pbn
from facts.to_yaml import as_yaml, node_of, plain

BIDS = [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]
MADE = st.tuples(
    st.sampled_from(["P", "P", "P", "X", "XX", *BIDS]),
    st.sampled_from([0, 0, 0, 0, 1, 2, 3]),
    st.booleans(),
    st.booleans(),
)
"""The call, how many players it passes over, whether it is cancelled, whether it is marked as insufficient."""


def auction_with(dealer: Seat, made: list[tuple[str, int, bool, bool]]) -> Auction:
    turn, calls = dealer, list[Call]()
    for text, over, cancelled, insufficient in made:
        hand = CLOCKWISE[turn][over]
        calls.append(Call(hand, text, cancelled, "I" * insufficient + "S" * (over > 0)))
        turn = turn if cancelled else NEXT[hand]
    return Auction(dealer, tuple(calls))


def stated(**said: Any) -> Incident:
    return incident_of(node_of(said, Place("stated", 1)), shipped)


def called(board: Incident | InputError) -> str:
    assert isinstance(board, Incident), board
    return "" if board.auction is None else f"{board.auction.dealer}: {board.auction}"


def pbn(text: str) -> Incident:
    (board,) = read_pbn(text, "a.pbn")
    assert isinstance(board, Incident), board
    return board


@given(st.sampled_from(SEATS), st.lists(MADE, min_size=1, max_size=30))
def test_calls_written_out_and_read_again_are_the_same(dealer: Seat, made: list[tuple[str, int, bool, bool]]) -> None:
    auction = auction_with(dealer, made)
    contract, declarer = auction.made(played=False)
    incident = Incident(place=Place("a", 1), dealer=dealer, auction=auction, contract=contract, declarer=declarer)
    again = read_incident(as_yaml(incident), "again.yaml", shipped)
    assert again == incident and again.auction is not None
    assert [call.mark for call in again.auction.calls] == [call.mark for call in auction.calls]


@pytest.mark.parametrize(
    ("row", "hands", "contract", "declarer"),
    [
        ("1S P 2S AP", "NESWNE", "2S", "N"),
        ("1S [1H] 2H AP", "NEESWN", "2H", "E"),  # he corrects it
        ("1S S:2C P 2H AP", "NSWNESW", "2H", "N"),  # out of turn and accepted
        ("1S S:2C [E:P] P 3C AP", "NSEWNESW", "3C", "S"),
        ("[N:1NT] W:1H P P P", "NWNES", "1H", "W"),
        ("[E:1NT] 1NT AP", "ENESW", "1NT", "N"),
        ("1D P 1H 2H X xx ap", "NESWNESWN", "2HXX", "W"),
        ("p - 1NT", "NS", None, None),
        ("PP1C!(could be two)1SAP", "NESWNES", "1S", "W"),
        ("pass PASS p P", "NESW", "Pass", None),
        ("P P AP", "NESW", "Pass", None),
        ("1♠ ^I 1♥? 2♠ $7 =3= AP", "NESWNE", "2S", "N"),
        ("1H 2H 2S P 4S AP", "NESWNESW", "4S", "S"),
        ("1S X 1S AP", "NESWNE", "1S", "N"),
    ],
)
def test_whose_the_calls_are_and_what_they_make(row: str, hands: str, contract: str | None, declarer: str) -> None:
    board = stated(dealer="N", auction=row)
    assert board.auction is not None and "".join(call.hand for call in board.auction.calls) == hands
    assert (board.contract and str(board.contract), board.declarer) == (contract, declarer)


def test_each_call_of_a_file_knows_where_it_stands() -> None:
    board = read_incident('dealer: W\nauction: "1S [1H] 2H"\n', "a.yaml", shipped)
    assert board.auction is not None and (board.contract, board.declarer) == (None, None)
    assert [str(call.place) for call in board.auction.calls] == ["a.yaml:2:11", "a.yaml:2:14", "a.yaml:2:19"]


def test_the_same_calls_in_every_format() -> None:
    lin = "md|3SAK,HAK,DAK,|mb|p|mb|1S!|an|five|mb|p|mb|2S|mb|p|mb|p|mb|p|"
    pages = "https://x/handviewer.html?n=SAK&e=&s=&w=&d=n&a=P1S!(five)P2SPPP"
    tags = '[Dealer "N"]\n[Contract "2S"]\n[Auction "W"]\n- Pass 1S =1= Pass\n2S $3 {so} AP\n[Note "1:five"]\n'
    boards = [
        *read_lin(lin, "a.lin"),
        *read_handviewer(pages, "a.txt"),
        pbn(tags),
        stated(dealer="N", auction="P1SP2SAP"),
    ]
    assert {called(board) for board in boards} == {"N: P 1S P 2S P P P"}
    assert {str(board.contract) + str(board.declarer) for board in boards if isinstance(board, Incident)} == {"2SE"}


def test_a_record_marks_what_was_irregular() -> None:
    board = pbn('[Auction "N"]\n1S ^I 1H ^S 2S\nPass Pass Pass *\n')
    assert board.auction is not None and board.dealer == "N" and (str(board.contract), board.declarer) == ("2S", "W")
    assert called(board) == "N: 1S ^I 1H W:2S P P P" and [*slips_of_calls(board.auction)] == []
    unmarked = pbn('[Auction "N"]\n1S 1H - 2S\nPass Pass Pass *\n')
    assert unmarked.auction is not None and unmarked == board
    assert [(one.kind, one.hands) for one in slips_of_calls(unmarked.auction)] == [
        ("bid-not-higher", ("E",)),
        ("call-out-of-turn", ("W",)),
    ]


@pytest.mark.parametrize(
    ("tags", "remark"),
    [
        ('[Contract "3S"]\n', "1:12: by the calls the contract is 2S, not 3S"),
        ('[Declarer "S"]\n', "1:12: by the calls the declarer is N, not S"),
        ('[Dealer "E"]\n', "1:10: by the calls the dealer is N, not E"),
    ],
)
def test_in_a_record_the_tags_stand_and_calls_that_made_something_else_are_left_out(tags: str, remark: str) -> None:
    board = pbn(tags + '[Auction "N"]\n1S Pass 2S AP\n')
    assert board.auction is None
    assert [str(one).partition(";")[0] for one in board.remarks] == [f"a.pbn:{remark}"]
    assert not pbn('[Contract "2S"]\n[Declarer "N"]\n[Auction "N"]\n1S Pass 2S AP\n').remarks


def test_calls_that_cannot_be_read_are_a_remark() -> None:
    board = pbn('[Auction "N"]\n1S Fass 2S AP\n')
    assert board.auction is None and [one.what for one in board.remarks] == ["'Fass 2' is no call"]


def test_the_calls_name_the_declarer_where_no_tag_does_and_they_made_the_contract() -> None:
    assert pbn('[Contract "2S"]\n[Auction "N"]\n1S Pass 2S AP\n').declarer == "N"
    assert pbn('[Contract "3S"]\n[Auction "N"]\n1S Pass 2S AP\n').declarer is None


def test_nobody_knows_who_called_where_nobody_knows_who_dealt() -> None:
    (board,) = read_lin("md|0SAK,HAK,DAK,|mb|1S|mb|p|mb|p|mb|p|", "a.lin")
    assert isinstance(board, Incident)
    assert (board.auction, board.contract, board.declarer) == (None, Contract(1, "S"), None)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("auction=1S P 3S AP", {"auction": "1S P 3S P P P", "contract": "3S", "declarer": "N"}),
        ("auction=1S [1H] P", {"auction": "1S [1H] P"}),
        ("auction=", {"contract": "2S", "declarer": "N"}),
        ("contract=4H", {"contract": "4H", "declarer": "N"}),
        ("declarer=", {"contract": "2S"}),
    ],
)
def test_calls_are_changed_with_what_they_made_and_contract_and_declarer_without_them(
    change: str, says: dict[str, str]
) -> None:
    changed = all_changed(stated(dealer="N", auction="1S P 2S AP"), [change], shipped)
    assert {
        key: plain(changed).get(key) for key in ("auction", "contract", "declarer") if key in plain(changed)
    } == says


def test_with_another_dealer_they_are_the_calls_of_others() -> None:
    changed = all_changed(stated(dealer="N", auction="1S P 2S AP"), ["dealer=E"], shipped)
    assert (str(changed.contract), changed.declarer) == ("2S", "E")
    with pytest.raises(InputError, match=r"^auction=1S P:1:1: nobody says who dealt; add dealer:$"):
        all_changed(stated(contract="2S"), ["auction=1S P"], shipped)
    with pytest.raises(InputError, match="'1Z' is no call"):
        all_changed(stated(dealer="N"), ["auction=1Z"], shipped)


def test_the_facts_of_calls() -> None:
    board = stated(dealer="N", auction="1S [1H] X S:2C")
    assert board.auction is not None
    assert [*facts_of_calls(board.auction)] == [
        ("call-made", 1, 1, "N", "bid", False),
        ("turn", 1, "N"),
        ("bid", 1, "N", 4, "S"),
        ("call-made", 2, 2, "E", "bid", True),
        ("turn", 2, "E"),
        ("standing", 2, 4, "N", "bid"),
        ("bid", 2, "E", 3, "H"),
        ("call-made", 3, 3, "E", "double", False),
        ("turn", 3, "E"),
        ("standing", 3, 4, "N", "bid"),
        ("call-made", 4, 4, "S", "bid", False),
        ("turn", 4, "S"),
        ("standing", 4, 4, "N", "double"),
        ("bid", 4, "S", 6, "C"),
        ("turn", 5, "W"),
    ]


@given(st.sampled_from(SEATS), st.lists(MADE, min_size=1, max_size=30))
def test_there_is_a_fact_of_each_call_and_turn(dealer: Seat, made: list[tuple[str, int, bool, bool]]) -> None:
    auction = auction_with(dealer, made)
    facts = [*facts_of_calls(auction)]
    turns = [fact[2] for fact in facts if fact[0] == "turn"]
    ended = ("auction-ended", len(made)) in facts
    assert sum(fact[0] == "call-made" for fact in facts) == len(made)
    assert turns == [*auction.turns[: len(made) + (not ended)]]
