"""The flow at the desk: few taps to the ruling, answers in the address, any of them to be changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient
from support.desk import client_of, settings_in

from facts.readers.changes import all_changed
from facts.to_yaml import plain
from kb.desk.app import create_app
from kb.desk.desk import parted, query_in, restate, submission
from kb.interview.address import account_of, as_query
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

LINK = re.compile(r'<a [^>]*?href="([^"]+)"[^>]*>(.*?)</a>', re.S)
SITUATIONS = {
    "a later trick": ("West", "South|Süd", "won the revoke trick|Revoke-Stich gewann", "One or more|Einen oder mehr", "nothing of these|nichts davon"),
    "in time": ("West", "South|Süd", "No|Nein", "North and East|Nord und Ost", "nothing of these|nichts davon"),
    "dummy": ("North|Nord", "South|Süd", "Yes|Ja", "nothing of these|nichts davon"),
    "declarer": ("South|Süd", "South|Süd", "No|Nein", "Nobody|Niemand", "nothing of these|nichts davon"),
    "partner won": ("East|Ost", "South|Süd", "West won it|gewann West", "nothing of these|nichts davon"),
    "both sides": ("West", "South|Süd", "Two revokes|Zwei Revokes", "Later, by the other side|Später, von der anderen Seite", "Later in the play|Später im Spiel", "Later in the play|Später im Spiel"),
}  # fmt: skip
MOST_TAPS = {"both sides": 6}
ESTABLISHED = "revoke=W&declarer=S&next-trick=played&won-by=revoker&later-tricks=one,more"
RULED = f"{ESTABLISHED}&unusual=none"
MOST = 12_000
"""Bytes of a page."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client_of(create_app(settings_in(tmp_path_factory.mktemp("flow")))) as one:
        yield one


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).replace("\u2060", "").split())


def heading(page: str) -> str:
    return words(page.partition("<h1")[2].partition("</h1>")[0].partition(">")[2])


def band(page: str) -> str:
    return words(page.partition('<p role="status">')[2].partition("</p>")[0])


def tap(client: TestClient, page: str, says: str) -> str:
    """The page after the link that says so."""
    main = page.partition("<h1")[2]
    found = [unescape(at) for at, said in LINK.findall(main) if re.search(rf"(^|\W){re.escape(says)}", words(said))]
    assert found, f"{says} in {words(page)}"
    answer = client.get(found[0], follow_redirects=True)
    assert answer.status_code == 200
    assert "headline" in answer.text or len(answer.content) < MOST
    return answer.text


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_ruling_takes_few_taps(client: TestClient, situation: str, lang: str) -> None:
    page, taps = client.get(f"/?lang={lang}&of=revoke").text, 0
    for says in SITUATIONS[situation]:
        assert 'class="headline"' not in page
        page, taps = tap(client, page, says.split("|")[-1 if lang == "de" else 0]), taps + 1
    assert taps <= MOST_TAPS.get(situation, 5) and 'class="headline"' in page


def test_the_band_narrows_until_it_is_the_ruling(client: TestClient) -> None:
    page, told = client.get("/?lang=en&of=revoke").text, list[str]()
    for says in SITUATIONS["a later trick"]:
        told.append(band(page))
        page = tap(client, page, says.split("|")[0])
    assert told[0].startswith("No card moves") and told[1].startswith("If West could have followed suit")
    assert told[2].startswith("Either West corrects it, or up to")
    assert told[3].startswith("Established. At least") and "to North–South, if nothing here applies" in told[4]


