from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.records import deal_at_random, pbn_rows, play_at_random, rows
from support.tables import shipped

from facts.cards import NEXT, Seat
from facts.contract import PASSED_OUT, Contract
from facts.deal import Deal
from facts.errors import Fault, InputError
from facts.incident import Incident
from facts.readers.incident_file import read_incident
from facts.readers.pbn import read_pbn
from facts.to_yaml import as_yaml, plain


def read(text: str) -> list[Incident | InputError]:
    return list(read_pbn(text, "club.pbn"))


def one(text: str) -> Incident:
    (board,) = read(text)
    assert isinstance(board, Incident), board
    return board


def played(section: str, contract: str = "5HX", first: str = "W") -> list[str]:
    board = one(f'[Contract "{contract}"]\n[Play "{first}"]\n{section}')
    return rows(board.play) if board.play else []


BOARD = """\
[Event "Schiphol"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]
[Declarer "S"]
[Contract "5HX"]
[Result "9"]
[Auction "N"]
1D 1S 3H =1= 4S
4NT =2= X Pass Pass
5C X 5H X
AP
[Note "1:non-forcing"]
[Note "2:two colours"]
[Play "W"]
SK =1= H3 S4 S3
C5 C2 C6 CK
S2 H6 S5 S7
C8 CA CT C4
D2 DA DT D3
D4 DK H5 H7
- - - H2
*
[Note "1:highest of series"]
"""
PLAY = ["W SK H3 S4 S3", "N C2 C6 CK C5", "S S7 S2 H6 S5", "N CA CT C4 C8", "N DA DT D3 D2", "N DK H5 H7 D4", "S H2"]


def test_a_board() -> None:
    board = one(BOARD)
    assert (board.board, board.dealer, board.vulnerable, board.declarer) == ("1", "N", "none", "S")
    assert (board.contract, board.tricks) == (Contract(5, "H", "X"), 9)
    assert board.deal == Deal.from_pbn("N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85")
    assert board.play is not None and rows(board.play) == PLAY
    assert board.events == board.revokes == board.marked == ()
    assert str(board.place) == "club.pbn:1:1"


def test_windows_and_old_line_ends_and_the_end_mark_of_dos() -> None:
    for text in (BOARD.replace("\n", "\r\n"), BOARD.replace("\n", "\r"), BOARD + "\x1a"):
        assert one(text) == one(BOARD)


@pytest.mark.parametrize(
    "section",
    [
        "SK H3 S4 S3 C5 C2 C6 CK",  # rows need not be lines
        "SK\nH3\n\nS4 S3\nC5 C2 C6 CK\n*\n",
        "sk h3 S4 s3\nC5 C2 C6 CK*",
        "SK! H3?? S4 !? S3\nC5 C2 C6 CK",
        "SK $14 H3 =1= S4=12= S3 $7\nC5 C2 C6 CK",
        "SK {a {nice lead; really} H3 S4 S3 ; the first trick\nC5 C2 C6 CK",
        "{before}\nSK {over\n\nlines} H3 S4 S3\n% an escaped line\nC5 C2 C6 CK",
        "♠K H3 S4 S3\nC5 C2 C6 CK",
    ],
)
def test_annotations_are_left_out(section: str) -> None:
    assert played(section) == ["W SK H3 S4 S3", "N C2 C6 CK C5"]


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("", []),
        ("*", []),
        ("- - - -\n*", []),
        ("SK\n*", ["W SK"]),
        ("SK H3 *", ["W SK H3"]),
        ("SK + - -", ["W SK"]),
        ("SK H3 + -", ["W SK H3"]),
        ("SK H3 S4 S3\n- C2 + -", ["W SK H3 S4 S3", "N C2"]),
        ("SK H3 S4 S3\nC5 C2 + CK", ["W SK H3 S4 S3", "N C2 - CK C5"]),
        ("SK - S4 S3\nSA", ["W SK - S4 S3", "W SA"]),
        ("SK H3 S4 S3\n- - - -\n- - - -", ["W SK H3 S4 S3"]),
        ("SK H3 S4 S3\n* and whatever follows", ["W SK H3 S4 S3"]),
    ],
)
def test_cards_that_are_not_recorded(section: str, expected: list[str]) -> None:
    assert played(section) == expected


