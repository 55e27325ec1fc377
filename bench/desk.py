"""The desk under load: many directors at once, each reading and writing, against the real server process.

Usage: python bench/desk.py [--directors 50] [--seconds 30] [--think 1.0] [--come 8]

Every director goes round and round: a question of the interview, a ruling on facts nobody had before, its explanation,
the form, keeping it, the entry, the register, a search, a ruling by the API; between two of them he thinks, for a
random time of the mean given. They come one after the other in the first seconds; with --come 0 all in one instant.
With --think 0 nobody thinks: that shows how much the desk can do, and not how long anybody waits.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kb.desk.desk import Submission

STARTING = 90.0
"""Seconds in which the server must be there."""
RULINGS = ("ruling", "ruling by the API")


class Director(threading.Thread):
    """One browser, and how long each of its pages took."""

    def __init__(self, port: int, seed: int, until: float, think: float, come: float = 0) -> None:
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.chance, self.until, self.think, self.come = random.Random(seed), until, think, come
        self.cookie = ""
        self.times: dict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()

    def run(self) -> None:
        """Goes round until the time is over."""
        time.sleep(self.chance.uniform(0, self.come))
        while time.monotonic() < self.until:
            try:
                self.round()
            except (OSError, http.client.HTTPException) as error:
                self.errors[f"connection: {type(error).__name__}"] += 1
                self.connection.close()

    def round(self) -> None:
        """One table after another."""
        incident = self.incident()
        word = Submission(incident).word
        self.get("question", "/ask")
        self.get("ruling", "/ruling", f=word)
        self.get("explanation", "/explain", f=word)
        form = self.get("form", "/keep", f=word)
        once = re.search(r'name="once" value="([^"]*)"', form)
        if once is None:
            self.errors["no form"] += 1
            return
        note = f"table {self.chance.randrange(1000)}"
        entry = self.ask("keeping", "POST", "/keep", f=word, once=once[1], note=note, called_by="Müller")
        if entry.startswith("/register/"):
            self.get("entry", entry)
        self.get("register", "/register")
        self.get("search", "/register", q=f"müller {note}")
        self.ask("ruling by the API", "POST", "/api/rule", text=self.incident())

    def incident(self) -> str:
        """Facts of a board that nobody had before, nearly always."""
        pick, board = self.chance.choice, self.chance.randrange(10_000)
        hand, trick, ended = pick("EW"), self.chance.randrange(1, 11), pick(("led", "played"))
        found = f"hand: {hand}, trick: {trick}, suit: H, card: S4, won-by: {pick('NESW')}, later-tricks: {pick('0123')}"
        return f"board: {board}\ncontract: 4S\ndeclarer: S\nrevokes:\n  - {{{found}, next-trick: {ended}}}\n"

    def get(self, kind: str, path: str, **query: str) -> str:
        """A page."""
        return self.ask(kind, "GET", f"{path}?{urlencode(query)}" if query else path)

    def ask(self, kind: str, method: str, path: str, **fields: str) -> str:
        """The page, or the address that follows it; noted with its time, or among the errors."""
        if self.think:
            time.sleep(self.chance.expovariate(1 / self.think))
        headers, body = {"Cookie": self.cookie, "Origin": f"http://127.0.0.1:{self.connection.port}"}, None
        if path.startswith("/api/"):
            headers["Content-Type"], body = "application/json", json.dumps(fields)
        elif fields:
            headers["Content-Type"], body = "application/x-www-form-urlencoded", urlencode(fields)
        begun = time.monotonic()
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        page = answer.read().decode()
        self.times[kind].append(time.monotonic() - begun)
        for given in answer.headers.get_all("Set-Cookie") or ():
            self.cookie = given.split(";")[0] if given.startswith("desk-") else self.cookie
        if answer.status >= 400:
            self.errors[f"{kind}: {answer.status}"] += 1
        return answer.headers.get("Location") or page


def main() -> None:
    """Starts the server, lets the directors loose, prints the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--directors", type=int, default=50)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--think", type=float, default=1.0)
    options.add_argument("--come", type=float, default=8.0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, port = started(Path(folder))
        try:
            Director(port, 0, 0, 0).round()  # the interview is made when it is first asked for
            begun, busy = time.monotonic(), processor_seconds(process.pid)
            directors = [
                Director(port, n, begun + given.seconds, given.think, given.come) for n in range(given.directors)
            ]
            for one in directors:
                one.start()
            for one in directors:
                one.join()
            report(directors, time.monotonic() - begun, given.think, processor_seconds(process.pid) - busy)
        finally:
            process.terminate()
            process.wait(30)


def started(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    """The server's process and port."""
    told = folder / "told"
    command = [sys.executable, "-m", "kb.cli", "desk", "--port", "0", "--register", str(folder / "register.sqlite")]
    with told.open("wb") as stream:
        process = subprocess.Popen(command, stderr=stream, cwd=Path(__file__).resolve().parents[1])
    end = time.monotonic() + STARTING
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"http://[^/]+:(\d+)/", told.read_text())
        if found is not None:
            return process, int(found[1])
        time.sleep(0.1)
    process.kill()
    raise SystemExit(told.read_text() or "the desk did not start")


def report(directors: list[Director], seconds: float, think: float, busy: float) -> None:
    """The table, in Markdown."""
    times: dict[str, list[float]] = defaultdict(list)
    errors: Counter[str] = Counter()
    for one in directors:
        errors += one.errors
        for kind, taken in one.times.items():
            times[kind] += taken
    everything = [taken for one in times.values() for taken in one]
    times["both rulings"] = [taken for kind in RULINGS for taken in times[kind]]
    times["all pages"] = everything
    print(f"{platform.machine()}, {processor()}, {os.cpu_count()} cores, Python {platform.python_version()}; "
          f"load of everything on the machine {os.getloadavg()[0]:.1f} at the end")  # fmt: skip
    rate, each = len(everything) / seconds, busy / max(1, len(everything)) * 1e3
    print(f"{len(directors)} directors, {think:g} s of thought; {len(everything)} pages in {seconds:.0f} s: "
          f"{rate:.0f} a second, {each:.1f} ms of the processor each; errors: {dict(errors) or 'none'}\n")  # fmt: skip
    print("| page | number | p50 ms | p95 ms | slowest ms |\n| --- | ---: | ---: | ---: | ---: |")
    for kind, taken in times.items():
        p50, p95 = quantiles(taken)
        print(f"| {kind} | {len(taken)} | {p50 * 1e3:.0f} | {p95 * 1e3:.0f} | {max(taken) * 1e3:.0f} |")


def quantiles(taken: list[float]) -> tuple[float, float]:
    """What half of them, and 95 in a hundred, do not exceed."""
    cuts = statistics.quantiles(taken, n=20) if len(taken) > 1 else [taken[0]] * 19
    return cuts[9], cuts[18]


def processor_seconds(pid: int) -> float:
    """What a process has taken of the processor; 0 where the system does not tell."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processor() -> str:
    """The processor's name."""
    found = (
        re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text()) if Path("/proc/cpuinfo").exists() else None
    )
    return found[1] if found else platform.processor()


if __name__ == "__main__":
    main()
