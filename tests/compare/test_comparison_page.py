"""The comparison as one HTML file, in either language, and as small as a phone."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support import browser as chromium
from support.drafts import SMALL_INTERVIEW, measures, shipped, universe_in

from facts.to_yaml import as_yaml
from kb.compare.compare import Comparison, Prepared, compare
from kb.compare.telling import Wording, comparison_page
from kb.explain.words import load_words
from kb.language.folders import rules_root

pytestmark = pytest.mark.thorough

VOID = {"meta", "link"}


class Nesting(HTMLParser):
    """Fails when tags do not nest; what stands in each heading and paragraph."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.said: list[tuple[str, str]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "img"), "the page needs nothing else"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and data.strip():
            self.said.append((self.open[-1], data.strip()))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    few = universe_in(tmp_path_factory.mktemp("few"), SMALL_INTERVIEW)
    return compare(Prepared(shipped("duplicate-2007"), few), shipped("duplicate-2017"), (), measures())


def wording(found: Comparison, lang: str) -> Wording:
    return Wording(found, load_words(rules_root(), found.a.vocabulary), lang)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_page_is_whole_and_says_first_what_changed(found: Comparison, lang: str) -> None:
    said = wording(found, lang)
    text = comparison_page(said)
    parsed = Nesting(text)
    assert f'<html lang="{lang}">' in text
    first = [text for tag, text in parsed.said if tag == "p"][:2]
    assert first == [said.first, said.sentence] and all(first)
    told = [text for tag, text in parsed.said if tag == "li"]
    for group in found.groups:
        counted = {change: said.number(where.bit_count()) for change, where in said.changes(group).items()}
        assert {f"{change}: {times}" for change, times in counted.items()} <= set(told)
        incident = as_yaml(found.universe.incident(group.example))
        rulings = zip((said.a, said.b), said.rulings(group.example, group.what), strict=True)
        assert {" ".join(incident.split()), *(f"{name}: {' '.join(one)}" for name, one in rulings)} <= {
            " ".join(one.replace("\u2060", "").split()) for one in told
        }


@pytest.fixture(scope="module")
def window() -> Iterator[chromium.Browser]:
    with chromium.browser() as opened:
        yield opened


@pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed")
@pytest.mark.parametrize("lang", ["en", "de"])
def test_nothing_is_wider_than_a_phone(found: Comparison, window: chromium.Browser, tmp_path: Path, lang: str) -> None:
    file = tmp_path / "compared.html"
    file.write_text(comparison_page(wording(found, lang)), "utf-8")
    window.size(360, 780, mobile=True)
    window.open(file)
    wide = (
        "return [...document.querySelectorAll('main *')].filter(e => e.scrollWidth > e.clientWidth && e.clientWidth > 0"
    )
    cells = (
        " && !['B', 'A', 'SPAN'].includes(e.tagName)).map(e => e.tagName + ': ' + e.textContent.trim().slice(0, 40))"
    )
    assert window.js(wide + cells) == []
    assert window.js("return document.documentElement.scrollWidth") == 360
    assert window.log() == []
