"""Every page of the desk before an accessibility checker (axe): WCAG 2.2 AA and best practice, light and dark, phone
and computer, both languages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("hypercorn")

from fastapi.routing import APIRoute
from support import browser as chromium
from support.desk_pages import INCIDENT
from support.desk_server import Director, Server
from support.drafts import SMALL_INTERVIEW, rules_with_interview

from kb.desk.app import ROUTES
from kb.desk.desk import Submission

pytestmark = [
    pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed"),
    pytest.mark.skipif(find_spec("axe_playwright_python") is None, reason="axe is not installed"),
    pytest.mark.thorough,
]

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """
return axe.run({runOnly: arguments[0], resultTypes: ["violations"]}).then(found => found.violations.map(
  one => one.id + " (" + one.help + "): " + one.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(" | ")))
"""
WORD = Submission(INCIDENT).word
PLACES = {"edition": "duplicate-2017", "law": "64", "number": "1", "id": "1", "name": "mine"}
"""What stands in an address for each name in braces."""
FIELDS = {
    "/ruling": f"f={WORD}",
    "/explain": f"f={WORD}&voice=teaching",
    "/why-not": f"f={WORD}&law=64A2",
    "/what-if": f"f={WORD}&c=revoke-1.won-by%3DE",
    "/keep": f"f={WORD}",
    "/law/{edition}": "q=penalty",
}
"""What follows the question mark, where a page needs it to have anything on it."""
BESIDES = (
    "/law/duplicate-2017",
    "/law/duplicate-2017/on-the-table",
    "/login",
    "/nowhere",
)
"""Pages that are shown at the address of another, or at none."""


@cache
def axe() -> str:
    """The checker's script."""
    spec = find_spec("axe_playwright_python")
    assert spec is not None and spec.submodule_search_locations is not None
    return (Path(spec.submodule_search_locations[0]) / "axe.min.js").read_text("utf-8")


def addresses() -> list[str]:
    """An address for each route of the desk that can be opened."""
    routes = [one for area in ROUTES for one in area.router.routes if isinstance(one, APIRoute)]
    open_ = [
        one.path for one in routes if "GET" in (one.methods or ()) and not re.match(r"/api|/static|.*\.", one.path)
    ]
    filled = [(path, re.sub(r"\{(\w+)(:\w+)?\}", lambda hole: PLACES.get(hole[1], "1"), path)) for path in open_]
    return [f"{at}?{FIELDS[path]}" if path in FIELDS else at for path, at in filled] + list(BESIDES)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, list[str]]]:
    """A desk with a ruling kept, and its pages."""
    folder = tmp_path_factory.mktemp("desk")
    rules = rules_with_interview(folder / "rules", SMALL_INTERVIEW)
    with Server(folder / "register.sqlite", "--rules", str(rules)) as server:
        director = Director(server)
        director.post("/keep", f=WORD, table="3", event="Club")
        assert director.get("/register/1")[0] == 200
        found = [at for at in addresses() if director.get(at)[1].startswith("<!doctype html>")]
        assert len(found) > 15
        yield server, found


@pytest.fixture(scope="module")
def window() -> Iterator[chromium.Browser]:
    with chromium.browser(loopback=True) as made:
        yield made


@pytest.mark.parametrize(
    ("width", "scheme", "lang"),
    [*product([360, 1280], ["light", "dark"], ["en", "de"])]
    if os.environ.get("REVOKE_ALL")
    else [(360, "light", "en"), (360, "dark", "de"), (1280, "light", "de"), (1280, "dark", "en")],
)
def test_no_page_has_a_fault(
    desk: tuple[Server, list[str]], window: chromium.Browser, width: int, scheme: str, lang: str
) -> None:
    server, pages = desk
    window.size(width, 740, mobile=width < 500)
    window.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    told = []
    for at in pages:
        sign = "&" if "?" in at else "?"
        window.open(f"http://127.0.0.1:{server.port}{at}{sign}lang={lang}")
        # all but the menu, which would lie on the page
        window.js("for (const one of document.querySelectorAll('details:not(.menu)')) one.open = true")
        told += [f"{at}: {fault}" for fault in check(window)]
        wide = window.js("return document.documentElement.scrollWidth")
        if wide > width:
            told.append(f"{at}: {wide} pixels wide")
    assert not told, "\n".join(told)


def check(window: chromium.Browser) -> list[str]:
    """What the checker finds on the page that is open."""
    window.js(axe())
    return [str(one) for one in window.js(RUN, TAGS)]


def test_the_checker_finds_a_fault(window: chromium.Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><html lang=en><title>x</title><main><h1>x</h1><img src=x><input></main>")
    window.open(page)
    assert {one.split(" ")[0] for one in check(window)} == {"image-alt", "label"}