def test_the_answers_stand_in_the_address_of_the_ruling(client: TestClient) -> None:
    answer = client.get(f"/ask?{RULED}&board=8", follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == f"/ruling?{RULED}&board=8"


def test_an_answer_can_be_changed_and_leads_back_to_the_ruling(client: TestClient) -> None:
    page = client.get(f"/ask?{RULED}&change=won-by&lang=en").text
    assert heading(page) == "Has West's side played on?" and "so far" in page
    after = client.get(unescape(LINK.findall(page.partition('class="answers')[2])[2][0]), follow_redirects=True)
    assert after.url.path == "/ruling" and "won-by=partner" in str(after.url)


def test_a_new_question_is_asked_before_the_ruling(client: TestClient) -> None:
    page = client.get(f"/ask?{RULED}&change=next-trick&lang=en").text
    page = tap(client, page, "No")
    assert heading(page) == "Who has played to the trick after West?"
    assert "Asked anew" not in words(page), "what is no longer asked"


def test_what_is_unusual_is_asked_by_itself_and_comes_back_ticked(client: TestClient) -> None:
    page = client.get(f"/ask?{ESTABLISHED}&lang=en").text
    asked = tap(client, page, "Noticed only on the next board")
    assert heading(asked) == "When was attention first drawn to it?"
    assert "After the play" not in words(asked), "which would change nothing"
    back = tap(client, asked, "After the end of the round")
    assert heading(back) == "Anything unusual?" and 'aria-checked="true"' in back and "Nothing else" in back
    assert 'aria-checked="true"' not in tap(client, back, "Noticed only on the next board")


def test_what_no_question_reaches_is_named_where_it_is_looked_for(client: TestClient) -> None:
    asked = "/ask?revoke=W&declarer=S&next-trick=played&won-by=revoker&later-tricks=one,more&lang=en"
    assert "or one played after a claim (68D): only as a record" in client.get(asked).text
    assert "Both partners on one trick: only as a record" in client.get(f"{asked}&change=another").text


@pytest.mark.thorough
@pytest.mark.parametrize("whose", ["Later, by the same player", "Later, by the partner", "Later, by the other side"])
def test_another_revoke_told_late_is_asked_of_by_itself(client: TestClient, whose: str) -> None:
    page = tap(client, client.get(f"/ask?{ESTABLISHED}&lang=en").text, "Another revoke on this board")
    assert "won later" in words(page)
    page, asked = tap(client, page, whose), list[str]()
    assert "won later" not in words(page), "it was said of the only one"
    while 'class="headline"' not in page:
        asked.append(heading(page))
        assert len(asked) < 12 and "up to 0" not in band(page) and "no trick to East" not in band(page)
        answers = page.partition('class="answers')[2].partition("</ul>")[0] or page.partition("<h1")[2]
        done = re.search(r'<p class="go"><a class="button" href="([^"]+)"', page)
        page = client.get(unescape(done[1] if done else LINK.findall(answers)[0][0]), follow_redirects=True).text


def test_the_first_revoke_is_asked_of_before_the_second(client: TestClient) -> None:
    page = client.get("/ask?revoke=W&declarer=S&another=partner&lang=en").text
    assert "first" in heading(page)


def test_the_twelfth_trick_is_ticked_at_once(client: TestClient) -> None:
    page = tap(client, client.get(f"/ask?{ESTABLISHED}&lang=en").text, "It was trick 12")
    assert heading(page) == "Anything unusual?" and 'aria-checked="true"' in page


@pytest.mark.thorough
@pytest.mark.parametrize("law", ["duplicate-2007", "duplicate-1997", "auction-1912"])
def test_other_laws_are_asked_by_and_named(client: TestClient, law: str) -> None:
    page = client.get(f"/ask?revoke=W&declarer=S&laws={law}&lang=en").text
    for _ in range(12):
        if 'class="headline"' in page:
            break
        assert 'class="soft edition"' in page
        rows = LINK.findall(page.partition('class="answers')[2].partition("</ul>")[0])
        done = re.search(r'<p class="go"><a class="button" href="([^"]+)"', page)
        page = client.get(unescape(done[1] if done else rows[0][0]), follow_redirects=True).text
    assert 'class="headline"' in page


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("revoke=Q", "revoke=Q"),
        ("revoke=W&declarer=S&won-by=nobody", "won-by=nobody"),
        ("revoke=W&declarer=S&next-trik=no", "next-trick"),
        ("revoke=W&declarer=S&next-trick=no&claim=none&noticed=during-play", "noticed=during-play"),
        ("revoke=W", "declarer"),
        (f"{RULED}&contract=9S", "contract"),
        (f"{RULED}&tricks=many", "tricks"),
        (f"{RULED}&board={'9' * 2000}", "2000"),
        (f"{RULED}&board={'%C3%A9' * 350}", "2000"),
        (f"{RULED}&contract=Pass", "contract=Pass"),
        (f"{RULED}&top=Q", "top=Q"),
        (f"{RULED}&change=foo", "change=foo"),
        ("revoke=W&revoke=E&declarer=S", "said twice"),
    ],
)
def test_a_spoilt_address_is_refused_with_its_place(client: TestClient, query: str, place: str) -> None:
    answer = client.get(f"/ruling?{query}&lang=en")
    assert answer.status_code == 422 and place in words(answer.text), words(answer.text)


