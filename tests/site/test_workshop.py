"""The workshop: what its page asks for, and the page itself in a browser whose host is ended."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from support import browser as chromium
from test_site import served
from typer.testing import CliRunner

from kb.cli.main import app
from kb.language.folders import rules_root
from kb.site.site import PYODIDE, packed
from kb.site.workshop import Workshop

HOME = Path(os.environ.get("REVOKE_PYODIDE", "node_modules/pyodide"))
"""Where Pyodide's npm package lies, if it does."""
REPEALED = 'law: "64"\nclauses:\n  "64B4": {repealed: true}\n'
INCIDENT = "contract: 4S\ndeclarer: S\nrevokes:\n  - {hand: W, trick: 5, won-by: W, later-tricks: 2, next-trick: led, noticed: after-call-on-next-board, next-board-call-by: other-side}\n"


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop(rules_root())


@pytest.fixture
def files(workshop: Workshop) -> dict[str, str]:
    found: dict[str, str] = workshop.asked("begun", "mine", "duplicate-2017", ["64B4"], [])["found"]
    return found


def test_a_draft_is_begun_checked_and_mended(workshop: Workshop, files: dict[str, str]) -> None:
    assert {*files} == {"edition.yaml", "law-64.yaml", "cases/law-64.yaml"}
    assert workshop.asked("faults", files) == {"found": [], "faults": []}
    line = files["law-64.yaml"].split("\n").index("          - exempt:   {play: $p}") + 1
    (fault,) = workshop.asked("faults", {**files, "law-64.yaml": files["law-64.yaml"].replace("exempt:", "exemt:")})[
        "found"
    ]
    assert (fault["file"], fault["line"]) == ("law-64.yaml", line) and "exempt" in fault["mend"]
    assert "y" in str(workshop.asked("faults", {"edition.yaml": "edition: ["})["found"])
    assert workshop.asked("faults", {})["faults"][0]["file"] == "edition.yaml"


def test_a_draft_is_ruled_by_and_compared(workshop: Workshop, files: dict[str, str]) -> None:
    before, after = workshop.asked("ruled", files, INCIDENT, "en")["found"]
    assert before == after, "nothing is changed yet"
    changed = {**files, "law-64.yaml": REPEALED}
    before, after = workshop.asked("ruled", changed, INCIDENT, "en")["found"]
    assert "64B4" in before and "64B4" not in after and "2 tricks to North–South" in after
    told = workshop.asked("changes", changed, "de")["found"]
    assert "9,1" in told and "64B4: in" in told
    failed = [one["id"] for one in workshop.asked("cases", changed)["found"] if one["differences"]]
    assert failed and not any(one["differences"] for one in workshop.asked("cases", files)["found"])


def test_what_cannot_be_is_told(workshop: Workshop, files: dict[str, str]) -> None:
    assert "has no clause 99Z" in str(workshop.asked("begun", "mine", "duplicate-2017", ["99Z"], [])["faults"])
    assert "no edition" in str(workshop.asked("begun", "mine", "nothing", [], [])["faults"])
    assert "incident" in str(workshop.asked("ruled", files, "contract: 9S", "en")["faults"])
    assert "no zip" in str(workshop.asked("opened", b"no")["faults"])


def test_a_draft_is_saved_and_opened_again(workshop: Workshop, files: dict[str, str], tmp_path: Path) -> None:
    saved = tmp_path / "mine.zip"
    saved.write_bytes(workshop.asked("saved", files)["found"])
    with ZipFile(saved, "a") as more:
        more.writestr("mine/elections/mine.yaml", "x")
        more.writestr("mine/notes.txt", "x")
        more.writestr("mine/picture.png", b"\xff")
    whole = {**files, "elections/mine.yaml": "x", "notes.txt": "x"}
    assert workshop.asked("opened", saved.read_bytes())["found"] == [whole, ["mine/picture.png"]], "nothing is lost"
    assert workshop.asked("opened", workshop.asked("saved", whole)["found"])["found"] == [whole, []]


def test_the_pack_is_the_same_for_the_same_files_and_holds_no_desk() -> None:
    pack = packed(rules_root())
    assert pack == packed(rules_root()) and b"kb/site/workshop.py" in pack and b"kb/desk/" not in pack


def test_without_pyodide_nothing_is_written(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["site", str(tmp_path / "new"), "whist-1900", "--workshop", str(tmp_path)])
    assert told.exit_code == 2 and "npm install pyodide" in told.stderr.replace("\n", " ")
    assert not [*(tmp_path / "new").glob("*")]


@pytest.fixture
def window(tmp_path: Path) -> Iterator[tuple[Any, str]]:
    """In a browser that has opened it once and emptied its own cache, as a phone does; without a connection since."""
    folder = tmp_path / "site"
    assert CliRunner().invoke(app, ["site", str(folder), "whist-1900", "--workshop", str(HOME)]).exit_code == 0
    with chromium.browser(loopback=True) as made:
        made.size(360, 740, mobile=True)
        with served(folder) as at:
            made.open(f"{at}workshop-de.html")
            until(made, "return document.getElementById('state').textContent.includes('ohne Verbindung')")
        made.cdp("Network.clearBrowserCache")
        made.open(f"{at}workshop-de.html")
        until(made, "return !document.getElementById('begin').hidden")
        yield made, at


