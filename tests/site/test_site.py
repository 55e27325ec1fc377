"""A site is opened from a host that is then ended, and goes on working."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import zxingcpp
from jsonschema import validate
from PIL import Image, ImageOps
from support import browser as chromium
from support.ruling import ROOT
from typer.testing import CliRunner

from kb.cli.main import app

NARROW = 360
LENGTHS = [
    1,
    14,
    15,
    26,
    27,
    42,
    43,
    62,
    63,
    84,
    106,
    122,
    152,
    180,
    213,
    251,
    287,
    331,
    362,
    412,
    450,
    504,
    560,
    624,
    666,
]
"""Of addresses; every version is among them, and of most the longest that it holds."""
FIND = """
const field = document.querySelector(".find input");
field.value = arguments[0];
field.dispatchEvent(new Event("input", { bubbles: true }));
const all = [...document.querySelectorAll(".clause")];
return [all.filter((one) => one.offsetParent).length, all.length];
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site") / "new"
    told = CliRunner().invoke(app, ["site", str(made), "whist-1900"])
    assert told.exit_code == 0 and "index.html" in told.stderr, told.output
    return made


def test_every_link_leads_to_a_file_and_nothing_is_fetched_from_elsewhere(folder: Path) -> None:
    names = {file.name for file in folder.iterdir()}
    worker = (folder / "worker.js").read_text("utf-8")
    kept = json.loads(worker.partition("const KEPT = ")[2].partition(";\n")[0])
    assert {*kept["files"], *kept["later"]} == names - {"worker.js"}
    for file in folder.glob("*.html"):
        text = file.read_text("utf-8")
        assert "src=" not in text and 'rel="stylesheet"' not in text
        for link in re.findall(r'href="([^"]+)"', text):
            assert link.startswith(("#", "http")) or link.partition("?")[0].partition("#")[0] in {*names, ""}, link


def within(node: Any) -> Iterator[list[Any]]:
    """The ends that stand in a node of the flow."""
    if isinstance(node, list) and isinstance(node[1], list):
        yield node
    elif isinstance(node, list):
        yield from (end for one in node[2:] for end in within(one))


def test_the_flow_is_a_file_by_its_schema_and_the_documents_walker_rules_by_it(folder: Path) -> None:
    flow = json.loads((folder / "whist-1900.json").read_text("utf-8"))
    validate(flow, json.loads((ROOT.parent / "docs" / "flow.schema.json").read_text("utf-8")))
    walker = [sys.executable, str(ROOT.parent / "examples" / "walker.py"), str(folder / "whist-1900.json"), "en"]
    for answers, statuses in ((["2", "3"], ["established"]), (["1", "1", "3"], ["must-correct"])):
        told = subprocess.run(
            walker, input="\n".join(["w", *answers]), capture_output=True, text=True, check=True
        ).stdout
        ends = (one for root in flow["roots"].values() for one in within(root))
        heads = {flow["texts"][one[0]][0] for one in ends if flow["ends"][one[4]][1] == statuses}
        assert any(head.replace("⟦R⟧", "West").replace("⟦W⟧", "West") in told for head in heads)


def test_nothing_is_written_where_a_law_is_not_there(tmp_path: Path) -> None:
    mine = tmp_path / "CNAME"
    mine.write_text("revokes.example", "utf-8")
    for where in (tmp_path, tmp_path / "new"):
        assert CliRunner().invoke(app, ["site", str(where), "whist-1900", "no-such-law"]).exit_code == 2
        assert [*tmp_path.iterdir()] == [mine]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed")
def test_opened_once_it_needs_no_connection(folder: Path) -> None:
    with chromium.browser(loopback=True) as window:
        window.size(NARROW, 740, mobile=True)
        with served(folder) as at:
            window.open(at)
            ready = "return navigator.serviceWorker.controller !== null"
            until = time.monotonic() + 30
            while not window.js(ready):
                assert time.monotonic() < until
                time.sleep(0.1)
        for page in ("", "whist-1900-book-de.html", "whist-1900-chart-en.html", "whist-1900-class-en.html"):
            window.open(at + page)
            assert window.js("return document.querySelector('h1').textContent")
            assert window.js("return document.documentElement.scrollWidth") <= NARROW, page
        told = "return [...document.querySelectorAll('section')].map((one) => one.querySelectorAll('.choice .right').length)"
        assert {*window.js(told)} == {1}
        window.open(f"{at}whist-1900-book-en.html")
        found, of = window.js(FIND, "established revoke")
        assert 0 < found < of and window.js(FIND, "")[0] == of and window.js(FIND, "no such words")[0] == 0
        window.open(f"{at}whist-1900-de.html#revoke=W&next-trick=played&unusual=none")
        shown = window.js(
            "return [document.querySelector('h1').textContent, document.querySelector('header b').textContent]"
        )
        assert shown == ["Das Revoke steht", "Whist 1900"] or shown[0].startswith("Das Revoke")
        window.js("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        window.picture(folder.parent / "ruling.png")
        shown = zxingcpp.read_barcodes(Image.open(folder.parent / "ruling.png"))
        assert [one.text for one in shown] == [window.js("return location.href")]
        codes = window.js(
            "return import('./qr.js').then(({ code }) => arguments[0].map((one) => code('a'.repeat(one))))", LENGTHS
        )
        for length, rows in zip(LENGTHS, codes, strict=True):
            drawn = Image.frombytes("L", (len(rows),) * 2, bytes(0 if one else 255 for row in rows for one in row))
            drawn = ImageOps.expand(drawn, 4, 255).resize((4 * len(rows) + 32,) * 2, Image.Resampling.NEAREST)
            assert [one.text for one in zxingcpp.read_barcodes(drawn)] == ["a" * length]
        assert window.js("return import('./qr.js').then(({ svg }) => svg('a'.repeat(667)))") is None