def test_revokes_are_marked() -> None:
    board = one('[Contract "5HX"]\n[Play "W"]\nSK H3 S4 S3\nC5 C2 ^R S5 ^RCK\n')
    assert board.play is not None and rows(board.play) == ["W SK H3 S4 S3", "N C2 S5 CK C5"]
    assert board.marked == ((2, "E"), (2, "S"))
    assert [(one.hand, one.trick) for one in board.revokes] == [("E", 2)], "South followed suit"


def test_a_mark_is_a_statement_where_the_cards_neither_show_nor_deny_it() -> None:
    deal = '[Deal "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"]\n'
    section = '[Contract "3NT"]\n[Play "S"]\nH7 H3 HJ HQ\n{}\n{}\n*'
    marked = "C6 D2 ^R C2 DA"
    stated = one(section.format(marked, "S8 S3 S4 DK"))
    assert [(found.hand, dict(found.said)) for found in stated.revokes] == [("N", {"failed-to": "follow-suit"})]
    by_a_later_card, by_the_deal = section.format(marked, "S8 S3 D3 DK"), deal + section.format(marked, "")
    void_by_the_deal = deal + section.format("^R C6 D2 D3 DA", "")
    for text in (by_a_later_card, by_the_deal, void_by_the_deal):
        assert one(text).marked and not one(text).revokes


def test_a_tag_without_quotes_costs_a_remark_where_no_ruling_needs_it() -> None:
    first, second = read(f"[Event Random Deal #]\n{BOARD.partition(chr(10))[2]}\n\n[Event Random]\n[Board 2]\n")
    assert isinstance(first, Incident) and [str(one.place) for one in first.remarks] == ["club.pbn:1:1"]
    assert first.play is not None and rows(first.play) == PLAY
    assert isinstance(second, InputError) and "club.pbn:" in str(second), "a board needs its number"


def test_a_lead_out_of_turn_leads_the_trick() -> None:
    assert played("SK H3 S4 S3\nC5 C2 S5 ^L CK\nS2 H6 C6 S7") == ["W SK H3 S4 S3", "S CK C5 C2 S5", "S S7 S2 H6 C6"]


def test_rows_begun_with_another_seat_are_put_into_their_columns_where_the_deal_proves_it() -> None:
    board = one(BOARD.replace("S2 H6 S5 S7", "H6 S5 S7 S2").replace("D4 DK H5 H7", "H7 D4 DK H5"))
    assert board.play is not None and rows(board.play) == PLAY
    board = one(BOARD.replace("S2 H6 S5 S7", "H6 S2 S5 S7"))
    assert board.play is not None and rows(board.play)[2] == "S S7 H6 S2 S5"


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("3NT", Contract(3, "NT")),
        ("3N", Contract(3, "NT")),
        ("3NX", Contract(3, "NT", "X")),
        ("4s x", Contract(4, "S", "X")),
        ("2HR", Contract(2, "H", "XX")),
        ("Pass", PASSED_OUT),
        ("PASS", PASSED_OUT),
        ("PAS", PASSED_OUT),
        ("AP", PASSED_OUT),
        ("", None),
        ("?", None),
        ("-", None),
    ],
)
def test_contracts(text: str, contract: Contract | None) -> None:
    assert one(f'[Contract "{text}"]').contract == contract


@pytest.mark.parametrize(
    ("text", "tricks"),
    [
        ("9", 9),
        ("^9", 9),
        ("13", 13),
        ("NS 9", 9),
        ("EW 4", 9),
        ("EW 4 NS 9", 9),
        ("^NS 9", 9),
        ("?", None),
        ("", None),
    ],
)
def test_results(text: str, tricks: int | None) -> None:
    assert one(f'[Declarer "^S"]\n[Result "{text}"]').tricks == tricks


def test_a_result_of_a_side_says_nothing_without_a_declarer() -> None:
    assert one('[Result "NS 9"]').tricks is None


@pytest.mark.parametrize(
    ("text", "vulnerable"),
    [("None", "none"), ("Love", "none"), ("-", "none"), ("NS", "NS"), ("EW", "EW"), ("All", "both"), ("Both", "both"), ("?", None)],
)  # fmt: skip
def test_vulnerability(text: str, vulnerable: str | None) -> None:
    assert one(f'[Vulnerable "{text}"]').vulnerable == vulnerable


def test_a_declarer_who_changed_places_with_dummy() -> None:
    assert one('[Declarer "^S"]').declarer == "S"


