"""The saved page holds the flow: every way through its tables ends in the ruling of what was said on it, and its script
comes to the same, whatever is tapped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any
from urllib.parse import parse_qsl

import pytest
from support import browser as chromium
from support.counsel import counsel_of, voice_of

from facts.errors import InputError
from facts.table import REVOKE
from kb.explain.announcement import Announcement
from kb.explain.as_text import discretion, entered, own_parts, reasons
from kb.explain.page import part
from kb.interview.account import Account
from kb.interview.address import refuse_impossible, seated
from kb.interview.page import Graph, interview_data, interview_page
from kb.interview.question import AskedPage
from kb.language.folders import MATTERS, edition_ids, rules_root
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling

browser = pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed")
NARROW = 360
EVERY = [
    pytest.param(one, marks=[] if one == "whist-1900" else pytest.mark.thorough) for one in edition_ids(rules_root())
]


FLOWS = [
    *(pytest.param(*one.values, REVOKE, marks=one.marks) for one in EVERY),
    *(("duplicate-2017", of.name) for of in sorted((rules_root() / MATTERS).iterdir())),
]


@cache
def data_of(edition: str, of: str = REVOKE) -> dict[str, Any]:
    counsel = counsel_of(edition, of)
    return interview_data(counsel, voice_of(counsel).words)


def numbered(node: Any, nodes: list[Any]) -> int:
    """The number of a node of the file, which is put among the nodes where it stands first."""
    if isinstance(node, int):
        return node
    nodes.append(node)
    at = len(nodes) - 1
    if isinstance(node[1], int):
        nodes[at] = [*node[:2], *(numbered(one, nodes) for one in node[2:])]
    return at


def told(ruling: Ruling, lang: str, counsel: Any) -> dict[str, Any]:
    """What a director reads of a ruling."""
    speaker = voice_of(counsel, lang).of(ruling)
    announced = Announcement(ruling, speaker)
    parts = [*own_parts(ruling, speaker), *part("", reasons(ruling, speaker)), *discretion(ruling, speaker)]
    return {
        "head": announced.head,
        "said": [(line.text, line.laws) for line in announced.lines],
        "now": [(line.text, line.laws) for line in announced.left],
        "parts": [line for each in parts for one in each.lines for line in flat(one, 0)],
        "tricks": [[*ruling.certainty.range["NS"]], [*ruling.certainty.range["EW"]]],
        "statuses": [one.status for one in ruling.revokes],
        "cited": list(ruling.cited),
    }


def flat(line: Any, depth: int) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    yield depth, line.text, line.laws
    for one in line.under:
        yield from flat(one, depth + 1)


AROUND = {"R": 0, "left": 1, "partner": 2, "right": 3}


def spoken(data: dict[str, Any], number: int, lang: int, hand: str) -> str:
    """A text with the names of the seats."""
    said = str(data["texts"][number][lang]).split("⟦/⟧")[-1 if hand == "E" else 0]
    seats = {one: "NESW"[("NESW".index(hand) + at) % 4] for one, at in AROUND.items()}
    for name, seat in [*seats.items(), *((name, name) for name in data["names"])]:
        said = said.replace(f"⟦{name}⟧", data["texts"][data["names"][seat]][lang])
    return said


def read(data: dict[str, Any], end: list[Any], lang: int, hand: str) -> dict[str, Any]:
    """What the tables say of an end, of South as declarer."""

    def text(number: int) -> str:
        return spoken(data, number, lang, hand)

    def lines(numbers: list[int]) -> list[tuple[int, str, tuple[str, ...]]]:
        found = (data["lines"][number] for number in numbers)
        return [(depth, text(said), tuple(laws)) for depth, said, laws in found if text(said)]

    tricks, statuses, cited = data["ends"][end[4]]
    return {
        "head": text(end[0]),
        "said": [one[1:] for one in lines(end[1])],
        "now": [one[1:] for one in lines(end[2])],
        "parts": [line for number in end[3] for line in lines(data["parts"][number][1])],
        "tricks": tricks,
        "statuses": statuses,
        "cited": cited,
    }


def may_be(graph: Graph, query: Mapping[str, str]) -> bool:
    """Whether an answer can stand beside the others, as the hands sit."""
    try:
        refuse_impossible(graph.counsel, graph.at(query).account)
    except InputError:
        return False
    return True


@pytest.mark.parametrize(("edition", "of"), FLOWS)
def test_at_every_node_the_tables_ask_what_is_asked_there_and_end_in_the_ruling_of_what_was_said(
    edition: str, of: str
) -> None:
    """By one way to each, of each hand."""
    counsel, data, chance = counsel_of(edition, of), data_of(edition, of), Random(edition)
    graph = Graph(counsel, [voice_of(counsel)])
    nodes = list[Any]()
    roots = {hand: numbered(root, nodes) for hand, root in data["roots"].items()}
    begun = [(hand, roots[hand], query) for some in graph.roots() for hand, query in some.items()]
    seen = {(hand, number) for hand, number, _ in begun}
    while begun:
        hand, number, query = begun.pop(chance.randrange(len(begun)))
        node, here = nodes[number], graph.at(query)
        if here.step is None:
            whole = rule(counsel.law, here.account.stated())
            for told_in, lang in enumerate(data["langs"]):
                assert read(data, node, told_in, hand) == told(whole, lang, counsel), query
            continue
        shown, rows = graph.asking(here)
        tapped = [row for row, *_ in rows if of == REVOKE or may_be(graph, row.query)]
        screen = data["screens"][node[0]]
        assert screen[0] == here.step.id
        assert [spoken(data, data["rows"][at][0], 0, hand) for at in screen[5]] == [row.says for row in tapped]
        assert spoken(data, data["bands"][node[1]][1], 0, hand) == shown[0]["band"]["text"]
        for to, row in zip(node[2:], tapped, strict=True):
            if (there := (hand, to)) not in seen:
                seen.add(there)
                begun.append((*there, row.query))


# --- the page's own script

WALK = """
const random = arguments[0], unknown = arguments[1];
history.pushState = () => {};
go({});
for (let tap = 0; !document.querySelector("h1.headline"); tap++) {
  let rows = [...document.querySelectorAll("#main .row, #main .seat")];
  if (document.querySelector(".compass") && (tap === 1 || !F.compass.declarer)) rows = [document.querySelector(".p2")];
  if (!unknown) rows = rows.filter((one) => !one.classList.contains("unknown"));
  const last = rows.at(-1), chance = random[tap];
  (last.classList.contains("close") && chance < .4 ? last : rows[Math.floor(chance * 97 % rows.length)]).click();
}
const own = (one) => [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join("").trim().replaceAll("\\u2060", "");
const ends = walk(P).at.map((one) => N[one.n]), all = (side) => ends.flatMap((one) => one.tricks[side]);
return {
  at: address(P).slice(1),
  head: document.querySelector("h1").textContent.replaceAll("\\u2060", ""),
  said: [...document.querySelectorAll(".say p, .now p")].map(own),
  tricks: [0, 1].map((side) => [Math.min(...all(side)), Math.max(...all(side))]),
  wide: document.documentElement.scrollWidth,
};
"""


@pytest.fixture(scope="module", params=["whist-1900", pytest.param("duplicate-2017", marks=pytest.mark.thorough)])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    counsel = counsel_of(request.param)
    folder = tmp_path_factory.mktemp("page")
    for lang, other in (("en", "de"), ("de", "en")):
        page = interview_page(data_of(request.param), voice_of(counsel, lang), {other: f"{other}.html"})
        (folder / f"{lang}.html").write_text(page, "utf-8")
    with chromium.browser() as window:
        window.size(NARROW, 740, mobile=True)
        window.open(folder / "en.html")
        yield counsel, window
        assert window.log() == []


@browser
def test_whatever_is_tapped_comes_to_the_ruling_at_its_address(opened: Any) -> None:
    counsel, window = opened
    chance = Random(1)
    for _ in range(100 if counsel.law.edition.id == "whist-1900" else 500):
        shown = window.js(WALK, [chance.random() for _ in range(40)], False)
        page = AskedPage(counsel, dict(parse_qsl(shown["at"])), voice_of(counsel))
        ruling = rule(counsel.law, page.account.stated())
        announced = Announcement(ruling, voice_of(counsel).of(ruling))
        assert page.step is None and shown["wide"] <= NARROW, shown["at"]
        assert shown["head"] == announced.head, shown["at"]
        assert shown["said"] == [line.text for line in (*announced.lines, *announced.left)], shown["at"]


@browser
def test_nothing_is_presumed_of_what_is_not_known(opened: Any) -> None:
    counsel, window = opened
    chance = Random(2)
    for _ in range(60):
        shown = window.js(WALK, [chance.random() for _ in range(40)], True)
        ruling = rule(counsel.law, AskedPage(counsel, dict(parse_qsl(shown["at"])), voice_of(counsel)).account.stated())
        for (least, most), side in zip(shown["tricks"], ("NS", "EW"), strict=True):
            certain = ruling.certainty.range[side]
            assert least <= certain[0] <= certain[1] <= most, shown["at"]


@browser
def test_an_address_of_the_desk_opens_in_the_page_and_another_seat_asks_of_its_own_cards(opened: Any) -> None:
    counsel, window = opened
    if counsel.law.edition.id != "duplicate-2017":
        return
    window.js("location.hash = 'declarer=S&change=declarer'; opened()")
    band = AskedPage(counsel, {"declarer": "S", "change": "declarer"}, voice_of(counsel)).context()["band"]
    assert str(window.js("return document.querySelector('#band p').textContent")).strip() == band["text"]
    said = "revoke=W&declarer=S&next-trick=played&won-by=revoker&later-tricks=one,more&unusual=none"
    window.js("location.hash = arguments[0]; opened()", said)
    head = "document.querySelector('h1').textContent.replaceAll('\\u2060', '')"
    assert window.js(f"return {head}") == "Two tricks to North–South"
    moved = f"P = reseated(arguments[0]); show(); return [address(P).slice(1), {head}]"
    at, asked = window.js(moved, "E")
    assert dict(parse_qsl(at)) == {"revoke": "E", "declarer": "S", "next-trick": "played", "won-by": "partner"}
    assert asked == "Anything unusual?", "West won it still"
    window.js("location.hash = arguments[0]; opened()", said)
    assert dict(parse_qsl(window.js(moved, "N")[0])) == {"revoke": "N", "declarer": "S"}, (
        "of the other side nothing is known"
    )


@browser
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_score_is_that_of_the_desk(opened: Any, lang: str) -> None:
    counsel, window = opened
    if counsel.law.edition.id != "duplicate-2017":
        return
    chance = Random(lang)
    window.open(str(window.js("return location.href.split('#')[0]")).replace("en.html", f"{lang}.html"))
    for _ in range(60):
        declarer, won = chance.choice("NESW"), chance.choice(["revoker", "partner", "opponent"])
        query = {
            "revoke": "NESW"["NESW".index(declarer) - 1],
            "declarer": declarer,
            "next-trick": "played",
            "won-by": won,
            "later-tricks": "one,more",
            "unusual": "none",
            "board": str(chance.randint(1, 40)),
            "contract": f"{chance.randint(1, 7)}{chance.choice(['S', 'H', 'D', 'C', 'NT'])}{chance.choice(['', 'X', 'XX'])}",
            "tricks": str(chance.randint(2, 11)),
        }
        speaker = voice_of(counsel, lang)
        ruling = rule(counsel.law, seated(counsel, query))
        due = entered(ruling, speaker.of(ruling))
        assert due is not None
        line = (due.board, due.result, f"{due.score} {due.side}", due.tricks)
        at = "&".join(f"{key}={value}" for key, value in query.items())
        window.js("location.hash = arguments[0]; opened()", at)
        shown = window.js(
            "return document.querySelector('details form').closest('details').previousSibling.textContent"
        )
        assert " · ".join(filter(None, line)) in shown.replace("\u2060", ""), (at, line, shown)
    link = "return document.querySelector('header a').href"
    assert str(window.js(link)).partition("#")[2] == str(window.js("return location.hash")).removeprefix("#")
    window.open(str(window.js("return location.href.split('#')[0]")).replace(f"{lang}.html", "en.html"))


def test_the_file_needs_nothing_else_and_is_in_the_language_asked_for() -> None:
    counsel = counsel_of("whist-1900")
    for lang in ("en", "de"):
        page = interview_page(data_of("whist-1900"), voice_of(counsel, lang), {})
        assert f'<html lang="{lang}">' in page and "src=" not in page and "http" not in page.partition("<script")[0]
        data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
        assert data["langs"] == ["en", "de"] and {"77", "80"} <= data["laws"].keys()


def test_an_end_states_no_more_than_was_said() -> None:
    """Nobody is told of a trick that nobody has named."""
    counsel = counsel_of("whist-1900")
    said = Account(
        counsel.adviser, {"revoke": "S"}, {"next-trick": frozenset({"played"})}, closed=frozenset({"unusual"})
    )
    incident = said.stated()
    assert incident.revokes[0].trick is None and incident.revokes[0].said["next-trick"] == "played"