@pytest.mark.parametrize(
    "query",
    [
        RULED,
        f"{RULED}&board=8&contract=4S&tricks=9",
        "revoke=N&declarer=S&next-trick=played&unusual=none",
        "revoke=W&declarer=S&next-trick=no&asked-by=partner&played-after=up-to-partner&unusual=none",
        "revoke=S&declarer=S&other=E&another=other-side&unusual=none",
        "revoke=W&declarer=S&next-trick=played&unusual=none&laws=auction-1912",
        f"{ESTABLISHED.replace('one,more', 'one,none,more')}&unusual=none",
    ],
)
def test_an_address_of_answers_is_carried_from_page_to_page(client: TestClient, query: str) -> None:
    laws = client.app.state.desk  # type: ignore[attr-defined]
    given = submission(query_in(query), laws)
    incident = given.incident(laws.table)
    assert given.word == restate(query_in(query), (), incident, laws).word == query
    assert parted(given.kept) == (query, given.text) and plain(
        replace(given, text=given.kept).incident(laws.table)
    ) == plain(incident)


def test_beside_a_defender_of_the_other_side_only_declarer_plays_cards_of_his_own_choice(client: TestClient) -> None:
    laws = client.app.state.desk  # type: ignore[attr-defined]
    said = {"revoke": "W", "declarer": "S", "another": "other-side", "unusual": "none"}
    assert [one.hand for one in submission(said, laws).incident(laws.table).revokes] == ["W", "S"]
    page = client.get("/ask?revoke=W&declarer=S&another=other-side&lang=en").text
    assert "up to two tricks go to East–West" in band(page), "what may go back is told as well"


def test_what_answers_cannot_say_stays_a_word(client: TestClient) -> None:
    laws = client.app.state.desk  # type: ignore[attr-defined]
    dealt = replace(submission(query_in(RULED), laws).incident(laws.table), dealer="N")
    assert "=" not in restate(query_in(RULED), ["dealer=N"], dealt, laws).word
    assert "=" not in restate(query_in(RULED), (), dealt, laws).word


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("exact", "chip"),
    [
        ("trick=5", "Trick 5"),
        ("trick=5&suit=H&card=S4&cards=E+HK+H2+S4+H7", "Trick 5"),
        ("later-tricks=3", "won later"),
    ],
)
def test_what_is_known_more_exactly_stands_in_the_address_and_leaves_the_answers(
    client: TestClient, exact: str, chip: str
) -> None:
    kept = {**dict(parse_qsl(RULED)), **dict(parse_qsl(exact))}
    laws = client.app.state.desk  # type: ignore[attr-defined]
    before = submission(query_in(RULED), laws).incident(laws.table)
    changes = [f"revoke-1.{one.replace('+', ' ')}" for one in exact.split("&")]
    at = f"/ruling?{restate(query_in(RULED), changes, all_changed(before, changes, laws.table), laws).word}"
    assert queried(at) == kept
    page = client.get(f"{at}&lang=en").text
    chips = LINK.findall(page.partition('<nav class="said"')[2].partition("</nav>")[0])
    assert chip in [words(says) for _, says in chips] and heading(page) == "Two tricks to North–South"
    asked = client.get(next(unescape(one) for one, says in chips if "nothing unusual" in says)).text
    assert ("It was trick 12" in words(asked)) == ("trick=" not in at)
    assert 'aria-checked="true"' not in asked


