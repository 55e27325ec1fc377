"""The desk in Chromium, at a phone's width and a computer's: the main ways, by pointer, by keys, and without script."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("hypercorn")

from support import browser as chromium
from support.desk_pages import INCIDENT
from support.desk_server import Server
from support.drafts import SMALL_INTERVIEW, rules_with_interview

from kb.desk.desk import Submission

pytestmark = [
    pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed"),
    pytest.mark.thorough,
]

UNSEATED = (
    "?f=" + Submission("revokes: [{player: defender, next-trick: played, won-by: revoker, later-tricks: 1}]").word
)
SHOTS = Path(__file__).parents[2] / ".artifacts" / "desk"
WIDTHS = (360, 1280)
TAB, ENTER, SPACE = ("Tab", 9, ""), ("Enter", 13, "\r"), (" ", 32, " ")
RULED = "return !!document.querySelector('h1.headline')"
FOCUSED = "return document.activeElement.textContent.trim() || document.activeElement.name || ''"
LEAVE = "document.documentElement.dataset.left = 'yes';"
CLICK = (
    "const [css, said] = arguments;"
    "[...document.querySelectorAll(css)].find(one => !said || one.textContent === said).click()"
)
TEXT = "return document.querySelector('main').innerText.replaceAll('\\u2060', '')"


class Window:
    """A browser at the desk that takes a picture of every page it is asked to look at."""

    def __init__(self, browser: chromium.Browser, base: str) -> None:
        self.browser, self.base, self.width = browser, base, 0
        self.keys, self.js = browser.keys, browser.js

    def size(self, width: int) -> None:
        self.width = width
        self.browser.size(width, 800, width < 500)

    def open(self, path: str) -> None:
        self.browser.open(self.base + path)

    def click(self, css: str) -> None:
        self.js("document.querySelector(arguments[0]).click()", css)

    def follow(self, css: str, said: str = "") -> None:
        """Clicks what leads to another page, the first or the one that says this, and waits until that is there."""
        self.js(LEAVE + CLICK, css, said)
        self._arrive(css)

    def go(self, key: tuple[str, int, str]) -> None:
        """Presses a key that leads to another page, and waits until that is there."""
        self.js(LEAVE)
        self.press(key)
        self._arrive(key[0])

    def _arrive(self, by: str) -> None:
        for _ in range(400):
            if self.js("return !document.documentElement.dataset.left && document.readyState === 'complete'"):
                return
            time.sleep(0.05)
        raise AssertionError(f"{by} leads nowhere")

    @property
    def text(self) -> str:
        return str(self.js(TEXT))

    def look(self, name: str) -> None:
        """Nothing runs over the edge, everything to be tapped is large enough, and the console is silent."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        height = self.js("return document.documentElement.scrollHeight")
        self.browser.size(self.width, max(800, min(height, 4000)), self.width < 500)
        self.browser.picture(SHOTS / f"{name}-{self.width}.png")
        self.browser.size(self.width, 800, self.width < 500)
        assert self.js("return document.documentElement.scrollWidth") <= self.width, name
        small = self.js(
            "return [...document.querySelectorAll('main button, main .answers a, main .taps a, main .ways a, .chips a')]"
            ".filter(e => e.offsetParent && e.getBoundingClientRect().height < 43).map(e => e.textContent)"
        )
        assert small == [], name
        assert self.browser.log() == [], name

    def press(self, key: tuple[str, int, str]) -> None:
        name, code, text = key
        said = {"key": name, "code": name if name != " " else "Space", "windowsVirtualKeyCode": code}
        self.browser.cdp("Input.dispatchKeyEvent", type="keyDown", text=text, **said)
        self.browser.cdp("Input.dispatchKeyEvent", type="keyUp", **said)

    def tab_to(self, what: str) -> None:
        """Goes on by the tab key until something that says this has the focus."""
        for _ in range(120):
            self.press(TAB)
            if str(self.js(FOCUSED)).startswith(what):
                return
        raise AssertionError(f"{what} cannot be reached by keys")


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    folder = tmp_path_factory.mktemp("browser")
    rules = rules_with_interview(folder / "rules", SMALL_INTERVIEW)
    with (
        Server(folder / "register.sqlite", "--rules", str(rules)) as server,
        chromium.browser(loopback=True) as browser,
    ):
        yield Window(browser, f"http://127.0.0.1:{server.port}")


