"""What comes out of a printer, and what a camera reads: in Chromium, printed and looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("hypercorn")
pytest.importorskip("zxingcpp")
pytest.importorskip("PIL")

import zxingcpp
from PIL import Image
from support import browser as chromium
from support.desk_pages import INCIDENT
from support.desk_server import Director, Server

from kb.desk.desk import Submission

pytestmark = [
    pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed"),
    pytest.mark.thorough,
]
RECORD = (Path(__file__).parents[2] / "examples" / "full-record.yaml").read_text("utf-8")
UNSEATED = "revokes: [{player: defender, next-trick: played, won-by: revoker, later-tricks: 1}]"
LONG = {"event": "The open pairs of the valley", "round": "2", "table": "3", "judgement": "No further damage: " * 6,
        **{f"player_{seat}": f"A player with a long name {seat}" for seat in "NESW"}}  # fmt: skip
MM = 96 / 25.4
"""Pixels of a millimetre."""


class Kept(NamedTuple):
    """A desk with three entries: a finding, a record, a ruling without seats."""

    browser: chromium.Browser
    base: str


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    with Server(tmp_path_factory.mktemp("paper") / "r.sqlite") as server, chromium.browser(loopback=True) as browser:
        director = Director(server)
        for text in (INCIDENT, RECORD, UNSEATED):
            word = Submission(text).word
            form = director.get("/keep", f=word)[1]
            hidden = dict(re.findall(r'name="(once)" value="([^"]+)"', form))
            assert director.post("/keep", f=word, **hidden, **LONG)[0] == 303
        yield Kept(browser, f"http://127.0.0.1:{server.port}")


def pages(browser: chromium.Browser, file: Path) -> list[tuple[float, float]]:
    """Width and height of each page of the print, in millimetres."""
    browser.pdf(file)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", file.read_bytes())
    return [(float(wide) / 72 * 25.4, float(high) / 72 * 25.4) for wide, high in boxes]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(("entry", "count"), [(1, 1), (2, 2), (3, 1)])
def test_the_appeal_form_is_a_page_or_two_with_the_play(
    desk: Kept, tmp_path: Path, entry: int, count: int, lang: str
) -> None:
    desk.browser.open(f"{desk.base}/register/{entry}/appeal?lang={lang}")
    printed = pages(desk.browser, tmp_path / "form.pdf")
    assert [(round(wide), round(high)) for wide, high in printed] == [(210, 297)] * count


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("entry", [1, 2, 3])
def test_the_slip_is_one_page_of_which_nothing_is_cut(desk: Kept, tmp_path: Path, entry: int, lang: str) -> None:
    browser = desk.browser
    browser.open(f"{desk.base}/slip?entry={entry}&lang={lang}")
    ((wide, high),) = pages(browser, tmp_path / "slip.pdf")
    assert round(wide) == 80
    browser.size(round(72 * MM), 900)
    browser.cdp("Emulation.setEmulatedMedia", media="print")
    wide, outside, colours, needed = browser.js(
        "const sheet = document.querySelector('.slip'), all = [...sheet.querySelectorAll('*')].filter(e => !e.closest('svg'));"
        "return [sheet.getBoundingClientRect().width,"
        " all.filter(e => e.getBoundingClientRect().right > innerWidth + .5 || e.scrollWidth > e.clientWidth + 1 && e.clientWidth)"
        ".map(e => e.outerHTML), [...new Set(all.map(e => getComputedStyle(e).color))], sheet.getBoundingClientRect().height]"
    )
    browser.cdp("Emulation.setEmulatedMedia", media="")
    assert round(wide / MM) == 72 and outside == [] and colours == ["rgb(0, 0, 0)"]
    assert 8 <= high - needed / MM < 14, "no empty paper"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/slip?entry=1", "/slip?entry=3"])
def test_a_camera_reads_the_address_that_is_told(desk: Kept, tmp_path: Path, path: str, scheme: str) -> None:
    browser = desk.browser
    browser.size(360, 740, True)
    browser.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(f"{desk.base}{path}&lang=en")
    browser.picture(tmp_path / "page.png")
    read = zxingcpp.read_barcodes(Image.open(tmp_path / "page.png"))
    width, told = browser.js(
        "const svg = document.querySelector('svg.qr'), modules = svg.viewBox.baseVal.width;"
        "return [svg.getBoundingClientRect().width * (modules - 8) / modules,"
        " (document.querySelector('#shared') || {}).value]"
    )
    browser.cdp("Emulation.setEmulatedMedia", features=[])
    assert [one.text for one in read] == [told or read[0].text] and "M" in str(read[0].ec_level)
    assert width >= 30 * MM
    browser.open(read[0].text)
    assert "tricks to" in browser.js("return document.querySelector('main').innerText")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_pages_fit_a_phone(desk: Kept, lang: str) -> None:
    browser = desk.browser
    browser.size(360, 740, True)
    word = Submission(INCIDENT).word
    for path in (f"/keep?f={word}&", "/register/1?", "/register?", "/slip?entry=2&",
                 "/register/2/appeal?"):  # fmt: skip
        browser.open(f"{desk.base}{path}lang={lang}")
        assert browser.js("return document.documentElement.scrollWidth") == 360, path
    assert browser.log() == []


def test_the_register_prints_as_one_page(desk: Kept, tmp_path: Path) -> None:
    desk.browser.size(1280, 900)
    desk.browser.open(f"{desk.base}/register")
    assert [round(wide) for wide, _ in pages(desk.browser, tmp_path / "list.pdf")] == [210]
