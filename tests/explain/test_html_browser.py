"""The HTML file in a browser without network: no error, readable at 360 pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import browser as chromium
from support.ruling import ruled, speaker_of

from kb.explain.html import document
from kb.voices import Voice, told

pytestmark = pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed")

RUFF: dict[str, Any] = {
    "board": "12",
    "dealer": "W",
    "vulnerable": "EW",
    "contract": "4S",
    "declarer": "S",
    "deal": "N:KQ3.742.AK8.KQ76 65.JT853.J95.832 JT8742.K96.2.AJ9 A9.AQ.QT7643.T54",
    "play": ["W D6 DA D5 D2", "N H7 H3 H6 HQ", "W CT CK C2 C9", "N SK S5 S2 SA", "W C4 C6 S6 CJ", "E C8 CA C5 C7"],
    "events": [{"attention": {"by": "S"}}],
}


@pytest.fixture(scope="module")
def window() -> Iterator[chromium.Browser]:
    with chromium.browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ruling = ruled(RUFF)
    path = tmp_path_factory.mktemp("page") / "ruling.html"
    path.write_text(document([(ruling, told(ruling, speaker_of(), Voice.APPEAL), speaker_of())]), "utf-8")
    return path


@pytest.mark.thorough
def test_no_error_in_the_console(window: chromium.Browser, file: Path) -> None:
    window.size(1280, 900)
    window.open(file)
    assert window.log() == []


def test_readable_at_360_pixels(window: chromium.Browser, file: Path) -> None:
    window.size(360, 740, mobile=True)
    window.open(file)
    assert window.js("return document.documentElement.scrollWidth") <= 360
    wide = window.js(
        "return [...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > 361)"
        ".map((e) => e.tagName + '.' + e.className)"
    )
    assert wide == []
    small = window.js(
        "return [...document.querySelectorAll('p, li, td, th, dd, dt')].filter((e) => e.offsetParent"
        " && parseFloat(getComputedStyle(e).fontSize) < 12).length"
    )
    assert small == 0


def test_a_citation_leads_to_its_clause(window: chromium.Browser, file: Path) -> None:
    window.size(1280, 900)
    window.open(file)
    window.js("document.querySelector('.ruling cite a').click()")
    target = window.js("return document.querySelector(':target').id")
    assert target.startswith("law-")


@pytest.mark.thorough
def test_on_paper(window: chromium.Browser, file: Path, tmp_path: Path) -> None:
    window.open(file)
    window.cdp("Emulation.setEmulatedMedia", media="print")
    shown = window.js(
        "const seen = (css) => getComputedStyle(document.querySelector(css)).display !== 'none';"
        "return [seen('.sign'), seen('.tricks'), seen('.laws')]"
    )
    window.cdp("Emulation.setEmulatedMedia", media="")
    assert shown == [True, True, False]  # the appeal itself gives the law
    window.pdf(tmp_path / "page.pdf")
    pages = re.findall(rb"/Type\s*/Page[^s]", (tmp_path / "page.pdf").read_bytes())
    assert 1 <= len(pages) <= 2
