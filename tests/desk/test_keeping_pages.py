"""The register's pages: kept once, corrected without overwriting, found again, taken home."""

from __future__ import annotations

import re
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from support.desk import client_of
from support.desk_pages import INCIDENT, Page, Visitor, opened

from kb.desk.app import create_app
from kb.desk.entry import RegisterEntry
from kb.desk.register import Register


def keep(visitor: Visitor, text: str = INCIDENT, **said: str) -> Page:
    return visitor.send(visitor.go("/keep", f=visitor.rule(text)), "/keep", **said)


def number(page: Page) -> int:
    found = re.search(r"Kept as number (\d+)\. It is safe\.", page.text)
    assert found, page.text
    return int(found[1])


@pytest.mark.thorough
def test_a_ruling_is_kept_with_what_was_added(visitor: Visitor) -> None:
    page = keep(visitor, event="Club night", table="7", called_by="North", judgement="No damage.", note="A\nB")
    for said in ("Club night", "Two tricks to North–South", "No damage.", "contract: 4S"):
        assert said in page.text
    assert "Club night" in visitor.go("/keep", f=visitor.rule()).source, "the next form knows the event"


@pytest.mark.thorough
def test_a_form_sent_twice_is_kept_once(visitor: Visitor) -> None:
    form = visitor.go("/keep", f=visitor.rule())
    assert number(visitor.send(form, "/keep")) == number(visitor.send(form, "/keep"))
    assert number(visitor.send(visitor.go("/keep", f=visitor.rule()), "/keep")) > 1


@pytest.mark.thorough
def test_a_form_sent_again_with_other_words_is_kept_as_well(visitor: Visitor) -> None:
    """The back key after keeping, a slip of the pen mended, sent again."""
    form = visitor.go("/keep", f=visitor.rule())
    id = number(visitor.send(form, "/keep", note="frist"))
    again = visitor.send(form, "/keep", note="first", judgement="No damage.")
    assert again.status == 409 and f"kept as ruling {id} already" in again.text and "No damage." in again.source
    assert "Kept as number" not in again.text
    done = visitor.send(again, f"/register/{id}/correct")
    assert "version 2" in done.text and "No damage." in done.text
    assert "frist" in visitor.go(f"/register/{id}", version="1").text


@pytest.mark.thorough
def test_another_ruling_in_the_same_form_is_another_entry(visitor: Visitor) -> None:
    form = visitor.go("/keep", f=visitor.rule())
    one = number(visitor.send(form, "/keep"))
    other = visitor.send(form, "/keep", f=visitor.rule(INCIDENT.replace("won-by: W", "won-by: S")))
    assert number(other) == one + 1 and "One trick to North–South" in other.text


@pytest.mark.thorough
def test_a_full_disk_is_told_as_such_and_loses_nothing_typed(visitor: Visitor) -> None:
    id = number(keep(visitor))
    register = visitor.client.app.state.desk.register  # type: ignore[attr-defined]
    forms = {
        "/keep": visitor.go("/keep", f=visitor.rule()),
        f"/register/{id}/correct": visitor.go(f"/register/{id}/correct"),
    }
    with register._read() as connection:
        room = connection.execute("PRAGMA max_page_count").fetchone()[0]
        connection.execute("PRAGMA max_page_count = 1")
    for at, form in forms.items():
        page = visitor.send(form, at, note="n" * 20_000, table="the seventh")
        assert page.status == 503 and "This ruling is not kept yet" in page.text and "disk is full" in page.text
        assert (
            "This cannot be ruled on" not in page.text and "the seventh" in page.source and "n" * 20_000 in page.source
        )
    with register._read() as connection:
        connection.execute(f"PRAGMA max_page_count = {room}")
    assert number(visitor.send(page, at, note="now")) == id


def test_a_register_that_cannot_be_read_is_told_as_such(tmp_path: Path) -> None:
    with opened(tmp_path) as (visitor, settings):
        visitor.client.app.state.desk.register.close()  # type: ignore[attr-defined]
        for file in tmp_path.glob("register.sqlite*"):
            file.unlink()
        settings.register.write_text("Dear diary, " * 200)
        page = visitor.go("/register")
    assert (
        page.status == 503 and "The register cannot be used just now" in page.text and str(tmp_path) not in page.source
    )


@pytest.mark.thorough
def test_the_end_of_the_chain_is_shown_and_printed(visitor: Visitor) -> None:
    id = number(keep(visitor))
    head = visitor.client.app.state.desk.register.head().short  # type: ignore[attr-defined]
    assert head in visitor.go("/register").text and f"register {head}" in visitor.go(f"/register/{id}/appeal").text


def test_a_correction_adds_a_version(visitor: Visitor) -> None:
    id = number(keep(visitor, table="3", note="first"))
    form = visitor.go(f"/register/{id}/correct")
    page = visitor.send(form, f"/register/{id}/correct", note="second")
    assert "version 2" in page.text and "second" in page.text
    assert "first" in visitor.go(f"/register/{id}", version="1").text
    late = visitor.send(form, f"/register/{id}/correct", note="third")
    assert late.status == 409 and "Somebody else has corrected it" in late.text and "third" in late.source
    assert "second" in visitor.go(f"/register/{id}").text


def test_other_facts_are_ruled_on_anew(visitor: Visitor) -> None:
    id = number(keep(visitor))
    form, to = visitor.go(f"/register/{id}/correct"), f"/register/{id}/correct"
    wrong = visitor.send(form, to, incident=INCIDENT.replace("hand: W", "hand: Q"))
    assert wrong.status == 422 and "'Q' cannot stand here" in wrong.text
    page = visitor.send(form, to, incident=INCIDENT.replace("won-by: W", "won-by: S"))
    assert "One trick to North–South" in page.text
    assert "Two tricks to North–South" in visitor.go(f"/register/{id}", version="1").text