def test_an_answer_that_is_changed_is_not_known_more_exactly_any_more(client: TestClient) -> None:
    page = client.get(f"/ask?{RULED.replace('one,more', '3')}&trick=5&change=later-tricks&lang=en").text
    after = client.get(unescape(next(at for at, says in LINK.findall(page) if "None" in words(says))))
    assert dict(after.url.params)["later-tricks"] == "none" and dict(after.url.params)["trick"] == "5"


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("path", [f"/ruling?{RULED}&entry=x", "/slip?entry=-1", "/register/1?version=x"])
def test_a_number_that_is_none_is_refused_in_a_sentence(client: TestClient, path: str, lang: str) -> None:
    answer = client.get(f"{path}&lang={lang}")
    assert answer.status_code == 422 and ("cannot be" if lang == "en" else "kann nicht") in words(answer.text)
    assert "valid integer" not in answer.text
    client.get("/?lang=en&of=revoke")


@pytest.mark.parametrize("path", ["/ruling", "/slip"])
def test_a_page_without_anything_to_rule_on_leads_to_the_beginning(client: TestClient, path: str) -> None:
    assert client.get(path).headers["location"] == "/"


def test_turning_the_table_moves_the_seats_and_is_not_shared(client: TestClient) -> None:
    page = client.get("/?lang=en&of=revoke").text
    turned = client.get(unescape(re.search(r'class="turn"><a href="([^"]+)"', page)[1])).text
    assert re.search(r'class="seat top">.*?<b>West', turned)
    assert "top=" not in client.get(f"/ask?{RULED}&top=E", follow_redirects=False).headers["location"]


def test_every_answer_stands_on_the_ruling_to_be_changed(client: TestClient) -> None:
    page = client.get(f"/ruling?{RULED}&lang=en").text
    chips = LINK.findall(page.partition('<nav class="said"')[2].partition("</nav>")[0])
    assert [words(says) for _, says in chips] == [
        "West revoked", "South declares", "played on, West won", "won later", "nothing unusual"
    ]  # fmt: skip
    assert all("change=" in unescape(at) and client.get(unescape(at)).status_code == 200 for at, _ in chips)


def test_what_is_not_known_is_one_question_with_seats_and_a_way_to_find_out(client: TestClient) -> None:
    page = client.get(f"/ruling?{ESTABLISHED.replace('=revoker', '=?')}&unusual=none&board=8&lang=en").text
    assert heading(page) == "One or two tricks to North–South"
    hinge = page.partition('class="part hinge"')[2].partition("</section>")[0]
    assert "It hinges on one thing: Whose card won the trick?" in words(hinge)
    assert "To find out: have that trick turned up." in words(hinge)
    assert [words(row) for row in re.findall(r"<li>(.*?)</li>", hinge, re.S)] == [
        "North or South East One trick to North–South Law 64A2",
        "West Two tricks to North–South Law 64A1",
    ]
    rows = LINK.findall(hinge)
    assert [words(says).partition(" Two")[0] for _, says in rows] == ["North or South", "East", "West"]
    after = client.get(unescape(rows[2][0]), follow_redirects=True)
    assert heading(after.text) == "Two tricks to North–South" and "won-by=revoker" in str(after.url)
    assert dict(after.url.params)["board"] == "8" and 'class="part hinge"' not in after.text


