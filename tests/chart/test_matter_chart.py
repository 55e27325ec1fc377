"""The chart of a matter, followed box by box in every situation, ends in the laws and headline of its ruling."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from support import browser as chromium
from support.counsel import counsel_of, voice_of
from support.ruling import law

from facts.table import REVOKE
from kb.chart.chart import Chart, ChartWay, without_places
from kb.chart.ordinary_chart import chart_of
from kb.chart.telling import BoxSpeech, chart_mermaid, chart_page
from kb.explain.headline import headline
from kb.space.bits import members

CHARTS = [
    (edition, of)
    for edition in ("duplicate-2017", "duplicate-2007", "duplicate-1997")
    for of in law(edition).edition.matters
    if of != REVOKE
]


@cache
def made(edition: str, of: str) -> Chart:
    return chart_of(law(edition), of)


def end_of(chart: Chart, situation: int) -> ChartWay:
    answers, at = chart.universe.answers(situation), 1
    while True:
        ways = chart.boxes[at - 1].ways
        way = next(way for way in ways if all(answers.get(one) in among for one, among in way.replies))
        if not way.to:
            return way
        at = way.to


@pytest.mark.parametrize(("edition", "of"), CHARTS)
def test_every_situation_ends_in_its_ruling(edition: str, of: str) -> None:
    chart = made(edition, of)
    speaker = voice_of(counsel_of(edition), "en")
    acts = {situation: acts for acts, bits in chart.run.acts.items() for situation in members(bits)}
    assert len(acts) == len(chart.universe)
    for situation, done in acts.items():
        end = end_of(chart, situation)
        assert end.cost is not None and end.ruling is not None
        assert {*map(without_places, done)} <= end.cost, chart.universe.answers(situation)
        if situation == chart.universe.plainest(sum(1 << one for one, other in acts.items() if other == done)):
            ruling = chart.counsel.ruling(chart.universe.answers(situation))
            assert ruling.cited == end.laws
            assert headline(ruling, speaker) == headline(end.ruling, speaker)


def test_what_is_told_of_a_lead_out_of_turn() -> None:
    told = BoxSpeech(made("duplicate-2017", "lead-out-of-turn"), voice_of(counsel_of("duplicate-2017"), "en")).told()
    assert told[0].title == "Who led?"
    lines = {(line.text, line.laws) for box in told for line in box.lines}
    assert ("Accepted it: East's lead stands", ("53A", "54B1")) in lines
    assert ("No: East's card goes back", ("41A",)) in lines
    cited = {law for box in told[:-1] for line in box.lines for law in line.laws}
    assert cited == {line.laws[0] for line in told[-1].lines}, "the last box says what each law says"


@pytest.mark.thorough
@pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed")
def test_each_prints_on_one_page_and_fits_a_phone(tmp_path: Path) -> None:
    with chromium.browser() as window:
        for (edition, of), lang in product(CHARTS, ("en", "de")):
            file = tmp_path / f"{edition}-{of}-{lang}.html"
            file.write_text(chart_page([made(edition, of)], voice_of(counsel_of(edition), lang)), "utf-8")
            window.open(file)
            window.pdf(tmp_path / "chart.pdf")
            assert (tmp_path / "chart.pdf").read_bytes().count(b"/MediaBox") == 1, (edition, of, lang)
            window.size(360, 740, True)
            assert window.js("return document.documentElement.scrollWidth") == 360, (edition, of, lang)
        assert window.log() == []


def test_charts_of_several_matters_on_one_page_lead_each_into_its_own() -> None:
    charts = [made("duplicate-2017", of) for edition, of in CHARTS if edition == "duplicate-2017"]
    written = chart_page(charts, voice_of(counsel_of("duplicate-2017"), "de"))
    ids = re.findall(r'<section id="([^"]+)"', written)
    assert len(ids) == len({*ids}) == sum(len(chart.boxes) for chart in charts)
    assert {*re.findall(r'href="#([^"]+)"', written)} <= {*ids}


def test_mermaid_draws_it() -> None:
    drawn = chart_mermaid(made("duplicate-2017", "insufficient-bid"), voice_of(counsel_of("duplicate-2017"), "en"))
    assert drawn.startswith('---\ntitle: "An insufficient bid') and "box1 -->" in drawn