def until(window: Any, script: str, seconds: float = 120) -> float:
    begun = time.monotonic()
    while not window.js(script):
        assert time.monotonic() - begun < seconds, script
        time.sleep(0.02)
    return time.monotonic() - begun


IN_BRACES = {
    "      - when:\n          - role: {hand: $h, is: |": ["declarer", "dummy", "defender", "$h"],
    "      - when:\n          - role: {hand: $h, is: [dummy, def|": ["defender"],
    "      - when:\n          - liable: {play: $p, hand: $h}\n        then: {exempt: {play: $p, |": [
        "trick: ",
        "hand: ",
    ],
    "      - when:\n          - liable: {play: $p, hand: $h,\n                    tr|": ["trick: "],
    "      - when:\n          - liable: {play: $p, hand: $h}\n        unless:\n          - role: {hand: |": [
        "$p.hand",
        "$h",
        "N",
        "E",
        "S",
        "W",
        "$p",
    ],
    "      - when:\n          - liable: {play: $p}\n          - role: {hand: $p.|": ["$p.hand"],
}
"""What is typed, up to the caret, and what may stand there."""
AT_THE_CARET = "const text = document.getElementById('text'), at = arguments[0].indexOf('|'); text.focus(); text.value = arguments[0].replace('|', ''); text.setSelectionRange(at, at); text.dispatchEvent(new Event('input')); keys()"
TYPE = "const text = document.getElementById('text'); text.value = arguments[0]; text.dispatchEvent(new Event('input'))"


@pytest.mark.thorough
@pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed")
@pytest.mark.skipif(not (HOME / PYODIDE[0]).is_file(), reason="Pyodide is not here: npm install pyodide")
def test_what_keeps_python_from_starting_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    assert CliRunner().invoke(app, ["site", str(folder), "whist-1900", "--workshop", str(HOME)]).exit_code == 0
    (folder / "pyodide.mjs").unlink()
    with chromium.browser() as page:
        page.open(folder / "workshop-en.html")
        until(page, "return document.getElementById('state').textContent.includes('Opened from a disk')", 5)
    with chromium.browser(loopback=True) as page, served(folder) as at:
        page.open(f"{at}workshop-en.html")
        until(page, "return document.getElementById('state').textContent.includes('pyodide.mjs')", 5)


@pytest.mark.thorough
@pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed")
@pytest.mark.skipif(not (HOME / PYODIDE[0]).is_file(), reason="Pyodide is not here: npm install pyodide")
def test_in_the_editors_browser_without_a_connection(window: tuple[Any, str], files: dict[str, str]) -> None:
    page, _ = window
    page.js(
        "const said = document.getElementById('begin').elements; said.name.value = 'mine'; said.clause.value = '64B4'; document.getElementById('begin').requestSubmit()"
    )
    until(page, "return document.querySelector('#faults .well')")
    assert page.js("return document.getElementById('text').value") == files["law-64.yaml"]
    page.js(TYPE, files["law-64.yaml"].replace("exempt:", "exemt:"))
    until(page, "return document.querySelector('#faults button')")
    assert "exempt" in page.js("return document.getElementById('faults').textContent")
    page.js("document.querySelector('#faults button').click()")
    assert page.js("return document.querySelectorAll('#lines b').length") == 1
    assert "exempt: " in page.js("return [...document.querySelectorAll('#keys button')].map((one) => one.textContent)")
    for typed, offered in IN_BRACES.items():
        page.js(AT_THE_CARET, files["law-64.yaml"].partition("      - when")[0] + typed)
        names = page.js("return [...document.querySelectorAll('#keys button')].map((one) => one.textContent)")
        assert [*names[: len(offered)]] == offered, typed
    for name, wrong in {
        "elections/ave.yaml": "",
        "translations/fr.po": "",
        "cases/zwei fälle.yaml": "",
        "../x.yaml": "x",
    }.items():
        page.js(
            "window.prompt = () => arguments[0]; document.getElementById('another').click()".replace(
                "arguments[0]", repr(name)
            )
        )
        assert (name in page.js("return Object.keys(files)")) is not bool(wrong)
        assert page.js("return document.getElementById('told').textContent").startswith(wrong and f"{name}: ")
    until(page, "return document.querySelectorAll('#faults button').length === 3")
    page.js(
        "for (const name of ['elections/ave.yaml', 'translations/fr.po', 'cases/zwei fälle.yaml']) delete files[name]; open('law-64.yaml')"
    )
    page.js(TYPE, REPEALED)
    until(page, "return document.querySelector('#faults .well')")
    page.js(
        "document.getElementById('incident').value = arguments[0]; document.getElementById('rule').click()", INCIDENT
    )
    until(page, "return document.querySelectorAll('#rulings section').length === 2")
    assert "64B4" not in page.js("return document.querySelectorAll('#rulings pre')[1].textContent")
    page.js("document.getElementById('changes').click()")
    until(page, "return document.querySelector('#told pre')", 300)
    assert "9,3" in page.js("return document.getElementById('told').textContent")
    assert page.js("return document.documentElement.scrollWidth") <= 360 and not page.log()
