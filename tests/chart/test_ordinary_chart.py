"""The one-page chart, followed box by box in every situation that it is for, ends in what the rules say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from support import browser as chromium
from support.counsel import EDITIONS, counsel_of, voice_of
from support.drafts import draft
from typer.testing import CliRunner

from kb.chart.chart import NO_COST, BoxName, ChartBox, ChartWay
from kb.chart.ordinary_chart import OrdinaryChart
from kb.chart.telling import BoxSpeech, chart_mermaid, chart_page
from kb.cli.main import app
from kb.interview.adviser import Counsel
from kb.language.folders import edition_ids, rules_root
from kb.language.relied_on import ESTABLISHED
from kb.ruling.laws import Law
from kb.space.bits import first, members, union
from kb.space.outcomes import effects

MOST = 11
ALL = edition_ids(rules_root())


@cache
def made(edition: str) -> OrdinaryChart:
    return OrdinaryChart(counsel_of(edition))


def named(chart: OrdinaryChart, name: BoxName) -> ChartBox | None:
    """The first box of a name."""
    return next((box for box in chart.boxes if box.name == name), None)


def led_to(chart: OrdinaryChart, answers: Mapping[str, str]) -> ChartWay | ChartBox:
    """Where a situation ends: the way out of its last question, or the box of what is to be corrected."""
    at, corrected = 1, named(chart, "corrected")
    assert corrected is not None
    while at:
        box = chart.boxes[at - 1]
        ways = (way for way in box.ways if not way.of_two)
        way = next((way for way in ways if all(answers.get(one) in among for one, among in way.replies)), None)
        if way is not None and not way.to:
            return way
        at = box.to if way is None else way.to
    return corrected


def speech(edition: str, lang: str = "en") -> BoxSpeech:
    return BoxSpeech(made(edition), voice_of(counsel_of(edition), lang))


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_situation_ends_in_what_the_rules_say(edition: str) -> None:
    follow(made(edition))


@pytest.mark.parametrize("ref", ["62D1", "63A3", "64B6"])
def test_so_it_does_without_a_clause(ref: str, tmp_path: Path) -> None:
    """Without these the first exception is one of which nothing is left to correct, and so one like others."""
    mine = draft(tmp_path / "mine", f'law: "{ref[:2]}"\nclauses:\n  "{ref}": {{repealed: true}}\n')
    chart = OrdinaryChart(Counsel.of(Law(mine, rules=rules_root(), engine="quick")))
    assert not chart.late and chart.ordinary.bit_count() > 0.9 * chart.one.bit_count()
    follow(chart)


def follow(chart: OrdinaryChart) -> None:
    ordinary = chart.ordinary
    cost = {situation: effect for effect, bits in chart.costs.items() for situation in members(bits)}
    for situation in members(ordinary):
        answers = chart.universe.answers(situation)
        end = led_to(chart, answers)
        if isinstance(end, ChartBox):
            assert end.name == "corrected", answers
            assert chart.corrected >> situation & 1, answers
        elif end.cost is None:
            assert chart.no_revoke >> situation & 1, answers
        else:
            as_if = chart.corrected >> situation & 1  # corrected, and as if established: it may cost nothing
            assert (NO_COST if as_if else cost[situation]) == end.cost, answers


@pytest.mark.parametrize("edition", EDITIONS)
def test_hardly_a_situation_is_left_out(edition: str) -> None:
    """What is neither told in the columns nor in a box by itself takes more unusual answers than a box holds."""
    chart, ordinary = made(edition), made(edition).ordinary
    assert (ordinary | chart.all_the_same).bit_count() > 0.98 * chart.one.bit_count()
    assert bool(chart.all_the_same) == (named(made(edition), "all-the-same") is not None)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_exception_costs_nothing_though_there_are_two_revokes(edition: str) -> None:
    """What only a second revoke can bring: it costs nothing by itself if both are established."""
    chart = made(edition)
    for answers, where, of_two in chart.free_of_two():
        assert not where & ~chart.all_given(answers)
        among = {key: bits for key, bits in effects(chart.run.ruling, where).items() if bits}
        assert all(state == ESTABLISHED for key in among for state, _ in key)
        assert not any(key[-1][1] for key in among)
        assert any(key[0][1] for key in among) == (of_two == "second")
        assert chart.ruling(where).revokes[-1].exempt_by


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_exception_is_true_wherever_its_answers_are_given(edition: str) -> None:
    """Also in situations that the chart is not for: of one revoke it costs nothing if it is established at all."""
    chart = made(edition)
    free = named(chart, "free")
    assert free is not None and free.ways
    for way in free.ways:
        where = union(chart.all_given(one) for one in _all_of(chart, way))
        if not way.of_two:
            assert way.cost == NO_COST and where & chart.established
            assert not where & chart.established & ~chart.costs.get(NO_COST, 0), way
        else:
            both = {key: bits for key, bits in effects(chart.run.ruling, where & chart.several).items() if len(key) > 1}
            costly = [key for key in both if all(state == ESTABLISHED for state, _ in key) and key[-1][1]]
            assert not costly, way
            says = speech(edition).told()[free.number - 1].lines[free.ways.index(way)].text
            assert "both established" in says


def _all_of(chart: OrdinaryChart, way: ChartWay) -> Iterator[tuple[tuple[int, str], ...]]:
    """The answers of a way, one to each of its questions."""
    numbers = {question.id: n for n, question in enumerate(chart.questions)}
    return product(*([(numbers[question], answer) for answer in answers] for question, answers in way.replies))


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_corrected_and_costs_tricks_goes_on_with_what_they_are(edition: str) -> None:
    """Every such situation is led out of the left column, and of the boxes that it comes to one gives what the rules do:
    nobody is asked who won with a card that goes back, but the paper asks it once it is known.
    """
    chart = made(edition)
    cost = chart._costs(chart.all_the_same)
    unasked = {name: chart.universe.interview.questions[name].answers for name in ("won-by", "later-tricks")}
    unasked["later-win-playable"] = chart.universe.interview.questions["later-win-playable"].answers
    for situation in members(chart.all_the_same):
        answers = chart.universe.answers(situation)
        ends = [led_to(chart, dict(zip(unasked, one, strict=True)) | answers) for one in product(*unasked.values())]
        assert all(isinstance(end, ChartWay) for end in ends)
        assert any(cost[end.cost or NO_COST] >> situation & 1 for end in ends if isinstance(end, ChartWay))


@pytest.mark.parametrize("edition", EDITIONS)
def test_after_every_cost_one_is_led_to_what_always_holds(edition: str) -> None:
    chart = made(edition)
    always = named(chart, "always")
    if always is None:
        pytest.skip("nothing always holds there")
    voice = speech(edition)
    for told in voice.told():
        leads = {to for _, to in told.onward} | {line.to for line in told.lines}
        if any(way.cost is not None for way in told.box.ways):
            assert always.number in leads
    (yes,) = (told for told in voice.told() if told.box.name == "free")
    assert ("Yes", always.number) in yes.onward


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("edition", ALL)
def test_boxes_say_sentences(edition: str, lang: str) -> None:
    """No line begins as a question of the interview is referred to, and 1912 knows neither boards nor rounds."""
    counsel, voice = counsel_of(edition), speech(edition, lang)
    abouts = {voice.speaker.capital(question.about[lang]) for question in counsel.interview.questions.values()}
    lines = [line.text for told in voice.told() for line in told.lines]
    assert not [line for line in lines if any(about.endswith(":") and line.startswith(about) for about in abouts)]
    assert not [line for line in lines if re.search(r": (yes|no|ja|nein)$", line)]
    if edition == "auction-1912":
        assert not re.search(r"\b([Bb]oard|[Rr]ound|Runde)", " ".join(lines))


def test_a_claim_that_was_agreed_to_is_told_with_what_makes_it_late() -> None:
    told = speech("duplicate-2017").told()
    (lines,) = (one.lines for one in told if one.box.name == "established")
    assert [line.text for line in lines if "next board" in line.text] == [
        "The other side claimed or conceded, his side agreed, and then called on the next board without objecting"
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("edition", EDITIONS)
def test_as_ruled_on_there_and_then(edition: str) -> None:
    """Not by way of sets: the least unusual situation of each end is ruled on for this."""
    chart = made(edition)
    ends: dict[ChartWay | ChartBox, int] = {}
    for situation in members(made(edition).ordinary):
        ends.setdefault(led_to(chart, chart.universe.answers(situation)), situation)
    for end, situation in ends.items():
        ruling = counsel_of(edition).ruling(chart.universe.answers(situation))
        if isinstance(end, ChartBox):
            assert {one.status for one in ruling.revokes} == {"must-correct"}
        elif end.cost == NO_COST:
            assert sum(ruling.transfer.values()) == 0


def test_the_chart_in_force_is_read_as_a_director_knows_it() -> None:
    chart = made("duplicate-2017")
    base = {"hand": "defender", "another": "none", "trick": "earlier", "next-trick": "played", "claim": "none"}
    base |= {"noticed": "during-play", "won-by": "revoker", "later-tricks": "one", "failed-to": "follow-suit"}
    for answers, tricks, laws in (
        ({}, 2, ("64A1",)),
        ({"later-tricks": "none"}, 1, ("64A1",)),
        ({"won-by": "opponent", "later-tricks": "none"}, 0, ("64B1",)),
        ({"hand": "dummy"}, 0, ("64B3",)),
        ({"trick": "twelfth", "noticed": "after-round"}, 0, ("64B6",)),
    ):
        end = led_to(chart, base | answers)
        assert not isinstance(end, ChartBox) and end.cost is not None
        assert (sum(int(str(one[1])) for one in end.cost), end.laws) == (tricks, laws)
    corrected = led_to(chart, base | {"trick": "twelfth"})
    assert isinstance(corrected, ChartBox) and corrected.laws == ("62A",)


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("edition", ALL)
def test_the_page_has_every_box_and_law(edition: str, lang: str) -> None:
    chart = made(edition)
    written = chart_page([chart], voice_of(counsel_of(edition), lang))
    numbers = [int(number) for number in re.findall(r'<section id="revoke-(\d+)"', written)]
    assert numbers == [box.number for box in chart.boxes] == list(range(1, len(chart.boxes) + 1))
    assert len(numbers) <= MOST
    laws = {law for box in chart.boxes for law in (*box.laws, *(law for way in box.ways for law in way.laws))}
    assert all(re.search(rf"\[[^]]*\b{law}\b", written) for law in laws)
    assert {*re.findall(r'href="#revoke-(\d+)"', written)} <= {*map(str, numbers)}


@pytest.mark.thorough
@pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed")
def test_it_prints_on_one_page_and_fits_a_phone(tmp_path: Path) -> None:
    with chromium.browser() as window:
        for edition, lang in product(ALL, ("en", "de")):
            file = tmp_path / f"{edition}-{lang}.html"
            file.write_text(chart_page([made(edition)], voice_of(counsel_of(edition), lang)), "utf-8")
            window.open(file)
            window.pdf(tmp_path / "chart.pdf")
            assert (tmp_path / "chart.pdf").read_bytes().count(b"/MediaBox") == 1, (edition, lang)
            window.size(360, 740, True)
            assert window.js("return document.documentElement.scrollWidth") == 360, (edition, lang)
        assert window.log() == []


@pytest.mark.thorough
@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("edition", ALL)
def test_mermaid_leads_where_the_chart_leads(edition: str, lang: str) -> None:
    chart, voice = made(edition), speech(edition, lang)
    drawn = chart_mermaid(chart, voice.speaker)
    for told in voice.told():
        leads = {to for _, to in told.onward} | {line.to for line in told.lines if line.to}
        ends = {told.box.then for way in told.box.ways if way.cost is not None}
        assert leads == ({way.to for way in told.box.ways} | ends | {told.box.to}) - {0}
        assert all(f"| box{to}" in drawn for to in leads)


def test_in_a_drawing_an_answer_that_leads_on_stands_on_its_arrow_alone() -> None:
    chart, voice = made("duplicate-2017"), speech("duplicate-2017")
    drawn = chart_mermaid(chart, voice.speaker)
    leading = {line.text for told in voice.told() for line in told.lines if line.to}
    assert leading and not [text for text in leading if f"• {text}" in drawn]


def test_a_price_of_three_tricks_is_told_as_three() -> None:
    assert "3 tricks" in chart_mermaid(made("bridge-1907-us"), speech("bridge-1907-us").speaker)


def test_a_box_that_is_wrong_is_noticed() -> None:
    """The walk itself can fail: without its exceptions the chart gives tricks where there are none."""
    whole = made("duplicate-2017")
    free = named(whole, "free")
    assert free is not None
    situation = first(whole.all_given(((0, "dummy"),)) & whole.established & whole.ordinary)
    end = led_to(whole, whole.universe.answers(situation) | {"hand": "defender"})
    assert end != led_to(whole, whole.universe.answers(situation))


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["html", "mermaid"])
def test_a_draft_without_revokes_has_no_chart(form: str, tmp_path: Path) -> None:
    folder = draft(tmp_path / "mine", 'law: "61"\nclauses:\n  "61A": {repealed: true}\n')
    done = CliRunner().invoke(app, ["chart", str(folder), "--format", form])
    assert done.exit_code == 2 and not done.stdout
    assert "edition.yaml:1:" in done.stderr and "so a chart has nothing to tell" in done.stderr
