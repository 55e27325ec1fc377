"""The HTML file in a browser without network: no error, the stepper by key, button and touch, readable at 360 pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import browser as chromium
from support.ruling import incident, law, ruled, speaker_of

from kb.explain.html import Article, document
from kb.explain.unfold import unfold
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
STAGE = ".stage"
MOMENT = "return document.querySelector('[data-moment]').textContent"


@pytest.fixture(scope="module")
def window() -> Iterator[chromium.Browser]:
    with chromium.browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ruling = ruled(RUFF)
    one = Article(ruling, unfold(law(), incident(RUFF)), told(ruling, speaker_of(), Voice.APPEAL), speaker_of())
    path = tmp_path_factory.mktemp("page") / "ruling.html"
    path.write_text(document([one]), "utf-8")
    return path


@pytest.mark.thorough
def test_no_error_in_the_console(window: chromium.Browser, file: Path) -> None:
    window.size(1280, 900)
    window.open(file)
    assert window.js("return document.querySelector('.stepper').hidden") is False
    assert window.log() == []


@pytest.mark.thorough
def test_the_stepper_by_keys(window: chromium.Browser, file: Path) -> None:
    window.open(file)
    window.keys(STAGE, "\ue011")  # Home
    assert window.js(MOMENT) == "West plays ♦6 to trick 1"
    window.keys(STAGE, "\ue014")  # arrow right
    assert window.js(MOMENT) == "North plays ♦A to trick 1"
    assert window.js("return document.querySelector('[data-seat=N]').textContent") == "♦A"
    window.keys(STAGE, "\ue012")  # arrow left
    assert window.js(MOMENT) == "West plays ♦6 to trick 1"
    window.keys(STAGE, "\ue010")  # End
    assert window.js(MOMENT) == "At the end"


@pytest.mark.thorough
def test_the_stepper_by_buttons_tells_when_each_law_began(window: chromium.Browser, file: Path) -> None:
    window.open(file)
    window.click("[data-go=first]")
    assert window.js("return document.querySelector('[data-go=back]').disabled") is True
    told_lines = []
    for _ in range(2):
        window.click("[data-go=change]")
        told_lines.append(window.js("return document.querySelector('[data-lines]').textContent"))
    assert "From now on: Law 44C, 61A" in told_lines[0]
    assert "From now on: Law 63A1, 64A1" in told_lines[1]
    assert window.js("return document.querySelector('[data-says]').textContent").startswith("1 trick to North–South.")
    assert window.js("return [...document.querySelectorAll('[data-card].gone')].length") == 21


def test_the_stepper_by_touch(window: chromium.Browser, file: Path) -> None:
    window.size(360, 740, mobile=True)
    window.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    window.open(file)
    window.click("[data-go=first]")
    window.js("document.querySelector('.stage').scrollIntoView()")
    window.swipe(STAGE, -120)
    assert window.js(MOMENT) == "North plays ♦A to trick 1"
    window.swipe(STAGE, 120)
    assert window.js(MOMENT) == "West plays ♦6 to trick 1"


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
    targets = window.js(
        "return [...document.querySelectorAll('.controls button')].map((b) => b.getBoundingClientRect().height)"
    )
    assert min(targets) >= 44


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
        "return [seen('.stepper'), seen('.sign'), seen('.tricks'), seen('.laws')]"
    )
    window.cdp("Emulation.setEmulatedMedia", media="")
    assert shown == [False, True, True, False]  # the appeal itself gives the law
    window.pdf(tmp_path / "page.pdf")
    pages = re.findall(rb"/Type\s*/Page[^s]", (tmp_path / "page.pdf").read_bytes())
    assert 1 <= len(pages) <= 2