AHEAD = f"{ESTABLISHED.replace('one,more', 'one,none,more')}&unusual=none"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("query", "says"),
    [
        (AHEAD, "One trick to North–South; two, if East–West win another"),
        (AHEAD.replace("=revoker", "=opponent"), "No trick to North–South; one, if East–West win one"),
        (f"{AHEAD}&lang=de", "Ein Stich an Nord–Süd; zwei, wenn Ost–West noch einen gewinnen"),
    ],
)
def test_while_the_play_goes_on_nobody_is_asked_how_it_ends(client: TestClient, query: str, says: str) -> None:
    page = client.get(f"/ruling?{query}{'' if 'lang=' in query else '&lang=en'}").text
    spoken = words(page.partition('<section class="spoken">')[2].partition("</section>")[0])
    assert heading(page) == says and 'class="part hinge"' not in page
    assert "?" not in spoken and re.search("Please play on|spielen Sie weiter", spoken)
    assert re.search("the play goes on|das Spiel läuft", words(page)) and "none won yet" not in page


def test_the_play_does_not_go_on_after_a_claim_that_ended_it(client: TestClient) -> None:
    claimed = AHEAD.replace("later-tricks", "claim=by-revokers&later-tricks")
    page = client.get(f"/ask?{claimed}&lang=en").text
    assert "Asked anew" in words(page) and "Not yet" not in words(page)
    assert client.get(f"/ruling?{claimed}&lang=en").status_code == 422


# --- the result, and an entry asked again


def form_of(page: str, action: str) -> dict[str, str]:
    """The hidden fields of the form that goes there."""
    form = page.partition(f'action="{action}"')[2].partition("</form>")[0]
    return {name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)}


def test_the_result_is_tapped_and_entered(client: TestClient) -> None:
    page = client.get(f"/ruling?{RULED}&lang=en").text
    said = {"level": "4", "strain": "S", "doubled": "", "tricks": "9", "vulnerable": "", "board": "8"}
    after = client.get("/result", params={**form_of(page, "/result"), **said}, follow_redirects=True)
    assert after.url.path == "/ruling" and dict(after.url.params)["contract"] == "4S"
    assert "4♠ South +1" in words(after.text) and "450" in words(after.text)
    assert 'name="level" value="4" checked' in after.text and "<small>+1</small>" in after.text
    none = {**form_of(after.text, "/result"), **said, "tricks": ""}
    taken_back = client.get("/result", params=none, follow_redirects=True)
    assert "tricks" not in dict(taken_back.url.params) and "450" not in words(taken_back.text).split()


def typed(client: TestClient, query: str = RULED, **said: str) -> Any:
    """The page after the form of the result has been sent from the ruling."""
    page = client.get(f"/ruling?{query}&lang=en").text
    return client.get("/result", params={**form_of(page, "/result"), **said}, follow_redirects=True)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"level": "4", "strain": ""}, "A contract needs both its level and its strain."),
        ({"level": "4", "strain": "S", "tricks": "12"}, "played on, West won · won later · Declarer's tricks at the table: 12"),
        ({"level": "4", "strain": "S", "tricks": "13"}, "played on, West won · Declarer's tricks at the table: 13"),
        ({"level": "4", "strain": "S", "tricks": "14"}, "this cannot be “14”"),
    ],
)  # fmt: skip
def test_a_result_that_cannot_be_is_told_in_one_sentence_above_what_was_typed(
    client: TestClient, said: dict[str, str], says: str
) -> None:
    refused = typed(client, **said)
    assert refused.status_code == 422 and says in words(refused.text)
    assert "cannot stand beside" not in refused.text and heading(refused.text) == "Two tricks to North–South"
    assert 'name="level" value="4" checked' in refused.text and '<details class="why adding" open>' in refused.text
    german = client.get(str(refused.url), params={"lang": "de"} | dict(refused.url.params) | {"lang": "de"})
    alert = words(german.text.partition('role="alert">')[2].partition("</p>")[0])
    assert alert and not re.search(r"cannot|needs|later|tricks", alert)
    client.get("/?lang=en&of=revoke")


def test_half_a_result_says_what_is_missing(client: TestClient) -> None:
    assert "For the score the contract is missing." in words(typed(client, tricks="9").text)
    both = {"level": "4", "strain": "S", "tricks": "9"}
    assert "the number of the board is missing" in words(typed(client, **both).text)
    assert "is missing" not in words(typed(client, **both, board="8").text)