@pytest.mark.parametrize(
    "tags",
    [
        '[Board "1A"] [Dealer "N"]',
        '[Board"1A"][Dealer"N"]',
        '[   Board "1A"   ]\n  [ Dealer\n "N" ]',
        '[Board "1A"]\n{with [a comment] "between"}\n[Dealer "N"] ; at the end\n',
        '% an escaped line with [Board "7"]\n[Board "1A"]\n%\n[Dealer "N"]',
        '[Note "1:\\"quoted\\" ; and {more}"]\n[Board "1A"]\n[Dealer "N"]',
    ],
)
def test_tags_stand_anyhow(tags: str) -> None:
    board = one(tags)
    assert (board.board, board.dealer) == ("1A", "N")


def test_of_a_tag_given_twice_the_first_counts() -> None:
    assert one('[Dealer "N"]\n[Dealer "S"]').dealer == "N"


def numbers(text: str) -> list[str | None]:
    return [board.board for board in read(text) if isinstance(board, Incident)]


def test_boards_end_at_an_empty_line_or_where_the_tags_begin_again() -> None:
    assert numbers('[Board "1"]\n\n[Board "2"]\n \t\n[Dealer "N"]\n[Board "3"]') == ["1", "2", "3"]
    assert numbers('[Event ""]\n[Board "1"]\n[Event ""]\n[Board "2"]') == ["1", "2"]
    assert numbers('[Board "1"]\n{\n\n}\n%\n[Dealer "N"]') == ["1"]


def test_an_empty_line_before_the_auction_or_the_play_ends_nothing() -> None:
    (board,) = read(BOARD.replace("[Auction", "\n[Auction").replace("[Play", "\n[Play"))
    assert isinstance(board, Incident) and board.play == one(BOARD).play


def test_the_second_table_of_a_board() -> None:
    first, second = read(BOARD + '\n[West "Zia"]\n[Declarer "E"]\n[Contract "4S"]\n[Play "S"]\nH2\n')
    assert isinstance(first, Incident) and isinstance(second, Incident)
    assert (second.board, second.deal, second.vulnerable, second.declarer) == ("1", first.deal, "none", "E")
    assert second.tricks is None and second.play is not None and rows(second.play) == ["S H2"]


def test_a_table_with_a_board_of_its_own_takes_nothing_from_the_one_before() -> None:
    second = read(BOARD + '\n[Board "2"]\n[Contract "4S"]\n')[1]
    assert isinstance(second, Incident) and second.deal is None and second.dealer is None


def test_inherited_values() -> None:
    text = '[Board "7"]\n[Vulnerable "##EW"]\n\n[Board "#"]\n[Dealer "#"]\n\n[Board "#"]\n\n[Board "8"]\n[Vulnerable "NS"]\n'
    boards = [board for board in read(text) if isinstance(board, Incident)]
    assert [board.board for board in boards] == ["7", "7", "7", "8"]
    assert [board.vulnerable for board in boards] == ["EW", "EW", "EW", "NS"]
    assert boards[1].dealer is None


def test_boards_know_their_line() -> None:
    text = "\n% head\n\n" + BOARD + "\n" + BOARD.replace("H3 S4", "H3 S1")
    first, second = read(text)
    assert isinstance(first, Incident) and first.place.line == 4
    assert isinstance(second, InputError)
    (fault,) = second.faults
    assert text.splitlines()[fault.place.line - 1][fault.place.column - 1 :].startswith("S1")


def test_one_bad_board_loses_no_other() -> None:
    bad = BOARD.replace("A9732", "A97322")
    assert [type(board) for board in read("\n".join([BOARD, bad, BOARD]))] == [Incident, InputError, Incident]


def test_everything_wrong_on_a_board_is_told() -> None:
    (board,) = read('[Dealer "X"]\n[Contract "9S"]\n[Deal "N:AA... - - -"]\n[Play "W"]\nSA S1\n')
    assert isinstance(board, InputError)
    assert [fault.place.line for fault in board.faults] == [1, 2, 3, 5]


def test_an_open_comment_is_told_and_not_swallowed() -> None:
    (board,) = read('[Board "1"]\n{never closed\n\n[Board "2"]\n')
    assert isinstance(board, InputError)
    assert str(board.faults[0]).startswith("club.pbn:2:1: this comment is not closed")


