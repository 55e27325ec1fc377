"""The one-page chart, followed box by box in every situation that it is for, ends in what the rules say."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree

import pytest
from support.counsel import EDITIONS, counsel_of, voice_of

from kb.chart.boxes import ChartBox
from kb.chart.layout import HEIGHT, WIDTH
from kb.chart.listing import listing, onward
from kb.chart.making import Made, ordinary_chart
from kb.chart.mermaid import mermaid_of_boxes
from kb.chart.ordinary import NOTHING
from kb.chart.sheet import SMALLEST, sheet
from kb.chart.wording import BoxSpeech
from kb.language.folders import editions, rules_root
from kb.space.bits import first, members

MOST = 14
SVG = "{http://www.w3.org/2000/svg}"
ALL = editions(rules_root())


@cache
def made(edition: str) -> Made:
    return ordinary_chart(counsel_of(edition))


def speech(edition: str, lang: str = "en") -> BoxSpeech:
    counsel = counsel_of(edition)
    return BoxSpeech(voice_of(counsel, lang), counsel.interview, counsel.law.edition)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_situation_ends_in_what_the_rules_say(edition: str) -> None:
    chart, of, ordinary = made(edition).chart, made(edition).of, made(edition).ordinary
    cost = {situation: effect for effect, bits in of.costs.items() for situation in members(bits)}
    for situation in members(ordinary):
        answers = of.universe.answers(situation)
        end = chart.end(answers)
        if isinstance(end, ChartBox):
            assert end.name == "corrected", answers
            assert of.corrected >> situation & 1, answers
        elif end.effect is None:
            assert of.no_revoke >> situation & 1, answers
        else:
            assert cost[situation] == end.effect, answers


@pytest.mark.parametrize("edition", EDITIONS)
def test_hardly_a_situation_is_left_out(edition: str) -> None:
    """Those left out are told of in a box by themselves, or take more unusual answers than a box holds."""
    of, ordinary = made(edition).of, made(edition).ordinary
    assert ordinary.bit_count() > 0.98 * of.one.bit_count()
    assert bool(of.all_the_same) == (made(edition).chart.named("all-the-same") is not None)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_exception_costs_nothing_though_there_are_two_revokes(edition: str) -> None:
    """What only a second revoke can bring: it costs nothing by itself if both are established."""
    of = made(edition).of
    for answers in of.free_of_two():
        ruling = of.ruling(of.all_given(answers) & of.several)
        assert ruling.revokes[-1].automatic_tricks == 0
        assert ruling.revokes[-1].exempt_by


@pytest.mark.parametrize("edition", EDITIONS)
def test_as_ruled_on_there_and_then(edition: str) -> None:
    """Not by way of sets: the least unusual situation of each end is ruled on for this."""
    of, chart = made(edition).of, made(edition).chart
    ends: dict[object, int] = {}
    for situation in members(made(edition).ordinary):
        ends.setdefault(chart.end(of.universe.answers(situation)), situation)
    for end, situation in ends.items():
        ruling = counsel_of(edition).ruling(of.universe.answers(situation))
        if isinstance(end, ChartBox):
            assert {one.status for one in ruling.revokes} == {"must-correct"}
        elif end.effect == NOTHING:  # type: ignore[union-attr]
            assert sum(ruling.transfer.values()) == 0


def test_the_chart_in_force_is_read_as_a_director_knows_it() -> None:
    chart = made("duplicate-2017").chart
    base = {"hand": "defender", "another": "none", "trick": "earlier", "next-trick": "played", "claim": "none"}
    base |= {"noticed": "during-play", "won-by": "revoker", "later-tricks": "one", "failed-to": "follow-suit"}
    for answers, tricks, laws in (
        ({}, 2, ("64A1",)),
        ({"later-tricks": "none"}, 1, ("64A1",)),
        ({"won-by": "opponent", "later-tricks": "none"}, 0, ("64B1",)),
        ({"hand": "dummy"}, 0, ("64B3",)),
        ({"trick": "twelfth", "noticed": "after-round"}, 0, ("64B6",)),
    ):
        end = chart.end(base | answers)
        assert not isinstance(end, ChartBox) and end.effect is not None
        assert (sum(int(str(one[1])) for one in end.effect), end.laws) == (tricks, laws)
    corrected = chart.end(base | {"trick": "twelfth"})
    assert isinstance(corrected, ChartBox) and corrected.laws == ("62A",)


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("edition", ALL)
def test_one_page_with_every_box_and_law(edition: str, lang: str) -> None:
    chart = made(edition).chart
    drawn = ElementTree.fromstring(sheet(chart, speech(edition, lang)))
    assert (drawn.get("width"), drawn.get("height")) == ("210mm", "297mm")
    for box in drawn.iter(f"{SVG}rect"):
        if box.get("x"):
            assert float(box.get("y", 0)) + float(box.get("height", 0)) < HEIGHT
            assert float(box.get("x", 0)) + float(box.get("width", 0)) < WIDTH
    rows = [text for text in drawn.iter(f"{SVG}text") if text.get("class") == "row"]
    assert min(float(row.get("font-size", 0)) for row in rows) > SMALLEST
    said = "".join("".join(row.itertext()) for row in rows)
    laws = {law for box in chart for law in (*box.laws, *(law for way in box.ways for law in way.laws))}
    assert all(re.search(rf"\b{law}\b", said) for law in laws)
    boxes = [box for box in drawn.iter(f"{SVG}rect") if box.get("x")]
    assert len(boxes) == len(chart.boxes) <= MOST
    assert [box.number for box in chart] == list(range(1, len(boxes) + 1))


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("edition", ALL)
def test_list_and_mermaid_lead_where_the_chart_leads(edition: str, lang: str) -> None:
    chart, voice = made(edition).chart, speech(edition, lang)
    listed, drawn = listing(chart, voice), mermaid_of_boxes(chart, voice)
    for told in voice.told(chart):
        leads = {to for _, to in onward(told, voice)} | {line.to for line in told.lines if line.to}
        assert leads == {way.to for way in told.box.ways if way.to} | ({told.box.to} - {0})
        assert all(f"→ {to}" in listed and f"| box{to}" in drawn for to in leads)


def test_a_box_that_is_wrong_is_noticed() -> None:
    """The walk itself can fail: without its exceptions the chart gives tricks where there are none."""
    whole = made("duplicate-2017")
    free = whole.chart.named("free")
    assert free is not None
    situation = first(whole.of.all_given(((0, "dummy"),)) & whole.of.established & whole.ordinary)
    end = whole.chart.end(whole.of.universe.answers(situation) | {"hand": "defender"})
    assert end != whole.chart.end(whole.of.universe.answers(situation))