def test_cards_are_added_to_a_ruling_that_stays(client: TestClient) -> None:
    after = typed(client, **{"revoke-1.cards": "E HK H2 S4 H7", "level": "4", "strain": "S", "revoke-1.trick": "5"})
    said = dict(after.url.params)
    assert after.url.path == "/ruling" and dict(parse_qsl(RULED)).items() <= said.items()
    assert (said["cards"], said["suit"], said["card"]) == ("E HK H2 S4 H7", "H", "S4")
    assert heading(after.text) == "Two tricks to North–South" and 'class="trick-drawn"' in after.text
    drawn = after.text.partition('class="trick-drawn"')[2].partition("</ul>")[0]
    assert re.findall(r'class="s(\w)( wrong)?">(.*?)</b>', drawn) == [
        ("H", "", "♥7"), ("H", "", "♥K"), ("H", "", "♥2"), ("S", " wrong", "♠4")
    ]  # fmt: skip
    assert 'value="E HK H2 S4 H7"' in after.text, "as it was written"
    mended = typed(client, urlencode(said), **{"revoke-1.cards": "E HK H2 S5 H7", "level": "4", "strain": "S"})
    assert dict(mended.url.params)["card"] == "S5"


def test_cards_say_who_won_where_nobody_knew(client: TestClient) -> None:
    asked = ESTABLISHED.replace("=revoker", "=?") + "&unusual=none"
    after = typed(client, asked, **{"revoke-1.cards": "E HK H2 C4 H7", "level": "4", "strain": "S"})
    assert heading(after.text) == "One trick to North–South" and dict(after.url.params)["won-by"] == "E"
    at_once = "revoke=W&declarer=S&next-trick=no&played-after=up-to-partner&unusual=none"
    assert "won-by" not in dict(typed(client, at_once, **{"revoke-1.cards": "N HK H2 H4 C7"}).url.params)


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("E HK H2 C4 H7", "played on, West won"),
        ("E HK H2 H4 C7", "this cannot be “E HK H2 H4 C7”"),
        ("E HK H2 XX", "this cannot be “E HK H2 XX”"),
    ],
)
def test_cards_that_contradict_an_answer_are_refused_above_what_was_typed(
    client: TestClient, cards: str, says: str
) -> None:
    refused = typed(client, **{"revoke-1.cards": cards, "level": "4", "strain": "S"})
    assert refused.status_code == 422 and says in words(refused.text)
    assert f'value="{cards}"' in refused.text and heading(refused.text) == "Two tricks to North–South"


def test_an_entry_is_corrected_by_asking_again(client: TestClient) -> None:
    keep = client.get(LINK.findall(client.get(f"/ruling?{RULED}&lang=en").text.partition("steps foot")[2])[0][0]).text
    kept = client.post("/keep", data={**form_of(keep, "/keep"), "table": "3"}, follow_redirects=True)
    number = kept.url.path.rsplit("/", 1)[-1]
    again = tap(client, kept.text, "Correct")
    assert f"This corrects ruling {number}." in words(again)
    chip = next(unescape(at) for at, says in LINK.findall(again) if words(says) == "played on, West won")
    asked = client.get(chip).text
    ruled = tap(client, asked, "Yes – East won it")
    assert "One trick to North–South" in heading(ruled)
    form = tap(client, ruled, "Add this version")
    assert "One trick" in words(form) and 'value="3"' in form
    at = f"/register/{number}/correct"
    done = client.post(at, data={**form_of(form, at), "table": "3"}, follow_redirects=True)
    assert "One trick to North–South" in words(done.text) and "version 2" in words(done.text).casefold()
    assert "Two tricks to North–South" in words(client.get(f"/register/{number}?version=1").text)


# --- what the flow promises


def ruling_of(client: TestClient, query: dict[str, str]) -> Ruling:
    laws = client.app.state.desk  # type: ignore[attr-defined]
    ruling: Ruling = laws.rule(submission(query, laws).incident(laws.table))
    return ruling


