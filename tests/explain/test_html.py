"""The HTML file as such: complete in itself, its links and names in order, its colours far enough apart."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.cases import incidents, ruled
from support.ruling import speaker_of

from facts.incident import Incident
from kb.explain.html import document
from kb.explain.page import Page
from kb.explain.words import Speaker
from kb.ruling.ruling import Ruling
from kb.voices import told

CSS = Path(__file__).parents[2] / "kb/explain/html/base.css"
VOID = {"meta", "link", "input", "br"}


class Tags(HTMLParser):
    """Every tag with its attributes; complains about what is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def article(incident: Incident, lang: str = "en") -> tuple[Ruling, Page, Speaker]:
    ruling, speaker = ruled(incident), speaker_of(lang)
    return ruling, told(ruling, speaker), speaker


def boards() -> list[tuple[str, Incident]]:
    """Records, findings, a corrected card, no revoke: one of each kind."""
    found = [(name, one) for name, one in incidents() if one.edition == "duplicate-2017" and not one.elections]
    return [
        next(pair for pair in found if pair[1].play is not None and pair[1].deal is not None),
        next(pair for pair in found if pair[1].play is None),
        next(pair for pair in found if any(event.name == "corrected" for event in pair[1].events)),
        next(pair for pair in found if pair[1].play is not None and not ruled(pair[1]).revokes),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_file_is_whole_and_needs_nothing_else(number: int, lang: str) -> None:
    name, incident = boards()[number]
    text = document([article(incident, lang)])
    tags = Tags(text).tags
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids)), name
    links = [str(attrs["href"]) for tag, attrs in tags if tag == "a"]
    assert all(link.startswith("#") and link[1:] in ids for link in links), name
    assert not re.search(r"""(src|href|url)\s*[=(]\s*["']?(https?:|//)""", text)
    assert not any(tag in ("img", "iframe", "object") for tag, _ in tags)
    assert f'<html lang="{lang}">' in text


def test_landmarks_and_names() -> None:
    tags = Tags(document([article(boards()[0][1])])).tags
    assert [tag for tag, _ in tags].count("main") == 1
    assert [tag for tag, _ in tags].count("h1") == 1
    ids = {attrs["id"] for _, attrs in tags if "id" in attrs}
    for tag, attrs in tags:
        if tag in ("section", "article"):
            assert attrs["aria-labelledby"] in ids


def test_every_law_cited_stands_in_the_file_in_the_words_of_the_edition() -> None:
    for name, incident in boards():
        text = document([article(incident)])
        for ref in ruled(incident).cited:
            assert f'id="law-{ref}"' in text, (name, ref)


@pytest.mark.thorough
def test_many_boards_make_one_file_with_ids_of_their_own() -> None:
    pair = [article(incident) for _, incident in boards()[:2]]
    tags = Tags(document(pair)).tags
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert [tag for tag, _ in tags].count("article") == 2


def test_what_a_file_says_is_escaped() -> None:
    text = document([article(replace(boards()[0][1], board="<script>alert(1)</script>"))])
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_colours_are_far_enough_apart(scheme: str) -> None:
    css = CSS.read_text("utf-8")
    blocks = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[0]))
    if scheme != "light":
        colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[1 if scheme == "dark" else 2]))
    for ground in ("paper", "shade"):
        for ink in ("ink", "soft", "link", "mark", "spade", "heart", "diamond", "club"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for ink, ground in (
        ("ink", "felt"),
        ("mark", "mark-bg"),
        ("on-band", "band"),
        ("band-soft", "band"),
        ("ink", "card"),
    ):
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
