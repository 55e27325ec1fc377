"""How long fifty directors wait for rulings while somebody makes trouble for the desk.

Usage: python bench/desk_trouble.py [--directors 50] [--seconds 20] [--think 1.0] [TROUBLE ...]

Each trouble goes on all the time, from four connections: texts of 20,000 events, forms of two million escapes, a
thousand half-sent requests, questions about a clause for which too little is said.
Without any named, every one of them, and first none at all.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.desk import RULINGS, Director, quantiles, started
from kb.desk.desk import Submission

AT_ONCE = 4
"""Connections that make trouble."""
EVENT = '  - {after: "13.4", attention: {by: E}}\n'
REVOKED = (("W", 5), ("N", 5), ("W", 8))
FULL = (Path(__file__).parents[1] / "examples" / "full-record.yaml").read_text("utf-8")


def main() -> None:
    """A line of the table for each trouble."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("trouble", nargs="*", metavar="TROUBLE", help=", ".join(TROUBLES))
    options.add_argument("--directors", type=int, default=50)
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--think", type=float, default=1.0)
    given = options.parse_args()
    print("| meanwhile | rulings | p50 ms | p95 ms | slowest ms | errors | the trouble was told |")
    print("| --- | ---: | ---: | ---: | ---: | --- | --- |")
    for name in given.trouble or TROUBLES:
        with tempfile.TemporaryDirectory() as folder:
            measure(name, Path(folder), given)


def measure(name: str, folder: Path, given: argparse.Namespace) -> None:
    """Starts a desk, the directors and the trouble, and prints the line."""
    process, port = started(folder)
    try:
        Director(port, 0, 0, 0).round()
        until, told = time.monotonic() + given.seconds, Counter[str]()
        troubling = [threading.Thread(target=TROUBLES[name], args=(port, until, told)) for _ in range(AT_ONCE)]
        directors = [Director(port, n, until, given.think, given.think) for n in range(given.directors)]
        for one in (*troubling, *directors):
            one.start()
        for one in (*troubling, *directors):
            one.join()
    finally:
        process.terminate()
        process.wait(30)
    taken = [taken for one in directors for kind in RULINGS for taken in one.times[kind]]
    errors = sum((one.errors for one in directors), Counter[str]())
    p50, p95 = quantiles(taken)
    times = f"{p50 * 1e3:.0f} | {p95 * 1e3:.0f} | {max(taken) * 1e3:.0f}"
    print(f"| {name} | {len(taken)} | {times} | {dict(errors) or 'none'} | {dict(told) or ''} |", flush=True)


def nothing(port: int, until: float, told: Counter[str]) -> None:
    """No trouble."""


def again(path: str, body: str, kind: str) -> Callable[[int, float, Counter[str]], None]:
    """One request after another, with a body of that content type."""

    def trouble(port: int, until: float, told: Counter[str]) -> None:
        while time.monotonic() < until:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
            try:
                own = {"Content-Type": kind, "Origin": f"http://127.0.0.1:{port}"}
                connection.request("POST", path, body, own)
                answer = connection.getresponse()
                answer.read()
                told[str(answer.status)] += 1
            except OSError as error:
                told[type(error).__name__] += 1
            finally:
                connection.close()

    return trouble


def half_sent(port: int, until: float, told: Counter[str]) -> None:
    """A quarter of a thousand heads that come to no end; each that is ended is sent anew."""
    held: list[socket.socket] = []
    while time.monotonic() < until:
        made = socket.create_connection(("127.0.0.1", port), timeout=10)
        made.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        held.append(made)
        told["begun"] += 1
        if len(held) > 1000 // AT_ONCE:
            held.pop(0).close()
        time.sleep(0.005)
    for one in held:
        one.close()


def clauses(port: int, until: float, told: Counter[str]) -> None:
    """Why not, of three revokes of which little is said, as a program on this computer may ask it."""
    word = Submission("revokes:\n" + "".join(f"  - {{hand: {hand}, trick: {n}}}\n" for hand, n in REVOKED)).word
    while time.monotonic() < until:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        connection.request("GET", f"/why-not?law=64A1&f={word}")
        told[str(connection.getresponse().status)] += 1
        connection.close()


TROUBLES: dict[str, Callable[[int, float, Counter[str]], None]] = {
    "nothing": nothing,
    "20,000 events": again("/api/rule", json.dumps({"text": FULL + EVENT * 20_000}), "application/json"),
    "2,000,000 escapes": again("/keep", "note=" + "%" * 2_000_000, "application/x-www-form-urlencoded"),
    "half-sent requests": half_sent,
    "why not, too little said": clauses,
}

if __name__ == "__main__":
    main()