@pytest.mark.parametrize("width", WIDTHS)
def test_from_the_interview_to_the_register(window: Window, width: int) -> None:
    window.size(width)
    window.open("/?lang=en&of=revoke")
    window.look("start")
    window.follow(".compass a", "West")
    window.look("question")
    window.follow(".compass a", "South")
    window.look("screen")
    while not window.js(RULED):
        window.follow(".answers li a")
    assert "One trick to North–South" in window.text
    window.click("details.adding summary")
    window.look("seats")
    window.click("details.law summary")
    assert window.js("return !!document.querySelector('details.law[open] p')")
    window.look("ending")
    window.follow("a[href^='/keep']")
    window.keys("#table", "7")
    window.click("form[action='/keep'] details summary")
    window.keys("#called_by", "North")
    window.keys("#judgement", "No damage beyond the trick.")
    window.look("keep")
    window.follow("form[action='/keep'] button")
    assert "It is safe." in window.text
    window.look("entry")
    window.open("/register")
    assert "Table 7" in window.text
    window.look("register")
    window.follow(".entries a")
    window.follow("a[href*='/appeal']")
    window.look("appeal")
    if width == WIDTHS[0]:
        window.browser.pdf(SHOTS / "appeal.pdf")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_pasted_record_and_everything_asked_of_it(window: Window, width: int) -> None:
    window.size(width)
    window.open("/record")
    window.look("record")
    window.keys("#text", INCIDENT)
    window.follow("form[action='/record'] button")
    assert "Two tricks to North–South" in window.text
    window.look("ruling")
    word = window.js("return location.search")
    window.open(f"/explain{word}&voice=appeal")
    window.look("explain")
    window.open(f"/why-not{word}")
    window.js("document.querySelector('#law').value = '64B1'")
    window.follow("form[action='/why-not'] button")
    assert "Law 64B1 does not apply" in window.text
    window.look("why-not")
    window.open(f"/what-if{word}")
    window.look("what-if")
    window.js("document.querySelectorAll('.facts summary')[3].click()")
    window.follow(".facts details[open] .chips a")
    assert "BEFORE" in window.text.upper() and "AFTER" in window.text.upper()
    window.look("changed")
    window.open(f"/explain{UNSEATED}")
    window.look("explain-unseated")


def test_by_keys_alone(window: Window) -> None:
    window.size(1280)
    window.open("/?lang=en&of=revoke")
    window.tab_to("West")
    window.go(ENTER)
    window.go(("s", 83, "s"))
    while not window.js(RULED):
        first = window.js("return document.querySelector('.answers a').textContent")
        window.tab_to(str(first).strip())
        window.go(ENTER)
    window.tab_to("Law 64")
    window.press(ENTER)
    assert window.js("return !!document.querySelector('details.law[open]')")
    window.tab_to("Keep")
    window.go(ENTER)
    window.tab_to("table")
    window.browser.cdp("Input.insertText", text="9")
    window.tab_to("Keep")
    window.go(ENTER)
    assert "It is safe." in window.text


def test_without_script(window: Window) -> None:
    window.size(360)
    window.browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        window.open("/?lang=en&of=revoke")
        window.follow(".compass a", "West")
        window.follow(".compass a", "South")
        while not window.js(RULED):
            window.follow(".answers li a")
        window.follow("a[href^='/keep']")
        window.follow("form[action='/keep'] button")
        assert "It is safe." in window.text
    finally:
        window.browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
    assert [one for one in window.browser.log() if "422" not in one] == []


def test_script_in_a_field_never_runs(window: Window) -> None:
    window.size(360)
    window.open("/record")
    evil = "<img src=x onerror=\"document.title='caught'\"><script>document.title='caught'</script>"
    window.keys("#text", INCIDENT.replace("board: 12", f"board: '{evil.replace(chr(39), chr(39) * 2)}'"))
    window.follow("form[action='/record'] button")
    assert "Two tricks to North–South" in window.text
    word = window.js("return location.search")
    for path in ("ruling", "explain", "what-if", "keep"):
        window.open(f"/{path}{word}")
        assert window.js("return document.title") != "caught" and window.browser.log() == []
