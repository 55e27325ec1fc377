"""Connections that say nothing, half of something, or take nothing: over real sockets, with little patience."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.desk import settings_in, small_app

from kb.desk import serving
from kb.desk.serving import Held, PatientProtocol

SHORT, MOST = 0.5, 8
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A desk's server with little patience, for few connections of a client."""
    monkeypatch.setattr(PatientProtocol, "SENDING", SHORT)
    monkeypatch.setattr(PatientProtocol, "TAKING", SHORT)
    monkeypatch.setattr(Held, "MOST", MOST)
    app = small_app(settings_in(tmp_path))

    @app.get("/api/much")
    async def much() -> dict[str, str]:
        return {"much": "x" * 20_000_000}

    listening = socket.create_server(("127.0.0.1", 0))
    served = serving.server(app, settings_in(tmp_path))
    thread = threading.Thread(target=served.run, kwargs={"sockets": [listening]})
    thread.start()
    while not served.started:
        time.sleep(0.01)
    yield listening.getsockname()[1]
    served.should_exit = True
    thread.join()


def connect(port: int, sent: bytes = b"") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=20)
    made.sendall(sent)
    return made


def ended(made: socket.socket) -> bool:
    """Whether the server ends it, with whatever it says before; waits for it up to the socket's timeout."""
    try:
        while made.recv(65536):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


def answer(port: int) -> bytes:
    with connect(port, HEAD + b"Connection: close\r\n\r\n") as made:
        return made.recv(65536).split(b"\r\n")[0]


@pytest.mark.thorough
@pytest.mark.parametrize("sent", [b"", b"G", HEAD, b"\r\n", HEAD + b"\r\n" + b"GET / HT"], ids=["nothing", "a letter", "half a head", "a line", "half of the second"])  # fmt: skip
def test_what_is_never_said_to_the_end_is_not_waited_for(port: int, sent: bytes) -> None:
    with connect(port, sent) as made:
        assert ended(made)
    assert answer(port) == b"HTTP/1.1 200 OK"


def test_a_letter_now_and_then_gains_no_time(port: int) -> None:
    with connect(port, HEAD) as made:
        begun = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() < begun + 20:
                made.sendall(b"X: y\r\n")
                time.sleep(SHORT / 10)


def test_what_is_left_of_a_refused_request_gains_no_time(port: int) -> None:
    """The body is not read any more once it is refused, and could be sent for ever."""
    with connect(port, b"POST /change HTTP/1.1\r\nHost: elsewhere.example\r\nContent-Length: 1000000\r\n\r\n") as made:
        assert made.recv(65536).startswith(b"HTTP/1.1 421")
        begun = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() < begun + 20:
                made.sendall(b"x")
                time.sleep(SHORT / 10)


@pytest.mark.thorough
def test_an_answer_that_nobody_takes_is_given_up(port: int) -> None:
    with connect(port, HEAD.replace(b"/ ", b"/api/much ", 1) + b"\r\n") as made:
        made.settimeout(20)
        time.sleep(SHORT * 4)
        taken = 0
        with pytest.raises((ConnectionError, StopIteration)):
            while data := made.recv(65536):
                taken += len(data)
            raise StopIteration
    assert taken < 20_000_000


@pytest.mark.thorough
def test_a_connection_between_two_requests_is_kept(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.connect()
    first = connection.sock
    for _ in range(3):
        connection.request("GET", "/")
        assert connection.getresponse().read() and connection.sock is first
        time.sleep(SHORT * 1.5)
    connection.close()


def test_a_client_has_so_many_and_still_gets_in(port: int) -> None:
    with ExitStack() as stack:
        many = [stack.enter_context(connect(port, HEAD)) for _ in range(MOST * 5)]
        assert answer(port) == b"HTTP/1.1 200 OK", "his own oldest one made room"
        assert all(map(ended, many[: MOST * 4]))


@pytest.mark.thorough
def test_half_sent_requests_shut_nobody_out(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand of them from one client, who has time enough for each."""
    monkeypatch.setattr(PatientProtocol, "SENDING", 60)
    with ExitStack() as stack:
        for _ in range(1100):
            stack.enter_context(connect(port, HEAD))
        assert [answer(port) for _ in range(20)] == [b"HTTP/1.1 200 OK"] * 20


def test_one_that_is_worked_for_makes_no_room() -> None:
    class One:
        whose = "192.0.2.1"

        def __init__(self, idle: bool = False) -> None:
            self.idle, self.unasked, self.over = idle, False, False

        def end(self) -> None:
            self.over = True
            held.leave(self)  # type: ignore[arg-type]

    held, busy = Held(), [One() for _ in range(Held.MOST)]
    assert all(map(held.take, busy)) and not held.take(One())  # type: ignore[arg-type]
    busy[3].idle = True
    assert held.take(One()) and [one.over for one in busy].index(True) == 3  # type: ignore[arg-type]
    busy[7].idle = busy[9].idle = busy[9].unasked = True
    assert held.take(One()) and not busy[7].over and busy[9].over, "one that never asked goes first"  # type: ignore[arg-type]
    proxied = Held(("192.0.2.1", "::1"))
    assert all(proxied.take(One()) for _ in range(Held.MOST * 2))  # type: ignore[arg-type]


def test_no_answer_waits_for_the_one_before_to_be_acknowledged(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the second part of each, after its head, comes 40 ms later."""
    seen, made = list[int](), PatientProtocol.connection_made

    def noted(self: PatientProtocol, transport: asyncio.Transport) -> None:
        made(self, transport)
        seen.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(PatientProtocol, "connection_made", noted)
    assert answer(port) == b"HTTP/1.1 200 OK"
    assert seen and all(seen)
