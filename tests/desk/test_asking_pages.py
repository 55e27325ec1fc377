"""Ruling by pages: the record pasted, and everything that is asked of a ruling."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest
from support.desk_pages import INCIDENT, Page, Visitor
from support.pbn_writer import write_pbn
from support.ruling import laws

from facts.incident import Incident
from kb.desk.desk import Submission
from kb.language.folders import rules_root

HERE = Path(__file__).parents[2]
RECORD = (HERE / "examples/full-record.yaml").read_text("utf-8")


def incident(word: str) -> Incident:
    return read(Submission.of_word(word))


def read(given: Submission) -> Incident:
    return given.incident(laws().table)


@pytest.mark.thorough
def test_nothing_that_nobody_said_is_kept_or_printed(visitor: Visitor) -> None:
    text = "revokes:\n- {player: defender, next-trick: played, won-by: revoker, later-tricks: more}\n"
    page = visitor.send(visitor.go("/keep", f=visitor.rule(text)), "/keep")
    at = visitor.at.partition("?")[0]
    assert "Two tricks to declarer's side" in page.text
    for path in (at, f"{at}/appeal", "/register"):
        where_to_write = r"<dt>\w+</dt>|<th scope=\"col\">\w+</th>|<div>\w+ <b></b>"  # players, their cards and calls
        shown = re.sub(where_to_write, "", visitor.client.get(path).text)
        told = re.findall(r"\b(?:North|East|South|West|NS|EW)\b|trick 1\b|\"[NESW]\"", shown)
        assert told == [], path


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
    assert read(last).board == "9"
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
    assert "<style>" not in page.source
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
    offers = [link for link in visitor.go("/what-if", f=visitor.rule(text)).links if "&c=" in link]
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
        "/record",
        "/register",
        "/law",
        "/law/duplicate-2017",
        "/law/duplicate-2017?q=64",
        "/law/duplicate-2017/64",
        "/nowhere",
    ]
    shown += [f"/{page}?f={word}" for page in ("ruling", "explain", "why-not", "what-if", "keep")]
    for path in shown:
        page: Page = visitor.go(path, **{} if "?" in path else {"lang": lang})
        assert len(page.ids) == len(set(page.ids)), path
        assert set(page.fields) <= page.labelled, path
        assert page.tags.count("h1") == 1, path
        assert f'<html lang="{lang}">' in page.source or "?" in path
    visitor.client.cookies.delete("lang")