def outcome(ruling: Ruling) -> dict[str, Any]:
    """Whatever of a ruling somebody acts on; not the number of the trick, by which nobody does."""
    told = verdict(ruling)
    items = {
        key: [{name: one for name, one in item.items() if name != "trick"} for item in told[key]]
        for key in ("rectifications", "director", "remarks", "points", "options")
        if key in told
    }
    revokes = [(one.hand, one.status, one.automatic_tricks) for one in ruling.revokes]
    return {**items, "revokes": revokes, "transfer": told["transfer"]}


def sensible(client: TestClient, query: dict[str, str]) -> dict[str, str]:
    """Without the answers that are asked anew."""
    counsel = client.app.state.desk.counsel("duplicate-2017")  # type: ignore[attr-defined]
    with counsel.lock:
        return as_query(account_of(counsel, query).sensible())


def outcomes(client: TestClient, at: str) -> Iterator[dict[str, Any]]:
    """Whatever may come of an address, if nothing more is unusual."""
    asked = client.get(at, follow_redirects=True)
    if asked.url.path == "/ruling":
        yield outcome(ruling_of(client, dict(asked.url.params)))
        return
    done = re.search(r'<p class="go"><a class="button" href="([^"]+)"', asked.text)
    answers = asked.text.partition('class="answers')[2].partition("</ul>")[0]
    for link in [done[1]] if done else [one for one, _ in LINK.findall(answers)]:
        yield from outcomes(client, unescape(link))


def queried(address: str) -> dict[str, str]:
    return dict(parse_qsl(unescape(address).partition("?")[2]))


def unusual_pages(client: TestClient) -> Iterator[tuple[str, dict[str, str], str]]:
    """The screen of what is unusual in each situation, with its answers so far."""
    for name, taps_ in SITUATIONS.items():
        page, at = client.get("/?lang=en&of=revoke").text, ""
        for says in taps_[:-1]:
            main = page.partition("<h1")[2]
            at = next(one for one, said in LINK.findall(main) if re.search(rf"(^|\W){says.split('|')[0]}", words(said)))
            page = client.get(unescape(at)).text
        yield name, queried(at), page


@pytest.mark.thorough
def test_every_row_of_what_is_unusual_changes_the_ruling_and_nothing_left_out_does(client: TestClient) -> None:
    laws = client.app.state.desk  # type: ignore[attr-defined]
    counsel = laws.counsel("duplicate-2017")
    screen = counsel.interview.screens["unusual"]
    for name, said, page in unusual_pages(client):
        usual = outcome(ruling_of(client, {**said, "unusual": "none"}))
        shown = words(page.partition('class="answers')[2].partition("</ul>")[0])
        for question, texts in screen.unusual.items():
            answers = account_of(counsel, said).unusually(question)
            ways = (sensible(client, {**said, question: answer}) for answer in answers)
            others = (one for way in ways for one in outcomes(client, f"/ask?{urlencode(way, safe=',?')}"))
            row = re.sub(r"\{[^}]*\}", ".*", re.escape(texts["en"]).replace("\\{", "{").replace("\\}", "}"))
            assert bool(re.search(row, shown)) == any(one != usual for one in others), (name, question)


@pytest.mark.thorough
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_change_comes_to_what_a_fresh_start_does(client: TestClient, situation: str) -> None:
    page = client.get("/?lang=en&of=revoke").text
    for says in SITUATIONS[situation]:
        page = tap(client, page, says.split("|")[0])
    chips = LINK.findall(page.partition('<nav class="said"')[2].partition("</nav>")[0])
    for chip, _ in chips:
        asked = client.get(unescape(chip)).text
        for at, _ in LINK.findall(asked.partition("<h1")[2].partition("</ul>")[0]):
            changed = client.get(unescape(at), follow_redirects=True)
            if changed.url.path == "/ruling":
                fresh = afresh(client, dict(changed.url.params))
                assert fresh.items() <= dict(changed.url.params).items(), at
                assert heading(client.get(f"/ruling?{urlencode(fresh, safe=',?')}").text) == heading(changed.text)


