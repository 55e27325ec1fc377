"""Slip, appeal form and sharing: what stands on them, what never does."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("segno")

from support.desk import HASHED, client_of, come_in, settings_in
from support.desk_pages import INCIDENT, Visitor

from kb.desk.app import create_app
from kb.desk.desk import Submission
from kb.desk.routes.register_pages import MOST_CODE, qr_code

RECORD = (Path(__file__).parents[2] / "examples" / "full-record.yaml").read_text("utf-8")
UNSEATED = "revokes: [{player: defender, next-trick: played, won-by: revoker, later-tricks: 1}]"
STOOD_IN = re.compile(r"\b(North|East|South|West|trick \d|spades?|hearts?|diamonds?|clubs?)\b|[♠♥♦♣]")
"""Seats, numbered tricks and suits."""
PEOPLE = {"event": "Club of Ostrava", "player_N": "Ann Archer", "note": "She wept.", "called_by": "Zoe"}


def kept(visitor: Visitor, text: str = INCIDENT, **said: str) -> int:
    page = visitor.send(visitor.go("/keep", f=Submission(text).word), "/keep", **said)
    found = re.search(r"Kept as number (\d+)", page.text)
    assert found, page.text
    return int(found[1])


def main(source: str) -> str:
    """What is read on the page itself, without its bar."""
    return unescape(re.sub(r"<[^>]*>", " ", source[source.index("<main") :]))


@pytest.mark.thorough
def test_the_slip_tells_the_ruling_its_score_and_where_it_was(visitor: Visitor) -> None:
    id = kept(visitor, event="Club", table="3", board="8")
    page = visitor.go("/slip", entry=str(id))
    for said in (f"Ruling {id}", "Club, ", "Table 3 · Board 8 · 4♠ by South", "Two tricks to North–South", "Law 63A1"):
        assert said in page.text
    assert re.search(r"4♠ S \+1 *N–S 450", page.text) and "9 tricks at the table, 11 after the ruling" in page.text
    assert re.search(r"Laws of Duplicate Bridge 2017 · [0-9a-f]{8}\b", page.text) and "<svg" in page.source
    loose = visitor.go("/slip", f=Submission(INCIDENT).word)
    assert "Table 3" not in loose.text and "Board 12 · 4♠ by South" in loose.text


@pytest.mark.thorough
def test_a_slip_without_a_result_has_nothing_to_enter(visitor: Visitor) -> None:
    page = visitor.go("/slip", f=Submission(INCIDENT.replace("tricks: 9\n", "")).word)
    assert page.status == 200 and "Enter" not in page.text


@pytest.mark.thorough
def test_nothing_is_entered_while_a_card_has_still_to_be_put_right(visitor: Visitor) -> None:
    waits = "revokes: [{hand: W, trick: 6, suit: H, card: C2, next-trick: no}]\n"
    word = visitor.rule(f"contract: 4S\ndeclarer: S\nboard: 7\ntricks: 9\n{waits}")
    assert "Enter" not in visitor.go("/slip", f=word).text


@pytest.mark.parametrize(
    ("contract", "tricks", "told"), [("4S", 8, "4♠ S ="), ("6S", 9, "6♠ S −1"), ("3S", 9, "3♠ S +2")]
)
def test_what_is_entered_counts_from_the_contract(visitor: Visitor, contract: str, tricks: int, told: str) -> None:
    text = INCIDENT.replace("4S", contract).replace("tricks: 9", f"tricks: {tricks}")
    page = visitor.go("/slip", f=Submission(text).word)
    assert told in page.text, page.text


def test_nothing_that_was_not_given_stands_on_paper(visitor: Visitor) -> None:
    id = kept(visitor, UNSEATED)
    for at in (f"/slip?entry={id}", f"/register/{id}/appeal", f"/register/{id}", "/register?q=%23" + str(id)):
        page = visitor.go(at)
        told = main(page.source)
        if at.endswith("/appeal"):
            assert told.count("♠") == 4  # the lines for the players and their cards, and the columns of the auction
            told = re.sub(r"[♠♥♦♣]|\b(North|East|South|West)\b", "", told, count=24)
        assert page.status == 200 and not STOOD_IN.search(told), (at, STOOD_IN.search(told), told)


def test_the_address_that_is_shared_names_nobody_and_rules_the_same(visitor: Visitor) -> None:
    id = kept(visitor, f"# {PEOPLE['player_N']} called\n{INCIDENT}", **PEOPLE)
    page = visitor.go("/slip", entry=str(id))
    shared = unescape(page.source.partition("readonly>")[2].partition("<")[0])
    assert shared.startswith("http://localhost:8061/ruling?")
    word = shared.partition("f=")[2]
    given = Submission.of_word(word).text if word else shared
    assert not any(said in given for said in PEOPLE.values()), given
    there = visitor.go(shared.removeprefix("http://localhost:8061"))
    assert there.status == 200 and "tricks to North–South" in there.text
    assert "another phone cannot reach it" in page.text


@pytest.mark.thorough
def test_the_address_is_the_one_by_which_the_desk_was_reached(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, hosts=("desk.example",), proxies=("127.0.0.1",), passphrase_hash=HASHED)
    with client_of(create_app(settings), "http://desk.example:8061") as client:
        client.headers["X-Forwarded-Proto"] = "https"
        client.headers["X-Forwarded-For"] = "203.0.113.9"
        client.base_url, client.headers["Origin"] = "https://desk.example", "https://desk.example"
        assert come_in(client) == 303
        page = client.get("/slip", params={"f": Submission(INCIDENT).word})
    assert "https://desk.example/ruling?" in page.text and "another phone cannot reach it" not in page.text


def test_an_address_too_long_has_no_code_but_a_file(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert qr_code("x" * MOST_CODE) is not None and qr_code("x" * (MOST_CODE + 1)) is None
    monkeypatch.setattr("kb.desk.routes.register_pages.MOST_CODE", 40)
    page = visitor.go("/slip", f=Submission(INCIDENT).word)
    assert "too long for a QR code" in page.text and "<svg" not in page.source and "readonly" in page.source
    assert "<svg" not in visitor.go("/slip", f=Submission(INCIDENT).word).source
    file = visitor.client.get(next(link for link in page.links if link.startswith("/facts.yaml")))
    assert "contract: 4S" in file.text and "attachment" in file.headers["content-disposition"]


def test_the_appeal_form_has_the_calls_below_their_hands(visitor: Visitor) -> None:
    id = kept(visitor, "dealer: N\nauction: 1H P [1D] 2D P [E:2S] 2NT")
    page = visitor.go(f"/register/{id}/appeal")
    rows = re.findall(r"<tr>(<td>.*?)</tr>", page.source)
    cells = [re.findall(r"<td>(.*?)</td>", row) for row in rows]
    assert cells == [["", "1♥", "P", "[1♦]"], ["", "", "", "2♦"], ["P", "", "[2♠]", ""], ["", "2NT", "", ""]]


@pytest.mark.parametrize("spoilt", ["eNo", "x" * 700, "é", "eNqrVkrLz1eyUlAqSy0qzszPU7ICAD-TBg0"])
def test_a_spoilt_address_is_refused_with_what_to_do(visitor: Visitor, spoilt: str) -> None:
    for at in ("/ruling", "/slip", "/facts.yaml"):
        page = visitor.go(at, f=spoilt)
        assert page.status == 422 and "the address is not whole" in page.text and "begin again" in page.text


@pytest.mark.parametrize(
    "form", [("incident", "\ud800", INCIDENT), ("incident", "", "\ud800"), ("lin", "", "qx|o1|pc|SA|" * 16_000)]
)
def test_a_forged_address_is_refused(visitor: Visitor, form: tuple[str, str, str]) -> None:
    word = base64.urlsafe_b64encode(zlib.compress(json.dumps(form).encode())).decode()
    for at in ("/ruling", "/explain", "/keep", "/slip", "/what-if"):
        assert visitor.client.get(at, params={"f": word}).status_code == 422


def test_paper_of_nothing_is_not_found(visitor: Visitor) -> None:
    for at in ("/slip?entry=99999", "/register/99999/appeal"):
        assert visitor.go(at).status == 404


def test_the_appeal_form_has_its_sections_in_order(visitor: Visitor) -> None:
    id = kept(visitor, table="3", judgement="They kept a guard.", player_E="Eve")
    text = visitor.go(f"/register/{id}/appeal").text
    order = ["Appeal", f"Ruling {id}", "Table 3", "Eve", "1 What happened", "The contract was 4♠ by South.", "Result as played: 9 tricks.",
             "2 The ruling, ", "2 tricks to North–South", "Law 64A1: ", "They kept a guard.", "Receipt", "3 The appeal", "Grounds",
             "Received at", "Deposit", "4 The committee", "☐ Ruling stands", "☐ changed to", "☐ weighted", "Chair", "Member"]  # fmt: skip
    places = [text.index(said) for said in order]
    assert places == sorted(places), list(zip(order, places, strict=True))


def test_the_appeal_form_draws_the_trick_and_the_play(visitor: Visitor) -> None:
    page = visitor.go(f"/register/{kept(visitor, RECORD)}/appeal")
    drawn = page.source[page.source.index("trick-drawn") :]
    assert re.search(r'<li class="N"><b class="sC wrong">♣2</b>', drawn) and "The deal" in page.text
    bare = visitor.go(f"/register/{kept(visitor, UNSEATED)}/appeal")
    assert "trick-drawn" not in bare.source and "The deal" not in bare.text


def test_what_is_not_known_is_listed_as_unknown(visitor: Visitor) -> None:
    id = kept(visitor, "declarer: S\nrevokes: [{hand: W, trick: 5, next-trick: led}]")
    told = visitor.go(f"/register/{id}/appeal").text
    assert "Not known: " in told[: told.index("2 The ruling")]
