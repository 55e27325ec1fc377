"""Strangers and mischief at the desk as it is: script in every field, tricks with paths, hostile files, forged forms."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from support.desk import HASHED, client_of, settings_in
from support.desk_pages import INCIDENT, Page, Visitor

from facts.readers.incident_file import MOST_EVENTS
from kb.desk.app import create_app
from kb.desk.desk import MOST_BOARD, Submission

FULL = (Path(__file__).parents[2] / "examples" / "full-record.yaml").read_text("utf-8")

SCRIPT = "\"'></textarea></title><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}"
PAGES = (
    "/", "/ask", "/record", "/ruling", "/explain", "/why-not", "/what-if", "/keep", "/register",
    "/register.backup", "/register/1", "/register/1/correct", "/register/1/appeal", "/law",
    "/law/duplicate-2017", "/law/duplicate-2017/64", "/law/duplicate-2017/chart",
    "/api/openapi.json",
)  # fmt: skip
CHANGES = ("/record", "/keep", "/register/1/correct", "/login", "/logout")  # fmt: skip


class Harm(HTMLParser):
    """Whatever in a page a browser would run, or follow to somewhere that is no page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[object] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            said = (value or "").strip().lower()
            leads = name in ("href", "src", "action", "formaction") and not said.startswith(("/", "#", "data:,", "?"))
            if name.startswith("on") or name in ("style", "srcdoc") or (leads and said):
                self.found.append((tag, name, value))
        runs = tag == "script" and not dict(attrs).get("src") and dict(attrs).get("type") != "application/json"
        if runs or tag in ("iframe", "object", "embed", "base"):
            self.found.append(tag)


def harmless(page: Page, status: int | None = None) -> Page:
    """The page, if nothing in it does harm."""
    assert status is None or page.status == status, page.text
    assert page.status < 500, page.text
    assert Harm(page.source).found == []
    assert "<script>alert" not in page.source and "49" not in page.source.split("{{7*7}}")[0][-3:]
    return page


# --- script in every field


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["/ask", "/record", "/ruling", "/explain", "/keep", "/register", "/register/1", "/law", "/login", "/nowhere"])  # fmt: skip
def test_script_in_addresses(visitor: Visitor, path: str) -> None:
    for name in ("f", "q", "law", "a", "b", "c", "card", "voice", "edition", "page", "version", "file", "new", "lang", "after", "contract", "cards", "saved", "kept"):  # fmt: skip
        harmless(Page(visitor.client.get(path, params={name: SCRIPT}, follow_redirects=True)))
    harmless(Page(visitor.client.get(f"{path}/{quote(SCRIPT, safe='')}", follow_redirects=True)))


# --- paths


@pytest.mark.thorough
def test_paths_lead_nowhere(visitor: Visitor) -> None:
    for trick in ("../pages.py", "..%2fpages.py", "%2e%2e%2fpages.py", "..%5cpages.py", "desk.css%00", "/etc/passwd", "%2fetc%2fpasswd", "....//pages.py"):  # fmt: skip
        assert visitor.client.get(f"/static/{trick}").status_code in (400, 404), trick
        assert visitor.client.get(f"/law/{trick}").status_code in (400, 404, 422), trick


# --- hostile files


@pytest.mark.thorough
@pytest.mark.parametrize(
    "data",
    [
        b"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n",
        b"!!python/object/apply:os.system ['touch /tmp/owned']\n",
        b"contract: !!python/name:os.system\n",
        b"[" * 200_000,
        b"{" * 100_000,
        b"- " * 100_000,
        b"a: " + b"9" * 300_000,
        b"? " * 5_000,
        b"\xff\xfe" + "contract: 4S".encode("utf-16-le"),
        b"PK\x03\x04" + bytes(range(256)) * 1000,
        b"\x00" * 100_000,
        b'[Event "x"]\n' * 60_000,
        b"qx|o1|md|3SAKQ|" * 20_000,
        b"%00" * 50_000,
        b"https://www.bridgebase.com/tools/handviewer.html?" + b"n=S" * 50_000,
        b"revokes: [{hand: W, trick: 99999999999999999999, suit: H, card: S4}]",
        "trick: \u202e\ud7ff\U0010ffff".encode(),
        b"\r" * 200_000,
    ],
    ids=lambda data: repr(data[:24]),
)
@pytest.mark.parametrize("suffix", ["", ".yaml", ".pbn", ".lin"])
def test_hostile_files_are_told(visitor: Visitor, data: bytes, suffix: str) -> None:
    answer = visitor.client.post("/record", files={"file": (f"x{suffix}", data)})
    assert answer.status_code in (200, 422), answer.text[:500]
    assert not Path("/tmp/owned").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("word", ["x", "====", "é", "A" * 50_000, "bomb", "deep", "list", "-" * 64])
def test_words_of_no_board(visitor: Visitor, word: str) -> None:
    made = {"bomb": json.dumps(["incident", "", "x" * 30_000_000]), "deep": "[" * 100_000, "list": '["incident",1,[]]'}
    if word in made:
        word = urlsafe_b64encode(zlib.compress(made[word].encode(), 9)).decode()
    for path in ("/ruling", "/keep", "/explain", "/what-if", "/why-not"):
        assert visitor.client.get(path, params={"f": word}).status_code == 422