@given(st.integers(0, 10**9), st.sampled_from(["1NT", "4S", "2C", "6HX"]), st.sampled_from("NESW"))
def test_the_order_of_play_is_found_from_the_columns(seed: int, bid: str, declarer: Seat) -> None:
    chance, contract = Random(seed), Contract.from_text(bid)
    deal = deal_at_random(chance)
    play = play_at_random(deal, contract, declarer, chance)
    tags = [
        f'[Deal "{deal.to_pbn()}"]',
        f'[Declarer "{declarer}"]',
        f'[Contract "{bid}"]',
        f'[Play "{NEXT[declarer]}"]',
    ]
    board = one("\n".join([*tags, *pbn_rows(play)]))
    assert (board.deal, board.play) == (deal, play)


def test_rows_that_prove_too_little_stay() -> None:
    board = one(BOARD.replace("- - - H2", "H2 - - -"))
    assert board.play is not None and rows(board.play)[-1] == "S - H2"
    north_only = re.sub(r'(Deal "N:\S+).*"', r'\1 - - -"', BOARD)
    board = one(north_only.replace("S2 H6 S5 S7", "H6 - S7 -"))
    assert board.play is not None and rows(board.play)[2] == "S S7 - H6 -"


@pytest.mark.parametrize(
    "text",
    [
        '[Board "1"]\n[Site "x"]\n[',
        '[Board "1\n2"]\n[Dealer "N"]\n',
        '[Board "1"]\n[Dealer "N]\n[Declarer "S"]',
        '[Board "1"]x"]\n[Dealer "N"]\n[Result "9"',
    ],
)
def test_what_is_not_a_whole_tag_is_told(text: str) -> None:
    assert "this is not a whole tag" in str(read(text)[0])


def test_a_tag_in_the_value_of_another_is_none() -> None:
    board = one('[Board "1A"]\n[Site "[Dealer "]\n')
    assert (board.board, board.dealer) == ("1A", None)
    assert one('[Event "a\\"] [Board "] [Y "] [Z "] "]').board is None


def board_at_random(chance: Random) -> str:
    """A board as real files have it: perhaps unfinished, rows begun with any seat, tags left out."""
    deal, bid, declarer = deal_at_random(chance), chance.choice(["1NT", "4S", "2CX", "6H"]), chance.choice("NESW")
    play = pbn_rows(play_at_random(deal, Contract.from_text(bid), declarer, chance))[: chance.randint(1, 13)]
    for number, row in enumerate(play):
        cards = row.split()
        if chance.random() < 0.2:
            cards[chance.randrange(4)] = "-"
        begins = chance.choice((0, 0, 0, 1, 2, 3))
        play[number] = " ".join(cards[begins:] + cards[:begins])
    tags = {"Board": "7", "Dealer": "N", "Deal": deal.to_pbn(), "Declarer": declarer, "Contract": bid, "Result": "9"}
    kept = [f'[{name} "{value}"]' for name, value in tags.items() if chance.random() < 0.9]
    auction = ['[Auction "N"]', "1NT Pass 4S AP"] if chance.random() < 0.5 else []
    return "\n".join([*kept, *auction, f'[Play "{NEXT[declarer]}"]', *play, chance.choice(["*", "SZ"]), ""])


HARMLESS: list[Callable[[str], str]] = [
    lambda text: text.replace("]\n", "] ; note\n", 1),
    lambda text: text.replace("]\n", "]\n{a [comment]\n}\n", 1),
    lambda text: text.replace("[Play ", "[ Play  "),
    lambda text: text.replace("[Play ", '[Note "1:\\"a\\""]\n[Play '),
    lambda text: text.replace("[Play ", '[Note "1:a"]\n[Note "2:b"]\n[Play '),
    lambda text: text.replace("[Play ", '[Event "["]\n[Play '),
    lambda text: text.replace("[Play ", "\n \t\n[Play "),
    lambda text: text.replace("*", "{}*"),
    lambda text: re.sub(r"(?m)^([SHDC].) ", r"\1! ", text),
    lambda text: re.sub(r"(?m)^([SHDC].) ", lambda found: found[0].lower(), text),
    lambda text: text.replace(" ", "  ") if "SZ" not in text else text,
]
"""What makes a reader look more carefully and says nothing; none moves a card within its line before the fault."""


@given(st.integers(0, 10**9), st.sampled_from(HARMLESS))
def test_a_board_says_the_same_however_it_is_written(seed: int, noise: Callable[[str], str]) -> None:
    plain = board_at_random(Random(seed))
    (one_way,), (other_way,) = read(plain), read(noise(plain))
    if isinstance(one_way, InputError) or isinstance(other_way, InputError):
        assert [(fault.what, fault.mend) for fault in faults_of(one_way)] == [
            (fault.what, fault.mend) for fault in faults_of(other_way)
        ]
    else:
        assert one_way == other_way


