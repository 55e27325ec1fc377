"""The chart on paper: every box stands on a page, legibly, and Mermaid draws the same chart."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pytest
from support.charts import boxes_of, chart_of
from support.counsel import EDITIONS, ELECTIONS, counsel_of, voice_of
from support.drafts import shipped

from kb.chart.layout import HEIGHT, SMALLEST, WIDTH
from kb.chart.mermaid import mermaid
from kb.chart.svg import svg
from kb.chart.telling import Speech

pytestmark = pytest.mark.thorough


@cache
def speech(edition: str, lang: str) -> Speech:
    counsel = counsel_of(edition)
    return Speech(voice_of(counsel, lang), counsel.adviser.survey.interview, counsel.law.edition)


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_box_stands_on_a_page_in_type_that_can_be_read(edition: str, lang: str) -> None:
    for part in chart_of(edition):
        questions: list[str] = []
        for page in svg(part, speech(edition, lang)):
            drawn = ElementTree.fromstring(page)
            assert (drawn.get("width"), drawn.get("height")) == ("210mm", "297mm")
            for text in drawn.iter("{http://www.w3.org/2000/svg}text"):
                assert 0 < float(text.get("x", 0)) < WIDTH
                assert 0 < float(text.get("y", 0)) < HEIGHT
                if text.get("class") != "to":
                    assert float(text.get("font-size", 0)) >= SMALLEST
                if text.get("class") == "question" and re.match(r"\d+ ", text.text or ""):
                    questions.append((text.text or "").split()[0])
        assert questions == [str(box.number) for box in boxes_of(part)]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_mermaid_draws_the_same_boxes_and_ways(edition: str, lang: str) -> None:
    for part in chart_of(edition):
        drawn = mermaid(part, speech(edition, lang))
        named = set(re.findall(r"^    (\w+)[\[(]", drawn, re.M))
        ways = re.findall(r'^    box(\d+) -->\|"([^"|]+)"\| (\w+)$', drawn, re.M)
        assert {target for _, _, target in ways} | {f"box{box.number}" for box in boxes_of(part)} == named
        wanted = [
            (str(box.number), speech(edition, lang).answers(box, answers), below.number)
            for box in boxes_of(part)
            for answers, below in box.ways
        ]
        found = [(box, says, int(target[3:]) if target.startswith("box") else 0) for box, says, target in ways]
        assert found == wanted
        assert drawn.count("subgraph") == drawn.count("\n  end\n")


def test_every_law_of_a_box_is_printed() -> None:
    for part in chart_of("duplicate-2017"):
        printed = " ".join(
            text.text or ""
            for page in svg(part, speech("duplicate-2017", "en"))
            for text in ElementTree.fromstring(page).iter("{http://www.w3.org/2000/svg}text")
            if text.get("class") == "law"
        )
        assert {law for box in boxes_of(part) for law in box.laws} <= set(re.findall(r"\w+", printed))


def test_an_election_stands_in_the_title() -> None:
    counsel, elected = counsel_of("duplicate-2017"), shipped(ELECTIONS[-1])
    said = Speech(voice_of(counsel), counsel.adviser.survey.interview, elected)
    assert said.title(chart_of("duplicate-2017")[1]).endswith(elected.called("en"))