@pytest.mark.thorough
@pytest.mark.parametrize(
    "body",
    [b"[" * 100_000, b"{" * 100_000, b'"\\ud800"', b'{"text": "\\ud800"}', b'{"incident": {"board": "\\udfff"}}', b"1e999",
     b"9" * 10_000, b'{"text": null}', b"\xff", b'{"incident": {"\\u0000": 1}}', b'{"text": "a", "edition": "../.."}',
     b'{"text": "a", "lang": "__class__"}', b'{"incident": {"revokes": [' + b"{}," * 3_000 + b"{}]}}"],
    ids=lambda body: repr(body[:30]),
)  # fmt: skip
def test_hostile_objects_are_told(visitor: Visitor, body: bytes) -> None:
    for path in ("/api/rule", "/api/login"):
        answer = visitor.client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 401, 422, 429), (path, answer.text[:500])


@pytest.mark.thorough
def test_half_characters_are_not_kept(visitor: Visitor) -> None:
    fields = f"f={Submission(INCIDENT).word}&note=%ED%A0%80"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert visitor.client.post("/keep", content=fields, headers=headers).status_code == 400


# --- heavy questions


@pytest.mark.thorough
def test_what_too_little_is_said_for_is_told_and_takes_no_memory_of_the_desk(visitor: Visitor) -> None:
    """A million ways of filling in what is not said, laid out again and again: by a process of its own."""
    text = "revokes:\n  - {hand: W, trick: 5}\n  - {hand: N, trick: 5}\n  - {hand: W, trick: 8}\n"
    word = visitor.rule(text)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "Too little is said of these revokes" in visitor.go("/why-not", f=word, law="64A1").text
    assert "does not apply" in visitor.go("/why-not", f=visitor.rule(), law="64A2").text
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000, "kilobytes"


@pytest.mark.thorough
def test_a_process_that_was_ended_is_begun_anew(visitor: Visitor) -> None:
    word = visitor.rule()
    visitor.go("/why-not", f=word, law="64A2")
    subprocess.run(["pkill", "-KILL", "-P", str(os.getpid()), "-f", "anyio.to_process"], check=True)
    assert visitor.go("/why-not", f=word, law="64A2").status == 503
    assert visitor.go("/why-not", f=word, law="64A2").status == 200


# --- strangers


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A desk that listens for others, seen by one who has not come in."""
    settings = settings_in(tmp_path_factory.mktemp("closed"), host="0.0.0.0", passphrase_hash=HASHED)
    yield Visitor(client_of(create_app(settings), "http://192.168.1.5:8061", "192.168.1.9"))


@pytest.mark.thorough
@pytest.mark.parametrize("path", PAGES)
def test_strangers_see_nothing(closed: Visitor, path: str) -> None:
    for tricky in (path, f"/static/..{path}", f"//{path}", f"{path}/", f"{path};/static/", f"/login/..{path}"):
        answer = closed.client.get(tricky)
        assert answer.status_code in (303, 401, 404), (tricky, answer.text[:300])
        assert "location" not in answer.headers or answer.headers["location"].startswith("/login")
    assert closed.client.head(path).status_code in (303, 401)


@pytest.mark.thorough
@pytest.mark.parametrize("path", CHANGES)
def test_every_change_comes_from_a_page_of_ours(visitor: Visitor, closed: Visitor, path: str) -> None:
    for other in ("https://evil.example", "null", ""):
        assert visitor.client.post(path, headers={"Origin": other}).status_code == 403
        assert closed.client.post(path, headers={"Origin": other}).status_code in (401, 403)
    for method in ("PUT", "PATCH", "DELETE"):
        assert visitor.client.request(method, path, headers={"Origin": "null"}).status_code == 403
        refused = visitor.client.request(method, path)
        assert refused.status_code == 405 and refused.headers["Allow"]


def test_strangers_cannot_rule_by_the_api(closed: Visitor) -> None:
    assert closed.client.post("/api/rule", json={"text": INCIDENT}).status_code == 401


# --- long files


def events(count: int) -> str:
    """A whole record to which so much attention was drawn."""
    return FULL + '  - {after: "13.4", attention: {by: E}}\n' * count


@pytest.mark.thorough
def test_long_files_are_refused_before_they_are_ruled_on(visitor: Visitor) -> None:
    assert visitor.client.post("/api/rule", json={"text": events(MOST_EVENTS - 1)}).status_code == 200
    for count, told in ((MOST_EVENTS, f"more than {MOST_EVENTS} events"), (20_000, f"at most {MOST_BOARD:,}")):
        answer = visitor.client.post("/api/rule", json={"text": events(count)})
        assert answer.status_code == 422 and told in answer.text
    board = {"contract": "4S", "events": [{"after": "1.1", "attention": {"by": "E"}}] * 20_000}
    assert "too long for one board" in visitor.client.post("/api/rule", json={"incident": board}).text
    page = visitor.send(visitor.go("/record"), "/record", text=events(6_000))
    assert page.status == 422 and "too long for one board" in page.text
