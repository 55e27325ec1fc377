"""The pictures that stand in the project, made anew in Chromium: ``uv run ... python -m tests.support.pictures``."""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.browser import Browser, browser  # noqa: E402
from support.desk_server import Server  # noqa: E402

STATIC: Final = ROOT / "kb" / "desk" / "static"
SIZES: Final = (192, 512)
SHOWN: Final = {
    "desk-question": ("/", 360, 740),
    "desk-ruling": (
        "/ask?revoke=W&declarer=S&next-trick=played&won-by=revoker&later-tricks=one,more&unusual=none",
        360,
        740,
    ),
    "desk-law": ("/law/duplicate-2017?q=corrected", 360, 740),
}
"""Name of a picture in docs/pictures -> the page, and the size of the window."""


def icons(window: Browser) -> None:
    """The icon in the sizes that phones ask for."""
    for size in SIZES:
        window.open(STATIC / "icon.svg")
        window.size(size, size)
        _write(window, STATIC / f"icon-{size}.png")


def pages(window: Browser) -> None:
    """Pages of the desk, light, as they are on a phone."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder) / "register.sqlite") as server:
        for name, (path, wide, high) in SHOWN.items():
            window.size(wide, high, mobile=True)
            window.open(f"http://127.0.0.1:{server.port}{path}")
            _write(window, ROOT / "docs" / "pictures" / f"{name}.png")


def _write(window: Browser, file: Path) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(base64.b64decode(window.cdp("Page.captureScreenshot")["data"]))


if __name__ == "__main__":
    with browser(loopback=True) as made:
        icons(made)
        pages(made)