def test_the_search_finds_words_of_all_parts(visitor: Visitor) -> None:
    id = number(keep(visitor, event="Spring cup", note="Müller protested"))
    for sought in ("spring", "müller PROTESTED", "64A1", f"#{id}"):
        assert f"/register/{id}" in visitor.go("/register", q=sought).links
    assert f"/register/{id}" not in visitor.go("/register", q="spring 1912").links
    assert visitor.go("/register/999999").status == 404
    assert visitor.go("/register/x").status == visitor.go(f"/register/{10**30}").status == 404


def test_the_list_holds_what_is_looked_for(visitor: Visitor) -> None:
    one = number(keep(visitor, event="Pairs & <more>", table="seventh"))
    other = number(keep(visitor, event="Pairs & <more>", table="eighth"))
    today = datetime.now().astimezone().date()
    for sought, there in (
        ("pairs <more>", {one, other}),
        ("pairs eighth", {other}),
        (f"<more> {today}", {one, other}),
        (f"<more> {today - timedelta(days=3)}", set()),
    ):
        page = visitor.go("/register", q=sought)
        assert {id for id in (one, other) if f"/register/{id}" in page.links} == there, sought
    page = visitor.go("/register")
    assert "Pairs & <more> · " in page.text and "<more>" not in page.source
    assert "no result yet" not in visitor.go("/register", q="pairs <more>").text


def test_an_entry_without_a_result_says_so_until_it_comes(visitor: Visitor) -> None:
    id = number(keep(visitor, INCIDENT.replace("tricks: 9\n", ""), event="Unfinished"))
    assert "no result yet" in visitor.go(f"/register/{id}").text
    assert "no result yet" in visitor.go("/register", q="Unfinished").text
    visitor.send(visitor.go(f"/register/{id}/correct"), f"/register/{id}/correct", incident=INCIDENT)
    assert "no result yet" not in visitor.go("/register", event="Unfinished").text


def test_what_the_rulings_of_an_evening_leave_is_one_tap_away_until_it_is_done(visitor: Visitor) -> None:
    id = number(keep(visitor, INCIDENT.replace("tricks: 9\n", ""), table="Left open"))
    judged = "Would North–South have won more tricks without West's revoke at trick 5 than this ruling gives them?"
    assert "/open" in visitor.go("/").links
    for at in ("/open", f"/register/{id}"):
        page = visitor.go(at).text
        assert "no result yet" in page and judged in page
    form = visitor.go(f"/register/{id}/correct")
    visitor.send(form, f"/register/{id}/correct", incident=INCIDENT)
    assert "no result yet" not in visitor.go(f"/register/{id}").text
    assert "Left open" in visitor.go("/open").text
    form = visitor.go(f"/register/{id}/correct")
    assert "Still to do" not in visitor.send(form, f"/register/{id}/correct", judgement="No more tricks.").text
    assert "Left open" not in visitor.go("/open").text


def test_the_next_form_knows_the_event_of_today_only(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(visitor, event="Evening", round="2")
    form = visitor.go("/keep", f=visitor.rule()).form("/keep")
    assert (form["event"], form["round"], form["board"], form["table"]) == ("Evening", "", "12", "")
    long_ago = property(lambda self: datetime(2020, 1, 1).astimezone())
    monkeypatch.setattr(RegisterEntry, "kept_at", long_ago)
    form = visitor.go("/keep", f=visitor.rule()).form("/keep")
    assert (form["event"], form["round"]) == ("", "")


def test_players_are_kept_by_seat_and_shown_as_text(visitor: Visitor) -> None:
    id = number(keep(visitor, player_N="Ann <script>", player_W="Wei"))
    for at in (f"/register/{id}", f"/register/{id}/appeal"):
        page = visitor.go(at)
        assert "Ann <script>" in page.text and "Wei" in page.text and "<script>" not in page.source
    assert f"/register/{id}" in visitor.go("/register", q="ann wei").links
    form = visitor.go(f"/register/{id}/correct")
    visitor.send(form, f"/register/{id}/correct", player_W="")
    assert "Wei" in visitor.go(f"/register/{id}", version="1").text
    assert "Ann <script>" in visitor.go(f"/register/{id}").text and "Wei" not in visitor.go(f"/register/{id}").text


def test_of_a_long_register_the_older_ones_are_a_tap_away(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.desk.routes.register_pages.MOST_LISTED", 2)
    kept = [number(keep(visitor, event="A long one")) for _ in range(3)]
    newest = visitor.go("/register", q="A long one")
    assert f"/register/{kept[2]}" in newest.links and f"/register/{kept[0]}" not in newest.links
    (older,) = (one for one in newest.links if "before=" in one)
    assert f"/register/{kept[0]}" in visitor.go(older).links


@pytest.mark.thorough
def test_what_was_recorded_is_shown_when_the_rules_have_changed(tmp_path: Path) -> None:
    with opened(tmp_path) as (visitor, settings):
        id = number(keep(visitor))
    law = settings.rules / "duplicate-2017" / "law-64.yaml"
    law.write_text(law.read_text("utf-8").replace("tricks: 1}}", "tricks: 2}}", 1), "utf-8")
    with client_of(create_app(settings)) as client:
        page = Visitor(client).go(f"/register/{id}/appeal")
    assert "The rules have changed since" in page.text and "Two tricks to North–South" in page.text


def test_the_register_can_be_taken_home(visitor: Visitor, tmp_path: Path) -> None:
    id = number(keep(visitor))
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(visitor.client.get("/register.backup").content)
    assert sqlite3.connect(copy).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert Register(copy).get(id) is not None
