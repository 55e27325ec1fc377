"""Connections that say nothing, or half of something: over real sockets, with little patience."""

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
from hypercorn.asyncio import serve
from support.desk import settings_in, small_app

from kb.cli.desk_command import _listen
from kb.desk import app as serving
from kb.desk.app import allow_connections, settings_for

SHORT = 1
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A desk's server with little patience."""
    monkeypatch.setattr(serving, "HEAD_SECONDS", SHORT)
    allow_connections()
    listening = _listen("127.0.0.1", 0)
    number, app, running = listening.getsockname()[1], small_app(settings_in(tmp_path)), threading.Event()
    loop, stop = asyncio.new_event_loop(), asyncio.Event()

    async def run() -> None:
        running.set()
        await serve(app, settings_for(listening), shutdown_trigger=stop.wait)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    running.wait(20)
    yield number
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()


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
        return made.recv(65536).split(b"\r\n")[0].strip()


@pytest.mark.thorough
@pytest.mark.parametrize("sent", [b"", b"G", HEAD, b"\r\n", HEAD + b"\r\n" + b"GET / HT"], ids=["nothing", "a letter", "half a head", "a line", "half of the second"])  # fmt: skip
def test_what_is_never_said_to_the_end_is_not_waited_for(port: int, sent: bytes) -> None:
    with connect(port, sent) as made:
        assert ended(made)
    assert answer(port) == b"HTTP/1.1 200"


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
def test_a_connection_between_two_requests_is_kept(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.connect()
    first = connection.sock
    for _ in range(3):
        connection.request("GET", "/")
        assert connection.getresponse().read() and connection.sock is first
        time.sleep(SHORT * 0.6)
    connection.close()


@pytest.mark.thorough
def test_half_sent_requests_shut_nobody_out(port: int) -> None:
    """A thousand of them, who have as much time as they may."""
    with ExitStack() as stack:
        for _ in range(1100):
            stack.enter_context(connect(port, HEAD))
        assert [answer(port) for _ in range(20)] == [b"HTTP/1.1 200"] * 20


def test_no_answer_waits_for_the_one_before_to_be_acknowledged(port: int) -> None:
    """Otherwise the second part of each, after its head, comes 40 ms later."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    times = []
    for _ in range(21):
        begun = time.monotonic()
        connection.request("GET", "/")
        assert connection.getresponse().read()
        times.append(time.monotonic() - begun)
    connection.close()
    assert sorted(times)[10] < 0.035
