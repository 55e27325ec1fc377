"""Ruling by pages: the interview, the trick tapped, the record pasted, and everything that is asked of a ruling."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from urllib.parse import parse_qsl, unquote_plus

import pytest
from support.desk_pages import INCIDENT, Page, Visitor
from support.pbn_writer import write_pbn
from support.ruling import laws

from facts.cards import Card
from facts.incident import Incident
from facts.play import Trick
from kb.desk.addressed import Submission, submission
from kb.language.folders import rules_root

HERE = Path(__file__).parents[2]
RECORD = (HERE / "examples/full-record.yaml").read_text("utf-8")
TRICK = "/trick?contract=4S&declarer=S&trick=5&leader=N&cards=H7-H3-HQ-S4"


def incident(word: str) -> Incident:
    return read(Submission.of_word(word))


def stated(visitor: Visitor) -> Incident:
    """What the address of the ruling states."""
    desk = visitor.client.app.state.desk  # type: ignore[attr-defined]
    return read(submission(dict(parse_qsl(visitor.at.partition("?")[2])), desk.laws))


def read(given: Submission) -> Incident:
    return given.incident(laws().table)


# --- the seats, where a file does not say them


@pytest.fixture
def unseated(visitor: Visitor) -> dict[str, str]:
    """The fields of the form where nobody is named."""
    text = "revokes:\n- {player: defender, next-trick: played, won-by: opponent, later-tricks: 1}\n"
    fields = visitor.go("/ruling", f=visitor.rule(text)).form("/seated")
    del fields[""]
    return fields


@pytest.mark.thorough
def test_the_players_of_an_interview_take_their_seats(visitor: Visitor, unseated: dict[str, str]) -> None:
    named = {"revoke-1.hand": "E", "revoke-1.trick": "7", "declarer": "S", "contract": "3NT", "board": "7"}
    seated = visitor.go("/seated", **unseated | named | {"tricks": "8", "vulnerable": "none"})
    assert "One trick to North–South" in seated.text and "400 North–South" in seated.text
    found = stated(visitor)
    assert (found.revokes[0].hand, found.revokes[0].player, found.revokes[0].trick) == ("E", None, 7)
    assert (found.declarer, found.board, str(found.contract), found.tricks) == ("S", "7", "3NT", 8)
    assert found.revokes[0].said == {"next-trick": "played", "won-by": "opponent", "later-tricks": 1}


@pytest.mark.thorough
def test_nobody_takes_the_seat_of_another(visitor: Visitor, unseated: dict[str, str]) -> None:
    refused = visitor.go("/seated", **unseated | {"revoke-1.hand": "N", "declarer": "S"})
    assert refused.status == 422 and "it was not N's card" in refused.text
    assert visitor.go("/seated", **unseated | {"revoke-1.hand": "Q"}).status == 422
    assert visitor.go("/seated", **unseated | {"tricks": "14"}).status == 422
    assert visitor.go("/seated", **unseated | {"declarer": "Q"}).status == 422


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("players", "asked", "seats"),
    [(("dummy", "partner"), [], ["W", "E"]), (("declarer", "opponent"), ["revoke-2.hand"], ["E", "S"])],
)
def test_some_seats_follow_from_others(
    visitor: Visitor, players: list[str], asked: list[str], seats: list[str]
) -> None:
    found = [f"{{player: {player}, next-trick: played, won-by: revoker}}" for player in players]
    fields = visitor.go("/ruling", f=visitor.rule(f"revokes: [{', '.join(found)}]\n")).form("/seated")
    assert [name for name in fields if name.endswith("hand")] == asked
    del fields[""]
    page = visitor.go("/seated", **fields | {"declarer": "E"} | dict.fromkeys(asked, "S"))
    assert page.status == 200, page.text
    assert [one.hand for one in stated(visitor).revokes] == seats, visitor.at


@pytest.mark.thorough
def test_nothing_that_nobody_said_is_kept_or_printed(visitor: Visitor) -> None:
    text = "revokes:\n- {player: defender, next-trick: played, won-by: revoker, later-tricks: more}\n"
    page = visitor.send(visitor.go("/keep", f=visitor.rule(text)), "/keep")
    at = visitor.at.partition("?")[0]
    assert "Two tricks to declarer's side" in page.text
    for path in (at, f"{at}/appeal", "/register.csv"):
        shown = re.sub(r"<dt>\w+</dt>", "", visitor.client.get(path).text)  # where players' names are written
        told = re.findall(r"(?<!to-)\b(?:North|East|South|West|NS|EW)\b|trick 1\b|\"[NESW]\"", shown)
        assert told == [], path


# --- the trick


@pytest.mark.thorough
def test_a_trick_tapped_leads_to_the_ordinary_questions_and_is_in_the_ruling(visitor: Visitor) -> None:
    page = visitor.go("/trick")
    for choice in ("contract=4S", "declarer=S", "trick=5", "leader=N", "cards=H7", "cards=H7-H3", "H7-H3-HQ", "HQ-S4"):
        page = visitor.go(next(link for link in page.links if link.endswith(choice)))
    assert visitor.at.startswith("/ask") and "West revoked South declares Trick 5 Played on?" in page.text
    page = visitor.go(next(link for link in page.links if "next-trick=yes" in link))
    assert visitor.at.startswith("/ruling")
    drawn = page.source.partition('class="trick-drawn"')[2].partition("</ul>")[0]
    assert re.findall(r'class="s(\w)( wrong)?">(.*?)</b>', drawn) == [
        ("H", "", "♥7"), ("H", "", "♥3"), ("H", "", "♥Q"), ("S", " wrong", "♠4")
    ]  # fmt: skip
    word = unquote_plus(next(link for link in page.links if link.startswith("/keep")).partition("f=")[2])
    found = stated(visitor).revokes[0]
    assert (found.hand, found.trick, found.said["suit"], str(found.card)) == ("W", 5, "H", "S4")
    assert found.said["won-by"] == "W"
    assert str(found.cards) == str(Trick("N", tuple(map(Card.from_text, ("H7", "H3", "HQ", "S4")))))
    kept = visitor.send(visitor.go("/keep", f=word), "/keep")
    assert "♥Q" in visitor.go(next(one for one in kept.links if "/appeal" in one)).text


def test_two_who_did_not_follow_suit(visitor: Visitor) -> None:
    page = visitor.go(TRICK.replace("HQ", "D2"))
    assert "Who could have followed suit?" in page.text
    page = visitor.go(next(link for link in page.links if link.endswith("revoker=S")))
    assert "South revoked South declares Trick 5 Played on?" in page.text


@pytest.mark.thorough
def test_a_trick_tapped_under_other_laws(visitor: Visitor) -> None:
    page = visitor.go(f"{TRICK}&law=auction-1912")
    assert visitor.at.startswith("/ask") and "Laws of Auction Bridge" in page.text, page.text


def test_where_everybody_followed_suit_there_is_no_revoke(visitor: Visitor) -> None:
    assert "Everybody followed suit" in visitor.go(TRICK.replace("S4", "H2")).text


@pytest.mark.parametrize("hand", ["E", "S"])
def test_nobody_who_followed_suit_is_said_to_have_revoked(visitor: Visitor, hand: str) -> None:
    page = visitor.go(f"{TRICK}&revoker={hand}")
    assert page.status == 422


@pytest.mark.parametrize("wrong", ["contract=9S", "declarer=Q", "leader=N&cards=H7-H7", "cards=H7", "trick=x"])
def test_no_card_that_cannot_be(visitor: Visitor, wrong: str) -> None:
    assert visitor.go(f"/trick?{wrong}").status == 422


# --- the record


@pytest.mark.thorough
def test_a_record_is_ruled_on_as_it_was_given(visitor: Visitor) -> None:
    page = visitor.go("/record")
    page = visitor.send(page, "/record", text=INCIDENT)
    assert "Two tricks to North–South" in page.text and "Law 64A1" in page.text
    assert Submission.of_word(visitor.at.partition("f=")[2]).text == INCIDENT


def test_a_file_of_many_boards_lists_each(visitor: Visitor) -> None:
    board = write_pbn([read(Submission(RECORD))])
    broken = board.replace('[Board "7"]', '[Board "8"]').replace("S:", "X:").replace('[Deal "', '[Deal "Q')
    page = visitor.send(visitor.go("/record"), "/record", text=f"{board}\n{broken}\n{board.replace('7', '9', 1)}")
    assert "3 boards" in page.text and "This needs mending" in page.text
    rulings = [link for link in page.links if link.startswith("/ruling")]
    assert len(rulings) == 2
    first, last = (Submission.of_word(one.partition("f=")[2]) for one in rulings)
    assert last.form == "pbn" and read(last).board == "9"
    assert read(first).play == read(Submission(RECORD)).play
    assert "Board 7" in visitor.go(rulings[0]).text


def test_an_uploaded_file_by_its_name_and_by_its_looks(visitor: Visitor) -> None:
    record = write_pbn([read(Submission(RECORD))]).encode()
    for name in ("../../etc/passwd.pbn", "board", "C:\\play\\board.PBN"):
        sent = visitor.client.post("/record", files={"file": (name, record)})
        assert sent.status_code == 303, sent.text


def test_what_is_wrong_is_told_with_its_place_above_the_text(visitor: Visitor) -> None:
    page = visitor.send(visitor.go("/record"), "/record", text="contract: 4S\nrevokes:\n- {hand: Q, trick: 5}\n")
    assert page.status == 422
    assert "incident:3:10 'Q' cannot stand here; write one of N, E, S, W" in page.text
    assert page.form("/record")["text"].startswith("contract: 4S")


@pytest.mark.parametrize(
    "text", ["", "\0", "x" * 300, "- " * 5000, "a: &a [*a]", "!!python/object:os.system {}", "\ud7ff"]
)
def test_no_text_is_too_odd(visitor: Visitor, text: str) -> None:
    assert visitor.send(visitor.go("/record"), "/record", text=text).status == 422


def test_no_edition_is_a_folder_of_this_computer(visitor: Visitor) -> None:
    for named in (str(rules_root() / "duplicate-2017"), "../rules/duplicate-2017", "/etc", ".", "duplicate-2017/../x"):
        for law, text in ((named, INCIDENT), ("", f"edition: {json.dumps(named)}\n{INCIDENT}")):
            page = visitor.send(visitor.go("/record"), "/record", text=text, law=law)
            assert page.status == 422 and "there is no edition" in page.text


# --- a ruling


def test_the_law_behind_each_line_stands_in_the_page(visitor: Visitor) -> None:
    page = visitor.go("/ruling", f=visitor.rule())
    assert page.source.count('<details class="law">') > 5
    assert "A revoke is established when the offender or his partner leads or plays" in page.text


def packed(word: object) -> str:
    return urlsafe_b64encode(zlib.compress(json.dumps(word).encode())).decode().rstrip("=")


@pytest.mark.parametrize(
    "word",
    ["", "x", "é", "AAAA", packed([1, 2]), packed(["incident", "", 5]), packed(["zip", "", ""]), packed("x" * 10**7)],
)
def test_an_address_that_is_not_whole_is_told(visitor: Visitor, word: str) -> None:
    assert visitor.go("/ruling", f=word).status == 422


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("voice", ["", "table", "appeal", "teaching", "editor", "nobody"])
def test_an_explanation_in_every_voice(visitor: Visitor, voice: str, lang: str) -> None:
    page = visitor.go("/explain", f=visitor.rule(RECORD), voice=voice, lang=lang)
    assert page.status == 200
    assert "data-turns" in page.source and "<style>" not in page.source
    visitor.client.cookies.delete("lang")


def test_why_not(visitor: Visitor) -> None:
    word = visitor.rule()
    page = visitor.go("/why-not", f=word)
    assert "64B2" in page.source
    answer = visitor.go("/why-not", f=word, law="64B1")
    assert "Law 64B1 does not apply" in answer.text and "It would apply if 2 things were otherwise" in answer.text
    unknown = visitor.go("/why-not", f=word, law="64B9")
    assert unknown.status == 422 and "did you mean" in unknown.text


@pytest.mark.thorough
@pytest.mark.parametrize("text", [INCIDENT, RECORD], ids=["findings", "record"])
def test_every_change_that_is_offered_can_be_tried(visitor: Visitor, text: str) -> None:
    offers = [link for link in visitor.go("/what-if", f=visitor.rule(text)).links if "&c=" in link or "&card=" in link]
    assert len(offers) > 30
    for offer in offers[:: max(1, len(offers) // 40)]:
        page = visitor.go(offer)
        assert page.status == 200 or "This needs mending" in page.text, page.text


def test_what_if_shows_both_rulings_and_goes_on(visitor: Visitor) -> None:
    page = visitor.go("/what-if", f=visitor.rule(), c="revoke-1.won-by=S")
    assert "New: Law 64A2" in page.text and "No longer: Law 64A1" in page.text
    assert (
        "One trick to North–South" in visitor.go(next(link for link in page.links if link.startswith("/ruling"))).text
    )
    other = visitor.go("/what-if", f=visitor.rule(), c="edition=auction-1912")
    assert "Laws of Auction Bridge" in other.text
    wrong = visitor.go("/what-if", f=visitor.rule(), c="nonsense")
    assert wrong.status == 422 and "'nonsense' is no change" in wrong.text


# --- all pages


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_page_is_sound(visitor: Visitor, lang: str) -> None:
    word = visitor.rule()
    shown = [
        "/",
        "/ask",
        "/trick",
        "/record",
        "/register",
        "/law",
        "/law/duplicate-2017",
        "/law/duplicate-2017?q=64",
        "/law/duplicate-2017/64",
        "/nowhere",
        TRICK,
    ]
    shown += [f"/{page}?f={word}" for page in ("ruling", "explain", "why-not", "what-if", "keep")]
    for path in shown:
        page: Page = visitor.go(path, **{} if "?" in path else {"lang": lang})
        assert len(page.ids) == len(set(page.ids)), path
        assert set(page.fields) <= page.labelled, path
        assert page.tags.count("h1") == 1, path
        assert f'<html lang="{lang}">' in page.source or "?" in path
    visitor.client.cookies.delete("lang")