def afresh(client: TestClient, wanted: dict[str, str]) -> dict[str, str]:
    """Where one comes to who begins anew and taps those answers."""
    at = "/?lang=en&of=revoke"
    for _ in range(12):
        answer = client.get(at, follow_redirects=True)
        if answer.url.path == "/ruling":
            return dict(answer.url.params)
        links = [one for one, _ in LINK.findall(answer.text.partition("<h1")[2].partition("<aside")[0])]
        may_be = {**wanted, "change": "another"} if "another" in wanted else wanted
        fits = [one for one in links if one.startswith("/ask?") and queried(one).items() <= may_be.items()]
        assert fits, (at, wanted)
        at = unescape(max(fits, key=lambda one: len(queried(one))))
    raise AssertionError("there is no end")


@pytest.mark.thorough
def test_an_address_rules_the_same_on_another_desk(
    client: TestClient, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with client_of(create_app(settings_in(tmp_path_factory.mktemp("other")))) as other:
        for _, said, _ in unusual_pages(client):
            at = f"/ruling?{urlencode({**said, 'unusual': 'none'}, safe=',?')}"
            assert heading(other.get(at).text) == heading(client.get(at).text) != ""


def test_nobody_says_that_he_does_not_know_of_another_revoke(client: TestClient) -> None:
    """It would be ruled on without the one that there may have been."""
    said = "revoke=W&declarer=S&next-trick=played&won-by=revoker&later-tricks=one,more"
    asked = client.get(f"/ask?{said}&change=another").text
    assert "another=partner" in asked and "another=?" not in asked
    refused = client.get(f"/ruling?{said}&another=?&unusual=none")
    assert refused.status_code == 422 and "another" in refused.text


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [("?", "during-play", "Two to four"), ("during-play", "?", "Two to four"), ("?", "?", "Up to four")],
)
def test_nothing_is_supposed_of_what_nobody_knows_of_either_revoke(
    client: TestClient, first: str, second: str, outcome: str
) -> None:
    """Noticed after the round, neither would cost a trick."""
    said = f"first-noticed={first}&second-noticed={second}&first-won-by=revoker&second-won-by=revoker"
    at = f"/ruling?revoke=W&declarer=S&another=partner&{said}&second-later-tricks=more&lang=en"
    assert heading(client.get(at).text) == f"{outcome} tricks to North–South"


def test_no_answer_to_a_hinge_is_part_of_another(client: TestClient) -> None:
    late = "noticed=after-call-on-next-board&next-board-call-by=?"
    page = client.get(
        f"/ruling?revoke=W&declarer=S&next-trick=played&{late}&won-by=revoker&later-tricks=one&lang=en"
    ).text
    hinge = page.partition('class="part hinge"')[2].partition("</section>")[0]
    assert [words(says) for _, says in LINK.findall(hinge)] == [
        "Yes Noticed late: no trick goes over Law 64B4",
        "No, only his side had Two tricks to North–South Law 64A1",
    ]


def test_an_opening_lead_by_the_hand_on_lead_is_refused_as_soon_as_it_is_said(client: TestClient) -> None:
    led = "of=lead-out-of-turn&revoke=W&declarer=S&lang=en"
    assert client.get(f"/ask?{led}").status_code == 200
    answer = client.get(f"/ask?{led}&trick=opening&faced=yes")
    assert answer.status_code == 422 and "the opening lead is W's, on declarer's left" in words(answer.text)
    german = client.get(f"/ask?{led}&trick=opening&faced=yes".replace("lang=en", "lang=de"))
    assert "Das erste Ausspiel ist Sache von W, links vom Alleinspieler" in words(german.text)
    assert client.get(f"/ask?{led}&trick=opening&faced=yes&change=revoke").status_code == 200, "it can be mended"
    assert client.get(f"/ask?{led}&trick=opening&faced=yes".replace("revoke=W", "revoke=E")).status_code == 200
