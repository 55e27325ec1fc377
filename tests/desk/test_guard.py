"""The guard before the desk: who may come in, what is believed, how much is taken."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from fastapi import FastAPI
from fastapi.testclient import TestClient
from support.desk import HASHED, PASSPHRASE, client_of, come_in, settings_in, small_app, words

from kb.desk import guard as limits
from kb.desk.guard import IDLE, LASTING, MOST_SESSIONS, Sessions
from kb.desk.login import CLIENTS, FREE, LONGEST_ALL, Attempts, protect

OPEN = {"passphrase_hash": HASHED, "host": "0.0.0.0", "hosts": ("club.example",)}


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    return small_app(settings_in(tmp_path))


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    return client_of(app)


@pytest.fixture
def guarded(tmp_path: Path) -> FastAPI:
    return small_app(settings_in(tmp_path, **OPEN))


@pytest.fixture
def stranger(guarded: FastAPI) -> TestClient:
    return client_of(guarded, "http://club.example:8061", "10.0.0.9")


# --- forged forms


def test_a_form_of_our_own_page_passes(client: TestClient) -> None:
    assert client.post("/change", data={"note": "a"}).json() == {"note": "a", "file": None}
    upload = client.post("/change", data={"note": "c"}, files={"file": ("x.pbn", b"12345")})
    assert upload.json() == {"note": "c", "file": 5}


@pytest.mark.parametrize("multipart", [False, True])
def test_what_no_browser_says_to_be_ours_changes_nothing(app: FastAPI, client: TestClient, multipart: bool) -> None:
    del client.headers["Origin"]
    files = {"file": ("x", b"1")} if multipart else None
    assert client.post("/change", data={"note": "forged"}, files=files).status_code == 403
    for method in ("PUT", "PATCH", "DELETE", "TRACE", "POST"):
        assert client.request(method, "/change").status_code == 403
    assert app.state.changes == []
    ours = {"Sec-Fetch-Site": "same-origin"}
    assert client.post("/change", data={"note": "a"}, files=files, headers=ours).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "https://localhost:8061"},
        {"Origin": "http://localhost:8061@evil.example"},
        {"Origin": "http://[::1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_pages_of_other_sites_change_nothing(app: FastAPI, client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/change", headers=headers).status_code == 403
    assert client.post("/api/change", headers=headers).status_code == 403
    assert client.get("/api/read", headers=headers).status_code == 403
    assert app.state.changes == []


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_an_open_desk_serves_other_sites_its_first_page_alone(client: TestClient, site: str) -> None:
    del client.headers["Origin"]
    led = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=led).status_code == 200
    for path, dest in (("/", "image"), ("/", "iframe"), ("/?a=b", "document"), ("/static/x.css", "document")):
        assert client.get(path, headers={**led, "Sec-Fetch-Dest": dest}).status_code == 403
    assert client.get("/", headers={**led, "Sec-Fetch-Mode": "no-cors"}).status_code == 403
    assert client.get("/static/x.css", headers={**led, "Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_own_pages_are_believed(client: TestClient) -> None:
    own = {"Origin": "http://localhost:8061", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/change", headers=own).status_code == 200
    assert client.post("/api/change", headers=own).status_code == 200


# --- names


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8061", "10.0.0.1", "localhost.evil.example", "", "[", "localhost:x", "a@localhost", "localhost/x"]
)  # fmt: skip
def test_other_names_are_not_answered(app: FastAPI, client: TestClient, host: str) -> None:
    for path in ("/", "/static/x.css", "/api/read", "/login"):
        assert client.get(path, headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8061", "127.0.0.1:1", "[::1]:8061"])
def test_loopback_names_are_answered(client: TestClient, host: str) -> None:
    del client.headers["Origin"]
    assert client.get("/", headers={"Host": host}).status_code == 200


def test_where_others_may_come_addresses_and_allowed_names_are_answered(guarded: FastAPI) -> None:
    client = client_of(guarded)
    codes = {host: client.get("/login", headers={"Host": host}).status_code for host in
             ("192.168.1.5:8061", "club.example", "Club.Example:8061", "evil.example", "club.example.evil.example")}  # fmt: skip
    assert list(codes.values()) == [200, 200, 200, 421, 421]


def test_two_hosts_are_none(client: TestClient) -> None:
    assert client.get("/", headers=[("Host", "localhost"), ("Host", "evil.example")]).status_code == 421


def test_a_desk_for_this_computer_is_not_forwarded(client: TestClient) -> None:
    for name in ("X-Forwarded-For", "Forwarded", "Via"):
        assert client.get("/", headers={name: "1.2.3.4"}).status_code == 403


# --- the passphrase


def test_listening_beyond_this_computer_needs_a_passphrase(tmp_path: Path) -> None:
    for others in ({"host": "0.0.0.0"}, {"host": "192.168.1.5"}, {"hosts": ("a",)}, {"proxies": ("127.0.0.1",)}):
        with pytest.raises(ValueError, match="passphrase"):
            protect(FastAPI(), settings_in(tmp_path, **others), words())


def test_strangers_see_the_door_only(stranger: TestClient, guarded: FastAPI) -> None:
    asked = stranger.get("/", params={"a": "b c", "n": "ü"})
    assert (asked.status_code, asked.headers["location"]) == (303, "/login?after=%2F%3Fa%3Db%2Bc%26n%3D%25C3%25BC")
    assert stranger.get("/api/read").status_code == 401
    assert stranger.get("/openapi.json").status_code == 303
    assert stranger.post("/change").status_code == 401
    assert stranger.post("/api/change").status_code == 401
    assert stranger.get("/static/x.css").status_code == 200
    assert stranger.get("/static/../").status_code != 200
    assert guarded.state.changes == []


def test_the_passphrase_opens_and_logout_closes(stranger: TestClient) -> None:
    assert come_in(stranger) == 303
    page = stranger.get("/")
    assert page.status_code == 200 and "True" in page.text
    assert stranger.get("/login").headers["location"] == "/"
    assert stranger.post("/change").status_code == 200
    held = dict(stranger.cookies)
    assert stranger.post("/logout").status_code == 303
    assert stranger.get("/").status_code == 303
    stranger.cookies.update(held)
    assert stranger.get("/").status_code == 303, "the server has forgotten the session, not only the browser"


@pytest.mark.thorough
@pytest.mark.parametrize("word", ["", "four no trump", PASSPHRASE.upper(), PASSPHRASE + "\x00", "x" * 1024, "é"])
def test_wrong_words_stay_outside(stranger: TestClient, word: str) -> None:
    assert come_in(stranger, word) == 401
    assert stranger.get("/").status_code == 303
    assert stranger.post("/api/login", json={"passphrase": word}).status_code == 401


def test_login_itself_cannot_be_forged(stranger: TestClient) -> None:
    evil = {"Origin": "https://evil.example"}
    assert stranger.post("/login", data={"passphrase": PASSPHRASE}, headers=evil).status_code == 403
    assert stranger.post("/login", data={"passphrase": "x" * 2000}).status_code == 422
    del stranger.headers["Origin"]
    assert stranger.post("/login", data={"passphrase": PASSPHRASE}).status_code == 403


def test_a_session_brought_along_is_never_made_valid(guarded: FastAPI) -> None:
    attacker, victim = (client_of(guarded, "http://club.example:8061") for _ in range(2))
    planted = "A" * 43
    for client in (attacker, victim):
        client.cookies.set("desk-8061", planted, domain="club.example")
    assert come_in(victim) == 303
    fresh = [c.value for c in victim.cookies.jar if c.value != planted]
    assert len(fresh) == 1
    assert attacker.get("/").status_code == 303
    victim.cookies.clear()
    victim.cookies.set("desk-8061", str(fresh[0]), domain="club.example")
    assert victim.get("/").status_code == 200


@pytest.mark.parametrize(
    ("after", "leads"),
    [("/register?id=1", "/register?id=1"), ("//evil.example", "/"), ("https://evil.example", "/"), ("/\\evil.example", "/"),
     ("/a\r\nX: y", "/"), ("", "/"), ("javascript:alert(1)", "/"), ("/\t/evil.example", "/")],
)  # fmt: skip
def test_the_door_leads_nowhere_else(stranger: TestClient, after: str, leads: str) -> None:
    answer = stranger.post("/login", data={"passphrase": PASSPHRASE, "after": after})
    assert answer.headers["location"] == leads


def test_a_bearer_token_can_be_ended_and_no_other_with_it(stranger: TestClient) -> None:
    tokens = [stranger.post("/api/login", json={"passphrase": PASSPHRASE}).json()["token"] for _ in range(2)]
    mine, other = ({"Authorization": f"Bearer {one}"} for one in tokens)
    assert stranger.post("/api/logout").status_code == 401
    assert stranger.post("/api/logout", headers=mine).status_code == 204
    assert stranger.get("/api/read", headers=mine).status_code == 401
    assert stranger.post("/api/logout", headers=mine).status_code == 401
    assert stranger.get("/api/read", headers=other).status_code == 200
    assert come_in(stranger) == 303
    assert stranger.post("/logout").status_code == 303
    assert stranger.get("/api/read", headers=other).status_code == 200, "a browser that leaves ends no program's token"


def test_programs_come_in_with_a_bearer_token(stranger: TestClient) -> None:
    ticket = stranger.post("/api/login", json={"passphrase": PASSPHRASE}).json()
    bearer = {"Authorization": f"Bearer {ticket['token']}"}
    assert ticket["seconds"] == LASTING
    assert stranger.get("/api/read", headers=bearer).status_code == 200
    assert stranger.post("/api/change", headers=bearer).status_code == 200
    assert stranger.get("/api/read", headers={"Authorization": "Bearer x"}).status_code == 401
    assert stranger.get("/", headers=bearer).status_code == 303, "a program's token opens no pages"
    stranger.cookies.set("desk-8061", ticket["token"], domain="club.example")
    assert stranger.get("/").status_code == 303, "nor is it a cookie"


def test_a_page_reaches_the_api_by_its_cookie(stranger: TestClient) -> None:
    come_in(stranger)
    assert stranger.get("/api/read").status_code == 200
    assert stranger.post("/api/change").status_code == 200
    del stranger.headers["Origin"]
    assert stranger.get("/api/read").status_code == 200
    assert stranger.post("/api/change").status_code == 401, "its browser would say whose page it is"


def test_guessing_grows_slow(stranger: TestClient, guarded: FastAPI) -> None:
    codes = [come_in(stranger, "wrong") for _ in range(FREE)]
    assert codes == [401] * FREE
    refused = stranger.post("/login", data={"passphrase": PASSPHRASE})
    assert refused.status_code == 429 and int(refused.headers["retry-after"]) >= 1
    assert stranger.post("/api/login", json={"passphrase": PASSPHRASE}).status_code == 429
    assert come_in(client_of(guarded, "http://club.example:8061", "10.0.0.10")) == 303, "others are not kept out"


# --- attempts and sessions by themselves


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_waits_double_and_are_forgiven() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    waits = []
    for _ in range(FREE + 4):
        wait = attempts.start("1.2.3.4")
        waits.append(wait)
        clock.now += wait
        if wait:
            assert attempts.start("1.2.3.4") == 0
    assert waits == [0] * FREE + [1, 2, 4, 8]
    assert attempts.start("::ffff:1.2.3.4") > 0, "the same client in other clothes"
    clock.now += 4000
    assert attempts.start("1.2.3.4") == 0
    attempts.succeeded("1.2.3.4")
    assert [attempts.start("1.2.3.4") for _ in range(FREE)] == [0] * FREE


def test_many_clients_are_slowed_together_and_not_remembered_forever() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    let_through = sum(attempts.start(f"10.{n // 250}.{n % 250}.1") == 0 for n in range(300))
    assert let_through < 30
    for n in range(CLIENTS + 500):
        clock.now += LONGEST_ALL
        assert attempts.start(f"2001:db8:{n:x}::1") == 0
    assert len(attempts._failed) == CLIENTS + 1
    assert attempts.start(f"2001:db8:{CLIENTS + 499:x}::2") > 0


def test_one_network_of_a_customer_is_one_client() -> None:
    attempts = Attempts(Clock())
    assert [attempts.start(f"2001:db8::{n}") > 0 for n in range(FREE + 1)] == [False] * FREE + [True]


def test_sessions_end() -> None:
    clock = Clock()
    sessions = Sessions(clock)
    idle, busy = sessions.begin("cookie"), sessions.begin("cookie")
    for _ in range(int(LASTING / IDLE) + 1):
        assert sessions.holds(busy, "cookie")
        clock.now += IDLE - 1
    assert not sessions.holds(idle, "cookie")
    clock.now += 100
    assert not sessions.holds(busy, "cookie")
    left_alone = sessions.begin("cookie")
    clock.now += IDLE + 1
    assert not sessions.holds(left_alone, "cookie")
    for _ in range(MOST_SESSIONS + 5):
        sessions.begin("bearer")
    assert len(sessions._open) == MOST_SESSIONS


# --- cookies and headers


def test_cookies_are_shut_to_scripts_and_other_sites(stranger: TestClient) -> None:
    assert all("set-cookie" not in stranger.get(path).headers for path in ("/static/x.css", "/login", "/"))
    given = stranger.post("/login", data={"passphrase": PASSPHRASE}).headers["set-cookie"]
    assert re.fullmatch(rf"desk-8061=[\w-]{{43}}; HttpOnly; Max-Age={LASTING}; Path=/; SameSite=lax", given)
    assert "set-cookie" not in stranger.get("/").headers


def test_cookies_of_other_programs_do_not_matter(stranger: TestClient) -> None:
    come_in(stranger)
    own = stranger.cookies["desk-8061"]
    stranger.cookies.clear()
    for other in ('x={"a": 1, "b": [2]}', 'y="unclosed', "=", "z=\xe9; ;", "desk-9000=" + "A" * 43):
        for sent in (f"{other}; desk-8061={own}", f"desk-8061={own}; {other}"):
            headers = [(b"cookie", sent.encode("latin-1"))]
            assert stranger.post("/change", headers=headers).status_code == 200, sent


def test_behind_a_trusted_proxy_cookies_are_for_https_only(tmp_path: Path) -> None:
    app = small_app(settings_in(tmp_path, passphrase_hash=HASHED, hosts=("club.example",), proxies=("127.0.0.1",)))
    proxied = client_of(app, "http://club.example")
    told = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "9.9.9.9", "Origin": "https://club.example"}
    data = {"passphrase": PASSPHRASE}
    entered = proxied.post("/login", data=data, headers=told)
    given = entered.headers["set-cookie"]
    assert entered.status_code == 303
    assert given.startswith("__Host-desk-8061=") and given.endswith("; Path=/; SameSite=lax; Secure")
    plain = {**told, "Origin": "http://club.example"}
    assert proxied.post("/login", data=data, headers=plain).status_code == 403
    direct = client_of(app, "http://club.example", "10.0.0.7")
    assert direct.post("/login", data=data, headers=plain).headers["set-cookie"].startswith("desk-"), (
        "anybody may say so"
    )


def test_a_client_cannot_invent_its_address(tmp_path: Path) -> None:
    app = small_app(settings_in(tmp_path, passphrase_hash=HASHED, hosts=("club.example",), proxies=("127.0.0.1",)))
    proxied, codes = client_of(app, "http://club.example"), []
    for n in range(FREE + 1):
        told = {"X-Forwarded-For": f"10.9.8.{n}, 9.9.9.9"}
        codes.append(proxied.post("/api/login", json={"passphrase": "wrong"}, headers=told).status_code)
    assert codes == [401] * FREE + [429]


def answers(client: TestClient) -> Iterator[object]:
    yield from (client.get(path) for path in ("/", "/missing", "/fails", "/static/x.css", "/api/read", "/openapi.json"))
    yield from (client.post(path) for path in ("/change", "/api/change", "/login", "/api/login"))
    yield client.get("/", headers={"Host": "evil.example"})
    yield client.post("/api/change", content=b"x" * (limits.LIMIT + 1))
    yield client.options("/")


@pytest.mark.parametrize("kind", ["client", "stranger"])
def test_every_answer_has_every_header(kind: str, request: pytest.FixtureRequest) -> None:
    for answer in answers(request.getfixturevalue(kind)):
        headers = answer.headers  # type: ignore[attr-defined]
        assert headers["content-security-policy"].startswith("default-src 'none'; style-src 'self'; script-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "cache-control" in headers
        assert "secret detail" not in answer.text  # type: ignore[attr-defined]


def test_the_policy_allows_files_of_the_desk_and_nothing_else(client: TestClient) -> None:
    assert client.get("/").headers["content-security-policy"] == (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )


# --- how much is taken


@pytest.mark.parametrize("path", ["/change", "/api/change"])
@pytest.mark.parametrize("chunked", [False, True])
def test_too_much_is_not_read(app: FastAPI, client: TestClient, path: str, chunked: bool) -> None:
    size, taken = limits.LIMIT + 70_000, 0

    def pieces() -> Iterator[bytes]:
        nonlocal taken
        while taken < size:
            taken += 65536
            yield b"x" * 65536

    content = pieces() if chunked else b"x" * size
    answer = client.post(path, content=content)
    assert answer.status_code == 413
    assert app.state.changes == []


@pytest.mark.parametrize("told", ["-1", "1e9", "9" * 30, "٣"])
def test_lengths_that_are_none(client: TestClient, told: str) -> None:
    headers = [(b"content-length", told.encode("latin-1", "replace"))]
    assert client.post("/api/change", headers=headers).status_code == 413


def test_fields_are_limited(app: FastAPI, client: TestClient) -> None:
    long = {"note": "n" * (limits.FIELD + 1)}
    assert client.post("/change", data=long).status_code == 413
    assert client.post("/change", data=long, files={"file": ("x", b"")}).status_code == 413
    many = {f"f{n}": "" for n in range(limits.FIELDS + 1)}
    assert client.post("/change", data=many).status_code == 400
    assert client.post("/change", data=many, files={"file": ("x", b"")}).status_code == 400
    files = [("file", (f"{n}", b"")) for n in range(limits.FILES + 1)]
    assert client.post("/change", files=files).status_code == 400
    assert app.state.changes == []


WHOLE = b'--a\r\nContent-Disposition: form-data; name="note"\r\n\r\n\\ud800-aaa\r\n--a--\r\n'
CHARSETS = ("charset=punycode", "CharSet=undefined", 'charset="unicode_escape"')
"""Encodings that take Python minutes, or fail."""


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("multipart/form-data", b"x"),
        *((f"multipart/form-data; {one}; boundary=a", WHOLE) for one in CHARSETS),
        ("multipart/form-data; boundary=" + "a" * 5000, b"x"),
        ("application/x-www-form-urlencoded", b"note=%ff%fe"),
        ("application/x-www-form-urlencoded", b"\xff\xfe"),
        ("application/x-www-form-urlencoded; charset=utf-7", b"note=+AAA-"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_broken_forms_are_refused(app: FastAPI, client: TestClient, kind: str, content: bytes) -> None:
    client.get("/")
    assert client.post("/change", content=content, headers={"Content-Type": kind}).status_code == 400
    assert app.state.changes == []


def test_what_never_arrives_is_given_up(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.05)
    sent = []

    async def receive() -> dict[str, object]:
        await asyncio.sleep(5)
        return {}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-length", b"5")]
    scope = {"type": "http", "method": "POST", "path": "/api/change", "raw_path": b"/api/change", "query_string": b"",
             "headers": headers, "client": ("127.0.0.1", 1), "server": ("localhost", 8061), "scheme": "http"}  # fmt: skip
    asyncio.run(app(scope, receive, send))
    assert sent[0]["status"] == 408


@pytest.mark.parametrize("path", ["/login", "/api/login", "/static/x.css"])
def test_a_stranger_brings_no_more_than_a_passphrase(stranger: TestClient, path: str) -> None:
    """Nothing of it is decoded, or read on."""
    kind = "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
    for content in (b"a=" + b"%" * limits.LIMIT, (b"%" * 1024 for _ in range(100))):
        assert stranger.post(path, content=content, headers={"Content-Type": kind}).status_code == 413


def test_lengths_are_looked_at_before_anything_is_decoded(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "parse_qsl", lambda *_, **__: pytest.fail("decoded"))
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post("/change", content=b"note=" + b"%41" * (limits.FIELD + 1), headers=form).status_code == 413


def test_what_is_sent_is_taken_apart_in_a_thread(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def outside(*_: object, **__: object) -> list[object]:
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        return []

    monkeypatch.setattr(limits, "parse_qsl", outside)
    monkeypatch.setattr(limits, "loads_strictly", outside)
    assert client.post("/change", data={"note": "a"}).status_code == 200
    assert client.post("/api/change", json={}).status_code == 200