def faults_of(board: Incident | InputError) -> tuple[Fault, ...]:
    return board.faults if isinstance(board, InputError) else ()


@pytest.mark.thorough
@given(st.integers(0, 10**9), st.booleans())
def test_a_fault_in_the_play_has_its_place_however_the_board_is_written(seed: int, carefully: bool) -> None:
    text = "% head\n\n" + BOARD + "\n" + board_at_random(Random(seed)).replace("\n*", "\nSZ")
    text = text.replace('[Play "', '[Note "[x"] {c} [Play "') if carefully else text
    found = read(text)[1]
    assert isinstance(found, InputError)
    fault = next(fault for fault in found.faults if "SZ" in fault.what)
    assert text.splitlines()[fault.place.line - 1][fault.place.column - 1 :] == "SZ"


AUCTION = '[Auction "E"]\n1H =1= X $3 2H! Pass\n^I 2H Pass 4H Pass\nAP\n[Note "1:alert"]\n'
ENDING = '[Deal "N:A.K.. 2.3.. 3.4.. 4.5.."]\n[Contract "{}"]\n[Play "W"]\n'


def test_where_no_tag_gives_the_contract_the_auction_does() -> None:
    board = one(AUCTION + '[Play "S"]\nHA H2 H3 H4\nS2 S3 S4 SA\n')
    assert (board.contract, board.declarer) == (Contract(4, "H"), "E")
    assert board.play is not None and rows(board.play) == ["S HA H2 H3 H4", "S S2 S3 S4 SA"]
    skipped = one('[Auction "N"]\n1S ^S 2S Pass\nPass Pass *')
    assert (skipped.contract, skipped.declarer) == (Contract(2, "S"), "N")


def test_tags_go_before_the_auction_and_an_auction_that_cannot_be_read_tells_nothing() -> None:
    assert one('[Contract "3NT"]\n[Declarer "S"]\n' + AUCTION).contract == Contract(3, "NT")
    assert one('[Declarer "S"]\n[Auction "N"]\n1S AP').declarer == "S"
    for section in ("1S Pass Pass", "1Z AP", ""):
        assert one(f'[Auction "N"]\n{section}').contract is None


def test_of_an_ending_the_strain_alone_gives_trumps_and_the_order_of_play() -> None:
    board = one(ENDING.format("NT") + "S4 SA S2 S3\nH5 HK H3 H4\n")
    assert str(board.contract) == "NT" and board.contract != Contract.from_text("Pass")
    assert board.play is not None and rows(board.play) == ["W S4 SA S2 S3", "N HK H3 H4 H5"]
    ruffed = one(ENDING.format("H") + "S4 HK S2 S3\nH5 SA H3 H4\n")
    assert ruffed.trump == "H" and ruffed.timeline.won == {12: "N", 13: "W"}


def test_the_tricks_of_an_ending_are_the_last_of_the_board_and_written_as_they_were_read() -> None:
    board = one(ENDING.format("4NT") + "S4 SA S2 S3\nH5 HK H3 H4\n")
    assert board.play is not None and board.play.before == 11 and {*board.timeline.won} == {12, 13}
    assert plain(board)["play"] == ["W S4 SA S2 S3", "N HK H3 H4 H5"]
    again = read_incident(as_yaml(board), "again.yaml", shipped)
    assert plain(again) == plain(board)


PIECES = st.sampled_from(
    ['[Board "1"]', '[Contract "4S"]', '[Play "W"]', '[Deal "N:A... - - -"]', "[", "{", "}", ";", "%", "#", '"', "SA", "h10",
     "^R", "^", "-", "*", "+", "$3", "=1=", "!", "\n", "\n\n", "\r", "\x1f", "é", '[Result "NS 9"]', '[Vulnerable "#"]']
)  # fmt: skip


@pytest.mark.thorough
@given(st.lists(PIECES | st.text(max_size=3), max_size=40).map(" ".join) | st.lists(PIECES, max_size=40).map("".join))
def test_whatever_stands_in_a_file_it_is_read_or_refused_with_a_place(text: str) -> None:
    boards = read(text)
    assert boards
    for board in boards:
        if isinstance(board, InputError):
            assert board.faults and all(fault.place.line >= 1 and fault.mend for fault in board.faults)
