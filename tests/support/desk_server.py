"""The desk as it runs for a club: a process of its own that can be killed, and directors who talk to it."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self
from urllib.parse import urlencode, urlsplit


class Server:
    """``revoke desk`` on a port of its own."""

    def __init__(self, register: Path, *options: str) -> None:
        command = [sys.executable, "-m", "kb.cli", "desk", "--port", "0", "--register", str(register), *options]
        self._errors = register.with_suffix(".stderr")
        with self._errors.open("w") as stream:
            self._process = subprocess.Popen(command, stderr=stream, start_new_session=True)
        self.host, self.port = "127.0.0.1", self._wait()

    def _wait(self) -> int:
        """The port, once it is told."""
        while self._process.poll() is None:
            found = re.search(r"http://[^/]+:(\d+)/", self._errors.read_text())
            if found is not None:
                return int(found[1])
            time.sleep(0.05)
        raise AssertionError(self._errors.read_text())

    def said(self) -> str:
        """What it wrote on standard error."""
        return self._errors.read_text()

    def kill(self) -> None:
        """Ends the process at once, and nothing else of it."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Asks it to end; its exit status."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.kill()


class Director:
    """A browser with its cookie, on one connection."""

    def __init__(self, server: Server) -> None:
        self._connection = http.client.HTTPConnection(server.host, server.port, timeout=30)
        self._cookie = ""

    def get(self, path: str, **query: str) -> tuple[int, str]:
        """Status and page."""
        self.ask("GET", f"{path}?{urlencode(query)}" if query else path)
        return self._answer()

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        """Status, and the address that follows; the page itself where none follows."""
        self.ask("POST", path, urlencode(fields))
        return self._answer()

    def ask(self, method: str, path: str, body: str | None = None) -> None:
        """Asks, and does not wait for an answer."""
        headers = {"Origin": f"http://{self._connection.host}:{self._connection.port}"}
        headers |= {"Cookie": self._cookie} if self._cookie else {}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._connection.request(method, path, body, headers)

    def _answer(self) -> tuple[int, str]:
        answer = self._connection.getresponse()
        page = answer.read().decode()
        for given in answer.headers.get_all("Set-Cookie") or ():
            self._cookie = given.split(";")[0] if given.startswith("desk-") else self._cookie
        where = answer.headers.get("Location")
        return answer.status, page if where is None else urlsplit(where)._replace(scheme="", netloc="").geturl()
