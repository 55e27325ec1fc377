"""In Chromium at 360 × 740: what is asked and every answer to it stand above the band without scrolling."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("hypercorn")

from support import browser as chromium
from support.desk_server import Server

pytestmark = [
    pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed"),
    pytest.mark.thorough,
]
SCREENS = (
    "/?",
    "/ask?revoke=W",
    "/ask?revoke=W&declarer=S",
    "/ask?revoke=S&declarer=S",
    "/ask?revoke=W&declarer=S&next-trick=no",
    "/ask?revoke=W&declarer=S&next-trick=played&won-by=revoker",
    "/ask?revoke=W&declarer=S&next-trick=played&won-by=revoker&later-tricks=one,more",
    "/ask?revoke=W&declarer=S&next-trick=no&played-after=up-to-partner",
    "/ask?revoke=W&declarer=S&next-trick=?",
    "/ask?revoke=S&declarer=S&change=another",
    "/ask?revoke=W&declarer=S&failed-to=obey-requirement&next-trick=?",
    "/ask?of=lead-out-of-turn&revoke=E&declarer=S",
    "/ask?of=lead-out-of-turn&revoke=E&declarer=S&trick=opening&faced=yes",
    "/ask?of=lead-out-of-turn&revoke=S&declarer=S&trick=later&turn=left",
)
HINGING = "/ruling?revoke=W&declarer=S&next-trick=?&unusual=none"
LAID = """
const bottoms = [...document.querySelectorAll(".answers a, .compass a, .go a")].map(e => e.getBoundingClientRect().bottom);
return [document.documentElement.scrollWidth, Math.max(...bottoms), document.querySelector(".band")?.getBoundingClientRect().top ?? innerHeight,
  bottoms.length];
"""


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[chromium.Browser, str]]:
    register = tmp_path_factory.mktemp("fit") / "register.sqlite"
    with Server(register) as server, chromium.browser(loopback=True) as browser:
        browser.size(360, 740, mobile=True)
        yield browser, f"http://127.0.0.1:{server.port}"


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("screen", SCREENS)
def test_all_of_it_is_seen_at_once(window: tuple[chromium.Browser, str], screen: str, lang: str) -> None:
    browser, base = window
    browser.open(f"{base}{screen}&lang={lang}")
    wide, lowest, band, answers = browser.js(LAID)
    assert wide <= 360 and lowest <= band and answers > 1


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("screen", SCREENS)
def test_of_text_twice_as_large_an_answer_is_seen(window: tuple[chromium.Browser, str], screen: str, lang: str) -> None:
    browser, base = window
    browser.open(f"{base}{screen}&lang={lang}")
    wide, first = browser.js(
        "document.documentElement.style.fontSize = '200%';"
        "const answers = [...document.querySelectorAll('.answers a, .compass a')].map(e => e.getBoundingClientRect());"
        "return [document.documentElement.scrollWidth, Math.min(...answers.map(e => e.bottom))]"
    )
    assert wide <= 360 and first <= 740


@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_is_done_with_a_ruling_is_in_reach(window: tuple[chromium.Browser, str], lang: str) -> None:
    browser, base = window
    browser.open(f"{base}{SCREENS[6].replace('/ask', '/ruling')}&unusual=none&lang={lang}")
    low, covered = browser.js(
        "const foot = document.querySelector('.steps.foot').getBoundingClientRect();"
        "return [foot.bottom, document.querySelector('.spoken').getBoundingClientRect().bottom > foot.top];"
    )
    assert low <= 740 and not covered


@pytest.mark.parametrize("screen", [SCREENS[2], f"{SCREENS[6].replace('/ask', '/ruling')}&unusual=none", HINGING])
def test_text_twice_as_large_does_not_scroll_sideways(window: tuple[chromium.Browser, str], screen: str) -> None:
    browser, base = window
    browser.open(f"{base}{screen}&lang=en")
    assert (
        browser.js("document.documentElement.style.fontSize = '200%'; return document.documentElement.scrollWidth;")
        <= 360
    )


def test_the_outcome_is_the_largest_text_and_every_answer_is_in_sight(window: tuple[chromium.Browser, str]) -> None:
    browser, base = window
    browser.open(f"{base}{HINGING}&lang=en")
    largest, widest = browser.js(
        "const size = e => parseFloat(getComputedStyle(e).fontSize);"
        "const texts = [...document.querySelectorAll('main *')].filter(e => e.childElementCount === 0);"
        "return [texts.every(e => size(e) <= size(document.querySelector('h1'))),"
        "Math.max(...[...document.querySelectorAll('.said a')].map(e => e.getBoundingClientRect().right))];"
    )
    assert largest and widest <= 360
