"""Headless Chromium, driven over the WebDriver protocol with nothing but the standard library."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
AVAILABLE = CHROMIUM is not None and DRIVER is not None
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
HIGHEST = 16_000
"""How many pixels Chromium takes a picture of."""


class Browser:
    """One window without network."""

    def __init__(self, base: str, session: str) -> None:
        self.base, self.session = base, session

    def call(self, method: str, path: str, **body: Any) -> Any:
        return _call(f"{self.base}/session/{self.session}/{path}", method, body)

    def open(self, what: Path | str) -> None:
        """A file, or an address of a browser that has this computer for its network."""
        self.call("POST", "url", url=what if isinstance(what, str) else what.resolve().as_uri())

    def js(self, script: str, *args: Any) -> Any:
        return self.call("POST", "execute/sync", script=script, args=list(args))

    def find(self, css: str) -> str:
        return str(self.call("POST", "element", using="css selector", value=css)[ELEMENT])

    def click(self, css: str) -> None:
        self.call("POST", f"element/{self.find(css)}/click")

    def keys(self, css: str, keys: str) -> None:
        self.call("POST", f"element/{self.find(css)}/value", text=keys)

    def cdp(self, command: str, **params: Any) -> Any:
        return self.call("POST", "goog/cdp/execute", cmd=command, params=params)

    def size(self, width: int, height: int, mobile: bool = False) -> None:
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def swipe(self, css: str, across: int) -> None:
        x, y = self.js(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + 20];",
            css,
        )
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + across, "y": y}])
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def log(self) -> list[str]:
        """Errors and warnings of the console."""
        return [entry["message"] for entry in self.call("POST", "se/log", type="browser")]

    def picture(self, file: Path) -> None:
        """The page, or as much from its beginning as a picture can be high."""
        wide, high = self.js("const page = document.documentElement; return [page.scrollWidth, page.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": wide, "height": min(high, HIGHEST), "scale": 1}
        shot = self.cdp("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        file.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, file: Path) -> None:
        printed = self.cdp("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        file.write_bytes(base64.b64decode(printed["data"]))


@contextmanager
def browser(loopback: bool = False) -> Iterator[Browser]:
    """A browser of its own; the network is off, or is this computer alone."""
    assert DRIVER is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    driver = subprocess.Popen(
        [DRIVER, f"--port={port}", "--silent"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    base = f"http://127.0.0.1:{port}"
    session = ""
    try:
        session = _start(base, loopback)
        window = Browser(base, session)
        window.cdp("Network.enable")
        if not loopback:
            window.cdp(
                "Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0
            )
        yield window
    finally:
        if session:
            with suppress(URLError, OSError):
                _call(f"{base}/session/{session}", "DELETE", {})
        driver.terminate()
        driver.wait(10)


def _start(base: str, loopback: bool) -> str:
    known = ", EXCLUDE 127.0.0.1" if loopback else ""
    options = {
        "binary": CHROMIUM,
        "args": [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            f"--host-resolver-rules=MAP * ~NOTFOUND{known}",
        ],
    }
    wanted = {
        "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
            "timeouts": {"script": 180_000},  # a long page on a busy machine
        }
    }
    for _ in range(100):
        try:
            return str(_call(f"{base}/session", "POST", {"capabilities": wanted})["sessionId"])
        except (URLError, ConnectionError):
            time.sleep(0.1)
    raise RuntimeError("chromedriver does not answer")


def _call(url: str, method: str, body: dict[str, Any]) -> Any:
    request = Request(
        url,
        None if method == "DELETE" else json.dumps(body).encode(),
        {"Content-Type": "application/json"},
        method=method,
    )
    try:
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]
    except HTTPError as refused:
        raise RuntimeError(f"{url}: {json.load(refused)['value']['message']}") from refused
